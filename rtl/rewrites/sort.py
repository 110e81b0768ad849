"""Sorters and selectors of the smallest, largest or middle word, recognised by their numbers: fewest comparators.

What: signals that are always the k-th smallest of some words of equal width are driven by an odd-even merge network.
When it pays: loops sort by bubbles, n(n-1)/2 comparators in a chain; the network has 5 for 4 words (not 6), 19 for 8
(not 28), in logarithmically squared depth. Source: Batcher, "Sorting networks and their applications", 1968; for up to
8 words no network has fewer comparators (Knuth, vol. 3, 5.3.4).
"""

from collections.abc import Iterator, Sequence
from random import Random

from rtl_evolve.rtl.rewrites.redrive import redrive_all
from rtl_evolve.rtl.rewrites.rule import Rewrite
from rtl_evolve.rtl.rewrites.view import View
from rtl_evolve.rtl.rewrites.view_nodes import Scope, Signal
from rtl_evolve.rtl.rewrites.words import Word, signal_word, words_below

_MOST_WORDS, _LEAST, _MOST = 40, 3, 16


class Sort:
    """See the module's docstring."""

    name = "sort"

    def propose(self, view: View, rng: Random) -> Iterator[Rewrite]:
        for scope in view.scopes:
            if scope.uniform and scope.editable:
                yield from _sorters(view, scope)


def _sorters(view: View, scope: Scope) -> Iterator[Rewrite]:
    """One proposal for each set of words of which signals are ranks."""
    found: dict[tuple[str, ...], dict[Signal, int]] = {}
    operands: dict[tuple[str, ...], list[Word]] = {}
    for signal in scope.signals.values():
        if signal.direction == "input" or signal.width < 2 or view.graph.registered(signal):
            continue
        target = signal_word(view, scope, signal) if len(view.graph.drivers(signal)) == 1 else None
        words = _operands(view, scope, target) if target is not None else []
        rank = _rank(target, words) if target is not None and words else None
        if rank is not None:
            key = tuple(w.text for w in words)
            found.setdefault(key, {})[signal] = rank
            operands[key] = words
    for key, ranks in found.items():
        yield from _network(view, scope, operands[key], ranks)


def _operands(view: View, scope: Scope, target: Word) -> list[Word]:
    """Words of the target's width that together make up all it depends on, and are independent of each other."""
    driver = view.graph.drivers(target.signal)[0].source
    words: list[Word] = []
    for word in words_below(view, scope, target.signal, _MOST_WORDS):
        beside = any(d.source is driver for d in view.graph.drivers(word.signal))
        if word.width == target.width and not beside and not any(word.support & w.support for w in words):
            words.append(word)
    together = 0
    for word in words:
        together |= word.support
    return words if together == target.support and _LEAST <= len(words) <= _MOST else []


def _rank(target: Word, words: Sequence[Word]) -> int | None:
    """k when the target is the k-th smallest (from 0) of the words in every sample."""
    possible = set(range(len(words)))
    for value, *numbers in zip(target.values, *(w.values for w in words), strict=True):
        numbers.sort()
        possible &= {k for k, number in enumerate(numbers) if number == value}
        if not possible:
            return None
    return min(possible)


def merge_exchange(count: int) -> Iterator[tuple[int, int]]:
    """Batcher's network: pairs (i, j), i < j, whose smaller number goes to i."""
    top = 1 << (count - 1).bit_length() >> 1
    p = top
    while p:
        q, r, distance = top, 0, p
        while True:
            for i in range(count - distance):
                if i & p == r:
                    yield i, i + distance
            if q == p:
                break
            distance, q, r = q - p, q >> 1, p
        p >>= 1


def _network(view: View, scope: Scope, words: Sequence[Word], ranks: dict[Signal, int]) -> Iterator[Rewrite]:
    width, stem = words[0].width, view.fresh_name("sorted")
    lanes = [w.text for w in words]
    lines = []
    for step, (i, j) in enumerate(merge_exchange(len(words))):
        swap, low, high = f"{stem}_swap{step}", f"{stem}_low{step}", f"{stem}_high{step}"
        lines.append(f"wire {swap} = {lanes[i]} > {lanes[j]};")
        lines.append(f"wire [{width - 1}:0] {low} = {swap} ? {lanes[j]} : {lanes[i]};")
        lines.append(f"wire [{width - 1}:0] {high} = {swap} ? {lanes[i]} : {lanes[j]};")
        lanes[i], lanes[j] = low, high
    edits = redrive_all(view, scope, {s: lanes[k] for s, k in ranks.items()}, tuple(lines))
    if edits is not None:
        names = ", ".join(s.name for s in ranks)
        why = (
            f"{names} are ranks of {', '.join(w.text for w in words)} in order of size: "
            f"a merge network of {len(lines) // 3} comparators sorts them"
        )
        yield Rewrite("sort.network", edits, why)
