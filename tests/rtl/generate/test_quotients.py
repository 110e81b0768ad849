"""Division by constants: every number of small width, random ones of real width."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rtl_evolve.rtl.generate.body import Body, module_text
from rtl_evolve.rtl.generate.quotients import divide, reciprocal

from .conftest import Simulate, simulated


def module(bits: int, divisor: int, kind: str = "plus") -> str:
    body = Body()
    body.reserve("q", "r")
    quotient, remainder = divide(body, body.input("x", bits), divisor, kind)
    return module_text("dut", body, [("q", quotient), ("r", remainder)])


@pytest.mark.parametrize("divisor", [*range(2, 20), 25, 60, 100, 127, 255, 256, 300])
def test_every_byte(divisor: int, simulate: Simulate) -> None:
    results = simulate(module(8, divisor), [{"x": x} for x in range(256)])
    assert [(r["q"], r["r"]) for r in results] == [divmod(x, divisor) for x in range(256)]


@settings(max_examples=12, deadline=None)
@given(st.integers(2, 3000), st.integers(2, 24), st.integers(0, 2**32))
def test_real_widths(divisor: int, bits: int, seed: int) -> None:
    rng = Random(seed)
    numbers = {0, (1 << bits) - 1, *(rng.getrandbits(bits) for _ in range(40))}
    numbers |= {n for k in range(20) for n in (k * divisor - 1, k * divisor) if 0 <= n < 1 << bits}
    vectors = [{"x": x} for x in sorted(numbers)]
    results = simulated(module(bits, divisor, "fit-0"), vectors)
    assert [(r["q"], r["r"]) for r in results] == [divmod(v["x"], divisor) for v in vectors]


@given(st.integers(1, 5000), st.integers(1, 14))
def test_reciprocals_are_exact(divisor: int, bits: int) -> None:
    inverse = reciprocal(divisor, bits)
    top = (1 << bits) - 1
    for x in {top, top // divisor * divisor, max(0, top // divisor * divisor - 1), divisor - 1 & top, divisor & top}:
        assert x * inverse.multiplier >> inverse.shift == x // divisor
