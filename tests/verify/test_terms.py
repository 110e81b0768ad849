"""Terms: their values, their gates and their SMT-LIB text say the same."""

import bitwuzla
from hypothesis import given, settings
from hypothesis import strategies as st
from rtl_evolve.rtl.aig import AigBuilder
from rtl_evolve.verify.blast import blast
from rtl_evolve.verify.smtlib import miter_script
from rtl_evolve.verify.terms import Part, TermBuilder, evaluate

BINARY = ["and", "or", "xor", "add", "sub", "mul", "shl", "lshr", "ashr"]
DIVISION = ["udiv", "urem", "sdiv", "srem"]
TESTS = ["eq", "ult", "slt"]
WIDTH = 5


@st.composite
def term_graphs(draw, operators):
    """A builder with two inputs and some operators over them, every word of one width."""
    builder = TermBuilder()
    words = [builder.input("a", WIDTH), builder.input("b", WIDTH), builder.const(draw(st.integers(0, 31)), WIDTH)]
    for _ in range(draw(st.integers(1, 6))):
        x, y = draw(st.sampled_from(words)), draw(st.sampled_from(words))
        op = draw(
            st.sampled_from([*operators, *TESTS, "not", "neg", "slice", "sext", "redor", "redand", "redxor", "ite"])
        )
        if op in operators:
            words.append(builder.op(op, WIDTH, x, y))
        elif op in TESTS:
            words.append(builder.extend(builder.op(op, 1, x, y), WIDTH, signed=False))
        elif op in ("not", "neg"):
            words.append(builder.op(op, WIDTH, x))
        elif op == "ite":
            words.append(builder.op("ite", WIDTH, builder.slice(x, draw(st.integers(0, 4)), 1), x, y))
        elif op in ("slice", "sext"):
            low = draw(st.integers(0, 3))
            piece = builder.slice(x, low, WIDTH - low)
            words.append(builder.extend(piece, WIDTH, signed=op == "sext"))
        else:
            words.append(builder.extend(builder.op(op, 1, x), WIDTH, signed=False))
    return builder, words[-1]


@settings(max_examples=150, deadline=None)
@given(term_graphs(BINARY))
def test_gates_compute_what_terms_do(graph):
    builder, root = graph
    gates = AigBuilder(2 * WIDTH)
    inputs = {"a": [gates.input(i) for i in range(WIDTH)], "b": [gates.input(WIDTH + i) for i in range(WIDTH)]}
    (bits,) = blast(gates, builder.terms, inputs, [root])
    aig = gates.build()
    for a in range(0, 32, 3):
        for b in range(32):
            values = aig.simulate([a >> i & 1 for i in range(WIDTH)] + [b >> i & 1 for i in range(WIDTH)], 1)
            found = sum((values[lit >> 1] ^ (lit & 1)) << i for i, lit in enumerate(bits))
            assert [found] == evaluate(builder.terms, {"a": a, "b": b}, [root])


@settings(max_examples=60, deadline=None)
@given(term_graphs([*BINARY, *DIVISION]), st.integers(0, 31), st.integers(0, 31))
def test_smtlib_says_what_terms_do(graph, a, b):
    builder, root = graph
    (expected,) = evaluate(builder.terms, {"a": a, "b": b}, [root])
    constant = builder.const(expected, WIDTH)
    inputs = builder.op("concat", 2 * WIDTH, builder.input("a", WIDTH), builder.input("b", WIDTH))
    here = builder.op("eq", 1, inputs, builder.const(a | b << WIDTH, 2 * WIDTH))
    script = miter_script(builder.terms, [("a", WIDTH), ("b", WIDTH)], [(root, constant)], here)
    script = script.partition("(get-value")[0].replace("(check-sat)", "")
    parser = bitwuzla.Parser(bitwuzla.TermManager(), bitwuzla.Options())
    assert not parser.parse(script, parse_only=True, parse_file=False)
    assert parser.bitwuzla().check_sat() == bitwuzla.Result.UNSAT


def test_joined_neighbours_become_one_slice():
    builder = TermBuilder()
    a = builder.input("a", 8)
    assert builder.join([Part(a, i) for i in range(8)]) == a
    middle = builder.terms[builder.join([Part(a, i) for i in range(2, 5)])]
    assert (middle.op, middle.width, middle.value) == ("slice", 3, 2)
