module top(input clk, rst_n, en, input [7:0] d, output reg [7:0] q, output reg v);
  always @(posedge clk) if (!rst_n) begin q<=8'h3; v<=0; end else begin if (en) q <= q + d; v <= en; end
endmodule
