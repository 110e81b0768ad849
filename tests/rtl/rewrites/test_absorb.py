"""Selections moved inwards: equal, and the copy is gone."""

import pytest
from rtl_evolve.rtl.rewrites.absorb import Absorb, one_difference
from rtl_evolve.verify.verdict import Grade

PORTS = "input s, input [5:0] a, b, c"


@pytest.mark.parametrize(
    ("items", "rule", "words"),
    [
        ("output [5:0] y); assign y = s ? a : b + a;", "absorb.neutral", "((s) ? 6'd0 : b) + a"),
        ("output [5:0] y); assign y = s ? a & b : a;", "absorb.neutral", "a & ((s) ? b : {6{1'b1}})"),
        ("output [5:0] y); assign y = s ? a - b : a;", None, ""),
        ("output reg [5:0] y); always @* if (s) y = b; else y = c ^ b;", "absorb.neutral", "y = ((s) ? 6'd0 : c) ^ b;"),
        (
            "output y); wire [6:0] p = a + b; wire [6:0] q = a - b; assign y = s ? (p > 7'd9) : (q > 7'd9);",
            "absorb.branches",
            "wire [6:0] chosen = a + (s ? b : ~b) + !(s);",
        ),
        (
            (
                "output reg y, z); wire [5:0] p = a & b; wire [5:0] q = ~c;\n"
                "always @* if (s) begin y = ^p; z = &p; end else begin y = ^q; z = &q; end"
            ),
            "absorb.branches",
            "wire [5:0] chosen = (s) ? p : q;",
        ),
    ],
)
def test_each_shape(lab, items, rule, words):
    unit = lab(f"module top({PORTS}, {items}\nendmodule\n")
    found = unit.proposals(Absorb(), rule or "")
    if rule is None:
        assert all(unit.proof(r).grade is Grade.PROVEN for r in found)
        return
    assert words in unit.text(found[0])
    assert unit.proof(found[0]).grade is Grade.PROVEN


@pytest.mark.parametrize(
    ("first", "second", "pair"),
    [
        ("y <= p + 1;", "y <= q + 1;", ("p", "q")),
        ("y <= p + p;", "y <= q + q;", ("p", "q")),
        ("y <= p + q;", "y <= q + q;", None),  # renaming p would be right here, q elsewhere not
        ("y <= p + 1;", "y <= q + 2;", None),
        ("y <= p;", "y <= q; z <= 1;", None),
        ("y <= 1;", "y <= 2;", None),
        ("y <= p; // this", "y <= q; // that", ("p", "q")),
    ],
)
def test_one_difference(first, second, pair):
    assert one_difference(first, second) == pair
