// Leading-zero count of a 32-bit word: number of zeros above the highest one, 0 to 32 (32 when x is 0).
//
// As known from software: the highest one is smeared over all bits below it, and the zeros that are left are counted.
//
// Latency: combinational. Clock, reset: none.

module lzc32 (
    input  wire [31:0] x,
    output reg  [5:0]  count
);

    wire [31:0] smear1  = x       | (x >> 1);
    wire [31:0] smear2  = smear1  | (smear1 >> 2);
    wire [31:0] smear4  = smear2  | (smear2 >> 4);
    wire [31:0] smear8  = smear4  | (smear4 >> 8);
    wire [31:0] smear16 = smear8  | (smear8 >> 16);

    integer i;

    always @* begin
        count = 6'd0;
        for (i = 0; i < 32; i = i + 1)
            count = count + {5'd0, ~smear16[i]};
    end

endmodule
