module top(input clk, input [15:0] a, b, output reg [31:0] y);
  reg [15:0] x0, x1; reg [31:0] p;
  always @(posedge clk) begin x0<=a; x1<=b; p<=x0*x1; y<=p; end
endmodule
