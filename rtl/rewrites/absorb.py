"""Selections moved inwards: branches that differ in one signal, and operands that vanish in one branch.

What: `if (s) F(x) else F(y)` becomes `F(s ? x : y)`, also as a conditional expression; with x and y sums or
differences defined beside it, one adder computes the chosen one. `s ? p : q + p` becomes `(s ? 0 : q) + p`, the same
for *, &, |, ^ with the value that changes nothing.
When it pays: whatever F is (rounding, saturation, comparison) stood twice, and so did what computes x and y.
Source: common-branch factoring in compilers and high-level synthesis.
"""

from collections.abc import Iterator
from random import Random

from rtl_evolve.rtl.edit import Edit
from rtl_evolve.rtl.gate_text import lexemes
from rtl_evolve.rtl.rewrites.rule import Rewrite
from rtl_evolve.rtl.rewrites.share import selected
from rtl_evolve.rtl.rewrites.view import View, shortened
from rtl_evolve.rtl.rewrites.view_nodes import Assign, Node, Process, Scope, Signal, Statement

_NEUTRAL = {"+": "0", "-": "0", "|": "0", "^": "0", "*": "1", "&": "~0"}


class Absorb:
    """See the module's docstring."""

    name = "absorb"

    def propose(self, view: View, rng: Random) -> Iterator[Rewrite]:
        found: list[tuple[int, Rewrite]] = []
        for scope in view.scopes:
            for root in scope.expressions():
                for node in root.walk():
                    found += _neutral(view, node)
                    found += _conditional(view, scope, node)
            for process in scope.processes:
                for statement in process.body.walk():
                    found += _branches(view, scope, process, statement)
        yield from (rewrite for _, rewrite in sorted(found, key=lambda f: -f[0]))


# --- operands that vanish


def _neutral(view: View, node: Node) -> Iterator[tuple[int, Rewrite]]:
    if node.kind != "conditional" or not node.editable:
        return
    text = neutral_text(view, view.text(node.children[0]), node.children[1], node.children[2])
    if text is not None:
        why = f"one branch of {shortened(view.text(node))} is an operand of the other: the selection goes to the other operand"
        yield node.width, Rewrite("absorb.neutral", (view.replace(node, text),), why)


def neutral_text(view: View, condition: str, then: Node, otherwise: Node) -> str | None:
    """`condition ? then : otherwise` where one side is an operand of the other's operator; None when it isn't."""
    for whole, part, whole_if in ((otherwise, then, False), (then, otherwise, True)):
        if whole.kind != "binary" or whole.op not in _NEUTRAL or whole.value is not None:
            continue
        for index, operand in enumerate(whole.children):
            if whole.op == "-" and index == 1:
                continue
            if view.alike(operand, part):
                other = whole.children[1 - index]
                neutral = _neutral_literal(whole.op, whole.width, whole.signed)
                first, second = (view.operand(other), neutral) if whole_if else (neutral, view.operand(other))
                chosen = f"(({condition}) ? {first} : {second})"
                pair = [chosen, view.operand(operand)] if index == 1 else [view.operand(operand), chosen]
                return f"{pair[0]} {whole.op} {pair[1]}"
    return None


def _neutral_literal(op: str, width: int, signed: bool) -> str:
    sign = "s" if signed else ""
    if _NEUTRAL[op] == "~0":
        return f"{{{width}{{1'b1}}}}"
    return f"{width}'{sign}d{_NEUTRAL[op]}"


# --- branches that differ in one signal


def _conditional(view: View, scope: Scope, node: Node) -> Iterator[tuple[int, Rewrite]]:
    if node.kind != "conditional" or not node.editable:
        return
    condition, then, otherwise = node.children
    pair = one_difference(view.text(then), view.text(otherwise))
    if pair is None or then.kind == "name":
        return
    name, edits = _picked(view, scope, view.text(condition), pair, scope.item_of([node]))
    if name is not None:
        body = _renamed(view.text(then), pair[0], name)
        yield node.width, _rewrite(view, (view.replace(node, f"({body})"), *edits), pair, view.text(condition))


