"""Writes counting logic in several shapes: position of the first one, number of ones.

Each function returns lines of module items (wires with fresh names) and the expression of the result. Bits are given
as expressions, so that a caller may count from either end.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rtl_evolve.rtl.generate.adder import PLUS
from rtl_evolve.rtl.generate.body import Body, function_text
from rtl_evolve.rtl.generate.columns import Columns, Tree
from rtl_evolve.rtl.generate.sums import resolve


@dataclass(frozen=True)
class Shape:
    """`lines` are declarations to put before the use; `result` is an expression of `width` bits."""

    lines: tuple[str, ...]
    result: str
    width: int


def first_one_tree(bits: Sequence[str], stem: str) -> Shape:
    """Number of zeros before the first one in `bits` (first: most important), by merging neighbours pairwise.

    The result has one bit more than the position when the number of bits is a power of two: then all zeros give
    exactly that number. Otherwise the list must end in a one. Logarithmic depth; n-1 merges.
    """
    lines: list[str] = []
    level = [(f"({bit})", "") for bit in bits]  # (some one in here, position expression or "" for none)
    width = 0
    while len(level) > 1:
        merged = []
        for index in range(0, len(level), 2):
            if index + 1 == len(level):
                merged.append(_alone(lines, level[index], f"{stem}_{width}_{index // 2}", width))
                continue
            (some, position), (other, behind) = level[index], level[index + 1]
            name = f"{stem}_{width}_{index // 2}"
            lines.append(f"wire {name}_any = {some} | {other};")
            low = "" if width == 0 else f", {some} ? {position} : {behind}"
            lines.append(f"wire [{width}:0] {name} = {{~{some}{low}}};")
            merged.append((f"{name}_any", name))
        level, width = merged, width + 1
    some, position = level[0]
    return _topped(lines, some, position, width, len(bits))


def _alone(lines: list[str], part: tuple[str, str], name: str, width: int) -> tuple[str, str]:
    """A part without a neighbour moves up a level: its position gets a zero on top."""
    some, position = part
    low = f", {position}" if width else ""
    lines.append(f"wire [{width}:0] {name} = {{1'b0{low}}};")
    return some, name


def _topped(lines: list[str], some: str, position: str, width: int, count: int) -> Shape:
    if count == 1 << width:
        return Shape(tuple(lines), f"{some} ? {{1'b0, {position}}} : {width + 1}'d{count}", width + 1)
    return Shape(tuple(lines), position, width)


def first_one_smear(bits: Sequence[str], stem: str, *, tree: bool = False) -> Shape:
    """As `first_one_tree`: each bit of the result is a sum of steps in the running "a one was seen" flags.

    `tree` computes the flags with logarithmic depth instead of in a chain.
    """
    count = len(bits)
    lines = [f"wire [{count - 1}:0] {stem}_in = {{{', '.join(reversed(bits))}}};"]
    if tree:
        flags = _prefix_lines(lines, stem, count)
    else:
        flags = f"{stem}_seen"
        lines.append(f"wire [{count - 1}:0] {flags};")
        lines.append(f"assign {flags} = {{{flags}[{count - 2}:0], 1'b0}} | {stem}_in;")
    width = max(1, (count - 1).bit_length())
    rows = []
    for bit in range(width):
        step = 1 << bit
        terms = [f"(~{flags}[{at - 1}] & {flags}[{min(at + step, count) - 1}])" for at in range(step, count, 2 * step)]
        rows.append(" | ".join(terms) or "1'b0")
    result = "{" + ", ".join(reversed(rows)) + "}"
    if count == 1 << width:
        return Shape(tuple(lines), f"{{~{flags}[{count - 1}], {result[1:-1]}}}", width + 1)
    return Shape(tuple(lines), result, width)


def _prefix_lines(lines: list[str], stem: str, count: int) -> str:
    """Running or of `stem_in` from bit 0 upwards, Kogge-Stone; returns the vector's name."""
    name, distance = f"{stem}_in", 1
    while distance < count:
        following = f"{stem}_or{distance}"
        lines.append(f"wire [{count - 1}:0] {following} = {name} | ({name} << {distance});")
        name, distance = following, 2 * distance
    return name


def first_one_halving(bits: Sequence[str], stem: str) -> Shape:
    """As `first_one_tree`: look whether the first half is all zeros, go on in the half that decides."""
    width = max(1, (len(bits) - 1).bit_length())
    padded = [*bits, *["1'b1"] * ((1 << width) - len(bits))]
    lines = [f"wire [{(1 << width) - 1}:0] {stem}_{width} = {{{', '.join(padded)}}};"]
    digits = []
    for level in range(width, 0, -1):
        half, name = 1 << (level - 1), f"{stem}_{level}"
        zero = f"{stem}_none{level - 1}"
        lines.append(f"wire {zero} = ~|{name}[{2 * half - 1}:{half}];")
        low, high = (f"{name}[{half - 1}:0]", f"{name}[{2 * half - 1}:{half}]")
        lines.append(f"wire [{half - 1}:0] {stem}_{level - 1} = {zero} ? {low} : {high};")
        digits.append(zero)
    result = ", ".join(digits)
    if len(bits) == 1 << width:
        return Shape(tuple(lines), f"{stem}_0 ? {{1'b0, {result}}} : {width + 1}'d{len(bits)}", width + 1)
    return Shape(tuple(lines), f"{{{result}}}", width)


def ones(word: str, width: int, name: str, tree: Tree, final: str) -> Shape:
    """Number of ones of a word as a function: a compressor tree of full adders and one addition at its end."""
    body = Body()
    body.reserve(name)
    size = width.bit_length()
    columns = Columns(size)
    for bit in body.input("x", width):
        columns.add_bit(0, bit)
    result = resolve(body, columns.compress(body, tree), final)
    return Shape((function_text(name, body, result).rstrip("\n"),), f"{name}({word})", size)


FIRST_ONE: tuple[tuple[str, Callable[[Sequence[str], str], Shape]], ...] = (
    ("a chain of flags", first_one_smear),
    ("a tree of pairs", first_one_tree),
    ("halving", first_one_halving),
    ("a tree of flags", lambda bits, stem: first_one_smear(bits, stem, tree=True)),
)
ONES: tuple[tuple[Tree, str], ...] = (("dadda", PLUS), ("arrival", PLUS), ("dadda", "fit-0"), ("dadda", "kogge-stone"))
