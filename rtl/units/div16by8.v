// Restoring divider, one quotient bit a cycle: quotient = dividend / divisor, remainder = dividend % divisor,
// unsigned, 16 by 8 bits.
//
// A pulse on start (ignored while busy) takes the operands; busy is 1 for the 16 cycles after it, then done is 1 for
// one cycle, and quotient and remainder stay valid until the next start is taken. While busy they show partial results.
// Division by zero gives quotient 16'hffff and remainder dividend[7:0].
//
// Latency: 17 cycles from start to done. Clock: clk, rising edge.
// Reset: rst, synchronous, active high, clears every register and abandons a division under way.

module div16by8 (
    input  wire        clk,
    input  wire        rst,
    input  wire        start,
    input  wire [15:0] dividend,
    input  wire [7:0]  divisor,
    output reg         busy,
    output reg         done,
    output reg  [15:0] quotient,
    output wire [7:0]  remainder
);

    reg [15:0] numerator;    // bits not yet brought down, at the top
    reg [7:0]  denominator;
    reg [15:0] partial;      // partial remainder
    reg [4:0]  left;         // quotient bits still to find

    wire [16:0] trial = {partial, numerator[15]};
    wire        fits  = trial >= {9'd0, denominator};
    wire [15:0] next  = fits ? trial[15:0] - {8'd0, denominator} : trial[15:0];

    assign remainder = partial[7:0];

    always @(posedge clk) begin
        if (rst) begin
            busy        <= 1'b0;
            done        <= 1'b0;
            quotient    <= 16'd0;
            numerator   <= 16'd0;
            denominator <= 8'd0;
            partial     <= 16'd0;
            left        <= 5'd0;
        end else begin
            done <= 1'b0;
            if (busy) begin
                numerator <= {numerator[14:0], 1'b0};
                quotient  <= {quotient[14:0], fits};
                partial   <= next;
                left      <= left - 5'd1;
                if (left == 5'd1) begin
                    busy <= 1'b0;
                    done <= 1'b1;
                end
            end else if (start) begin
                busy        <= 1'b1;
                quotient    <= 16'd0;
                numerator   <= dividend;
                denominator <= divisor;
                partial     <= 16'd0;
                left        <= 5'd16;
            end
        end
    end

endmodule
