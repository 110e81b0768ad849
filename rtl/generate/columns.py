"""The bits of a sum by column, signs and constants folded away, and their compression to two words."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Literal

from rtl_evolve.rtl.generate.body import Body
from rtl_evolve.rtl.generate.schedule import CONSTANT_ONE, Counter, Schedule, dadda, earliest_first
from rtl_evolve.rtl.generate.word import ONE, ZERO, Bit, Word, text

Tree = Literal["dadda", "arrival"]
Carry = Literal["or", "mux"]


@dataclass(frozen=True)
class TwoWords:
    """`first` + `second` is the sum; `times` are the gate levels at which a column's bits are there."""

    first: Word
    second: Word
    times: tuple[int, ...]


class Columns:
    """A sum modulo 2**width under construction: bits with times (gate levels), and one constant."""

    def __init__(self, width: int) -> None:
        self.width = width
        self.constant = 0
        self.bits: list[list[tuple[int, Bit]]] = [[] for _ in range(width)]

    def add_bit(self, column: int, bit: Bit, negative: bool = False, time: int = 0) -> None:
        """Add `bit` * 2**column, or subtract it: -x is ~x - 1."""
        if negative:
            bit = ~bit
            self.constant -= 1 << column
        if bit.constant is not None:
            self.constant += bit.constant << column
        elif column < self.width:
            self.bits[column].append((time, bit))

    def add_word(
        self, word: Sequence[Bit], shift: int = 0, signed: bool = False, negative: bool = False, time: int = 0
    ) -> None:
        """Add or subtract a number times 2**shift; a signed one's top bit counts negative, so nothing is extended."""
        for index, bit in enumerate(word):
            top = signed and index == len(word) - 1
            self.add_bit(index + shift, bit, negative != top, time)

    def compress(self, body: Body, tree: Tree = "dadda", carry: Carry = "or") -> TwoWords:
        """Full and half adders until each column has at most two bits."""
        numbered = [bit for column in self.bits for _, bit in column]
        numbers = iter(range(len(numbered)))
        columns = [[(time, next(numbers)) for time, _ in column] for column in self.bits]
        schedule = (dadda if tree == "dadda" else earliest_first)(columns, self.constant % (1 << self.width))
        known = dict(enumerate(numbered)) | {CONSTANT_ONE: ONE}
        for level, members in groupby(sorted(schedule.counters, key=_place), key=lambda c: c.level):
            body.comment(f"level {level} of the compressor tree")
            for counters in _vectors(list(members)):
                _emit(body, counters, known, carry, self.width)
        return _two_words(schedule, known)


def _place(counter: Counter) -> tuple[int, str, int, int]:
    return counter.level, f"{counter.kind} {len(counter.inputs)}", counter.column, counter.sum


def _vectors(counters: Sequence[Counter]) -> Iterable[list[Counter]]:
    """Counters of one level and kind in neighbouring columns, one a column: each becomes one vector operation."""
    for _, members in groupby(counters, key=lambda c: (c.kind, len(c.inputs))):
        waiting = list(members)
        while waiting:
            run: list[Counter] = []
            rest: list[Counter] = []
            for counter in waiting:
                if not run or counter.column == run[-1].column + 1:
                    run.append(counter)
                else:
                    rest.append(counter)
            yield run
            waiting = rest


def _emit(body: Body, counters: Sequence[Counter], known: dict[int, Bit], style: Carry, width: int) -> None:
    low, count, kind = counters[0].column, len(counters), counters[0].kind
    if len(counters[0].inputs) == 1:  # x + 1 is ~x and the carry x
        for counter in counters:
            bit = known[counter.inputs[0]]
            known |= {counter.sum: ~bit, counter.carry: bit}
        return
    words = [tuple(known[c.inputs[k]] for c in counters) for k in range(len(counters[0].inputs))]
    names = [text(body.named(letter, word, low)) for letter, word in zip("xyz", words, strict=False)]
    x, y = names[0], names[1]
    if kind == "one":
        total, carry = f"~({x} ^ {y})", f"{x} | {y}"
    elif kind == "half":
        total, carry = f"{x} ^ {y}", f"{x} & {y}"
    else:
        differ = text(body.let("d", count, f"{x} ^ {y}", low))
        total = f"{differ} ^ {names[2]}"
        carry = f"({x} & {y}) | ({differ} & {names[2]})"
        if style == "mux":
            carry = f"({x} & ~{differ}) | ({differ} & {names[2]})"
    known |= zip((c.sum for c in counters), body.let("s", count, total, low), strict=True)
    if low + 1 < width:
        known |= zip((c.carry for c in counters), body.let("c", count, carry, low + 1), strict=True)


def _two_words(schedule: Schedule, known: dict[int, Bit]) -> TwoWords:
    first, second, times = [], [], []
    for column in schedule.left:
        bits = [known[number] for _, number in column]
        bits += [ZERO] * (2 - len(bits))
        first.append(bits[0])
        second.append(bits[1])
        times.append(max((time for time, _ in column), default=0))
    return TwoWords(tuple(first), tuple(second), tuple(times))
