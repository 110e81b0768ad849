// Multiply-accumulate: 8x8-bit unsigned product into a 20-bit accumulator that wraps.
//
//   rst          acc <= 0
//   en, load     acc <= a * b            (first term of a new sum)
//   en, sub      acc <= acc - a * b
//   en           acc <= acc + a * b
//   otherwise    acc keeps its value
//
// Latency: 1 cycle. Clock: clk, rising edge. Reset: rst, synchronous, active high; wins over en.

module mac8x8_20 (
    input  wire        clk,
    input  wire        rst,
    input  wire        en,
    input  wire        load,
    input  wire        sub,
    input  wire [7:0]  a,
    input  wire [7:0]  b,
    output reg  [19:0] acc
);

    wire [15:0] product = a * b;

    always @(posedge clk) begin
        if (rst)
            acc <= 20'd0;
        else if (en) begin
            if (load)
                acc <= {4'd0, product};
            else if (sub)
                acc <= acc - {4'd0, product};
            else
                acc <= acc + {4'd0, product};
        end
    end

endmodule
