// Registers without reset or initial value, held by an enable.
module top(input clk, en, input [7:0] a, b, output reg [8:0] y);
  reg [7:0] p, q;
  always @(posedge clk) if (en) begin
    p <= a;
    q <= b;
    y <= p + q;
  end
endmodule
