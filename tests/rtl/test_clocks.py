import pytest
from rtl_evolve.rtl.clocks import find_clocks, find_reset
from rtl_evolve.rtl.design import Clock, Reset, SourceFile, Sources
from rtl_evolve.rtl.elaborate import Elaboration, elaborate


def found(ports, body):
    result = elaborate(Sources((SourceFile("a.v", f"module top({ports}); {body} endmodule"),), "top"))
    assert isinstance(result, Elaboration), result
    return find_clocks(result), find_reset(result)


CLK = (Clock("c", "rising"),)


@pytest.mark.parametrize(
    ("ports", "body", "clocks", "reset"),
    [
        ("input a, output y", "assign y = a;", (), None),
        ("input c, d, output reg q", "always @(posedge c) q <= d;", CLK, None),
        ("input c, d, output reg q", "always @(negedge c) q <= d;", (Clock("c", "falling"),), None),
        (
            "input c, d, output reg q, r",
            "always @(posedge c) q <= d; always @(negedge c) r <= d;",
            (Clock("c", "both"),),
            None,
        ),
        (
            "input c, e, d, output reg q, r",
            "always @(posedge c) q <= d; always @(posedge e) r <= d;",
            (*CLK, Clock("e", "rising")),
            None,
        ),
        ("input c, d, output reg q", "wire n = ~c; always @(posedge n) q <= d;", (Clock("c", "falling"),), None),
        (
            "input c, g, d, output reg q",
            "wire n = c & g; always @(posedge n) q <= d;",
            (*CLK, Clock("g", "rising")),
            None,
        ),
        ("input c, rst, d, output reg q", "always @(posedge c) q <= rst ? 0 : d;", CLK, Reset("rst", 1, False)),
        ("input c, x, d, output reg q", "always @(posedge c) if (!x) q <= 1; else q <= d;", CLK, Reset("x", 0, False)),
        (
            "input c, n, d, output reg q",
            "always @(posedge c or negedge n) if (!n) q <= 1; else q <= d;",
            CLK,
            Reset("n", 0, True),
        ),
        (
            "input c, arst, d, output reg q",
            "always @(posedge c or posedge arst) if (arst) q <= 0; else q <= d;",
            CLK,
            Reset("arst", 1, True),
        ),
        # an enable holds, a data input decides the state with either level: neither is a reset
        ("input c, en, d, output reg q", "always @(posedge c) if (en) q <= d;", CLK, None),
        # a reset of the control bits only is known by its name
        (
            "input c, rst_n, input [7:0] d, output reg [7:0] q, output reg v",
            "always @(posedge c) begin q <= d; v <= rst_n; end",
            CLK,
            Reset("rst_n", 0, False),
        ),
        # where each level decides something, the name says which one resets
        (
            "input c, resetn, input [7:0] d, output reg [7:0] q, output reg v",
            "always @(posedge c) begin if (resetn) q <= 0; v <= resetn & d[0]; end",
            CLK,
            Reset("resetn", 0, False),
        ),
        # the reset is the one that decides most
        (
            "input c, clear, rst, input [7:0] d, output reg [7:0] q, output reg v",
            "always @(posedge c) if (rst) begin q <= 0; v <= 0; end else begin q <= d; v <= !clear; end",
            CLK,
            Reset("rst", 1, False),
        ),
    ],
)
def test_clocks_and_reset_by_use(ports, body, clocks, reset):
    assert found(ports, body) == (clocks, reset)
