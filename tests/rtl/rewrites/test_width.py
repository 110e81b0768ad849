"""Unneeded bits are found, their readers adapted, and needed ones are refused by the proof."""

import pytest
from rtl_evolve.rtl.rewrites.width import Width
from rtl_evolve.verify.verdict import Grade

UNITS = {
    "top bits are zero": (
        (
            "module top(input [3:0] a, b, output [7:0] y, output z);\n"
            "wire [9:0] p = a * b;\nassign y = p[7:0];\nassign z = p[9];\nendmodule\n"
        ),
        "[7:0] p",
    ),
    "sign repeats": (
        (
            "module top(input signed [3:0] a, b, output signed [7:0] y);\n"
            "wire signed [7:0] s = a + b;\nassign y = {s[7:2], s[1:0]};\nendmodule\n"
        ),
        "signed [4:0] s",
    ),
    "read inside a concatenation": (
        "module top(input [3:0] a, b, output [9:0] y);\nwire [5:0] s = a + b;\nassign y = {a, s};\nendmodule\n",
        "{a, {1'd0, s}}",
    ),
    "declared with others": (
        (
            "module top(input [3:0] a, b, output [5:0] y);\nreg [5:0] s, t;\n"
            "always @* begin s = a + b; t = ~a; end\nassign y = s ^ t;\nendmodule\n"
        ),
        "reg [4:0] s; reg [5:0] t;",
    ),
    "size of a guard": (
        (
            "module top(input [3:0] a, b, output [4:0] y);\nlocalparam G = 6;\n"
            "wire [4+G:0] s = {a, {G{1'b0}}} + {b, {G{1'b0}}};\nassign y = s[4+G:G];\nendmodule\n"
        ),
        "localparam G = 2;",
    ),
}


@pytest.mark.parametrize("name", UNITS)
def test_unneeded_bits_go(lab, name):
    text, words = UNITS[name]
    unit = lab(text)
    proven = [unit.text(r) for r in unit.proposals(Width()) if unit.proof(r).grade is Grade.PROVEN]
    squeezed = [" ".join(t.split()) for t in proven]
    assert any(words in t for t in squeezed), squeezed


def test_registers_shrink_to_what_is_reached(lab):
    unit = lab(
        "module top(input clk, rst, output wrap);\nreg [7:0] n;\n"
        "always @(posedge clk) if (rst || n == 8'd9) n <= 8'd0; else n <= n + 8'd1;\nassign wrap = n == 8'd9;\nendmodule\n",
        clocked=True,
    )
    found = [r for r in unit.proposals(Width()) if "[3:0] n" in unit.text(r)]
    assert found and unit.proof(found[0]).grade is Grade.PROVEN


def test_needed_bits_are_never_proven_away(lab):
    unit = lab(
        "module top(input [5:0] a, b, output y);\nwire [6:0] s = a + b;\n"
        "assign y = s == 7'd126;\nendmodule\n"  # the top bit counts for one pair of operands in 4,096
    )
    assert all(unit.proof(r).grade is Grade.DIFFERENT for r in unit.proposals(Width()))
