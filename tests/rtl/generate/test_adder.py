"""Every adder against integers: all operands of small width, random ones of real width."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rtl_evolve.rtl.generate.adder import KINDS, add
from rtl_evolve.rtl.generate.body import Body, module_text
from rtl_evolve.rtl.generate.word import ZERO, constant_word

from .conftest import Simulate


def adder(width: int, kind: str, carry_in: bool = True) -> str:
    body = Body()
    body.reserve("y")
    a, b = body.input("a", width), body.input("b", width)
    carry = body.input("c", 1)[0] if carry_in else ZERO
    total = add(body, a, b, kind, carry)
    return module_text("dut", body, [("y", (*total.word, total.carry))])


@pytest.mark.parametrize("kind", KINDS)
def test_every_sum_of_four_bits(kind: str, simulate: Simulate) -> None:
    vectors = [{"a": a, "b": b, "c": c} for a in range(16) for b in range(16) for c in range(2)]
    results = simulate(adder(4, kind), vectors)
    assert [r["y"] for r in results] == [v["a"] + v["b"] + v["c"] for v in vectors]


@settings(max_examples=12, deadline=None)
@given(st.sampled_from(KINDS), st.integers(1, 40), st.integers(0, 2**32))
def test_real_widths(kind: str, width: int, seed: int) -> None:
    from .conftest import simulated

    rng = Random(seed)
    corners = [0, 1, (1 << width) - 1, 1 << (width - 1)]
    pick = [lambda: rng.getrandbits(width), lambda: rng.choice(corners)]
    vectors = [{"a": rng.choice(pick)(), "b": rng.choice(pick)()} for _ in range(64)]
    results = simulated(adder(width, kind, carry_in=False), vectors)
    assert [r["y"] for r in results] == [v["a"] + v["b"] for v in vectors]


@pytest.mark.parametrize("kind", KINDS)
def test_constants_fold(kind: str, simulate: Simulate) -> None:
    body = Body()
    body.reserve("y")
    a = body.input("a", 6)
    total = add(body, a, constant_word(0b010110, 6), kind)
    text = module_text("dut", body, [("y", (*total.word, total.carry))])
    results = simulate(text, [{"a": value} for value in range(64)])
    assert [r["y"] for r in results] == [value + 0b010110 for value in range(64)]


@pytest.mark.parametrize("kind", KINDS)
def test_an_inverted_carry_in(kind: str, simulate: Simulate) -> None:
    body = Body()
    body.reserve("y")
    a, b, carry = body.input("a", 4), body.input("b", 4), body.input("c", 1)[0]
    total = add(body, a, b, kind, ~carry)
    vectors = [{"a": a, "b": b, "c": c} for a in range(16) for b in range(16) for c in range(2)]
    results = simulate(module_text("dut", body, [("y", (*total.word, total.carry))]), vectors)
    assert [r["y"] for r in results] == [v["a"] + v["b"] + 1 - v["c"] for v in vectors]


def test_operands_must_agree() -> None:
    body = Body()
    with pytest.raises(ValueError, match="4 and 3 bits"):
        add(body, body.input("a", 4), body.input("b", 3), "plus")
