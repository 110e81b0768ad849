"""Mutants of small circuits: nothing that exhaustive simulation tells apart is ever called proven."""

import itertools
import re
from random import Random

import pytest
from rtl_evolve.rtl.design import SourceFile, Sources
from rtl_evolve.rtl.elaborate import Elaboration, elaborate
from rtl_evolve.verify.comparison import compare
from rtl_evolve.verify.engines import exhaustive
from rtl_evolve.verify.problem import ProofLimits
from rtl_evolve.verify.prove import prove
from rtl_evolve.verify.questions import questions
from rtl_evolve.verify.simulate import refute
from rtl_evolve.verify.verdict import Grade

UNIT = """module top(input [5:0] a, b, input [1:0] op, output reg [6:0] y, output z);
  wire [6:0] s = op[0] ? a - b : a + b;
  wire [5:0] m = (a < b) ? b : a;
  always @* case (op) 0, 1: y = s; 2: y = {m, 1'b0}; default: y = a[2:0] * b[3:0]; endcase
  assign z = (y == 7'd0) | (a == 6'd9 & b == 6'd63);
endmodule
"""
SECOND = """module top(input [6:0] a, b, input [1:0] op, output [7:0] y, output z);
  wire [7:0] p = {a[3:0], 1'b1} * b[2:0];
  wire [7:0] q = (op == 2'd2) ? {1'b0, a} - {1'b0, b} : {1'b0, a & 7'd93} + {1'b0, b | 7'd18};
  wire [3:0] n = a[6:3] ^ b[4:1];
  assign y = (op < 2'd1) ? p : (op == 2'd3) ? {n, n & 4'd11} : q;
  assign z = (a < b) | (p == 8'd77) | (b[5:2] == n);
endmodule
"""
SWAPS = [("+", "-"), ("-", "+"), ("<", "<="), ("==", "!="), ("|", "^"), ("&", "|"), ("*", "+"), ("a", "b"), ("b", "a")]


def mutants(unit, count, rng):
    """Texts with one operator, operand, constant or width changed."""
    tokens = [
        (m.start(), m.end(), m[0]) for m in re.finditer(r"==|<|[-+|&*]|\b[ab]\b(?=[ \[;)])|\d+(?=[\]:,])|\d+\b", unit)
    ]
    tokens = [t for t in tokens if t[0] > unit.index(";")]
    for _ in itertools.repeat(None, count):
        start, end, token = rng.choice(tokens)
        choices = [new for old, new in SWAPS if old == token] or [str(int(token) ^ 1)] if token.isdigit() else []
        choices = choices or [new for old, new in SWAPS if old == token]
        if choices:
            yield unit[:start] + rng.choice(choices) + unit[end:]


def check(text, golden, design):
    """The proof's grade, and the truth by trying all inputs; None when the mutant isn't a circuit."""
    mutant = elaborate(Sources((SourceFile("top.v", text),), "top"))
    if not isinstance(mutant, Elaboration) or mutant.model.latches or mutant.model.loops:
        return None
    if [(p.name, len(p.bits)) for p in mutant.netlist.ports] != [(p.name, len(p.bits)) for p in golden.netlist.ports]:
        return None
    verdict = prove(golden, mutant, design, ProofLimits(20))
    whole = [
        exhaustive.try_prove(q.product.problem(), ProofLimits(20)) for q in questions(compare(golden, mutant, design))
    ]
    return verdict, all(v is not None and v.grade is Grade.PROVEN for v in whole)


@pytest.mark.parametrize("count", [12, pytest.param(200, marks=pytest.mark.slow)])
def test_mutants(elaborated, design, count):
    tried = 0
    for unit in (UNIT, SECOND):
        golden, loaded = elaborated(unit), design(unit)
        for text in dict.fromkeys(mutants(unit, count, Random(7))):
            found = check(text, golden, loaded)
            if found is None:
                continue
            tried += 1
            verdict, equal = found
            assert verdict.grade is (Grade.PROVEN if equal else Grade.DIFFERENT), text
            assert (verdict.counterexample is None) == equal
    assert tried > count // 4


def test_a_known_counterexample_is_tried_first(elaborated, design):
    golden = "module top(input [31:0] a, b, output y); assign y = a == b; endmodule"
    rare = "module top(input [31:0] a, b, output y); assign y = (a == b) ^ (a == 32'h12345678 & b == 32'h9abcdef0); endmodule"
    sides, loaded = (elaborated(golden), elaborated(rare)), design(golden)
    assert refute(*sides, loaded, seed=1) is None
    found = prove(*sides, loaded, ProofLimits(20))
    assert found.grade is Grade.DIFFERENT
    again = refute(*sides, loaded, seed=1, hints=[found.counterexample])
    assert again.engine == "known counterexample"
    assert dict(again.counterexample.cycles[0].inputs) == {"a": "32'h12345678", "b": "32'h9abcdef0"}
