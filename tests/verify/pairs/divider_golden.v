module top(input clk, rst, start, input [15:0] n, input [7:0] d, output reg done, output [15:0] q, output [7:0] r);
  reg [3:0] cnt; reg busy; reg [15:0] qq; reg [8:0] rr; reg [7:0] dd;
  wire [8:0] sh = {rr[7:0], qq[15]};
  wire ge = sh >= {1'b0,dd};
  always @(posedge clk) if (rst) begin busy<=0; done<=0; cnt<=0; qq<=0; rr<=0; dd<=0; end else begin
    done<=0;
    if (start & ~busy) begin busy<=1; cnt<=0; qq<=n; rr<=0; dd<=d; end
    else if (busy) begin rr <= ge ? sh - {1'b0,dd} : sh; qq <= {qq[14:0],ge}; cnt<=cnt+1; if (cnt==15) begin busy<=0; done<=1; end end
  end
  assign q=qq; assign r=rr[7:0];
endmodule
