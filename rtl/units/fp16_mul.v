// IEEE 754 binary16 multiplier: y = a * b, subnormals flushed.
//
// Rounds to nearest, ties to even. A subnormal operand counts as a zero of its sign; a product that is below 2^-14
// after rounding to 11 bits becomes a zero of its sign. Infinities are handled, infinity times zero is NaN. Every NaN
// result is 16'h7e00; no exception flags.
//
// Latency: combinational. Clock, reset: none.

module fp16_mul (
    input  wire [15:0] a,
    input  wire [15:0] b,
    output reg  [15:0] y
);

    wire        sign   = a[15] ^ b[15];
    wire [4:0]  exp_a  = a[14:10];
    wire [4:0]  exp_b  = b[14:10];
    wire [10:0] sig_a  = {exp_a != 5'd0, a[9:0]};
    wire [10:0] sig_b  = {exp_b != 5'd0, b[9:0]};

    wire zero_a = (exp_a == 5'd0);
    wire zero_b = (exp_b == 5'd0);
    wire inf_a  = (exp_a == 5'd31) && (a[9:0] == 10'd0);
    wire inf_b  = (exp_b == 5'd31) && (b[9:0] == 10'd0);
    wire nan_a  = (exp_a == 5'd31) && (a[9:0] != 10'd0);
    wire nan_b  = (exp_b == 5'd31) && (b[9:0] != 10'd0);

    wire [21:0] product = sig_a * sig_b;

    // Normalise: the leading one goes to bit 21.
    reg  [4:0]  zeros;
    integer     i;

    always @* begin
        zeros = 5'd0;
        for (i = 0; i < 22; i = i + 1)
            if (product[i])
                zeros = 5'd21 - i[4:0];
    end

    wire [21:0]       normal     = product << zeros;
    wire signed [7:0] exp_normal = $signed({3'd0, exp_a}) + $signed({3'd0, exp_b}) - 8'sd14 - $signed({3'd0, zeros});

    // Round to nearest, ties to even.
    wire              round_up    = normal[10] && (normal[11] || (normal[9:0] != 10'd0));
    wire [11:0]       rounded     = {1'b0, normal[21:11]} + {11'd0, round_up};
    wire [9:0]        fraction    = rounded[11] ? rounded[10:1] : rounded[9:0];
    wire signed [7:0] exp_rounded = rounded[11] ? exp_normal + 8'sd1 : exp_normal;

    always @* begin
        if (nan_a || nan_b || (inf_a && zero_b) || (zero_a && inf_b))
            y = 16'h7e00;
        else if (inf_a || inf_b)
            y = {sign, 15'h7c00};
        else if (zero_a || zero_b || exp_rounded < 8'sd1)
            y = {sign, 15'd0};
        else if (exp_rounded > 8'sd30)
            y = {sign, 15'h7c00};
        else
            y = {sign, exp_rounded[4:0], fraction};
    end

endmodule
