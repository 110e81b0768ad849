"""Recognises what hand-built logic computes, by its simulated numbers, and writes the operator in its place.

What: a signal's numbers over some hundred vectors are compared with every operator of `operators.py` on the words it
depends on; a match becomes the signal's new driver, and a module all of whose outputs are matched gets a new body.
When it pays: ripple, carry-select and shift-and-add structures, comparator chains and bit loops hide the operator
from synthesis, whose own adders, compressor trees and Booth multipliers are better. Also lets the other families work
on the operator. Source: reverse engineering of word-level operators by functional signatures (Li, Wojcik, Tiwari and
others); the numbers only make the guess, the proof decides.
"""

from collections.abc import Iterator, Sequence
from random import Random

from rtl_evolve.rtl.edit import Edit
from rtl_evolve.rtl.rewrites.match import Match, matches
from rtl_evolve.rtl.rewrites.redrive import redrive
from rtl_evolve.rtl.rewrites.rule import Rewrite
from rtl_evolve.rtl.rewrites.view import View
from rtl_evolve.rtl.rewrites.view_nodes import Assign, Scope, Signal
from rtl_evolve.rtl.rewrites.words import Word, signal_word, words_below

_MOST_WORDS = 22
_MOST_MATCHES = 2
_MOST_TARGETS = 60


class Recognise:
    """See the module's docstring."""

    name = "recognise"

    def propose(self, view: View, rng: Random) -> Iterator[Rewrite]:
        bodies = [r for scope in view.scopes for r in _whole_body(view, scope)]
        yield from bodies
        targets = sorted(_targets(view), key=lambda t: -t[0])[:_MOST_TARGETS]
        found: list[tuple[int, Rewrite]] = []
        for _, scope, word in targets:
            pool = words_below(view, scope, word.signal, _MOST_WORDS)
            for match in _first(matches(word.values, word.width, word.support, pool), _MOST_MATCHES):
                operands = [x for w in pool if w.text in match.words for x in w.literals]
                gates = view.gates(word.literals, operands)
                edits = redrive(view, scope, word.signal, match.text)
                if edits is not None and gates > word.width:
                    found.append((gates, Rewrite("recognise.signal", edits, _why(word.text, match, gates))))
        yield from (rewrite for _, rewrite in sorted(found, key=lambda f: -f[0]))


def _first(found: Iterator[Match], most: int) -> list[Match]:
    return [match for match, _ in zip(found, range(most), strict=False)]


def _why(name: str, match: Match, gates: int) -> str:
    over = " and ".join(match.words)
    return f"{name} is the {match.name} of {over}, written out in {gates} gates: an operator leaves the structure to synthesis"


def _targets(view: View) -> Iterator[tuple[int, Scope, Word]]:
    """Signals driven by something more than wiring or one operator, with their cost in AND gates."""
    for scope in view.scopes:
        if not scope.uniform:
            continue
        for signal in scope.signals.values():
            if signal.direction in ("input", "inout") or not signal.simple or view.graph.registered(signal):
                continue
            drivers = view.graph.drivers(signal)
            if len(drivers) != 1 or _plain(drivers[0].source):
                continue
            if signal.direction == "local" and not _read_elsewhere(view, signal):
                continue
            word = signal_word(view, scope, signal)
            if word is not None and word.support:
                yield view.gates(word.literals), scope, word


def _read_elsewhere(view: View, signal: Signal) -> bool:
    drivers = {d.source for d in view.graph.drivers(signal)}
    return any(source not in drivers for _, source in view.graph.readers(signal))


def _plain(source: object) -> bool:
    """Whether a driver is an operator on names already, or mere wiring."""
    if not isinstance(source, Assign):
        return False
    operators = [n for n in source.value.walk() if n.kind in ("unary", "binary", "conditional", "call", "other")]
    return len(operators) <= 1 and not any(n.kind == "other" for n in operators)


def _whole_body(view: View, scope: Scope) -> Iterator[Rewrite]:
    """A module of several statements, all of whose outputs are operators on its inputs."""
    outputs = [s for s in scope.signals.values() if s.direction == "output"]
    inputs = [s for s in scope.signals.values() if s.direction == "input"]
    statements = len(scope.assigns) + len(scope.processes) + len(scope.instances) + len(scope.inner)
    if scope.parent is not None or not scope.uniform or not scope.editable or statements < 2 or not outputs:
        return
    if any(process.clocked for process in scope.processes) or any(
        s.direction == "inout" for s in scope.signals.values()
    ):
        return
    words = [signal_word(view, scope, s) for s in outputs]
    pool = [w for s in inputs if (w := signal_word(view, scope, s)) is not None]
    known = [w for w in words if w is not None]
    if len(known) != len(outputs):
        return
    for group in _groupings(known):
        found = [_match_group(words_of, pool) for words_of in group]
        if all(match is not None for match in found):
            lines = [_statement(g, m.text) for g, m in zip(group, found, strict=True) if m is not None]
            edit = _body_edit(view, scope, lines)
            if edit is not None:
                names = "; ".join(
                    f"{_target(g)} is the {m.name} of {' and '.join(m.words)}"
                    for g, m in zip(group, found, strict=True)
                    if m is not None
                )
                yield Rewrite(
                    "recognise.module",
                    (edit,),
                    f"In module {scope.module}, {names}: the operators replace the {statements} statements of its body",
                )
                return


def _groupings(words: list[Word]) -> Iterator[list[list[Word]]]:
    """Each output alone; else one-bit outputs put on top of a wider one (carry and sum)."""
    yield [[w] for w in words]
    for bit in (w for w in words if w.width == 1):
        for wide in (w for w in words if w.width > 1):
            yield [[bit, wide], *([w] for w in words if w not in (bit, wide))]


def _match_group(group: Sequence[Word], pool: Sequence[Word]) -> Match | None:
    values = list(group[-1].values)
    width = group[-1].width
    support = group[-1].support
    for word in reversed(group[:-1]):
        values = [(top << width) | v for top, v in zip(word.values, values, strict=True)]
        width += word.width
        support |= word.support
    return next(matches(values, width, support, pool), None)


def _target(group: Sequence[Word]) -> str:
    names = ", ".join(w.text for w in group)
    return names if len(group) == 1 else f"{{{names}}}"


def _statement(group: Sequence[Word], text: str) -> str:
    if all(w.signal.kind == "net" for w in group):
        return f"    assign {_target(group)} = {text};"
    return f"    always @* {_target(group)} = {text};"


def _body_edit(view: View, scope: Scope, lines: list[str]) -> Edit | None:
    """Replace all statements; declarations of ports in the body (the old style) stay, so such modules are left."""
    start, end = scope.body
    header = view.texts[scope.path].rfind(";", 0, start)
    if any(s.direction != "local" and s.start > header for s in scope.signals.values()):
        return None
    return Edit(scope.path, start, end, "\n\n" + "\n".join(lines) + "\n\n")
