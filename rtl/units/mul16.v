// 16x16 multiplier: p = a * b, unsigned, full 32-bit product.
//
// Schoolbook: one row for each bit of b, shifted into place and added to the sum of the rows before it.
//
// Latency: combinational. Clock, reset: none.

module mul16 (
    input  wire [15:0] a,
    input  wire [15:0] b,
    output reg  [31:0] p
);

    integer i;

    always @* begin
        p = 32'd0;
        for (i = 0; i < 16; i = i + 1)
            if (b[i])
                p = p + ({16'd0, a} << i);
    end

endmodule
