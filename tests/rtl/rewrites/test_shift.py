"""Shifts that exclude each other share one shifter, in every form."""

import pytest
from rtl_evolve.rtl.rewrites.shift import Shift
from rtl_evolve.verify.verdict import Grade

ARMS = {
    "sll": "x << n",
    "srl": "x >> n",
    "sra": "$signed(x) >>> n",
    "rol": "(x << n) | (x >> back)",
    "ror": "(x >> n) | (x << back)",
}


def unit_with(*kinds: str) -> str:
    arms = "\n".join(f"    3'd{i}: y = {ARMS[kind]};" for i, kind in enumerate(kinds))
    return (
        "module top(input [2:0] op, input [7:0] x, input [2:0] n, output reg [7:0] y);\n"
        "  wire [3:0] back = 4'd8 - {1'b0, n};\n"
        f"  always @* case (op)\n{arms}\n    default: y = ~x;\n  endcase\nendmodule\n"
    )


GROUPS = [list(ARMS), *([a, b] for i, a in enumerate(ARMS) for b in list(ARMS)[:i])]


@pytest.mark.parametrize("kinds", GROUPS, ids="+".join)
def test_every_form_of_every_pair_and_of_all_together(lab, kinds):
    unit = lab(unit_with(*kinds))
    rewrites = unit.proposals(Shift())
    assert {"shift.mask", "shift.funnel"} <= {r.rule for r in rewrites}
    for rewrite in rewrites:
        assert unit.proof(rewrite).grade is Grade.PROVEN, rewrite.rule


def test_a_funnel_is_the_only_shifter_left(lab):
    unit = lab(unit_with(*ARMS))
    (rewrite,) = unit.proposals(Shift(), "shift.funnel")
    assert unit.text(rewrite).count(">>") + unit.text(rewrite).count("<<") == 1


def test_shifts_in_branches_of_if_and_of_conditionals(lab):
    unit = lab(
        "module top(input r, s, input [7:0] x, input [2:0] n, output reg [7:0] y);\n"
        "  always @* if (r) y = s ? x << n : x; else y = x >> n;\nendmodule\n"
    )
    for rewrite in unit.proposals(Shift()):
        assert unit.proof(rewrite).grade is Grade.PROVEN, rewrite.rule


def test_shifts_that_count_together_are_left(lab):
    text = "module top(input [7:0] x, input [2:0] n, output [7:0] y); assign y = (x << n) ^ (x >> n);\nendmodule\n"
    assert lab(text).proposals(Shift()) == []


def test_one_shift_alone_is_left(lab):
    assert lab(unit_with("sll")).proposals(Shift()) == []
