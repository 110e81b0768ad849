// Population count: number of ones in a 64-bit word, 0 to 64.
//
// The masks-and-adds method known from software: neighbouring fields are added in place, their width doubling at
// each step, until every byte holds its own count; then halves are folded together.
//
// Latency: combinational. Clock, reset: none.

module popcount64 (
    input  wire [63:0] x,
    output wire [6:0]  count
);

    localparam [63:0] M1 = 64'h5555_5555_5555_5555;
    localparam [63:0] M2 = 64'h3333_3333_3333_3333;
    localparam [63:0] M4 = 64'h0f0f_0f0f_0f0f_0f0f;

    wire [63:0] pairs   = (x & M1) + ((x >> 1) & M1);
    wire [63:0] nibbles = (pairs & M2) + ((pairs >> 2) & M2);
    wire [63:0] bytes   = (nibbles & M4) + ((nibbles >> 4) & M4);

    // The fields are now bytes and have room for 64, so no mask is needed any more.
    wire [31:0] fold32 = bytes[63:32] + bytes[31:0];
    wire [15:0] fold16 = fold32[31:16] + fold32[15:0];

    assign count = fold16[14:8] + fold16[6:0];

endmodule
