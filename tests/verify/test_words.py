"""Word-level terms of elaborated designs against their gates, for each kind of cell."""

import pytest
from rtl_evolve.verify.attach import attach_ports
from rtl_evolve.verify.comparison import compare
from rtl_evolve.verify.questions import questions
from rtl_evolve.verify.terms import evaluate

EXPRESSIONS = [
    "a + b", "a - b", "a * b", "-a", "~a", "a & b", "a ^~ b", "a << b", "a >> b", "$signed(a) >>> b",
    "$signed(a) < $signed(b)", "a < b", "a >= b", "a == b", "a != b", "&a", "~|a", "^a", "!a", "a && b", "a || b",
    "a / b", "a % b", "$signed(a) / $signed(b)", "$signed(a) % $signed(b)", "b[0] ? a : b", "a[b[1:0]]",
    "$signed(a) * $signed(b)", "$signed(a) + $signed(b)", "{a, b} >> b[2:0]", "a[b[2:0] -: 2]", "$signed(a[2:0]) <<< 2",
    "{2{a[1:0]}} + b", "a == 3 ? b : a == 5 ? ~b : 1",
]  # fmt: skip
CASE = """
module top(input [3:0] a, b, output reg [7:0] y);
  always @* case (a) 0: y = b; 1, 2: y = {b, b}; 7: y = ~b; default: y = 8'd200; endcase
endmodule
"""
TEXTS = [f"module top(input [3:0] a, b, output [7:0] y); assign y = {e}; endmodule" for e in EXPRESSIONS] + [CASE]


@pytest.mark.parametrize("text", TEXTS, ids=[*EXPRESSIONS, "case"])
def test_terms_equal_gates_on_every_input(elaborated, design, text):
    side = elaborated(text)
    problem = questions(compare(side, side, design(text)))[-1].product.problem()
    problem = attach_ports(problem, side.netlist, side.netlist, ())
    (pair,) = problem.pairs
    assert pair.golden_term is not None
    vectors = [{"a": v & 15, "b": v >> 4} for v in range(256)]
    lanes = [sum(bits[i] << v for v, bits in enumerate(map(problem.input_bits, vectors))) for i in range(8)]
    values = problem.aig.simulate(lanes, 256)
    for v, inputs in enumerate(vectors):
        gates = sum((values[lit >> 1] >> v & 1 ^ lit & 1) << i for i, lit in enumerate(pair.golden))
        assert [gates] == evaluate(problem.terms, inputs, [pair.golden_term]), inputs
