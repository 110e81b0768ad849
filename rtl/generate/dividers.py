"""Array dividers: one row for each bit of the quotient, each as wide as the divisor needs and no wider.

Restoring: a row subtracts and keeps the difference when there is no borrow. Source: Ercegovac and Lang, "Digital
Arithmetic", 2004, ch. 5. Non-restoring rows are left out on purpose: their signed carries cannot be cut short, and on
Nangate45 they measured 1.4 to 2 times the area and 1.2 to 1.9 times the delay. A divisor of 0 gives the quotient of
all ones, as a row then never borrows, and the low bits of x for the remainder.
"""

from rtl_evolve.rtl.generate.adder import PLUS, add
from rtl_evolve.rtl.generate.body import Body
from rtl_evolve.rtl.generate.word import ONE, ZERO, Bit, Word, extend, text


def divide(body: Body, x: Word, divisor: Word, kind: str = PLUS) -> tuple[Word, Word]:
    """Quotient and remainder of unsigned words, as wide as x and as the divisor; `kind` subtracts in each row."""
    quotient: list[Bit] = []
    left: Word = ()
    for index, bit in enumerate(reversed(x)):
        left = (bit, *left)
        # the first rows have fewer bits than the divisor: its upper bits alone then forbid the subtraction
        width = min(len(left), len(divisor))
        body.comment(f"bit {len(x) - 1 - index} of the quotient")
        fits = _subtract(body, left, extend(divisor[:width], len(left), signed=False), kind)
        small = ~_any(body, divisor[width:])
        take = body.and_("q", fits[-1], small)
        quotient.append(take)
        kept = f"{text((take,))} ? {text(fits[:width])} : {text(left[:width])}"
        left = body.let("left", width, kept)
    return tuple(reversed(quotient)), extend(left, len(divisor), signed=False)


def _subtract(body: Body, a: Word, b: Word, kind: str) -> Word:
    """a - b, and above it 1 when nothing was borrowed."""
    total = add(body, a, tuple(~bit for bit in b), kind, ONE)
    return (*total.word, total.carry)


def _any(body: Body, word: Word) -> Bit:
    if not word:
        return ZERO
    return word[0] if len(word) == 1 else body.let("any", 1, f"|{text(word)}")[0]
