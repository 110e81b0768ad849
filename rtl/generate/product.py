"""Rows of partial products: AND arrays, Booth recoding of radix 4 and 8, plain radix 4, and folded squares.

Sources: Baugh and Wooley 1973 (signs by inversion), Booth 1951 and MacSorley 1961 (radix 4), Yeh and Jen 2000 (the
row's lowest bit needs no complement, its correction moves one column up).
"""

from dataclasses import dataclass
from typing import Literal

from rtl_evolve.rtl.generate.adder import PLUS, add_modulo, bitwise
from rtl_evolve.rtl.generate.body import Body
from rtl_evolve.rtl.generate.columns import Columns
from rtl_evolve.rtl.generate.word import ONE, ZERO, Bit, Word, extend, text

Rows = Literal["and", "booth-4", "booth-8", "radix-4"]

# gate levels until a row's bits are there
_AND_TIME, _BOOTH_TIME = 1, 4


@dataclass(frozen=True)
class Factor:
    """A number: its bits, and whether the top one is a sign."""

    word: Word
    signed: bool = False


def add_product(
    body: Body,
    columns: Columns,
    a: Factor,
    b: Factor,
    rows: Rows,
    shift: int = 0,
    negate: Bit = ZERO,
    adder: str = PLUS,
) -> None:
    """Add a * b * 2**shift, subtract it where `negate` is 1; b is recoded. `adder` makes 3a where the rows need it."""
    booth = rows.startswith("booth") and len(b.word) >= 3
    square = a == b
    if negate.constant is None and (square or not booth):
        # -x is ~x + 1: the complement of a by sign, and b once more
        if square:
            a = Factor((*a.word, a.word[-1] if a.signed else ZERO), signed=True)
        columns_word = bitwise(body, "one_b", "&", b.word, (negate,) * len(b.word), shift)
        columns.add_word(columns_word, shift, b.signed, time=_AND_TIME)
        flipped = bitwise(body, "na", "^", a.word, (negate,) * len(a.word))
        a = Factor(flipped if a.signed else (*flipped, negate), signed=True)
        negate, square = ZERO, False
    if square:
        _square(body, columns, a, shift, negate == ONE)
    elif booth:
        _booth_rows(body, columns, a, b, 2 if rows == "booth-4" else 3, shift, negate, adder)
    elif rows == "and" or len(b.word) < 3:
        _and_rows(body, columns, a, b, shift, negate == ONE)
    else:
        _radix4_rows(body, columns, a, b, shift, negate == ONE, adder)


def add_signed(body: Body, columns: Columns, a: Factor, shift: int, negate: Bit) -> None:
    """Add a * 2**shift, subtract it where `negate` is 1."""
    if negate.constant is not None:
        columns.add_word(a.word, shift, a.signed, negate == ONE)
        return
    flipped = bitwise(body, "n", "^", a.word, (negate,) * len(a.word), shift)
    columns.add_word(flipped if a.signed else (*flipped, negate), shift, signed=True, time=_AND_TIME)
    columns.add_bit(shift, negate)


def _and_rows(body: Body, columns: Columns, a: Factor, b: Factor, shift: int, negative: bool) -> None:
    body.comment("partial products: one row for each bit")
    for i, bit in enumerate(b.word):
        room = a.word[: max(0, columns.width - shift - i)]
        row = bitwise(body, "pp", "&", room, (bit,) * len(room), shift + i)
        minus = negative != (b.signed and i == len(b.word) - 1)
        columns.add_word(row, shift + i, a.signed and len(room) == len(a.word), minus, _AND_TIME)


def _square(body: Body, columns: Columns, a: Factor, shift: int, negative: bool) -> None:
    """a_i a_j and a_j a_i are one bit a column up; a_i beside a_i a_(i-1) is a_i & ~a_(i-1) and one bit up."""
    body.comment("partial products of the square: each pair of bits once")
    width = len(a.word)

    def minus(i: int, j: int) -> bool:
        return negative != (a.signed and i != j and width - 1 in (i, j))

    for i in range(width):
        row = bitwise(body, "pp", "&", a.word[i + 2 :], (a.word[i],) * (width - i - 2), shift + 2 * i + 3)
        for offset, bit in enumerate(row):
            columns.add_bit(shift + 2 * i + 3 + offset, bit, minus(i, i + 2 + offset), _AND_TIME)
    if minus(width - 1, width - 2) != negative:  # the signed top bit doesn't fit the folding below
        columns.add_bit(shift + 2 * width - 2, a.word[-1], negative)
        top = body.and_("pp", a.word[-1], a.word[-2]) if width > 1 else ZERO
        columns.add_bit(shift + 2 * width - 2, top, not negative, _AND_TIME)
        width -= 1
    if width:
        columns.add_bit(shift, a.word[0], negative)
        alone = bitwise(body, "own", "&", a.word[1:width], tuple(~x for x in a.word[: width - 1]), 1)
        pairs = bitwise(body, "pair", "&", a.word[1:width], a.word[: width - 1], 1)
        for i in range(1, width):
            columns.add_bit(shift + 2 * i, alone[i - 1], negative, _AND_TIME)
            columns.add_bit(shift + 2 * i + 1, pairs[i - 1], negative, _AND_TIME)


