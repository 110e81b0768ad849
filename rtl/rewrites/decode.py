"""Decoders as products of smaller decoders, or as one comparison a line.

What: a signal that is always 1 << x, or that under an enable, is built from the decoded halves of x (predecoding), or
from one comparison for each line.
When it pays: `1 << x` is synthesised as a shifter of a constant, whose rows of gates are shared less well than the
products of two predecoded halves. Source: predecoding as in memories (Weste and Harris, "CMOS VLSI Design", 12.2).
"""

from collections.abc import Iterator
from random import Random

from rtl_evolve.rtl.rewrites.redrive import redrive_with
from rtl_evolve.rtl.rewrites.rule import Rewrite
from rtl_evolve.rtl.rewrites.view import View, parenthesised
from rtl_evolve.rtl.rewrites.view_nodes import Scope
from rtl_evolve.rtl.rewrites.words import Word, signal_word, words_below

_LEAST, _MOST = 4, 1024  # lines of a decoder
_MOST_WORDS = 24


class Decode:
    """See the module's docstring."""

    name = "decode"

    def propose(self, view: View, rng: Random) -> Iterator[Rewrite]:
        for scope in view.scopes:
            for signal in scope.signals.values():
                plain = signal.simple and signal.lsb == 0 and _LEAST <= signal.width <= _MOST
                if not scope.uniform or not plain or signal.direction == "input" or view.graph.registered(signal):
                    continue
                target = signal_word(view, scope, signal) if len(view.graph.drivers(signal)) == 1 else None
                if target is not None and target.support and len(set(target.values)) > 2:
                    yield from _decoders(view, scope, target)


def _decoders(view: View, scope: Scope, target: Word) -> Iterator[Rewrite]:
    pool = words_below(view, scope, target.signal, _MOST_WORDS)
    mask = (1 << target.width) - 1
    for word in (w for w in pool if 1 < w.width <= 10):
        decoded = [(1 << x) & mask for x in word.values]
        if decoded == list(target.values):
            yield from _forms(view, scope, target, word, None)
            return
        for enable in (w for w in pool if w.width == 1):
            rows = zip(decoded, enable.values, target.values, strict=True)
            if all(t == (d if e else 0) for d, e, t in rows):
                yield from _forms(view, scope, target, word, enable)
                return


def _forms(view: View, scope: Scope, target: Word, word: Word, enable: Word | None) -> Iterator[Rewrite]:
    x, lines_count = word.text, target.width
    stem = view.fresh_name(f"{target.text}_of")
    gate = f" & {parenthesised(enable.text)}" if enable is not None else ""
    low_bits = word.width // 2
    high_bits = word.width - low_bits
    lines = [f"wire [{word.width - 1}:0] {stem} = {x};"]
    for name, high, low in (("high", word.width - 1, low_bits), ("low", low_bits - 1, 0)):
        size = 1 << (high - low + 1)
        part = f"{stem}[{high}:{low}]" if high > low else f"{stem}[{high}]"
        bits = [f"({part} == {high - low + 1}'d{value}){gate if name == 'high' else ''}" for value in range(size)]
        lines.append(f"wire [{size - 1}:0] {stem}_{name} = {{{', '.join(reversed(bits))}}};")
    groups = [f"{{{1 << low_bits}{{{stem}_high[{g}]}}}} & {stem}_low" for g in range(1 << high_bits)]
    text = "{" + ", ".join(reversed(groups)) + "}"
    why = f"{target.text} is {x} decoded: {1 << high_bits} by {1 << low_bits} predecoded lines make its {lines_count} lines"
    yield from _rewrite(view, scope, target, tuple(lines), text, "decode.product", why)
    each = [f"({x} == {word.width}'d{value}){gate}" for value in range(lines_count)]
    why = f"{target.text} is {x} decoded: one comparison for each of its {lines_count} lines instead of a shifter"
    yield from _rewrite(view, scope, target, (), "{" + ", ".join(reversed(each)) + "}", "decode.compare", why)


def _rewrite(
    view: View, scope: Scope, target: Word, lines: tuple[str, ...], text: str, rule: str, why: str
) -> Iterator[Rewrite]:
    edits = redrive_with(view, scope, target.signal, lines, text)
    if edits is not None:
        yield Rewrite(rule, edits, why)
