// Population count: number of ones in a 64-bit word, 0 to 64.
//
// Each nibble is looked up in a table of sixteen counts, and the sixteen counts are added.
//
// Latency: combinational. Clock, reset: none.

module popcount64 (
    input  wire [63:0] x,
    output reg  [6:0]  count
);

    function [2:0] ones;
        input [3:0] nibble;
        case (nibble)
            4'h0:                         ones = 3'd0;
            4'h1, 4'h2, 4'h4, 4'h8:       ones = 3'd1;
            4'h7, 4'hb, 4'hd, 4'he:       ones = 3'd3;
            4'hf:                         ones = 3'd4;
            default:                      ones = 3'd2;
        endcase
    endfunction

    integer i;

    always @* begin
        count = 7'd0;
        for (i = 0; i < 16; i = i + 1)
            count = count + {4'd0, ones(x[4*i +: 4])};
    end

endmodule
