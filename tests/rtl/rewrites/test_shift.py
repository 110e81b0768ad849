"""Shifts that exclude each other share one funnel shifter."""

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


def test_every_pair_and_all_together(lab):
    kinds = list(ARMS)
    groups = [kinds] + [[a, b] for i, a in enumerate(kinds) for b in kinds[:i]]
    for group in groups:
        unit = lab(unit_with(*group))
        (rewrite,) = unit.proposals(Shift())
        assert unit.text(rewrite).count(">>") + unit.text(rewrite).count("<<") == 1
        assert unit.proof(rewrite).grade is Grade.PROVEN, group


def test_one_shift_alone_is_left(lab):
    assert lab(unit_with("sll")).proposals(Shift()) == []
