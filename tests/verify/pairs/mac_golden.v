module top(input clk, rst, en, clear, input [7:0] a, b, output [19:0] y);
  reg [19:0] acc;
  always @(posedge clk) if (rst) acc <= 0; else if (en) acc <= (clear ? 20'd0 : acc) + a*b;
  assign y = acc;
endmodule
