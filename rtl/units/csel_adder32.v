// 32-bit carry-select adder: {cout, sum} = a + b + cin, unsigned.
//
// Eight blocks of four bits. Each block works out its sum for a carry-in of 0 and for a carry-in of 1 while the
// carry is still on its way; the carry that arrives picks one of the two.
//
// Latency: combinational. Clock, reset: none.

module csel_adder32 (
    input  wire [31:0] a,
    input  wire [31:0] b,
    input  wire        cin,
    output wire [31:0] sum,
    output wire        cout
);

    wire [8:0] carry;

    assign carry[0] = cin;
    assign cout     = carry[8];

    genvar i;
    generate
        for (i = 0; i < 8; i = i + 1) begin : block
            wire [4:0] sum0 = {1'b0, a[4*i +: 4]} + {1'b0, b[4*i +: 4]};
            wire [4:0] sum1 = {1'b0, a[4*i +: 4]} + {1'b0, b[4*i +: 4]} + 5'd1;

            assign sum[4*i +: 4] = carry[i] ? sum1[3:0] : sum0[3:0];
            assign carry[i+1]    = carry[i] ? sum1[4]   : sum0[4];
        end
    endgenerate

endmodule
