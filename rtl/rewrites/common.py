"""The same value computed twice, or never changing: one signal reads for both, a constant for the other.

What: signals whose simulated numbers are always equal (or always each other's complement) are merged, registers of
equal history too; a signal that never changes is replaced by its number; an expression that a signal already holds is
read from that signal.
When it pays: synthesis shares equal gates only when their structure is equal; equal values reached in different ways
(another carry chain, another state register) stay twice. Source: functional reduction by signatures (Mishchenko and
others, FRAIG), here on the words of the text.
"""

from collections.abc import Iterator
from random import Random

from rtl_evolve.rtl.edit import Edit
from rtl_evolve.rtl.rewrites.rule import Rewrite
from rtl_evolve.rtl.rewrites.view import View
from rtl_evolve.rtl.rewrites.view_nodes import Node, Scope, Signal
from rtl_evolve.rtl.rewrites.view_values import Words

_MOST = 40


class Common:
    """See the module's docstring."""

    name = "common"

    def propose(self, view: View, rng: Random) -> Iterator[Rewrite]:
        found: list[tuple[int, Rewrite]] = []
        for scope in view.scopes:
            if scope.uniform:
                found += _equal_signals(view, scope)
                found += _held_expressions(view, scope)
        yield from (rewrite for _, rewrite in sorted(found, key=lambda f: -f[0])[:_MOST])


def _equal_signals(view: View, scope: Scope) -> Iterator[tuple[int, Rewrite]]:
    """A later signal is replaced, wherever it is read, by an earlier one of the same numbers, or by a constant."""
    kept: dict[Words, Signal] = {}
    rank = {"input": 0, "local": 1, "output": 2}  # an output is mostly a copy of a local: keep the latter
    for signal in sorted(scope.signals.values(), key=lambda s: (rank.get(s.direction, 3), s.start)):
        if not signal.simple or signal.direction == "inout":
            continue
        words = view.signal_words(scope, signal.name, reached=True)
        if words is None:
            continue
        key = tuple(words)
        constant = len(set(key)) == 1
        mask = (1 << signal.width) - 1
        twin = kept.get(key)
        inverse = None if twin else kept.get(tuple(word ^ mask for word in key))
        if signal.direction in ("local", "output") and not _is_plain_copy(scope, signal):
            if constant:
                text = f"{signal.width}'d{key[0]}"
                why = f"{signal.name} is {text} in every reachable state: whatever reads it can do without"
                yield from _replaced(view, scope, signal, text, "common.constant", why)
            elif twin is not None and twin.width == signal.width:
                why = f"{signal.name} always equals {twin.name}: one of the two is enough"
                yield from _replaced(view, scope, signal, twin.name, "common.equal", why)
            elif inverse is not None and inverse.width == signal.width:
                why = f"{signal.name} is always the complement of {inverse.name}: one of the two is enough"
                yield from _replaced(view, scope, signal, f"(~{inverse.name})", "common.inverse", why)
        if not constant:
            kept.setdefault(key, signal)


def _is_plain_copy(scope: Scope, signal: Signal) -> bool:
    """`assign y = x`: replacing reads of it changes nothing."""
    values = [a.value for a in scope.assigns if a.target.names() == {signal.name}]
    return bool(values) and all(v.kind in ("name", "literal") for v in values)


def _replaced(
    view: View, scope: Scope, signal: Signal, text: str, rule: str, why: str
) -> Iterator[tuple[int, Rewrite]]:
    """Edits of every place that reads the signal; none when one of them can't be edited or uses a part of it."""
    uses = list(_reads(scope, signal.name))
    if signal.direction == "output":
        uses = [u for u in uses if u.editable]
    if not uses or not all(use.editable for use in uses):
        return
    parts = list(_selected_names(scope))
    if any(use in parts for use in uses) and not text.isidentifier():
        return
    if signal.signed and "'d" in text:
        text = text.replace("'d", "'sd")
    edits: tuple[Edit, ...] = tuple(view.replace(use, text) for use in uses)
    yield signal.width * 10 + len(uses), Rewrite(rule, edits, why)


def _reads(scope: Scope, name: str) -> Iterator[Node]:
    for part in scope.walk():
        for root in part.expressions():
            for node in root.walk():
                if node.kind == "name" and node.op == name:
                    yield node


def _selected_names(scope: Scope) -> Iterator[Node]:
    """Names that a bit or slice is taken of: a constant or an inversion can't stand there."""
    for part in scope.walk():
        for root in part.expressions():
            for node in root.walk():
                if node.kind in ("bit", "slice"):
                    yield node.children[0]


def _held_expressions(view: View, scope: Scope) -> Iterator[tuple[int, Rewrite]]:
    """An arithmetic expression whose numbers are those of a signal of the same width that doesn't depend on it."""
    held: dict[Words, Signal] = {}
    for signal in scope.signals.values():
        if signal.simple and signal.direction == "local" and signal.width > 1:
            words = view.signal_words(scope, signal.name)
            if words is not None and len(set(words)) > 1:
                held.setdefault(tuple(words), signal)
    for assign in scope.assigns:
        for node in assign.value.walk():
            if node.kind != "binary" or not node.editable or node.width < 2 or node.outer_width != node.width:
                continue
            words = view.words(scope, node)
            signal_ = held.get(tuple(words)) if words is not None else None
            if signal_ is None or signal_.width != node.width or signal_.name in assign.target.names():
                continue
            why = f"{view.text(node)} is what {signal_.name} holds already: it need not be computed again"
            yield node.width, Rewrite("common.held", (view.replace(node, signal_.name),), why)
