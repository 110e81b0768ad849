module top(input clk, en, input [7:0] a, b, output [8:0] y);
  reg [7:0] left, right;
  reg [8:0] sum;
  always @(posedge clk) begin
    left <= en ? a : left;
    right <= en ? ~b : right;
    if (en) sum <= {1'b0, left} - {1'b1, right} - 9'd1;
  end
  assign y = sum;
endmodule
