// 32-bit ALU of a RISC-V (RV32I) core.
//
//   op  0 add   1 sub   2 sll   3 slt   4 sltu   5 xor   6 srl   7 sra   8 or   9 and   others: y = 0
//
// Shifts use b[4:0]; slt and sltu give 0 or 1. zero is 1 when y is 0; equal is 1 when a equals b, whatever op is.
//
// Latency: combinational. Clock, reset: none.

module alu32 (
    input  wire [3:0]  op,
    input  wire [31:0] a,
    input  wire [31:0] b,
    output reg  [31:0] y,
    output wire        zero,
    output wire        equal
);

    wire        subtract = (op == 4'd1);
    wire [31:0] minus_b  = ~b + 32'd1;
    wire [31:0] sum      = a + (subtract ? minus_b : b);
    wire [4:0]  shamt    = b[4:0];

    always @* begin
        case (op)
            4'd0:    y = sum;
            4'd1:    y = sum;
            4'd2:    y = a << shamt;
            4'd3:    y = {31'd0, $signed(a) < $signed(b)};
            4'd4:    y = {31'd0, a < b};
            4'd5:    y = a ^ b;
            4'd6:    y = a >> shamt;
            4'd7:    y = $signed(a) >>> shamt;
            4'd8:    y = a | b;
            4'd9:    y = a & b;
            default: y = 32'd0;
        endcase
    end

    assign zero  = (y == 32'd0);
    assign equal = (a == b);

endmodule
