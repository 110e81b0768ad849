"""Sums of products: what is proposed, that it is equal, and that the rest of the text stays."""

import pytest
from rtl_evolve.rtl.rewrites.sum import Sum
from rtl_evolve.verify.verdict import Grade

DOT = """\
module top (
    input  wire signed [3:0] a, c,   // first operands
    input  wire signed [3:0] b, d,
    input  wire        [1:0] z,
    output wire signed [8:0] y
);
    wire signed [7:0] p = a * b;    // kept apart
    wire signed [7:0] q = c * d;
    assign y = p - q + $signed({1'b0, z}) + 3;
endmodule
"""

MAC = """\
module top (input clk, input rst, input en, load, sub, input [3:0] a, b, output reg [9:0] acc);
    wire [7:0] product = a * b;
    always @(posedge clk)
        if (rst) acc <= 10'd0;
        else if (en) begin
            if (load) acc <= {2'd0, product};
            else if (sub) acc <= acc - {2'd0, product};
            else acc <= acc + {2'd0, product};
        end
endmodule
"""


def test_one_tree_for_the_whole_expression(lab) -> None:
    unit = lab(DOT)
    first = unit.proposals(Sum())[0]
    assert first.rule == "sum.tree"
    assert "p - q" in first.why and "read through p, q" in first.why
    text = unit.text(first)
    assert "// first operands" in text and "// kept apart" in text
    assert "assign y = y_sum(a, b, c, d, z);" in text


def test_every_style_is_equal(lab) -> None:
    unit = lab(DOT)
    rewrites = unit.proposals(Sum())
    assert len(rewrites) >= 7
    for rewrite in rewrites[::2]:
        assert unit.proof(rewrite).grade is Grade.PROVEN, rewrite.why


def test_branches_become_one_sum(lab) -> None:
    unit = lab(MAC, clocked=True)
    rewrite = unit.proposals(Sum(), "sum.branches")[0]
    assert "acc <= acc_sum(a, b, (!load ? acc : 10'd0), (!load && sub));" in unit.text(rewrite)
    assert unit.proof(rewrite).grade is Grade.PROVEN


@pytest.mark.parametrize(
    ("ports", "expression"),
    [
        ("input [4:0] a, b, c, output [6:0] y", "a + b + c"),
        ("input [4:0] a, b, c, output [4:0] y", "a - b - c"),
        ("input signed [4:0] a, input [3:0] b, output [9:0] y", "a * b + a"),
        ("input [4:0] a, input [3:0] b, c, output [9:0] y", "(a << 2) + c + b - 5"),
        ("input [3:0] a, b, input s, output [7:0] y", "s ? a * b + 1 : a * b - 7"),
        ("input [3:0] a, b, c, input s, output [8:0] y", "s ? a * b + c : c * b - a"),
        ("input signed [3:0] a, b, c, output signed [8:0] y", "a * a - b * c"),
        ("input signed [3:0] a, b, output signed [9:0] y", "{{2{a[3]}}, a} * 3 + {b, 2'b01} - a"),
        ("input [3:0] a, b, c, output y", "(a + b + c) > 7'd9"),
        ("input signed [3:0] a, b, c, output signed [9:0] y", "(a - b) * c + 4'sd1"),
    ],
)
def test_forms(lab, ports: str, expression: str) -> None:
    unit = lab(f"module top ({ports});\n    assign y = {expression};\nendmodule\n")
    rewrites = unit.proposals(Sum())
    assert rewrites
    for rewrite in rewrites[:2]:
        assert unit.proof(rewrite).grade is Grade.PROVEN, unit.text(rewrite)


def test_a_signal_that_others_read_is_not_read_through(lab) -> None:
    unit = lab(
        "module top (input [3:0] a, b, c, output [8:0] y, output [7:0] p);\n"
        "    wire [7:0] t = a * b;\n    assign p = t;\n    assign y = t + c;\nendmodule\n"
    )
    assert unit.proposals(Sum()) == []
