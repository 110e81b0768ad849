module top(input clk, rst, vi, input [15:0] a, b, output reg vo, output [31:0] y);
  reg v1; reg [31:0] p0,p1,p0b,p1b;
  always @(posedge clk) begin p0<=a*b[7:0]; p1<=a*b[15:8]; p0b<=p0; p1b<=p1<<8; if (rst) begin v1<=0; vo<=0; end else begin v1<=vi; vo<=v1; end end
  assign y=p0b+p1b;
endmodule
