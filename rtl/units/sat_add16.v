// Saturating adder-subtractor, 16-bit signed: y = clamp(a + b) or clamp(a - b) to -32768 .. 32767.
//
//   rst          y <= 0, saturated <= 0
//   en, !sub     y <= clamp(a + b)
//   en, sub      y <= clamp(a - b)
//
// saturated tells whether the y beside it was clamped.
//
// Latency: 1 cycle. Clock: clk, rising edge. Reset: rst, synchronous, active high; wins over en.

module sat_add16 (
    input  wire               clk,
    input  wire               rst,
    input  wire               en,
    input  wire               sub,
    input  wire signed [15:0] a,
    input  wire signed [15:0] b,
    output reg  signed [15:0] y,
    output reg                saturated
);

    localparam signed [17:0] MAX = 18'sd32767;
    localparam signed [17:0] MIN = -18'sd32768;

    wire signed [17:0] wide_a = {{2{a[15]}}, a};
    wire signed [17:0] wide_b = {{2{b[15]}}, b};
    wire signed [17:0] exact  = sub ? wide_a - wide_b : wide_a + wide_b;

    always @(posedge clk) begin
        if (rst) begin
            y         <= 16'sd0;
            saturated <= 1'b0;
        end else if (en) begin
            y         <= (exact > MAX) ? MAX[15:0] : (exact < MIN) ? MIN[15:0] : exact[15:0];
            saturated <= (exact > MAX) || (exact < MIN);
        end
    end

endmodule
