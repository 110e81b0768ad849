module top(input clk, rst, vi, input [15:0] a, b, output reg vo, output reg [31:0] y);
  reg v1; reg [15:0] x0,x1;
  always @(posedge clk) begin x0<=a; x1<=b; y<=x0*x1; if (rst) begin v1<=0; vo<=0; end else begin v1<=vi; vo<=v1; end end
endmodule