def _branches(view: View, scope: Scope, process: Process, statement: Statement) -> Iterator[tuple[int, Rewrite]]:
    if statement.kind != "if" or len(statement.children) != 2 or not statement.editable:
        return
    condition = view.text(statement.conditions[0])
    then, otherwise = statement.children
    values = [child.only_assign() for child in statement.children]
    if values[0] is not None and values[1] is not None and view.alike(values[0].target, values[1].target):
        text = neutral_text(view, condition, values[0].value, values[1].value)
        if text is not None:
            sign = "<=" if values[0].style == "nonblocking" else "="
            line = f"{view.text(values[0].target)} {sign} {text};"
            why = f"one value of {view.text(values[0].target)} is an operand of the other: one operator, fed by a selection"
            edit = Edit(statement.path, statement.start, statement.end, line)
            yield values[0].target.width, Rewrite("absorb.neutral", (edit,), why)
    blocking = {n for a in process.assigns() if a.style == "blocking" for n in a.target.names()}
    texts = [view.texts[s.path][s.start : s.end] for s in (then, otherwise)]
    pair = one_difference(*texts)
    if pair is None or blocking & (set(pair) | statement.conditions[0].names()):
        return
    name, edits = _picked(view, scope, condition, pair, (process.start, process.end))
    if name is not None:
        body = Edit(statement.path, statement.start, statement.end, _renamed(texts[0], pair[0], name))
        width = max((s.width for s in (scope.lookup(pair[0]),) if s), default=1)
        listed = (process.listed,) if process.listed else ()
        edits = (body, *edits, *(Edit(process.path, *place, "@*") for place in listed))
        yield width + 10, _rewrite(view, edits, pair, condition)


def _rewrite(view: View, edits: tuple[Edit, ...], pair: tuple[str, str], condition: str) -> Rewrite:
    why = f"both branches of {shortened(condition)} do the same, one to {pair[0]}, one to {pair[1]}: once is enough, to the chosen one"
    return Rewrite("absorb.branches", edits, why)


def one_difference(first: str, second: str) -> tuple[str, str] | None:
    """The two names in which two texts differ, always in the same way; None when that is not all."""
    ours = [x for x in lexemes(first) if x.kind != "comment"]
    theirs = [x for x in lexemes(second) if x.kind != "comment"]
    if len(ours) != len(theirs) or not ours:
        return None
    pairs = {(a.text, b.text) for a, b in zip(ours, theirs, strict=True) if a.text != b.text}
    if len(pairs) != 1:
        return None
    (pair,) = pairs
    same = {a.text for a, b in zip(ours, theirs, strict=True) if a.text == b.text}
    names = all(x.isidentifier() for x in pair)
    return pair if names and not set(pair) & same else None


def _renamed(text: str, old: str, new: str) -> str:
    pieces, at = [], 0
    for item in lexemes(text):
        if item.kind == "word" and item.text == old:
            pieces += [text[at : item.start], new]
            at = item.end
    return "".join(pieces) + text[at:]


def _picked(
    view: View, scope: Scope, condition: str, pair: tuple[str, str], item: tuple[int, int] | None
) -> tuple[str | None, tuple[Edit, ...]]:
    """A new wire that holds whichever of the two signals is chosen; one operator where both are sums beside it."""
    signals = [scope.lookup(name) for name in pair]
    if item is None or any(s is None or not s.simple for s in signals):
        return None, ()
    first, second = (s for s in signals if s is not None)
    if (first.width, first.signed) != (second.width, second.signed) or max(first.end, second.end) > item[0]:
        return None, ()
    name = view.fresh_name("chosen")
    drivers = [_driver(scope, s) for s in (first, second)]
    text = None
    if drivers[0] is not None and drivers[1] is not None:
        text = selected(view, condition, drivers[0].value, drivers[1].value)
    kind = f"{'signed ' if first.signed else ''}[{first.width - 1}:0] " if first.width > 1 else ""
    line = f"wire {kind}{name} = {text or f'({condition}) ? {pair[0]} : {pair[1]}'};"
    return name, (view.insert_before(item, scope.path, line),)


def _driver(scope: Scope, signal: Signal) -> Assign | None:
    found = [a for a in scope.assigns if a.target.kind == "name" and a.target.op == signal.name]
    return found[0] if len(found) == 1 else None
