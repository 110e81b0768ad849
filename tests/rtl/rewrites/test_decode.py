"""Decoders are found by their numbers and rewritten in equal forms."""

import pytest
from rtl_evolve.rtl.rewrites.decode import Decode
from rtl_evolve.verify.verdict import Grade

UNITS = {
    "shifted one": "module top(input [2:0] x, output [7:0] y); assign y = 8'd1 << x; endmodule\n",
    "under an enable": "module top(input [2:0] x, input en, output [7:0] y); assign y = en ? 8'd1 << x : 8'd0; endmodule\n",
    "a case": (
        "module top(input [1:0] x, output reg [3:0] y);\n"
        "always @* case (x) 0: y = 4'd1; 1: y = 4'd2; 2: y = 4'd4; default: y = 4'd8; endcase\nendmodule\n"
    ),
}


@pytest.mark.parametrize("name", UNITS)
def test_decoders_are_rewritten(lab, name):
    unit = lab(UNITS[name])
    found = unit.proposals(Decode())
    assert found
    assert {unit.proof(rewrite).grade for rewrite in found} == {Grade.PROVEN}


@pytest.mark.parametrize("value", ["8'd3 << x", "8'd1 << (x & 3'd6)", "{8{x[0]}}"])
def test_what_is_no_decoder_is_left(lab, value):
    assert lab(f"module top(input [2:0] x, output [7:0] y); assign y = {value}; endmodule\n").proposals(Decode()) == []
