"""Quotients and remainders by a constant: one truncated constant product instead of a divider.

floor(x / d) is (x * m) >> s when 2**s <= m * d <= 2**s + 2**(s - n) for n-bit x (Granlund and Montgomery 1994). A
divisor's factors of two are shifted out first. The remainder is x - q * d in the few bits it has.
"""

from dataclasses import dataclass

from rtl_evolve.rtl.generate.adder import PLUS, subtract_modulo
from rtl_evolve.rtl.generate.body import Body
from rtl_evolve.rtl.generate.multiples import multiples
from rtl_evolve.rtl.generate.product import Factor
from rtl_evolve.rtl.generate.word import ZERO, Word, extend


@dataclass(frozen=True)
class Reciprocal:
    """`multiplier` / 2**`shift` stands in for one over the divisor."""

    multiplier: int
    shift: int


def reciprocal(divisor: int, bits: int) -> Reciprocal:
    """The smallest one that is exact for every number of so many bits; `divisor` is at least 1."""
    for shift in range(bits + divisor.bit_length() + 1):
        multiplier = -(-(1 << shift) // divisor)
        # (m * d - 2**s) * x < 2**s for all x keeps the error below one step of the quotient
        if (multiplier * divisor - (1 << shift)) << bits <= 1 << shift:
            return Reciprocal(multiplier, shift)
    raise AssertionError("a shift by the bits of number and divisor is always exact")


def divide(body: Body, x: Word, divisor: int, kind: str = PLUS) -> tuple[Word, Word]:
    """Quotient and remainder of an unsigned word: as wide as x, and as the divisor needs."""
    twos = (divisor & -divisor).bit_length() - 1
    odd, upper = divisor >> twos, x[twos:]
    if odd == 1:
        return extend(upper, len(x), signed=False), x[:twos]
    if not upper or (1 << len(upper)) <= odd:
        return (ZERO,) * len(x), extend(x, divisor.bit_length(), signed=False)
    inverse = reciprocal(odd, len(upper))
    width = len(upper) + inverse.multiplier.bit_length()
    body.comment(f"x / {odd} is (x * {inverse.multiplier}) >> {inverse.shift}")
    (product,) = multiples(body, Factor(upper), [(inverse.multiplier, width)], kind)
    size = ((1 << len(upper)) - 1) // odd
    quotient = product[inverse.shift : inverse.shift + size.bit_length()]
    bits = (odd - 1).bit_length()
    body.comment(f"the remainder is x - {odd}q")
    (back,) = multiples(body, Factor(quotient), [(odd, bits)], kind)
    remainder = subtract_modulo(body, upper[:bits], back, kind)
    return extend(quotient, len(x), signed=False), (*x[:twos], *remainder)
