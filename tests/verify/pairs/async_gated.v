module top(input clk, rst_n, en, input [7:0] d, output [7:0] q, output reg v);
  reg [7:0] k;
  always @(posedge clk or negedge rst_n) if (!rst_n) begin k<=8'h3; v<=0; end else begin k <= k + (d & {8{en}}); v <= en; end
  assign q=k;
endmodule
