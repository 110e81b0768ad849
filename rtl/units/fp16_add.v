// IEEE 754 binary16 adder: y = a + b.
//
// Rounds to nearest, ties to even. Subnormal operands and results are handled in full, so are signed zeros and
// infinities (an exact zero sum of unlike signs is +0). Every NaN result is 16'h7e00; no exception flags.
//
// Latency: combinational. Clock, reset: none.

module fp16_add (
    input  wire [15:0] a,
    input  wire [15:0] b,
    output reg  [15:0] y
);

    // Unpack; the exponent of a subnormal is that of the smallest normal number.
    wire        sign_a = a[15];
    wire        sign_b = b[15];
    wire [4:0]  exp_a  = (a[14:10] == 5'd0) ? 5'd1 : a[14:10];
    wire [4:0]  exp_b  = (b[14:10] == 5'd0) ? 5'd1 : b[14:10];
    wire [10:0] sig_a  = {a[14:10] != 5'd0, a[9:0]};
    wire [10:0] sig_b  = {b[14:10] != 5'd0, b[9:0]};

    wire inf_a = (a[14:10] == 5'd31) && (a[9:0] == 10'd0);
    wire inf_b = (b[14:10] == 5'd31) && (b[9:0] == 10'd0);
    wire nan_a = (a[14:10] == 5'd31) && (a[9:0] != 10'd0);
    wire nan_b = (b[14:10] == 5'd31) && (b[9:0] != 10'd0);

    // Align to the larger exponent. Twelve bits are kept below the significand; the last of the 24 is sticky.
    wire [4:0]  shift_a = (exp_b > exp_a) ? exp_b - exp_a : 5'd0;
    wire [4:0]  shift_b = (exp_a > exp_b) ? exp_a - exp_b : 5'd0;
    wire [4:0]  exp_max = (exp_a > exp_b) ? exp_a : exp_b;

    wire [53:0] wide_a = {sig_a, 43'd0} >> shift_a;
    wire [53:0] wide_b = {sig_b, 43'd0} >> shift_b;
    wire [23:0] aligned_a = {wide_a[53:31], |wide_a[30:0]};
    wire [23:0] aligned_b = {wide_b[53:31], |wide_b[30:0]};

    // Add or subtract magnitudes.
    wire        a_larger = aligned_a >= aligned_b;
    wire        same     = (sign_a == sign_b);
    wire [24:0] total    = {1'b0, aligned_a} + {1'b0, aligned_b};
    wire [24:0] a_less_b = {1'b0, aligned_a} - {1'b0, aligned_b};
    wire [24:0] b_less_a = {1'b0, aligned_b} - {1'b0, aligned_a};
    wire [24:0] magnitude = same ? total : a_larger ? a_less_b : b_less_a;
    wire        sign      = (magnitude == 25'd0) ? (sign_a & sign_b) : a_larger ? sign_a : sign_b;

    // Normalise: the leading one goes to bit 24, but the exponent never below 1.
    reg  [4:0]  zeros;
    integer     i;

    always @* begin
        zeros = 5'd25;
        for (i = 0; i < 25; i = i + 1)
            if (magnitude[i])
                zeros = 5'd24 - i[4:0];
    end

    wire [5:0]  exp_room   = {1'b0, exp_max};
    wire [5:0]  shift_left = ({1'b0, zeros} > exp_room) ? exp_room : {1'b0, zeros};
    wire [24:0] normal     = magnitude << shift_left;
    wire [5:0]  exp_normal = exp_room + 6'd1 - shift_left;
    wire [5:0]  exp_field  = normal[24] ? exp_normal : 6'd0;

    // Round to nearest, ties to even; a carry out of the fraction moves into the exponent.
    wire        round_up = normal[13] && (normal[14] || (normal[12:0] != 13'd0));
    wire [15:0] rounded  = {exp_field, normal[23:14]} + {15'd0, round_up};

    always @* begin
        if (nan_a || nan_b || (inf_a && inf_b && !same))
            y = 16'h7e00;
        else if (inf_a)
            y = a;
        else if (inf_b)
            y = b;
        else if (rounded >= 16'h7c00)
            y = {sign, 15'h7c00};
        else
            y = {sign, rounded[14:0]};
    end

endmodule
