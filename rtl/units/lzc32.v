// Leading-zero count of a 32-bit word: number of zeros above the highest one, 0 to 32 (32 when x is 0).
//
// Latency: combinational. Clock, reset: none.

module lzc32 (
    input  wire [31:0] x,
    output reg  [5:0]  count
);

    integer i;
    reg     seen;

    always @* begin
        count = 6'd0;
        seen  = 1'b0;
        for (i = 31; i >= 0; i = i - 1) begin
            seen = seen | x[i];
            if (!seen)
                count = count + 6'd1;
        end
    end

endmodule
