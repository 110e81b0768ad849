"""A word as the sum or difference of words that are computed anyway.

What: where a signal's numbers are always those of u + v, u - v or u + v + w over other signals (outputs of the module
among them) that don't depend on it, it is computed from those.
When it pays: common subexpressions that no two expressions have in their text, such as (b+1)*a + d + c - b beside
c + d + a*b and a - b: a product less. Source: common subexpression extraction of polynomials (Peymandoust and
De Micheli, 2001), here by simulated numbers.
"""

from collections.abc import Iterator, Sequence
from random import Random

from rtl_evolve.rtl.rewrites.redrive import redrive
from rtl_evolve.rtl.rewrites.rule import Rewrite
from rtl_evolve.rtl.rewrites.view import View
from rtl_evolve.rtl.rewrites.view_nodes import Assign, Scope, Signal
from rtl_evolve.rtl.rewrites.words import Word, signal_word

_MOST_WORDS = 28
_KEY = 24  # samples that index a word
_ADDER = 9  # AND gates a bit of an adder; a sum must save more than it costs


class Combine:
    """See the module's docstring."""

    name = "combine"

    def propose(self, view: View, rng: Random) -> Iterator[Rewrite]:
        found: list[tuple[int, Rewrite]] = []
        for scope in view.scopes:
            if scope.uniform and scope.editable:
                for signal in scope.signals.values():
                    found += _combinations(view, scope, signal)
        yield from (rewrite for _, rewrite in sorted(found, key=lambda f: -f[0]))


def _combinations(view: View, scope: Scope, signal: Signal) -> Iterator[tuple[int, Rewrite]]:
    drivers = view.graph.drivers(signal)
    if signal.direction == "input" or len(drivers) != 1 or not isinstance(drivers[0].source, Assign):
        return
    value = drivers[0].source.value
    if all(n.kind in ("name", "concat", "literal") or n.op in "+-" for n in value.walk()) and len(value.names()) < 3:
        return
    target = signal_word(view, scope, signal) if signal.width > 1 else None
    if target is None or view.gates(target.literals) < _ADDER * signal.width:
        return
    place = value.start
    words = []
    for other in scope.signals.values():
        independent = other is not signal and signal not in view.graph.below(other) and other.end <= place
        word = signal_word(view, scope, other) if independent and 1 < other.width <= signal.width + 1 else None
        if word is not None and word.support and not word.support & ~target.support:
            words.append(word)
    words = sorted(words, key=lambda w: -max(w.literals))[:_MOST_WORDS]
    modulus = 1 << signal.width
    for text, used in sums(target.values, modulus, words):
        saved = view.gates(target.literals, [x for w in used for x in w.literals]) - _ADDER * signal.width * (
            len(used) - 1
        )
        edits = redrive(view, scope, signal, text) if saved > 0 else None
        if edits is not None:
            why = f"{signal.name} is always {text}, and these are computed anyway: about {saved} gates less"
            yield saved, Rewrite("combine.sum", edits, why)
            return


def sums(target: Sequence[int], modulus: int, words: Sequence[Word]) -> Iterator[tuple[str, tuple[Word, ...]]]:
    """u + v, u - v, then u + v + w and u + v - w, that give the target's numbers modulo a power of two."""
    known: dict[tuple[int, ...], list[tuple[str, Word]]] = {}
    for word in words:
        for sign, factor in (("+", 1), ("-", -1)):
            key = tuple(factor * v % modulus for v in word.values[:_KEY])
            known.setdefault(key, []).append((sign, word))
    pairs = [(u, v) for i, u in enumerate(words) for v in words[: i + 1]]
    addends: list[tuple[Word, ...]] = [*((u,) for u in words), *pairs]
    for used in addends:
        left = [
            (t - sum(w)) % modulus
            for t, w in zip(target[:_KEY], zip(*(u.values[:_KEY] for u in used), strict=True), strict=True)
        ]
        for sign, last in known.get(tuple(left), ()):
            if last not in used and _holds(target, modulus, used, sign, last):
                text = " + ".join(u.text for u in used) + f" {sign} {last.text}"
                yield text, (*used, last)


def _holds(target: Sequence[int], modulus: int, used: Sequence[Word], sign: str, last: Word) -> bool:
    factor = 1 if sign == "+" else -1
    columns = zip(target, last.values, zip(*(u.values for u in used), strict=True), strict=True)
    return all((t - sum(w) - factor * x) % modulus == 0 for t, x, w in columns)
