"""Array dividers against integers: every pair of small words, random ones of real width."""

from random import Random

import pytest
from rtl_evolve.rtl.generate.body import Body, module_text
from rtl_evolve.rtl.generate.dividers import divide

from .conftest import Simulate


def module(bits: int, divisor_bits: int, kind: str = "plus") -> str:
    body = Body()
    body.reserve("q", "r")
    quotient, remainder = divide(body, body.input("x", bits), body.input("d", divisor_bits), kind)
    return module_text("dut", body, [("q", quotient), ("r", remainder)])


@pytest.mark.parametrize(("bits", "divisor_bits"), [(5, 5), (6, 3), (3, 5), (4, 1), (1, 1)])
def test_every_pair(bits: int, divisor_bits: int, simulate: Simulate) -> None:
    vectors = [{"x": x, "d": d} for x in range(1 << bits) for d in range(1, 1 << divisor_bits)]
    results = simulate(module(bits, divisor_bits), vectors)
    assert [(r["q"], r["r"]) for r in results] == [divmod(v["x"], v["d"]) for v in vectors]


def test_real_width(simulate: Simulate) -> None:
    rng = Random(3)
    vectors = [{"x": rng.getrandbits(16), "d": rng.getrandbits(rng.randint(1, 16)) | 1} for _ in range(300)]
    results = simulate(module(16, 16, "fit-0"), vectors)
    assert [(r["q"], r["r"]) for r in results] == [divmod(v["x"], v["d"]) for v in vectors]


def test_by_zero(simulate: Simulate) -> None:
    for result, x in zip(simulate(module(6, 4), [{"x": x, "d": 0} for x in range(64)]), range(64), strict=True):
        assert result["q"] == 63
        assert result["r"] == x % 16
