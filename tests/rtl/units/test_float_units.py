"""The floating-point units against exact fractions, and against numpy where it defines the same function."""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

Run = Callable[[str, dict[str, list[int]]], dict[str, list[int]]]
Step = Callable[[str, Sequence[dict[str, list[int]]]], list[dict[str, list[int]]]]


@dataclass(frozen=True)
class Format:
    """A binary format with subnormals flushed: exponent bits, fraction bits, and the NaN the units give."""

    exponent: int
    fraction: int
    nan: int

    @property
    def top(self) -> int:
        return (1 << self.exponent) - 1

    @property
    def bias(self) -> int:
        return self.top >> 1

    def split(self, word: int) -> tuple[int, int, int]:
        return (
            word >> (self.exponent + self.fraction),
            word >> self.fraction & self.top,
            word & ((1 << self.fraction) - 1),
        )

    def is_nan(self, word: int) -> bool:
        _, exponent, fraction = self.split(word)
        return exponent == self.top and fraction != 0

    def is_inf(self, word: int) -> bool:
        _, exponent, fraction = self.split(word)
        return exponent == self.top and fraction == 0

    def exact(self, word: int) -> Fraction:
        """The value of a finite word, subnormals as zero."""
        sign, exponent, fraction = self.split(word)
        if exponent == 0:
            return Fraction(0)
        return (
            (-1) ** sign
            * Fraction((1 << self.fraction) + fraction)
            * Fraction(2) ** (exponent - self.bias - self.fraction)
        )

    def infinity(self, sign: int) -> int:
        return (sign << self.exponent | self.top) << self.fraction

    def rounded(self, value: Fraction, sign_of_zero: int) -> int:
        """Nearest, ties to even, with the exponent unbounded below; then flushed."""
        if value == 0:
            return sign_of_zero << (self.exponent + self.fraction)
        sign, size = int(value < 0), abs(value)
        exponent = size.numerator.bit_length() - size.denominator.bit_length()
        if size < Fraction(2) ** exponent:
            exponent -= 1
        significand = round(size / Fraction(2) ** (exponent - self.fraction))
        if significand >> (self.fraction + 1):
            significand, exponent = significand >> 1, exponent + 1
        if exponent + self.bias < 1:
            return sign << (self.exponent + self.fraction)
        if exponent + self.bias >= self.top:
            return self.infinity(sign)
        return (sign << self.exponent | exponent + self.bias) << self.fraction | significand - (1 << self.fraction)


HALF = Format(5, 10, 0x7E00)
BRAIN = Format(8, 7, 0x7FC0)


def words(form: Format, seed: int, count: int) -> list[int]:
    """Random words; a third have an exponent near 0, the bias or the top, a third a fraction near 0 or all ones."""
    rng = random.Random(seed)
    drawn = []
    for _ in range(count):
        exponent, fraction = rng.getrandbits(form.exponent), rng.getrandbits(form.fraction)
        if rng.randrange(3) == 0:
            exponent = (rng.choice((0, form.bias, form.top)) + rng.randint(-2, 2)) & form.top
        if rng.randrange(3) == 0:
            fraction = rng.randint(-2, 2) & ((1 << form.fraction) - 1)
        drawn.append((rng.getrandbits(1) << form.exponent | exponent) << form.fraction | fraction)
    return drawn


def near(form: Format, seed: int, others: Sequence[int]) -> list[int]:
    """Words close in magnitude to those given: what cancellation, ties and sticky bits need.

    A fourth lie within two units in the last place, a fourth within the reach of the alignment, and the rest are
    the same two with the last bits of the fraction cut off, or any words.
    """
    rng = random.Random(seed)
    size = (1 << (form.exponent + form.fraction)) - 1
    drawn = []
    for other, free in zip(others, words(form, seed + 1, len(others)), strict=True):
        reach = rng.choice((2, (form.fraction + 3) << form.fraction))
        close = max(0, min(size, (other & size) + rng.randint(-reach, reach)))
        cut = close >> form.fraction - 1 << form.fraction - 1
        drawn.append(rng.getrandbits(1) * (size + 1) | rng.choice((close, close, cut, free & size)))
    return drawn


