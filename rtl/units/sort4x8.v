// Sorter of four unsigned bytes, registered: y holds the bytes of x in ascending order, smallest in y[7:0].
//
// Bubble sort unrolled: three passes, six compare-and-exchange steps.
//
// Latency: 1 cycle when en is 1. Clock: clk, rising edge. Reset: rst, synchronous, active high, clears y; wins over en.

module sort4x8 (
    input  wire        clk,
    input  wire        rst,
    input  wire        en,
    input  wire [31:0] x,
    output reg  [31:0] y
);

    reg [7:0] v0, v1, v2, v3, swap;

    always @* begin
        v0   = x[7:0];
        v1   = x[15:8];
        v2   = x[23:16];
        v3   = x[31:24];
        swap = 8'd0;

        // First pass: the largest moves to v3.
        if (v0 > v1) begin swap = v0; v0 = v1; v1 = swap; end
        if (v1 > v2) begin swap = v1; v1 = v2; v2 = swap; end
        if (v2 > v3) begin swap = v2; v2 = v3; v3 = swap; end

        // Second pass: the next largest moves to v2.
        if (v0 > v1) begin swap = v0; v0 = v1; v1 = swap; end
        if (v1 > v2) begin swap = v1; v1 = v2; v2 = swap; end

        // Third pass.
        if (v0 > v1) begin swap = v0; v0 = v1; v1 = swap; end
    end

    always @(posedge clk) begin
        if (rst)
            y <= 32'd0;
        else if (en)
            y <= {v3, v2, v1, v0};
    end

endmodule
