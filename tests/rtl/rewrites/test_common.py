"""Equal, inverse and constant signals are merged, registers too."""

import pytest
from rtl_evolve.rtl.rewrites.common import Common
from rtl_evolve.verify.verdict import Grade

UNITS = {
    "common.equal": (
        (
            "module top(input [3:0] a, b, output [4:0] y, z);\nwire [4:0] p = a + b;\n"
            "wire [4:0] q = (a ^ b) + {a & b, 1'b0};\nassign y = p;\nassign z = q ^ 5'd3;\nendmodule\n"
        ),
        "assign z = p ^ 5'd3;",
    ),
    "common.inverse": (
        (
            "module top(input [3:0] a, output [3:0] y, z);\nwire [3:0] p = a + 4'd1;\nwire [3:0] q = -a - 4'd2;\n"
            "assign y = p;\nassign z = q & 4'd7;\nendmodule\n"
        ),
        "assign z = (~p) & 4'd7;",
    ),
    "common.constant": (
        "module top(input [3:0] a, output [3:0] y);\nwire [3:0] p = a & ~a;\nassign y = p | a;\nendmodule\n",
        "assign y = 4'd0 | a;",
    ),
    "common.held": (
        (
            "module top(input [3:0] a, b, output [4:0] y, output [4:0] z);\nwire [4:0] p = a + b;\nassign y = p;\n"
            "assign z = (b + a) ^ 5'd1;\nendmodule\n"
        ),
        "assign z = (p) ^ 5'd1;",
    ),
}


@pytest.mark.parametrize("rule", UNITS)
def test_each_rule(lab, rule):
    text, words = UNITS[rule]
    unit = lab(text)
    found = [r for r in unit.proposals(Common(), rule) if words in unit.text(r)]
    assert found, [unit.text(r) for r in unit.proposals(Common())]
    assert unit.proof(found[0]).grade is Grade.PROVEN


def test_registers_with_one_history(lab):
    unit = lab(
        "module top(input clk, rst, input [3:0] d, output [3:0] y, z);\nreg [3:0] p, q;\n"
        "always @(posedge clk) if (rst) p <= 0; else p <= p + d;\n"
        "always @(posedge clk) if (rst) q <= 0; else q <= d + q;\nassign y = p;\nassign z = q ^ 4'd5;\nendmodule\n",
        clocked=True,
    )
    found = [r for r in unit.proposals(Common(), "common.equal") if "assign z = p ^ 4'd5" in unit.text(r)]
    assert found and unit.proof(found[0]).grade is Grade.PROVEN
