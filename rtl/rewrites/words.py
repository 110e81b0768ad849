"""The named words of a scope as operands: signals, and slices of them that the text uses, with simulated numbers."""

from dataclasses import dataclass

from rtl_evolve.rtl.rewrites.view import View, constant_part
from rtl_evolve.rtl.rewrites.view_nodes import Scope, Signal
from rtl_evolve.rtl.rewrites.view_values import Words


@dataclass(frozen=True, eq=False)
class Word:
    """An operand: its text, width in bits, numbers in all vectors, the model's literals, the signal it is taken from."""

    text: str
    width: int
    values: Words
    literals: tuple[int, ...]
    signal: Signal
    support: int


def signal_word(view: View, scope: Scope, signal: Signal) -> Word | None:
    """A whole signal as a word; None when it's no plain vector or a bit of it isn't known."""
    values = view.signal_words(scope, signal.name) if signal.simple and signal.width else None
    literals = view.literals(scope, signal.name) if values is not None else None
    if values is None or literals is None:
        return None
    return Word(signal.name, signal.width, values, tuple(literals), signal, view.support(literals))


def words_below(view: View, scope: Scope, target: Signal, most: int) -> list[Word]:
    """Words of this scope that `target` depends on, the nearest to the inputs first; at most `most`."""
    below = view.graph.below(target)
    found: dict[str, Word] = {}
    for signal in scope.signals.values():
        if signal in below and signal is not target:
            word = signal_word(view, scope, signal)
            if word is not None and word.support:
                found[word.text] = word
    for word in _slices(view, scope, below):
        found.setdefault(word.text, word)
    ordered = sorted(found.values(), key=lambda w: (max(w.literals) >> 1, w.text))
    return ordered[:most]


def _slices(view: View, scope: Scope, below: frozenset[Signal]) -> list[Word]:
    """Constant slices and bits of signals as they're written in the text."""
    words = []
    for root in scope.expressions():
        for node in root.walk():
            part = constant_part(scope, node)
            base = scope.signals.get(node.children[0].op) if part is not None else None
            if part is None or base is None or base not in below:
                continue
            whole = signal_word(view, scope, base)
            if whole is not None:
                words.append(_part(view, whole, view.text(node), *part))
    return words


def _part(view: View, whole: Word, text: str, low: int, width: int) -> Word:
    mask = (1 << width) - 1
    literals = whole.literals[low : low + width]
    values = [(v >> low) & mask for v in whole.values]
    return Word(text, width, values, literals, whole.signal, view.support(literals))