def _radix4_rows(body: Body, columns: Columns, a: Factor, b: Factor, shift: int, negative: bool, adder: str) -> None:
    """Two bits of b choose 0, a, 2a or 3a: no signs to invert, but 3a must be added first.

    The two top bits of a signed b are a digit from -2 to 1, which is a Booth row without an overlap bit.
    """
    width = len(a.word) + 2
    one, two = extend(a.word, width, a.signed), extend((ZERO, *a.word), width, a.signed)
    body.comment("three times the multiplicand")
    three = add_modulo(body, one, two, adder)
    body.comment("partial products: one row for two bits")
    digits = extend(b.word, len(b.word) + len(b.word) % 2, b.signed)
    for i in range(0, len(digits), 2):
        low, high = digits[i], digits[i + 1]
        if b.signed and i == len(digits) - 2:
            multiples = {1: one[:-1], 2: two[:-1]}
            _booth_row(body, columns, a, multiples, (ZERO, low, high), shift + i, ONE if negative else ZERO)
            continue
        selects = (body.and_("is1", low, ~high), body.and_("is2", high, ~low), body.and_("is3", high, low))
        chosen = _chosen(body, tuple(zip(selects, (one, two, three), strict=True)), shift + i, columns.width)
        columns.add_word(chosen, shift + i, a.signed and len(chosen) == width, negative, _BOOTH_TIME)


def _booth_rows(
    body: Body, columns: Columns, a: Factor, b: Factor, bits: int, shift: int, negate: Bit, adder: str
) -> None:
    width = len(a.word) + bits - 1
    digits = (len(b.word) + (0 if b.signed else 1) + bits - 1) // bits
    padded = extend(b.word, digits * bits, b.signed)
    multiples: dict[int, Word] = {1: extend(a.word, width, a.signed), 2: extend((ZERO, *a.word), width, a.signed)}
    if bits == 3:
        body.comment("three times the multiplicand")
        multiples[3] = add_modulo(body, multiples[1], multiples[2], adder)
        multiples[4] = extend((ZERO, ZERO, *a.word), width, a.signed)
    body.comment(f"Booth digits, {bits} bits of the multiplier each, and their rows")
    for digit in range(digits):
        group = (padded[digit * bits - 1] if digit else ZERO, *padded[digit * bits : digit * bits + bits])
        _booth_row(body, columns, a, multiples, group, shift + digit * bits, negate)


def _booth_row(
    body: Body, columns: Columns, a: Factor, multiples: dict[int, Word], group: Word, column: int, negate: Bit
) -> None:
    """One row: the digit's multiple, complemented when the digit is negative, and the 1 that completes -x."""
    if column >= columns.width:
        return
    sign = body.xor("sign", group[-1], negate)
    selects = _booth_selects(body, group)
    magnitude = _chosen(body, tuple((selects[m], multiples[m]) for m in multiples), column, columns.width)
    row = bitwise(body, "row", "^", magnitude[1:], (sign,) * (len(magnitude) - 1), column + 1)
    columns.add_bit(column, magnitude[0], time=_BOOTH_TIME - 1)
    columns.add_bit(column + 1, body.and_("fix", sign, ~magnitude[0]), time=_BOOTH_TIME)
    whole = len(magnitude) == len(multiples[1])
    columns.add_word(row, column + 1, a.signed and whole, time=_BOOTH_TIME)
    if not a.signed and whole:
        columns.add_bit(column + len(magnitude), sign, negative=True)


def _booth_selects(body: Body, group: Word) -> dict[int, Bit]:
    """One bit for each magnitude of the digit; `group` is the overlap bit, then the digit's own bits."""
    one = body.xor("one", group[1], group[0])
    if len(group) == 3:
        change = body.xor("flip", group[2], group[1])
        return {1: one, 2: body.and_("two", change, ~one)}
    upper, outer = body.xor("up", group[2], group[1]), body.xor("out", group[3], group[2])
    return {
        1: body.and_("one", one, ~outer),
        2: body.and_("two", upper, ~one),
        3: body.and_("three", one, outer),
        4: body.and_("four", body.and_("same", ~one, ~upper), outer),
    }


def _chosen(body: Body, choices: tuple[tuple[Bit, Word], ...], column: int, limit: int) -> Word:
    """The word whose select is 1 (none: 0), cut to the columns there are."""
    width = max(0, min(len(choices[0][1]), limit - column))
    parts = [f"{text((select,) * width)} & {text(word[:width])}" for select, word in choices if select != ZERO]
    if not parts or not width:
        return (ZERO,) * width
    return body.let("pick", width, parts[0] if len(parts) == 1 else " | ".join(f"({p})" for p in parts), column)
