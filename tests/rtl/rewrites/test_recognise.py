"""Hand-built logic is recognised by its numbers, and the operator put in its place is equivalent."""

import pytest
from rtl_evolve.rtl.rewrites.recognise import Recognise
from rtl_evolve.verify.verdict import Grade

RIPPLE = """module fa(input x, y, z, output s, c);
  assign s = x ^ y ^ z;
  assign c = (x & y) | (x & z) | (y & z);
endmodule
module top(input [3:0] a, b, input cin, output [3:0] sum, output cout);
  wire [2:0] k;
  fa f0(a[0], b[0], cin, sum[0], k[0]);
  fa f1(a[1], b[1], k[0], sum[1], k[1]);
  fa f2(a[2], b[2], k[1], sum[2], k[2]);
  fa f3(a[3], b[3], k[2], sum[3], cout);
endmodule
"""
LOOP = """module top(input [4:0] a, b, output reg [9:0] p);
  integer i;
  always @* begin
    p = 0;
    for (i = 0; i < 5; i = i + 1) if (b[i]) p = p + ({5'd0, a} << i);
  end
endmodule
"""
CHAIN = """module top(input [3:0] a, b, output less);
  assign less = (~a[3] & b[3]) | (~(a[3] ^ b[3]) & ((~a[2] & b[2]) | (~(a[2] ^ b[2]) &
      ((~a[1] & b[1]) | (~(a[1] ^ b[1]) & (~a[0] & b[0]))))));
endmodule
"""
NEGATED = """module top(input s, input [5:0] a, b, output [5:0] y);
  wire [5:0] minus = ~b + 6'd1;
  assign y = a + (s ? minus : b);
endmodule
"""


@pytest.mark.parametrize(
    ("text", "rule", "words"),
    [
        (RIPPLE, "recognise.module", "assign {cout, sum} = a + b + cin;"),
        (LOOP, "recognise.signal", "always @* p = a * b;"),
        (CHAIN, "recognise.signal", "assign less = a < b;"),
        (NEGATED, "recognise.signal", "assign y = a + ((s) ? ~b : b) + (s);"),
    ],
)
def test_the_operator_is_found_and_equal(lab, text, rule, words):
    unit = lab(text)
    rewrites = [r for r in unit.proposals(Recognise(), rule) if words in unit.text(r)]
    assert rewrites, [unit.text(r) for r in unit.proposals(Recognise())]
    assert unit.proof(rewrites[0]).grade is Grade.PROVEN


@pytest.mark.parametrize(
    "body",
    [
        "output [5:0] y); assign y = a + b;",
        "output [5:0] y); assign y = {a[2:0], b[5:3]};",
        "output y); assign y = a[0];",
    ],
)
def test_operators_and_wiring_are_left(lab, body):
    assert lab(f"module top(input [5:0] a, b, {body}\nendmodule\n").proposals(Recognise()) == []
