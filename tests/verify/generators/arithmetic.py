"""Multipliers, multiply-adds and sums of products out of partial products, a tree and a final adder."""

from collections.abc import Sequence

from generators.adders import ADDERS
from generators.gates import Bit, Bits, Gates, pad
from generators.trees import TREES, Columns


def and_rows(g: Gates, a: Bits, b: Bits, signed: bool, width: int) -> list[tuple[int, Bit]]:
    """Weighted bits of a * b; signed ones the Baugh-Wooley way."""
    bits = []
    for i, y in enumerate(b):
        for j, x in enumerate(a):
            negative = signed and (i == len(b) - 1) != (j == len(a) - 1)
            bit = g.and_(x, y)
            bits.append((i + j, g.not_(bit) if negative else bit))
    if signed:
        tops = len(a) - 1, len(b) - 1
        correction = (1 << tops[0] + tops[1] + 1) + (1 << tops[0]) + (1 << tops[1])
        if tops[0] == 0 or tops[1] == 0:
            raise ValueError("Baugh-Wooley wants two bits at least")
        bits += ones(g, correction, width)
    return bits


def ones(g: Gates, number: int, width: int) -> list[tuple[int, Bit]]:
    return [(i, g.one) for i in range(width) if number >> i & 1]


def booth_rows(g: Gates, a: Bits, b: Bits, signed: bool, width: int) -> list[tuple[int, Bit]]:
    """Radix 4: digits -2 to 2 of b; a negative multiple is inverted and gets one at its lowest position."""
    top = b[-1] if signed else g.zero
    digits = (len(b) + 1) // 2 if signed else len(b) // 2 + 1
    wide = [g.zero, *b, *[top] * 3]
    sign = a[-1] if signed else g.zero
    multiplicand = [g.zero, *a, sign]
    bits = []
    correction = 0
    for digit in range(digits):
        low, middle, negative = wide[2 * digit : 2 * digit + 3]
        once = g.xor(low, middle)
        twice = g.and_(g.xor(middle, negative), g.not_(once))
        for j in range(len(a) + 1):
            chosen = g.or_(g.and_(once, multiplicand[j + 1]), g.and_(twice, multiplicand[j]))
            bit = g.xor(chosen, negative)
            last = signed and j == len(a)
            bits.append((2 * digit + j, g.not_(bit) if last else bit))
        bits.append((2 * digit, negative))
        if signed:
            correction -= 1 << 2 * digit + len(a)
        else:
            bits.append((2 * digit + len(a) + 1, g.not_(negative)))
            correction -= 1 << 2 * digit + len(a) + 1
    return bits + ones(g, correction % (1 << width), width)


ROWS = {"and": and_rows, "booth": booth_rows}


def columns_of(bits: Sequence[tuple[int, Bit]], g: Gates, width: int) -> Columns:
    columns: Columns = [[] for _ in range(width)]
    for position, bit in bits:
        if position < width and bit != g.zero:
            columns[position].append(bit)
    return columns


def total(g: Gates, bits: Sequence[tuple[int, Bit]], width: int, tree: str, adder: str) -> Bits:
    """The sum of weighted bits modulo 2^width."""
    columns = TREES[tree](g, columns_of(bits, g, width))
    x, y = ([column[i] if i < len(column) else g.zero for column in columns] for i in (0, 1))
    return ADDERS[adder](g, x, y, g.zero)[0]


def multiply(
    g: Gates, a: Bits, b: Bits, width: int, *, signed: bool = False, rows: str = "and", tree: str, adder: str
) -> Bits:
    """a * b modulo 2^width."""
    return total(g, ROWS[rows](g, a, b, signed, width), width, tree, adder)


def dot_product(
    g: Gates,
    pairs: Sequence[tuple[Bits, Bits]],
    addends: Sequence[Bits],
    width: int,
    *,
    rows: str,
    tree: str,
    adder: str,
) -> Bits:
    """The sum of unsigned products and addends in one tree, modulo 2^width."""
    bits = [bit for a, b in pairs for bit in ROWS[rows](g, a, b, False, width)]
    bits += [(i, bit) for word in addends for i, bit in enumerate(word)]
    return total(g, bits, width, tree, adder)


def add(g: Gates, x: Bits, y: Bits, width: int, adder: str, *, subtract: bool = False) -> Bits:
    """x + y or x - y of zero-extended words, modulo 2^width."""
    second = pad(g, y, width)
    if subtract:
        second = [g.not_(bit) for bit in second]
    return ADDERS[adder](g, pad(g, x, width), second, g.one if subtract else g.zero)[0]