def multiply_add(form: Format, a: int, b: int, c: int) -> int:
    """a * b + c rounded once, subnormals flushed at both ends."""
    sign = form.split(a)[0] ^ form.split(b)[0]
    flushed = [form.split(w)[1] == 0 for w in (a, b)]
    invalid = (form.is_inf(a) and flushed[1]) or (form.is_inf(b) and flushed[0])
    infinite = form.is_inf(a) or form.is_inf(b)
    if any(map(form.is_nan, (a, b, c))) or invalid:
        return form.nan
    if infinite:
        return form.nan if form.is_inf(c) and form.split(c)[0] != sign else form.infinity(sign)
    if form.is_inf(c):
        return c
    return form.rounded(form.exact(a) * form.exact(b) + form.exact(c), sign & form.split(c)[0])


def expect(got: Sequence[int], want: Sequence[int], *inputs: Sequence[int]) -> None:
    wrong = [i for i, (g, w) in enumerate(zip(got, want, strict=True)) if g != w]
    assert [(*(f"{v[i]:04x}" for v in inputs), f"{got[i]:04x}", f"{want[i]:04x}") for i in wrong[:5]] == []


def test_fp16_add_is_ieee(evaluate_unit: Run) -> None:
    a = words(HALF, 1, 40_000)
    b = near(HALF, 2, a)
    with np.errstate(all="ignore"):
        total = np.array(a, np.uint16).view(np.float16) + np.array(b, np.uint16).view(np.float16)
    want = [0x7E00 if np.isnan(t) else int(t.view(np.uint16)) for t in total]
    expect(evaluate_unit("fp16_add", {"a": a, "b": b})["y"], want, a, b)


def test_fp16_mul_flushes_subnormals(evaluate_unit: Run) -> None:
    a, b = words(HALF, 3, 20_000), words(HALF, 4, 20_000)
    # operands whose product is near the smallest normal number, where rounding before flushing shows
    b[::2] = [w & 0x83FF | max(0, min(31, 30 + k % 3 - 1 - (x >> 10 & 31) - 15)) << 10 for k, (x, w) in
              enumerate(zip(a[::2], b[::2], strict=True))]  # fmt: skip
    want = [multiply_add(HALF, x, y, (x ^ y) & 0x8000) for x, y in zip(a, b, strict=True)]
    expect(evaluate_unit("fp16_mul", {"a": a, "b": b})["y"], want, a, b)


def test_bf16_pe_is_a_fused_multiply_add(step_unit: Step) -> None:
    lanes = 2000
    weights, steps = words(BRAIN, 5, lanes), 5
    operands = [words(BRAIN, 10 + k, lanes) for k in range(steps)]
    addends = []
    for k, a in enumerate(operands):
        products = [multiply_add(BRAIN, x, w, 0) for x, w in zip(a, weights, strict=True)]
        addends.append(near(BRAIN, 20 + 2 * k, products))
    off, on = [0] * lanes, [1] * lanes
    quiet = {"w_in": weights, "a_in": off, "psum_in": off}
    cycles = [
        {"rst": on, "en": on, "load_w": on, **quiet},
        {"rst": off, "en": off, "load_w": on, **quiet},
        *(
            {"rst": off, "en": on, "load_w": off, "w_in": off, "a_in": a, "psum_in": c}
            for a, c in zip(operands, addends, strict=True)
        ),
        {"rst": off, "en": on, "load_w": off, **quiet},
        {"rst": off, "en": off, "load_w": off, **quiet},
        {"rst": off, "en": off, "load_w": off, **quiet},
    ]
    seen = step_unit("bf16_pe", cycles)
    assert set(seen[1]["psum_out"]) == {0} and set(seen[1]["a_out"]) == {0}
    for k, (a, c) in enumerate(zip(operands, addends, strict=True)):
        want = [multiply_add(BRAIN, x, w, z) for x, w, z in zip(a, weights, c, strict=True)]
        expect(seen[k + 4]["psum_out"], want, a, weights, c)
        expect(seen[k + 3]["a_out"], a, a)
    assert seen[-1] == seen[-2], "outputs move although en is 0"
