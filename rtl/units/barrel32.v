// 32-bit barrel shifter.
//
//   op  0 shift left   1 shift right logical   2 shift right arithmetic   3 rotate left   4 rotate right
//       others: y = x
//
// n is the distance, 0 to 31.
//
// Latency: combinational. Clock, reset: none.

module barrel32 (
    input  wire [2:0]  op,
    input  wire [31:0] x,
    input  wire [4:0]  n,
    output reg  [31:0] y
);

    wire [5:0] back = 6'd32 - {1'b0, n};

    always @* begin
        case (op)
            3'd0:    y = x << n;
            3'd1:    y = x >> n;
            3'd2:    y = $signed(x) >>> n;
            3'd3:    y = (x << n) | (x >> back);
            3'd4:    y = (x >> n) | (x << back);
            default: y = x;
        endcase
    end

endmodule
