module top(input clk, input [7:0] a, b, output reg [15:0] y);
  always @(posedge clk) y <= a * b;
endmodule
