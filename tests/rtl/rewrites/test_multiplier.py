"""Products: every style is equal, squares are recognised."""

import pytest
from rtl_evolve.rtl.rewrites.multiplier import STYLES, Multiplier
from rtl_evolve.verify.verdict import Grade


def module(ports: str, expression: str) -> str:
    return f"module top ({ports});\n    assign y = {expression};\nendmodule\n"


@pytest.mark.parametrize("sign", ["", "signed "])
def test_every_style_is_equal(lab, sign: str) -> None:
    unit = lab(module(f"input {sign}[4:0] a, b, output {sign}[9:0] y", "a * b"))
    rewrites = unit.proposals(Multiplier())
    assert len(rewrites) == len(STYLES)
    for rewrite in rewrites:
        assert unit.proof(rewrite).grade is Grade.PROVEN, rewrite.why


def test_only_the_bits_in_use(lab) -> None:
    unit = lab(module("input [7:0] a, b, output [4:0] y", "a * b"))
    rewrite = unit.proposals(Multiplier())[0]
    assert "for the 8 bits in use" in rewrite.why or "for the 5 bits in use" in rewrite.why
    assert unit.proof(rewrite).grade is Grade.PROVEN


def test_square(lab) -> None:
    unit = lab(module("input signed [5:0] a, output [11:0] y", "a * a"))
    rewrite = unit.proposals(Multiplier())[0]
    assert rewrite.rule == "multiplier.square"
    assert unit.proof(rewrite).grade is Grade.PROVEN


def test_constants_are_left_alone(lab) -> None:
    assert lab(module("input [5:0] a, output [11:0] y", "a * 6'd21")).proposals(Multiplier()) == []


@pytest.mark.slow
def test_sixteen_bits_are_proven(lab) -> None:
    unit = lab(module("input [15:0] a, b, output [31:0] y", "a * b"))
    for rewrite in unit.proposals(Multiplier())[:4]:
        assert unit.proof(rewrite).grade is Grade.PROVEN, rewrite.why
