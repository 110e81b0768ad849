"""The wrapper that joins a design's ports to words."""

from rtl_evolve.rtl.design import Port, SourceFile, Sources
from rtl_evolve.verify.bench.build import wrapper_text

WRAPPER = """\
// One side of the bench: the design with all inputs in one word and all outputs in another, first port lowest.
// The words are no ports: two models in one program would share the names of their ports.
`default_nettype none
module rtl_evolve_golden;
    reg [8:0] stimulus /* verilator public_flat_rw */ = 0;
    wire [8:0] response /* verilator public_flat_rd */;
    unit #(
        .W(8),
        .NAME("x")
    ) dut (
        .clk(stimulus[0 +: 1]),
        .a(stimulus[1 +: 8]),
        .\\odd.name (response[0 +: 9])
    );
endmodule
"""


def test_wrapper() -> None:
    sources = Sources((SourceFile("unit.v", ""),), "unit", parameters=(("W", "8"), ("NAME", '"x"')))
    inputs = (Port("clk", "input", 1), Port("a", "input", 8, signed=True))
    outputs = (Port("\\odd.name ", "output", 9),)
    assert wrapper_text("rtl_evolve_golden", inputs, outputs, sources) == WRAPPER
