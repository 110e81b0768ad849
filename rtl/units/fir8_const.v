// Eight-tap low-pass FIR filter with constant, symmetric coefficients, direct form:
//
//   y[n] = -3 x[n] + 7 x[n-1] + 29 x[n-2] + 95 x[n-3] + 95 x[n-4] + 29 x[n-5] + 7 x[n-6] - 3 x[n-7]
//
// x is 8-bit signed, y is 17-bit signed and exact. A sample is taken when en is 1; y follows one enabled cycle later
// (the tap registers fill in the cycle a sample is taken, y is summed from them in the next).
//
// Latency: 2 enabled cycles from x to its first effect on y. Clock: clk, rising edge.
// Reset: rst, synchronous, active high, clears the taps and y; wins over en.

module fir8_const (
    input  wire               clk,
    input  wire               rst,
    input  wire               en,
    input  wire signed [7:0]  x,
    output reg  signed [16:0] y
);

    reg signed [7:0] tap0, tap1, tap2, tap3, tap4, tap5, tap6, tap7;

    wire signed [16:0] p0 = tap0 * -17'sd3;
    wire signed [16:0] p1 = tap1 * 17'sd7;
    wire signed [16:0] p2 = tap2 * 17'sd29;
    wire signed [16:0] p3 = tap3 * 17'sd95;
    wire signed [16:0] p4 = tap4 * 17'sd95;
    wire signed [16:0] p5 = tap5 * 17'sd29;
    wire signed [16:0] p6 = tap6 * 17'sd7;
    wire signed [16:0] p7 = tap7 * -17'sd3;

    always @(posedge clk) begin
        if (rst) begin
            tap0 <= 8'sd0;
            tap1 <= 8'sd0;
            tap2 <= 8'sd0;
            tap3 <= 8'sd0;
            tap4 <= 8'sd0;
            tap5 <= 8'sd0;
            tap6 <= 8'sd0;
            tap7 <= 8'sd0;
            y    <= 17'sd0;
        end else if (en) begin
            tap0 <= x;
            tap1 <= tap0;
            tap2 <= tap1;
            tap3 <= tap2;
            tap4 <= tap3;
            tap5 <= tap4;
            tap6 <= tap5;
            tap7 <= tap6;
            y    <= p0 + p1 + p2 + p3 + p4 + p5 + p6 + p7;
        end
    end

endmodule
