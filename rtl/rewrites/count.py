"""Counters of ones and of leading or trailing zeros, recognised by their numbers and rewritten in other shapes.

What: a signal that counts the ones of a word, or the zeros before its first one from either end (or says where that
one is), gets a new driver: a chain of flags, a tree of pairs, halving; full adders or one flat sum for ones.
When it pays: such counters are usually written as loops, whose priority chain synthesis keeps; which shape is best
depends on the objective, so all are proposed. Source: Oklobdzija's leading-zero tree; counters of full adders after
Dadda; the flags' steps are the usual one-hot encoder.
"""

from collections.abc import Callable, Iterator
from random import Random

from rtl_evolve.rtl.rewrites.redrive import redrive_with
from rtl_evolve.rtl.rewrites.rule import Rewrite
from rtl_evolve.rtl.rewrites.shapes import FIRST_ONE, ONES, Shape
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
    for word in reversed(words_below(view, scope, target.signal, _MOST_WORDS)):
        if not 3 < word.width <= 128 or word.support != target.support:
            continue
        mask = (1 << target.width) - 1
        if all(w.bit_count() & mask == t for w, t in zip(word.values, target.values, strict=True)):
            for label, shape in ONES:
                yield from _rewrite(view, scope, target, word, shape, label, "counts the ones of", _forward, None)
            return
        first = _first_one(word, target)
        if first is not None:
            what, order, empty = first
            for label, shape in FIRST_ONE:
                yield from _rewrite(view, scope, target, word, shape, label, what, order, empty)
            return


def _forward(width: int) -> range:
    return range(width)


def _backward(width: int) -> range:
    return range(width - 1, -1, -1)


def _first_one(word: Word, target: Word) -> tuple[str, Callable[[int], range], int] | None:
    """(what it is, order in which bits are looked at, value for a word of zeros), by the numbers."""
    mask = (1 << target.width) - 1
    pairs = set(zip(word.values, target.values, strict=True))
    empty = {t for w, t in pairs if w == 0}
    if len(empty) != 1:
        return None
    rows = [(w, t) for w, t in pairs if w]
    if all((word.width - w.bit_length()) & mask == t for w, t in rows):
        return "counts the leading zeros of", _backward, empty.pop()
    if all(((w & -w).bit_length() - 1) & mask == t for w, t in rows):
        return "counts the trailing zeros of", _forward, empty.pop()
    return None


def _rewrite(
    view: View,
    scope: Scope,
    target: Word,
    word: Word,
    shape: Callable[..., Shape],
    label: str,
    what: str,
    order: Callable[[int], range],
    empty: int | None,
) -> Iterator[Rewrite]:
    stem = view.fresh_name(f"{target.text}_of")
    bits = [_bit(word, index) for index in order(word.width)]
    padded = empty is not None and word.width & (word.width - 1) != 0
    made = shape([*bits, "1'b1"] if padded else bits, stem)
    results = [made.result]
    if empty is not None and empty != word.width:  # perhaps nobody looks when there's no one at all
        results.append(f"|{word.text} ? ({made.result}) : {made.width}'d{empty}")
    gates = view.gates(target.literals, word.literals)
    for result in results:
        edits = redrive_with(view, scope, target.signal, made.lines, result)
        if edits is not None:
            why = f"{target.text} {what} {word.text}: written as {label} instead of {gates} gates"
            yield Rewrite(f"count.{'ones' if empty is None else 'zeros'}", edits, why)


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
