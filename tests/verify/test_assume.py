"""The input contract: Verilog's rules for width and sign, and messages that name what is wrong."""

import pytest
from rtl_evolve.rtl.aig import AigBuilder, value
from rtl_evolve.rtl.errors import InputError
from rtl_evolve.verify.assume import constrain
from rtl_evolve.verify.problem import ProofLimits, Word
from rtl_evolve.verify.prove import prove
from rtl_evolve.verify.simulate import refute
from rtl_evolve.verify.verdict import Grade

WORDS = {"a": Word("a", (2, 4, 6, 8)), "s": Word("s", (10, 12, 14, 16), signed=True), "op": Word("op", (18, 20))}


def truth(text):
    """The expression's value for each of the 1024 inputs a, s, op (from the lowest bits up)."""
    builder = AigBuilder(10)
    root = constrain(builder, WORDS, [text])
    lanes = [sum((v >> i & 1) << v for v in range(1 << 10)) for i in range(10)]
    found = value(builder.build().simulate(lanes, 1 << 10), root, 1 << 10)
    return [found >> v & 1 for v in range(1 << 10)]


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("a < 10", lambda a, s, op: a < 10),
        ("a + 1 > 15", lambda a, s, op: a + 1 > 15),  # 32 bits wide: the sum doesn't wrap
        ("a + 4'd1 == 0", lambda a, s, op: (a + 1) % (1 << 32) == 0),
        ("4'd1 + a == 4'd0", lambda a, s, op: (a + 1) % 16 == 0),
        ("s < 0", lambda a, s, op: s >= 8),
        ("s < a", lambda a, s, op: s < a),  # one unsigned operand makes the comparison unsigned
        ("$signed(a) >= s", lambda a, s, op: (a ^ 8) - 8 >= (s ^ 8) - 8),
        ("$onehot(a)", lambda a, s, op: a.bit_count() == 1),
        ("$onehot0(a) && op != 2'b11", lambda a, s, op: a.bit_count() <= 1 and op != 3),
        ("op == 2 -> a[3:2] == 0", lambda a, s, op: op != 2 or a < 4),
        ("~^a | (a >> op) == 1", lambda a, s, op: a.bit_count() % 2 == 0 or a >> op == 1),
        ("{a[0], op} == 3'b101", lambda a, s, op: (a & 1) * 4 + op == 5),
        ("(s >>> 1) == -4", lambda a, s, op: ((s ^ 8) - 8) >> 1 == -4),
        ("!(a * 3 == 9) ? 1'b1 : op[0]", lambda a, s, op: a != 3 or op & 1),
        ("{2{op}} == a", lambda a, s, op: op * 5 == a),
    ],
)
def test_expressions(text, rule):
    for vector, found in enumerate(truth(text)):
        a, s, op = vector & 15, vector >> 4 & 15, vector >> 8
        assert found == bool(rule(a, s, op)), (a, s, op)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("b < 3", "b is not an input port"),
        ("a <", "expected an operand"),
        ("a[4] == 1", "bits 0 to 3"),
        ("a / 2 == 1", "division"),
        ("a = 3", "cannot read"),
        ("$clog2(a) == 1", "$clog2 is not offered"),
        ("a < 3)", "unexpected"),
    ],
)
def test_messages(text, says):
    with pytest.raises(InputError, match=says.replace("$", r"\$")):
        truth(text)


def test_a_contract_counts_in_simulation_and_proof(elaborated, design):
    golden = "module top(input [7:0] a, b, output [7:0] y); assign y = a - b; endmodule"
    other = "module top(input [7:0] a, b, output [7:0] y); assign y = a > b ? a - b : 8'd0; endmodule"
    sides = elaborated(golden), elaborated(other)
    free, bound = design(golden), design(golden, assumptions=("a >= b",))
    assert refute(*sides, free, seed=1).grade is Grade.DIFFERENT
    assert refute(*sides, bound, seed=1) is None
    verdict = prove(*sides, bound, ProofLimits(20))
    assert verdict.grade is Grade.PROVEN
    assert verdict.assumptions == ("only inputs with a >= b",)


def test_a_contract_that_excludes_every_input_is_an_error(elaborated, design):
    golden = "module top(input [7:0] a, b, output [7:0] y); assign y = a - b; endmodule"
    with pytest.raises(InputError, match="excludes every input"):
        prove(elaborated(golden), elaborated(golden), design(golden, assumptions=("a < b", "b < a")), ProofLimits(20))
