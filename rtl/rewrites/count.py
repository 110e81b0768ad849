"""Counters of ones and of leading or trailing zeros, recognised by their numbers and rewritten in other shapes.

What: a signal that counts the ones of a word, or the zeros before its first one from either end (or says where that
one is), gets a new driver: a chain of flags, a tree of pairs, halving; full adders or one flat sum for ones.
When it pays: such counters are usually written as loops, whose priority chain synthesis keeps; which shape is best
depends on the objective, so all are proposed. Source: Oklobdzija's leading-zero tree; counters of full adders after
Dadda (1965); the flags' steps are the usual one-hot encoder.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random

from rtl_evolve.rtl.rewrites.redrive import redrive_with
from rtl_evolve.rtl.rewrites.rule import Rewrite
from rtl_evolve.rtl.rewrites.shapes import FIRST_ONE, ONES, Shape, ones
from rtl_evolve.rtl.rewrites.view import View
from rtl_evolve.rtl.rewrites.view_nodes import Scope
from rtl_evolve.rtl.rewrites.words import Word, signal_word, words_below

_MOST_WORDS = 30


class Count:
    """See the module's docstring."""

    name = "count"

    def propose(self, view: View, rng: Random) -> Iterator[Rewrite]:
        for scope in view.scopes:
            for signal in scope.signals.values():
                if not scope.uniform or signal.direction in ("input", "inout") or not 2 <= signal.width <= 8:
                    continue
                if view.graph.registered(signal) or len(view.graph.drivers(signal)) != 1:
                    continue
                target = signal_word(view, scope, signal)
                if target is not None and target.support:
                    yield from _counters(view, scope, target)


def _counters(view: View, scope: Scope, target: Word) -> Iterator[Rewrite]:
    """Rewrites over the word nearest to the inputs that the target counts in, then over the one nearest to it."""
    mask = (1 << target.width) - 1
    ones_of: list[Word] = []
    zeros_of: list[tuple[Word, _FirstOne]] = []
    for word in words_below(view, scope, target.signal, _MOST_WORDS):
        if not 3 < word.width <= 128 or word.support != target.support:
            continue
        if all(w.bit_count() & mask == t for w, t in zip(word.values, target.values, strict=True)):
            ones_of.append(word)
        first = _first_one(word, target)
        if first is not None:
            zeros_of.append((word, first))
    for word in dict.fromkeys([*ones_of[:1], *ones_of[-1:]]):
        yield from _ones(view, scope, target, word)
    for word, first in dict.fromkeys([*zeros_of[:1], *zeros_of[-1:]]):
        for label, shape in FIRST_ONE:
            yield from _rewrite(view, scope, target, word, shape, label, first)


def _ones(view: View, scope: Scope, target: Word, word: Word) -> Iterator[Rewrite]:
    gates = view.gates(target.literals, word.literals)
    for tree, final in ONES:
        made = ones(word.text, word.width, view.fresh_name(f"ones_in_{word.signal.name}"), tree, final)
        edits = redrive_with(view, scope, target.signal, made.lines, made.result)
        if edits is not None:
            why = (
                f"{target.text} counts the ones of {word.text}: full adders ({tree} order) and one addition ({final}) "
                f"instead of {gates} gates"
            )
            yield Rewrite("count.ones", edits, why)


def _forward(width: int) -> range:
    return range(width)


def _backward(width: int) -> range:
    return range(width - 1, -1, -1)


@dataclass(frozen=True)
class _FirstOne:
    """What a signal is, the order in which it looks at the bits, and its value for a word of zeros."""

    what: str
    order: Callable[[int], range]
    empty: int


def _first_one(word: Word, target: Word) -> _FirstOne | None:
    """What the target says about the first one of a word, by the numbers."""
    mask = (1 << target.width) - 1
    pairs = set(zip(word.values, target.values, strict=True))
    empty = {t for w, t in pairs if w == 0}
    if len(empty) != 1:
        return None
    rows = [(w, t) for w, t in pairs if w]
    if all((word.width - w.bit_length()) & mask == t for w, t in rows):
        return _FirstOne("counts the leading zeros of", _backward, empty.pop())
    if all(((w & -w).bit_length() - 1) & mask == t for w, t in rows):
        return _FirstOne("counts the trailing zeros of", _forward, empty.pop())
    return None


def _rewrite(
    view: View,
    scope: Scope,
    target: Word,
    word: Word,
    shape: Callable[..., Shape],
    label: str,
    first: _FirstOne,
) -> Iterator[Rewrite]:
    stem = view.fresh_name(f"{target.text}_of")
    bits = [_bit(word, index) for index in first.order(word.width)]
    padded = word.width & (word.width - 1) != 0
    made = shape([*bits, "1'b1"] if padded else bits, stem)
    results = [made.result]
    if first.empty != word.width:  # perhaps nobody looks when there's no one at all
        results.append(f"|{word.text} ? ({made.result}) : {made.width}'d{first.empty}")
    gates = view.gates(target.literals, word.literals)
    for result in results:
        edits = redrive_with(view, scope, target.signal, made.lines, result)
        if edits is not None:
            why = f"{target.text} {first.what} {word.text}: written as {label} instead of {gates} gates"
            yield Rewrite("count.zeros", edits, why)


def _bit(word: Word, index: int) -> str:
    """The text of one bit of a word: signals and constant slices can be indexed through their signal."""
    signal = word.signal
    if word.text == signal.name:
        return f"{signal.name}[{signal.lsb + index}]"
    low = _position(word)
    return f"{signal.name}[{low + index}]"


def _position(word: Word) -> int:
    inside = word.text[word.text.index("[") + 1 : -1]
    if "+:" in inside:
        return int(inside.split("+:")[0])
    return min(int(part) for part in inside.replace("-:", ":").split(":"))
