// Processing element of a weight-stationary systolic array, bfloat16: psum_out = psum_in + a_in * weight.
//
// The product is exact and the sum is rounded once (a fused multiply-add), to nearest, ties to even. Subnormal
// operands count as zeros of their sign, a result below 2^-126 after rounding to 8 bits becomes a zero of its sign.
// Infinities are handled; every NaN result is 16'h7fc0. An exact zero sum of unlike signs is +0.
//
//   load_w   weight <= w_in (usable for operands of the next cycle), whatever en is
//   en       the pipeline moves: a_out is a_in one enabled cycle later, psum_out belongs to the a_in and psum_in of
//            two enabled cycles before
//
// Latency: 2 enabled cycles. Clock: clk, rising edge. Reset: rst, synchronous, active high, clears every register.

module bf16_pe (
    input  wire        clk,
    input  wire        rst,
    input  wire        en,
    input  wire        load_w,
    input  wire [15:0] w_in,
    input  wire [15:0] a_in,
    input  wire [15:0] psum_in,
    output reg  [15:0] a_out,
    output reg  [15:0] psum_out
);

    localparam EXTRA = 12;            // bits kept below the product when aligning; the last one is sticky
    localparam WIDTH = 16 + EXTRA;

    reg [15:0] weight;

    // Stage 1: multiply. The product is 2.14 bits; its exponent is biased like bfloat16's, and may be negative.
    wire zero_a = (a_in[14:7] == 8'd0);
    wire zero_w = (weight[14:7] == 8'd0);
    wire inf_a  = (a_in[14:7] == 8'hff) && (a_in[6:0] == 7'd0);
    wire inf_w  = (weight[14:7] == 8'hff) && (weight[6:0] == 7'd0);
    wire nan_a  = (a_in[14:7] == 8'hff) && (a_in[6:0] != 7'd0);
    wire nan_w  = (weight[14:7] == 8'hff) && (weight[6:0] != 7'd0);

    reg                prod_sign, prod_zero, prod_inf, prod_nan;
    reg signed [10:0]  prod_exp;
    reg        [15:0]  prod_sig;
    reg        [15:0]  addend;

    always @(posedge clk) begin
        if (rst) begin
            weight    <= 16'd0;
            a_out     <= 16'd0;
            addend    <= 16'd0;
            prod_sign <= 1'b0;
            prod_zero <= 1'b0;
            prod_inf  <= 1'b0;
            prod_nan  <= 1'b0;
            prod_exp  <= 11'sd0;
            prod_sig  <= 16'd0;
        end else begin
            if (load_w)
                weight <= w_in;
            if (en) begin
                a_out     <= a_in;
                addend    <= psum_in;
                prod_sign <= a_in[15] ^ weight[15];
                prod_zero <= zero_a || zero_w;
                prod_inf  <= inf_a || inf_w;
                prod_nan  <= nan_a || nan_w || (inf_a && zero_w) || (zero_a && inf_w);
                prod_exp  <= $signed({3'd0, a_in[14:7]}) + $signed({3'd0, weight[14:7]}) - 11'sd127;
                prod_sig  <= {1'b1, a_in[6:0]} * {1'b1, weight[6:0]};
            end
        end
    end

    // Stage 2: unpack the addend to the product's format and let the larger exponent lead; zeros never do.
    wire               add_sign = addend[15];
    wire               add_zero = (addend[14:7] == 8'd0);
    wire               add_inf  = (addend[14:7] == 8'hff) && (addend[6:0] == 7'd0);
    wire               add_nan  = (addend[14:7] == 8'hff) && (addend[6:0] != 7'd0);
    wire signed [10:0] add_exp  = {3'd0, addend[14:7]};
    wire        [15:0] add_sig  = add_zero ? 16'd0 : {2'b01, addend[6:0], 7'd0};
    wire        [15:0] mul_sig  = prod_zero ? 16'd0 : prod_sig;

    wire               mul_leads = !prod_zero && (add_zero || (prod_exp >= add_exp));
    wire signed [10:0] lead_exp  = mul_leads ? prod_exp : add_exp;
    wire signed [10:0] exp_gap   = mul_leads ? prod_exp - add_exp : add_exp - prod_exp;
    wire        [5:0]  shift     = (exp_gap > 11'sd63) ? 6'd63 : exp_gap[5:0];

    wire [WIDTH-1:0]    lead  = {mul_leads ? mul_sig : add_sig, {EXTRA{1'b0}}};
    wire [WIDTH+62:0]   moved = {mul_leads ? add_sig : mul_sig, {EXTRA+63{1'b0}}} >> shift;
    wire [WIDTH-1:0]    trail = {moved[WIDTH+62:64], |moved[63:0]};

    // Add or subtract magnitudes.
    wire             lead_sign  = mul_leads ? prod_sign : add_sign;
    wire             trail_sign = mul_leads ? add_sign : prod_sign;
    wire             same       = (lead_sign == trail_sign);
    wire             lead_less  = lead < trail;
    wire [WIDTH:0]   magnitude  = same      ? {1'b0, lead} + {1'b0, trail} :
                                  lead_less ? {1'b0, trail} - {1'b0, lead} :
                                              {1'b0, lead} - {1'b0, trail};
    wire             sign       = (magnitude == 0) ? (lead_sign & trail_sign) :
                                  lead_less        ? trail_sign : lead_sign;

    // Normalise: the leading one goes to the top bit, whose weight is twice that of the product's own top bit.
    reg  [4:0] zeros;
    integer    i;

    always @* begin
        zeros = 5'd0;
        for (i = 0; i <= WIDTH; i = i + 1)
            if (magnitude[i])
                zeros = WIDTH[4:0] - i[4:0];
    end

    wire [WIDTH:0]     normal     = magnitude << zeros;
    wire signed [10:0] exp_normal = lead_exp + 11'sd2 - $signed({6'd0, zeros});

    // Round to nearest, ties to even.
    wire               round_up    = normal[WIDTH-8] && (normal[WIDTH-7] || (normal[WIDTH-9:0] != 0));
    wire        [8:0]  rounded     = {1'b0, normal[WIDTH -: 8]} + {8'd0, round_up};
    wire        [6:0]  fraction    = rounded[8] ? rounded[7:1] : rounded[6:0];
    wire signed [10:0] exp_rounded = rounded[8] ? exp_normal + 11'sd1 : exp_normal;

    reg [15:0] result;

    always @* begin
        if (prod_nan || add_nan || (prod_inf && add_inf && (prod_sign != add_sign)))
            result = 16'h7fc0;
        else if (prod_inf)
            result = {prod_sign, 15'h7f80};
        else if (add_inf)
            result = {add_sign, 15'h7f80};
        else if (magnitude == 0 || exp_rounded < 11'sd1)
            result = {sign, 15'd0};
        else if (exp_rounded > 11'sd254)
            result = {sign, 15'h7f80};
        else
            result = {sign, exp_rounded[7:0], fraction};
    end

    always @(posedge clk) begin
        if (rst)
            psum_out <= 16'd0;
        else if (en)
            psum_out <= result;
    end

endmodule
