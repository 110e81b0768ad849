// Four-term dot product of 8-bit quantised vectors with a zero point:
//
//   y = sum over k of (a[k] - zero) * w[k]
//
// a[k] and zero are unsigned, w[k] is signed (two's complement); y is exact in 18 bits, signed.
// Element k of a vector is bits 8k+7 to 8k. The products of the data and the correction for the zero point are
// summed apart and subtracted at the end.
//
// Latency: combinational. Clock, reset: none.

module dot4x8 (
    input  wire        [31:0] a,
    input  wire        [31:0] w,
    input  wire        [7:0]  zero,
    output wire signed [17:0] y
);

    wire signed [8:0] a0 = {1'b0, a[7:0]};
    wire signed [8:0] a1 = {1'b0, a[15:8]};
    wire signed [8:0] a2 = {1'b0, a[23:16]};
    wire signed [8:0] a3 = {1'b0, a[31:24]};
    wire signed [8:0] z  = {1'b0, zero};

    wire signed [7:0] w0 = w[7:0];
    wire signed [7:0] w1 = w[15:8];
    wire signed [7:0] w2 = w[23:16];
    wire signed [7:0] w3 = w[31:24];

    wire signed [17:0] data       = a0 * w0 + a1 * w1 + a2 * w2 + a3 * w3;
    wire signed [17:0] correction = z * w0 + z * w1 + z * w2 + z * w3;

    assign y = data - correction;

endmodule
