"""Divisions by a variable: equal for every divisor, 0 included."""

import pytest
from rtl_evolve.rtl.rewrites.divide import Divide
from rtl_evolve.verify.verdict import Grade


@pytest.mark.parametrize(
    ("ports", "expression"),
    [
        ("input [6:0] a, b, output [6:0] y", "a / b"),
        ("input [6:0] a, b, output [6:0] y", "a % b"),
        ("input [7:0] a, input [3:0] b, output [7:0] y", "a / b"),
        ("input [5:0] a, b, output [7:0] y", "(a / b) + 1"),
    ],
)
def test_forms(lab, ports: str, expression: str) -> None:
    unit = lab(f"module top ({ports});\n    assign y = {expression};\nendmodule\n")
    for rewrite in unit.proposals(Divide()):
        assert unit.proof(rewrite).grade is Grade.PROVEN, unit.text(rewrite)


def test_constants_and_signs_are_left_alone(lab) -> None:
    for expression in ("a / 3", "$signed(a) / $signed(b)"):
        unit = lab(f"module top (input [5:0] a, b, output [5:0] y);\n    assign y = {expression};\nendmodule\n")
        assert unit.proposals(Divide()) == []


def test_a_narrow_divisor_is_found(lab) -> None:
    unit = lab("module top (input [7:0] a, input [3:0] b, output [7:0] y);\n    assign y = a / b;\nendmodule\n")
    assert "8 by 4 bit division" in unit.proposals(Divide())[0].why
