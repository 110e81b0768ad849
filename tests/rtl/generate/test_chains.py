"""Adder chains: every step adds up, known optima are met, and the words are the multiples."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rtl_evolve.rtl.generate.body import Body, module_text
from rtl_evolve.rtl.generate.chains import Step, chain, chains, odd_part
from rtl_evolve.rtl.generate.multiples import multiples
from rtl_evolve.rtl.generate.product import Factor
from rtl_evolve.rtl.generate.recoding import signed_digits

from .conftest import Simulate, simulated


def made(steps: tuple[Step, ...]) -> set[int]:
    have = {1}
    for step in steps:
        assert {step.left, step.right} <= have
        value = (step.left << step.left_shift) + step.sign * (step.right << step.right_shift)
        assert value == step.result << step.down
        have.add(step.result)
    return have


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 1 << 18))
def test_a_chain_ends_in_its_constant_and_never_exceeds_its_digits(constant: int) -> None:
    steps = chain(constant)
    assert odd_part(constant) in made(steps)
    assert len(steps) <= max(0, len(signed_digits(odd_part(constant))) - 1)


# 3, 11, 43 and 683 are the smallest that need 1, 2, 3 and 4 additions (Gustafsson and others, 2002)
@pytest.mark.parametrize(
    ("constant", "additions"), [(8, 0), (7, 1), (45, 2), (11, 2), (43, 3), (683, 4), (46503, 4), (52429, 4), (65521, 2)]
)
def test_known_costs(constant: int, additions: int) -> None:
    assert len(chain(constant)) == additions


@settings(max_examples=20, deadline=None)
@given(st.lists(st.integers(1, 2000), min_size=1, max_size=5))
def test_shared_chains_reach_all(constants: list[int]) -> None:
    steps = chains(constants)
    assert {odd_part(c) for c in constants} <= made(steps)
    assert len(steps) <= sum(len(chain(c)) for c in set(constants))


def test_filter_coefficients_share() -> None:
    assert len(chains([3, 7, 29, 95])) == 4


@pytest.mark.parametrize("signed", [False, True])
@pytest.mark.parametrize("constants", [(1,), (3,), (-3,), (95,), (6, -7, 29, 95, 0), (45, 683), (-11,)])
def test_every_multiple_of_five_bits(constants: tuple[int, ...], signed: bool, simulate: Simulate) -> None:
    for width in (4, 9, 16):
        body = Body()
        body.reserve(*(f"y{i}" for i in range(len(constants))))
        x = Factor(body.input("x", 5), signed)
        words = multiples(body, x, [(constant, width) for constant in constants])
        text = module_text("dut", body, [(f"y{i}", word) for i, word in enumerate(words)])
        for vector, result in enumerate(simulate(text, [{"x": x} for x in range(32)])):
            number = vector - 32 if signed and vector >= 16 else vector
            assert [result[f"y{i}"] for i in range(len(constants))] == [number * c % (1 << width) for c in constants]


@settings(max_examples=12, deadline=None)
@given(st.integers(-70000, 70000), st.integers(1, 24), st.integers(2, 40), st.booleans(), st.integers(0, 2**32))
def test_any_multiple(constant: int, bits: int, width: int, signed: bool, seed: int) -> None:
    body = Body()
    body.reserve("y")
    (word,) = multiples(body, Factor(body.input("x", bits), signed), [(constant, width)], "fit-1")
    rng = Random(seed)
    vectors = [{"x": rng.getrandbits(bits)} for _ in range(40)]
    for vector, result in zip(vectors, simulated(module_text("dut", body, [("y", word)]), vectors), strict=True):
        number = vector["x"] - (1 << bits) if signed and vector["x"] >> (bits - 1) else vector["x"]
        assert result["y"] == number * constant % (1 << width)


def test_the_smallest_of_each_cost() -> None:
    for additions, smallest in ((1, 3), (2, 11), (3, 43), (4, 683)):
        assert min(c for c in range(1, 700) if len(chain(c)) == additions) == smallest
