"""One shifter for shifts and rotations that exclude each other.

What: arms of a case (or of nested conditionals) that shift one operand by one amount to the left, to the right, with
the sign, or around, all read one funnel shifter: the operand stands twice in a word of 2w-1 bits, with what comes in
from the side, and the low w bits after a shift to the right are the result. A shift to the left by n is one to the
right by w-1-n, that is by ~n, of the operand put higher.
When it pays: a shifter is log2(w) rows of multiplexers; k shifters with a selection behind become one with a selection
of its input. Source: funnel shifters (Weste and Harris, "CMOS VLSI Design", 11.8).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from rtl_evolve.rtl.rewrites.rule import Rewrite
from rtl_evolve.rtl.rewrites.view import View
from rtl_evolve.rtl.rewrites.view_nodes import Node, Process, Scope, Statement


@dataclass(frozen=True)
class _Use:
    """A shift `kind` ("sll", "srl", "sra", "rol", "ror") at `node`, asked for when `test` holds."""

    kind: str
    node: Node
    operand: str
    amount: str
    test: str


class Shift:
    """See the module's docstring."""

    name = "shift"

    def propose(self, view: View, rng: Random) -> Iterator[Rewrite]:
        for scope in view.scopes:
            for process in scope.processes:
                uses = [use for statement in process.body.walk() for use in _arms(view, scope, statement)]
                yield from _groups(view, scope, process, uses)


def _arms(view: View, scope: Scope, statement: Statement) -> Iterator[_Use]:
    if statement.kind != "case" or statement.op != "Normal" or len(statement.conditions) != 1:
        return
    selector = view.operand(statement.conditions[0])
    for child, labels in zip(statement.children, statement.labels, strict=True):
        if not labels:
            continue
        test = " || ".join(f"{selector} == {view.operand(label)}" for label in labels)
        for inner in child.walk():
            if inner.assign is not None:
                for node in _outermost(view, scope, inner.assign.value):
                    yield _Use(*node, test)


def _outermost(view: View, scope: Scope, node: Node) -> Iterator[tuple[str, Node, str, str]]:
    """The shifts and rotations in an expression, rotations before the shifts they are made of."""
    found = _rotation(view, scope, node) or _shift(view, node)
    if found is not None:
        if node.editable and node.width == node.outer_width:
            yield found
        return
    for child in node.children:
        yield from _outermost(view, scope, child)


def _shift(view: View, node: Node) -> tuple[str, Node, str, str] | None:
    kinds = {"<<": "sll", "<<<": "sll", ">>": "srl", ">>>": "sra"}
    if node.kind != "binary" or node.op not in kinds or node.value is not None:
        return None
    operand, amount = node.children
    kind = kinds[node.op]
    if kind == "sra" and not node.signed:
        kind = "srl"
    inner = operand.children[0] if operand.kind in ("call", "cast") and len(operand.children) == 1 else operand
    if inner.kind != "name" or inner.width != node.width or amount.kind != "name":
        return None
    return kind, node, inner.op, amount.op


def _rotation(view: View, scope: Scope, node: Node) -> tuple[str, Node, str, str] | None:
    """(x << n) | (x >> (w - n)), where the second amount is known by its numbers."""
    if node.kind != "binary" or node.op not in ("|", "^", "+"):
        return None
    parts = [_named_shift(view, child) for child in node.children]
    if any(p is None for p in parts):
        return None
    first, second = (p for p in parts if p is not None)
    if {first[0], second[0]} != {"sll", "srl"} or first[1] != second[1]:
        return None
    for main, other in ((first, second), (second, first)):
        amounts = [view.words(scope, n) for n in (main[2], other[2])]
        if main[2].kind != "name" or amounts[0] is None or amounts[1] is None:
            continue
        if all((a + b) % node.width == 0 and b > 0 for a, b in zip(amounts[0], amounts[1], strict=True)):
            return ("rol" if main[0] == "sll" else "ror"), node, main[1], main[2].op
    return None


def _named_shift(view: View, node: Node) -> tuple[str, str, Node] | None:
    kinds = {"<<": "sll", ">>": "srl"}
    if node.kind != "binary" or node.op not in kinds or node.children[0].kind != "name":
        return None
    return kinds[node.op], node.children[0].op, node.children[1]


def _groups(view: View, scope: Scope, process: Process, uses: list[_Use]) -> Iterator[Rewrite]:
    """One proposal for each operand and amount that two or more kinds of shift share."""
    blocking = {n for a in process.assigns() if a.style == "blocking" for n in a.target.names()}
    for operand, amount in dict.fromkeys((u.operand, u.amount) for u in uses):
        group = [u for u in uses if (u.operand, u.amount) == (operand, amount)]
        signals = scope.lookup(operand), scope.lookup(amount)
        if len({u.kind for u in group}) < 2 or {operand, amount} & blocking or None in signals:
            continue
        value, count = (s for s in signals if s is not None)
        if value.width != 1 << count.width or max(value.end, count.end) > process.start:
            continue
        yield _funnel(view, process, group, value.width)


def _funnel(view: View, process: Process, group: list[_Use], width: int) -> Rewrite:
    x, n = group[0].operand, group[0].amount
    top, zeros = f"{x}[{width - 1}]", f"{width - 1}'d0"
    inputs = {
        "sll": f"{{{x}, {zeros}}}",
        "rol": f"{{{x}, {x}[{width - 1}:1]}}",
        "srl": f"{{{zeros}, {x}}}",
        "sra": f"{{{{{width - 1}{{{top}}}}}, {x}}}",
        "ror": f"{{{x}[{width - 2}:0], {x}}}",
    }
    funnel, amount, result = (view.fresh_name(f"{x}_{word}") for word in ("funnel", "amount", "shifted"))
    tests = {kind: " || ".join(u.test for u in group if u.kind == kind) for kind in inputs}
    kinds = [kind for kind in inputs if tests[kind]]
    choice = inputs[kinds[-1]]
    for kind in reversed(kinds[:-1]):
        choice = f"({tests[kind]}) ? {inputs[kind]} :\n    {choice}"
    left = " || ".join(tests[k] for k in kinds if k in ("sll", "rol"))
    by = f"({left}) ? ~{n} : {n}" if left and len(kinds) > sum(k in ("sll", "rol") for k in kinds) else n
    by = f"~{n}" if all(k in ("sll", "rol") for k in kinds) else by
    lines = (
        f"wire [{2 * width - 2}:0] {funnel} = {choice};\n"
        f"wire [{(width - 1).bit_length() - 1}:0] {amount} = {by};\n"
        f"wire [{width - 1}:0] {result} = {funnel} >> {amount};"
    )
    edits = (
        view.insert_before((process.start, process.end), process.path, lines),
        *(view.replace(u.node, result) for u in group),
    )
    why = (
        f"the {len(group)} shifts of {x} by {n} never count at once: one funnel shifter serves all, "
        f"a shift to the left by {n} being one to the right by ~{n} of {x} put {width - 1} bits higher"
    )
    return Rewrite("shift.funnel", edits, why)
