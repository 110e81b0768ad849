"""Which bits of which columns full and half adders take, until every column holds at most two bits.

Sources: Dadda 1965 (fewest adders, a height a stage), Oklobdzija, Villeger and Liu 1996 (earliest bits first).
"""

import heapq
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

# gate levels from an input to an output of a full adder; its last input skips the first exclusive or
_FIRST_INPUTS, _LAST_INPUT, _HALF = 2, 1, 1

CONSTANT_ONE = -1


@dataclass(frozen=True)
class Counter:
    """A full adder (3 inputs), a half adder (2), or "one": one or two inputs and a constant 1.

    Inputs are bit numbers, the latest last. It makes bit `sum` in its own column and `carry` in the next one.
    """

    kind: Literal["full", "half", "one"]
    column: int
    inputs: tuple[int, ...]
    sum: int
    carry: int
    level: int


@dataclass(frozen=True)
class Schedule:
    """Counters in an order in which they can be computed, and for each column the bits left with their times."""

    counters: tuple[Counter, ...]
    left: tuple[tuple[tuple[int, int], ...], ...]


def dadda(columns: Sequence[Sequence[tuple[int, int]]], ones: int = 0) -> Schedule:
    """Stages with the heights 2, 3, 4, 6, 9, ...; `columns` hold (time, bit number), `ones` constant bits to add."""
    return _Builder(columns, ones).dadda()


def earliest_first(columns: Sequence[Sequence[tuple[int, int]]], ones: int = 0) -> Schedule:
    """Column by column from the right, always the three bits that are there first; no half adders."""
    return _Builder(columns, ones).earliest_first()


class _Builder:
    def __init__(self, columns: Sequence[Sequence[tuple[int, int]]], ones: int) -> None:
        self.columns = [sorted(column) for column in columns]
        self.ones = [bool(ones >> i & 1) for i in range(len(columns))]
        self.levels: dict[int, int] = {}
        self.counters: list[Counter] = []
        self.next_bit = 1 + max((bit for column in columns for _, bit in column), default=-1)

    def dadda(self) -> Schedule:
        heights = [2]
        while heights[-1] < self._height():
            heights.append(heights[-1] * 3 // 2)
        for target in reversed(heights[:-1] if len(heights) > 1 else heights):
            made: list[list[tuple[int, int]]] = [[] for _ in self.columns]
            for column in range(len(self.columns)):
                self._reduce(column, target, made)
            self.columns = [sorted(old + new) for old, new in zip(self.columns, made, strict=True)]
        return self._schedule()

    def _height(self) -> int:
        return max((len(bits) + one for bits, one in zip(self.columns, self.ones, strict=True)), default=0)

    def _reduce(self, column: int, target: int, made: list[list[tuple[int, int]]]) -> None:
        """One stage of one column; what it makes may not be used before the next stage."""
        pool = self.columns[column]
        while (excess := len(pool) + self.ones[column] + len(made[column]) - target) > 0 and (
            len(pool) + self.ones[column] >= 2
        ):
            if self.ones[column]:
                self._count("one", column, pool, made)
            elif len(pool) < 3 or (excess == 1 and not (target == 2 and self._resolved_below(column, made))):
                self._count("half", column, pool, made)
            else:
                self._count("full", column, pool, made)

    def _resolved_below(self, column: int, made: list[list[tuple[int, int]]]) -> bool:
        """Whether every lower column is down to one bit, so that a full adder spares the final adder this one too."""
        return len(made[column]) == 0 and all(
            len(self.columns[i]) + self.ones[i] + len(made[i]) <= 1 for i in range(column)
        )

    def earliest_first(self) -> Schedule:
        for column in range(len(self.columns)):
            pool = self.columns[column]
            heapq.heapify(pool)
            while len(pool) + self.ones[column] > 2:
                self._count("one" if self.ones[column] else "full", column, pool, self.columns)
        return self._schedule()

    def _count(
        self,
        kind: Literal["full", "half", "one"],
        column: int,
        pool: list[tuple[int, int]],
        made: list[list[tuple[int, int]]],
    ) -> None:
        inputs = [heapq.heappop(pool) for _ in range(min(len(pool), 3 if kind == "full" else 2))]
        first = max(time for time, _ in inputs[:2])
        last = inputs[2][0] if kind == "full" else first
        time = max(first + _FIRST_INPUTS, last + _LAST_INPUT) if kind == "full" else first + _HALF
        numbers = tuple(bit for _, bit in inputs)
        level = 1 + max(self.levels.get(bit, 0) for bit in numbers)
        total, carry = self.next_bit, self.next_bit + 1
        self.next_bit += 2
        self.levels[total] = self.levels[carry] = level
        self.counters.append(Counter(kind, column, numbers, total, carry, level))
        self.ones[column] = self.ones[column] and kind != "one"
        heapq.heappush(made[column], (time, total))
        if column + 1 < len(made):
            heapq.heappush(made[column + 1], (time, carry))

    def _schedule(self) -> Schedule:
        left = []
        for bits, one in zip(self.columns, self.ones, strict=True):
            left.append((*sorted(bits), *([(0, CONSTANT_ONE)] if one else [])))
        return Schedule(tuple(self.counters), tuple(left))
