"""Common parts taken out of sums: the records, and that the text they become is equal."""

import pytest
from rtl_evolve.rtl.rewrites.factored import factored
from rtl_evolve.rtl.rewrites.linear import Leaf, Linear, Product
from rtl_evolve.rtl.rewrites.sum import Sum, formula
from rtl_evolve.verify.verdict import Grade

A, B, C, D = (Leaf(name, 4, False) for name in "abcd")


def test_coefficients() -> None:
    linear = Linear(12, (Product(7, (A,)), Product(-7, (B,)), Product(2, (C,)), Product(2, (D,))), 3)
    (found,) = factored(linear)
    assert formula(found) == "2*c + 2*d + 7*(a - b) + 3"
    assert found.interval == (-7 * 16 + 3, 7 * 15 + 2 * 15 + 2 * 15 + 3)  # a - b is a signed word of 5 bits


def test_common_operand() -> None:
    linear = Linear(9, (Product(1, (A, C)), Product(-1, (B, C))), 0)
    (found,) = factored(linear)
    assert formula(found) == "(a - b)*c"


def test_nothing_in_common() -> None:
    assert list(factored(Linear(9, (Product(1, (A, B)), Product(1, (C, D))), 0))) == []


@pytest.mark.parametrize(
    ("ports", "expression"),
    [
        ("input signed [3:0] a, b, c, output signed [9:0] y", "a * b - c * b"),
        ("input [3:0] a, b, c, output [9:0] y", "a * b + c * b + a"),
        (
            "input signed [3:0] a, b, input [3:0] c, output signed [10:0] y",
            "a * 11'sd7 + b * 11'sd7 - $signed({1'b0, c})",
        ),
        ("input [3:0] a, b, c, output [9:0] y", "b * 11 - a * 11 + c"),
    ],
)
def test_text_is_equal(lab, ports: str, expression: str) -> None:
    unit = lab(f"module top ({ports});\n    assign y = {expression};\nendmodule\n")
    first = unit.proposals(Sum())[0]
    assert "(" in first.why
    assert unit.proof(first).grade is Grade.PROVEN, unit.text(first)
