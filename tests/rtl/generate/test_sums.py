"""Sums of products against integers: all operands of small width, random shapes, styles and widths."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rtl_evolve.rtl.generate.adder import KINDS
from rtl_evolve.rtl.generate.body import Body, function_text, module_text
from rtl_evolve.rtl.generate.product import Factor
from rtl_evolve.rtl.generate.sums import Style, Term, sum_of

from .conftest import Simulate, simulated

ROWS = ("and", "booth-4", "booth-8", "radix-4")
Operands = dict[str, tuple[int, bool]]  # width and sign by name
Shape = list[tuple[int, tuple[str, ...]]]  # coefficient and names of factors


def module(shape: Shape, operands: Operands, width: int, style: Style) -> str:
    body = Body()
    body.reserve("y")
    words = {name: Factor(body.input(name, size), signed) for name, (size, signed) in operands.items()}
    terms = [Term(tuple(words[name] for name in names), coefficient) for coefficient, names in shape]
    return module_text("dut", body, [("y", sum_of(body, terms, width, style))])


def expected(shape: Shape, operands: Operands, width: int, vector: dict[str, int]) -> int:
    total = 0
    for coefficient, names in shape:
        for name in names:
            size, signed = operands[name]
            number = vector[name]
            coefficient *= number - (1 << size) if signed and number >> (size - 1) else number
        total += coefficient
    return total % (1 << width)


@pytest.mark.parametrize("rows", ROWS)
@pytest.mark.parametrize("signs", [(False, False), (True, False), (False, True), (True, True)])
def test_every_product_of_five_and_four_bits(rows: str, signs: tuple[bool, bool], simulate: Simulate) -> None:
    operands: Operands = {"a": (5, signs[0]), "b": (4, signs[1])}
    vectors = [{"a": a, "b": b} for a in range(32) for b in range(16)]
    results = simulate(module([(1, ("a", "b"))], operands, 9, Style(rows)), vectors)  # type: ignore[arg-type]
    assert [r["y"] for r in results] == [expected([(1, ("a", "b"))], operands, 9, v) for v in vectors]


@pytest.mark.parametrize("signed", [False, True])
def test_every_square(signed: bool, simulate: Simulate) -> None:
    for size in range(1, 8):
        operands: Operands = {"a": (size, signed)}
        vectors = [{"a": a} for a in range(1 << size)]
        results = simulate(module([(1, ("a", "a"))], operands, 2 * size, Style()), vectors)
        assert [r["y"] for r in results] == [expected([(1, ("a", "a"))], operands, 2 * size, v) for v in vectors]


@st.composite
def sums(draw: st.DrawFn) -> tuple[Shape, Operands, int, Style, int]:
    operands: Operands = {name: (draw(st.integers(1, 9)), draw(st.booleans())) for name in "abc"}
    names = st.sampled_from("abc")
    factors = st.one_of(st.tuples(), st.tuples(names), st.tuples(names, names))
    shape = draw(st.lists(st.tuples(st.integers(-9, 9), factors), min_size=1, max_size=5))
    style = Style(
        draw(st.sampled_from(ROWS)),  # type: ignore[arg-type]
        draw(st.sampled_from(["dadda", "arrival"])),  # type: ignore[arg-type]
        draw(st.sampled_from(["or", "mux"])),  # type: ignore[arg-type]
        draw(st.sampled_from(KINDS)),
    )
    return shape, operands, draw(st.integers(1, 22)), style, draw(st.integers(0, 2**32))


@settings(max_examples=15, deadline=None)
@given(sums())
def test_any_sum(drawn: tuple[Shape, Operands, int, Style, int]) -> None:
    shape, operands, width, style, seed = drawn
    rng = Random(seed)
    vectors = [
        {
            name: rng.choice([rng.getrandbits(size), 1 << (size - 1), (1 << size) - 1])
            for name, (size, _) in operands.items()
        }
        for _ in range(48)
    ]
    results = simulated(module(shape, operands, width, style), vectors)
    assert [r["y"] for r in results] == [expected(shape, operands, width, v) for v in vectors]


@pytest.mark.parametrize("rows", ROWS)
def test_sixteen_bits(rows: str, simulate: Simulate) -> None:
    operands: Operands = {"a": (16, False), "b": (16, False)}
    rng = Random(7)
    vectors = [{"a": rng.getrandbits(16), "b": rng.getrandbits(16)} for _ in range(500)]
    vectors += [{"a": a, "b": b} for a in (0, 1, 0x8000, 0xFFFF) for b in (0, 1, 0x8000, 0xFFFF)]
    results = simulate(module([(1, ("a", "b"))], operands, 32, Style(rows, final="fit-0")), vectors)  # type: ignore[arg-type]
    assert [r["y"] for r in results] == [v["a"] * v["b"] for v in vectors]


SMALL_SUM = """\
// a + b + c
function automatic [5:0] total;
    input [3:0] a;
    input [3:0] b;
    input [3:0] c;
    reg [3:0] d, s;
    reg [4:1] c_1;
    reg [5:1] s_1;
    begin
        // level 1 of the compressor tree
        d = a ^ b;
        s = d ^ c;
        c_1 = (a & ~d) | (d & c);
        // the carries are resolved
        s_1 = {1'b0, c_1} + {2'b00, s[3:1]};
        total = {s_1, s[0]};
    end
endfunction
"""


def test_text_of_a_small_sum() -> None:
    body = Body()
    terms = [Term((Factor(body.input(name, 4)),)) for name in "abc"]
    body.reserve("total")
    assert function_text("total", body, sum_of(body, terms, 6, Style()), ["a + b + c"]) == SMALL_SUM
