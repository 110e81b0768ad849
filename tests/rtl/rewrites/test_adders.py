"""Additions and comparisons by architecture: all are equal, whatever the signs and widths."""

import pytest
from rtl_evolve.rtl.rewrites.adders import KINDS, Adders
from rtl_evolve.verify.verdict import Grade

PORTS = "input [7:0] a, b, input signed [7:0] s, input signed [5:0] t"


@pytest.mark.parametrize(
    ("output", "expression"),
    [
        ("[8:0]", "a + b"),
        ("[7:0]", "a - b"),
        ("[12:0]", "a - b"),
        ("signed [11:0]", "s + t"),
        ("[9:0]", "s - t"),
        ("[9:0]", "a - t"),
        ("", "a < b"),
        ("", "s >= t"),
        ("", "s <= t"),
        ("", "a > t"),
        ("[8:0]", "a < b ? a : b + a"),
    ],
)
def test_forms(lab, output: str, expression: str) -> None:
    unit = lab(f"module top ({PORTS}, output {output} y);\n    assign y = {expression};\nendmodule\n")
    rewrites = unit.proposals(Adders())
    assert len(rewrites) >= len(KINDS)
    for rewrite in rewrites[:3]:
        assert unit.proof(rewrite).grade is Grade.PROVEN, unit.text(rewrite)


def test_small_ones_are_left_alone(lab) -> None:
    assert lab("module top (input [3:0] a, b, output [3:0] y); assign y = a + b; endmodule\n").proposals(Adders()) == []
