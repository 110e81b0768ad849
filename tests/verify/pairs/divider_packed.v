module top(input clk, rst, start, input [15:0] n, input [7:0] d, output done, output [15:0] q, output [7:0] r);
  reg [4:0] left; reg fin; reg [23:0] w; reg [7:0] dv;
  wire [9:0] diff = {1'b0,w[23:15]} - {2'b0,dv};
  wire busy = |left;
  always @(posedge clk) if (rst) begin left<=0; fin<=0; w<=0; dv<=0; end else begin
    fin <= left==1;
    if (busy) begin left<=left-1; w <= {diff[9] ? w[22:15] : diff[7:0], w[14:0], ~diff[9]}; end
    else if (start) begin left<=16; w<={8'd0,n}; dv<=d; end
  end
  assign done=fin; assign q=w[15:0]; assign r=w[23:16];
endmodule
