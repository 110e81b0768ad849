module top(input clk, rst, input x, output z);
  reg [3:0] s;
  always @(posedge clk) if (rst) s<=4'b0001; else begin
    s[0] <= (s[0]&~x)|(s[2]&~x); s[1] <= (s[0]&x)|(s[1]&x)|(s[3]&x); s[2] <= (s[1]&~x)|(s[3]&~x); s[3] <= s[2]&x; end
  assign z = s[3];
endmodule
