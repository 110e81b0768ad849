"""Constant multiples and quotients: found however they are written, shared, equal."""

import pytest
from rtl_evolve.rtl.rewrites.constant import Constant
from rtl_evolve.verify.verdict import Grade


@pytest.mark.parametrize(
    ("ports", "expression", "rule"),
    [
        ("input [7:0] a, output [15:0] y", "a * 16'd183", "constant.chain"),
        ("input [7:0] a, output [15:0] y", "a * 7", "constant.chain"),
        ("input signed [7:0] a, output signed [15:0] y", "a * -16'sd45", "constant.chain"),
        ("input [7:0] a, output [13:0] y", "(a << 4) + (a << 2) + a", "constant.chain"),
        ("input [7:0] a, output [13:0] y", "{a, 4'd0} - {a, 2'd0} - a", "constant.chain"),
        ("input [16:0] a, output [16:0] y", "a / 10", "constant.quotient"),
        ("input [16:0] a, output [3:0] y", "a % 12", "constant.remainder"),
    ],
)
def test_forms(lab, ports: str, expression: str, rule: str) -> None:
    unit = lab(f"module top ({ports});\n    assign y = {expression};\nendmodule\n")
    rewrite = unit.proposals(Constant(), rule)[0]
    assert unit.proof(rewrite).grade is Grade.PROVEN, unit.text(rewrite)


def test_a_shifted_sum_is_named_by_its_constant(lab) -> None:
    unit = lab("module top (input [7:0] a, output [13:0] y);\n    assign y = (a << 4) + (a << 2) + a;\nendmodule\n")
    rewrite = unit.proposals(Constant())[0]
    assert "is 21 times a" in rewrite.why
    assert "assign y = y_times_21(a);" in unit.text(rewrite)


def test_several_multiples_share(lab) -> None:
    unit = lab(
        "module top (input signed [7:0] a, output signed [15:0] y, z);\n"
        "    assign y = a * 16'sd29;\n    assign z = a * 16'sd45 + 16'sd1;\nendmodule\n"
    )
    rewrite = unit.proposals(Constant(), "constant.shared")[0]
    assert "a_times[15:0]" in unit.text(rewrite)
    assert unit.proof(rewrite).grade is Grade.PROVEN, unit.text(rewrite)


@pytest.mark.parametrize("expression", ["a * 8'd8", "a * 5", "a / 4", "a / 10", "a + 3"])
def test_what_gains_nothing_is_left_alone(lab, expression: str) -> None:
    unit = lab(f"module top (input [7:0] a, output [15:0] y);\n    assign y = {expression};\nendmodule\n")
    assert unit.proposals(Constant()) == []
