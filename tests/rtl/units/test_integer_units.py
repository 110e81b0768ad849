"""The combinational integer units against Python's integers."""

import random
from collections.abc import Callable, Sequence

import pytest

Run = Callable[[str, dict[str, list[int]]], dict[str, list[int]]]
CORNERS = (0, 1, 2, 3, -1, -2, -3, 1 << 7, (1 << 7) - 1, 1 << 15, (1 << 15) - 1, 1 << 31, (1 << 31) - 1, 0x55555555)
M32 = (1 << 32) - 1


def words(seed: int, width: int, count: int = 3000) -> list[int]:
    """Random words, one in four of them a corner value, one in four with few ones or few zeros."""
    rng = random.Random(seed)
    full = (1 << width) - 1
    drawn = []
    for _ in range(count):
        kind = rng.randrange(4)
        sparse = rng.getrandbits(width) & rng.getrandbits(width) & rng.getrandbits(width) & rng.getrandbits(width)
        plain = rng.getrandbits(width)
        drawn.append((rng.choice(CORNERS) & full, sparse, full ^ sparse, plain)[kind])
    return drawn


def signed(value: int, width: int) -> int:
    return value - (1 << width) if value >> (width - 1) & 1 else value


def parts(word: int) -> list[int]:
    return [word >> 8 * k & 0xFF for k in range(4)]


def expect(got: Sequence[int], want: Sequence[int]) -> None:
    assert len(got) == len(want)
    assert [(i, hex(g), hex(w)) for i, (g, w) in enumerate(zip(got, want, strict=True)) if g != w][:5] == []


def test_csel_adder32(evaluate_unit: Run) -> None:
    a, b, cin = words(1, 32), words(2, 32), words(3, 1)
    out = evaluate_unit("csel_adder32", {"a": a, "b": b, "cin": cin})
    total = [x + y + c for x, y, c in zip(a, b, cin, strict=True)]
    expect(out["sum"], [t & M32 for t in total])
    expect(out["cout"], [t >> 32 for t in total])


def test_mul16(evaluate_unit: Run) -> None:
    a, b = words(1, 16), words(2, 16)
    expect(evaluate_unit("mul16", {"a": a, "b": b})["p"], [x * y for x, y in zip(a, b, strict=True)])


def test_dot4x8(evaluate_unit: Run) -> None:
    a, w, zero = words(1, 32), words(2, 32), words(3, 8)
    a[:4], w[:4], zero[:4] = [M32, 0, M32, 0], [0x7F7F7F7F, 0x80808080, 0x80808080, 0x7F7F7F7F], [0, 255, 0, 255]
    want = [
        sum((p - z) * signed(q, 8) for p, q in zip(parts(x), parts(y), strict=True)) & 0x3FFFF
        for x, y, z in zip(a, w, zero, strict=True)
    ]
    expect(evaluate_unit("dot4x8", {"a": a, "w": w, "zero": zero})["y"], want)


def alu(op: int, a: int, b: int) -> int:
    shift = b & 31
    table = (
        a + b, a - b, a << shift, signed(a, 32) < signed(b, 32), a < b,
        a ^ b, a >> shift, signed(a, 32) >> shift, a | b, a & b,
    )  # fmt: skip
    return int(table[op]) & M32 if op < len(table) else 0


def test_alu32(evaluate_unit: Run) -> None:
    op, a, b = words(1, 4, 9000), words(2, 32, 9000), words(3, 32, 9000)
    b[::7] = a[::7]
    out = evaluate_unit("alu32", {"op": op, "a": a, "b": b})
    want = [alu(*v) for v in zip(op, a, b, strict=True)]
    expect(out["y"], want)
    expect(out["zero"], [int(y == 0) for y in want])
    expect(out["equal"], [int(x == y) for x, y in zip(a, b, strict=True)])


def shifted(op: int, x: int, n: int) -> int:
    twice = x << 32 | x
    table = (x << n, x >> n, signed(x, 32) >> n, twice << n >> 32, twice >> n)
    return table[op] & M32 if op < len(table) else x


def test_barrel32(evaluate_unit: Run) -> None:
    op, x, n = words(1, 3, 6000), words(2, 32, 6000), words(3, 5, 6000)
    expect(
        evaluate_unit("barrel32", {"op": op, "x": x, "n": n})["y"],
        [shifted(*v) for v in zip(op, x, n, strict=True)],
    )


def test_popcount64(evaluate_unit: Run) -> None:
    x = [0, (1 << 64) - 1, *(1 << k for k in range(64)), *((1 << k) - 1 for k in range(64)), *words(1, 64)]
    expect(evaluate_unit("popcount64", {"x": x})["count"], [v.bit_count() for v in x])


@pytest.mark.parametrize("low", [0, 1])
def test_lzc32(evaluate_unit: Run, low: int) -> None:
    x = [0, *((1 << k) | ((1 << k) - 1) * low for k in range(32)), *words(1, 32)]
    expect(evaluate_unit("lzc32", {"x": x})["count"], [32 - v.bit_length() for v in x])
