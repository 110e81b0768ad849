"""Prefix graphs with the fewest combines for the time at which each bit arrives and a depth that is allowed.

A block of bits low..high is built either as prefixes (every span i..low) or, with the carry into it known, as carries
(every span i..0) beside its group (high..low); each splits into two blocks. A search over the splits, remembered by
block and deadline, gives 74, 56, 55 and 54 combines at depths 5 to 8 for 32 bits, against 80 of Sklansky's graph at
depth 5 and 57 of Brent and Kung's at depth 8. Snir's bound (1986) is size + depth >= 2n - 2.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from rtl_evolve.rtl.generate.prefix import Combine, Graph

_IMPOSSIBLE = 1 << 20


def fitted(arrivals: Sequence[int], slack: int = 0) -> Graph:
    """A graph in which no carry is ready later than `slack` levels after the earliest time possible for the last.

    `arrivals` are the levels at which each bit's generate and propagate are there.
    """
    if len(arrivals) < 2:
        return ()
    return _Search(tuple(arrivals)).graph(slack)


@dataclass(frozen=True)
class _Choice:
    """Combines needed, and how: split at `middle` into two blocks; "increment": prefixes, then the carry added."""

    cost: int
    how: Literal["leaf", "prefixes", "carries", "split", "increment"] = "leaf"
    middle: int = 0


class _Search:
    def __init__(self, arrivals: tuple[int, ...]) -> None:
        self.arrivals = arrivals
        self.earliest = _earliest(arrivals)
        self.prefixes = lru_cache(maxsize=None)(self._prefixes)
        self.carries = lru_cache(maxsize=None)(self._carries)
        self.made: list[Combine] = []

    def graph(self, slack: int) -> Graph:
        last = len(self.arrivals) - 1
        deadline = max(self.earliest[i, 0] for i in range(last + 1)) + slack
        self._make_prefixes(0, last, deadline, deadline)
        return tuple(self.made)

    def _splits(self, low: int, high: int, by: int) -> list[int]:
        """Where a block may be cut so that the whole span is ready by then."""
        earliest = self.earliest
        return [m for m in range(low + 1, high + 1) if max(earliest[high, m], earliest[m - 1, low]) < by]

    def _prefixes(self, low: int, high: int, by: int, group_by: int) -> _Choice:
        """Spans i..low for every i of the block by `by`, and high..low by `group_by`."""
        group_by = min(group_by, by)
        if low == high:
            return _Choice(0 if self.arrivals[low] <= group_by else _IMPOSSIBLE)
        best = _Choice(_IMPOSSIBLE)
        for middle in self._splits(low, high, group_by):
            below = self.prefixes(low, middle - 1, by, group_by - 1).cost
            above = self.prefixes(middle, high, by - 1, group_by - 1).cost + high - middle + 1
            if below + above < best.cost:
                best = _Choice(below + above, "prefixes", middle)
            if high - middle >= 2 and below + 1 < best.cost:
                cost = below + 1 + self.carries(middle, high, group_by - 1, by, group_by - 1).cost
                if cost < best.cost:
                    best = _Choice(cost, "carries", middle)
        return best

    def _carries(self, low: int, high: int, carry_at: int, by: int, group_by: int) -> _Choice:
        """Spans i..0 for low <= i < high by `by`, given low-1..0 at `carry_at`; and high..low by `group_by`."""
        if low == high:
            return _Choice(0 if self.arrivals[low] <= group_by else _IMPOSSIBLE)
        best = _Choice(_IMPOSSIBLE)
        if carry_at >= by:
            return best
        between = max(group_by - 1, carry_at) + 1
        for middle in self._splits(low, high, group_by) if between <= by else []:
            cost = 2 + self.carries(low, middle - 1, carry_at, by, group_by - 1).cost
            if cost < best.cost:
                cost += self.carries(middle, high, between, by, group_by - 1).cost
                if cost < best.cost:
                    best = _Choice(cost, "split", middle)
        cost = self.prefixes(low, high, by - 1, group_by).cost + high - low
        return _Choice(cost, "increment") if cost < best.cost else best

    def _make_prefixes(self, low: int, high: int, by: int, group_by: int) -> None:
        group_by = min(group_by, by)
        choice = self.prefixes(low, high, by, group_by)
        middle = choice.middle
        if choice.how == "leaf":
            return
        self._make_prefixes(low, middle - 1, by, group_by - 1)
        if choice.how == "prefixes":
            self._make_prefixes(middle, high, by - 1, group_by - 1)
            self.made += [(i, middle, low) for i in range(middle, high + 1)]
        else:
            self._make_carries(middle, high, group_by - 1, by, group_by - 1, low)
            self.made.append((high, middle, low))

    def _make_carries(self, low: int, high: int, carry_at: int, by: int, group_by: int, base: int) -> None:
        choice = self.carries(low, high, carry_at, by, group_by)
        middle = choice.middle
        if choice.how == "increment":
            self._make_prefixes(low, high, by - 1, group_by)
            self.made += [(i, low, base) for i in range(low, high)]
        elif choice.how == "split":
            self._make_carries(low, middle - 1, carry_at, by, group_by - 1, base)
            self.made.append((middle - 1, low, base))
            between = max(group_by - 1, carry_at) + 1
            self._make_carries(middle, high, between, by, group_by - 1, base)
            self.made.append((high, middle, low))


@lru_cache(maxsize=64)
def _earliest(arrivals: tuple[int, ...]) -> dict[tuple[int, int], int]:
    """The least level of every span, over all ways to split it."""
    best = {(i, i): t for i, t in enumerate(arrivals)}
    for length in range(2, len(arrivals) + 1):
        for low in range(len(arrivals) - length + 1):
            high = low + length - 1
            best[high, low] = 1 + min(max(best[high, m], best[m - 1, low]) for m in range(low + 1, high + 1))
    return best
