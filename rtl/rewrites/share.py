"""One operator behind a selection instead of a selection behind several operators.

What: `s ? a + b : c + d` becomes `(s ? a : c) + (s ? b : d)`, in conditionals, in if/else and in the arms of a case;
a sum and a difference share one adder with an inverted operand and a carry; a comparison takes the borrow of a
subtraction of the same operands; `a*c + b*c` becomes `(a + b)*c`.
When it pays: an adder, a shifter or a multiplier costs more than the multiplexers in front of it, and synthesis may
not see that its users exclude each other. It can cost delay: the selection now comes first. Source: resource sharing
in high-level synthesis (De Micheli, "Synthesis and Optimization of Digital Circuits", ch. 6).
"""

from collections.abc import Iterator
from random import Random

from rtl_evolve.rtl.edit import Edit
from rtl_evolve.rtl.rewrites.rule import Rewrite
from rtl_evolve.rtl.rewrites.share_adder import adder_comparisons, selected_adder
from rtl_evolve.rtl.rewrites.share_compare import borrowed_comparisons
from rtl_evolve.rtl.rewrites.share_exclusive import shared_exclusive
from rtl_evolve.rtl.rewrites.view import View, shortened
from rtl_evolve.rtl.rewrites.view_nodes import Node, Statement

_COSTLY = {"*": 0, "/": 0, "%": 0, "+": 1, "-": 1, "<<": 2, ">>": 2, "<<<": 2, ">>>": 2}
_COMPARE = {"<": 3, "<=": 3, ">": 3, ">=": 3, "==": 4, "!=": 4}
_RANK = {**_COSTLY, **_COMPARE}
_COMMUTES = {"*", "+"}


class Share:
    """See the module's docstring."""

    name = "share"

    def propose(self, view: View, rng: Random) -> Iterator[Rewrite]:
        found: list[tuple[int, Rewrite]] = []
        for scope in view.scopes:
            for root in scope.expressions():
                for node in root.walk():
                    found += _conditional(view, node)
                    found += _distributed(view, node)
            for process in scope.processes:
                for statement in process.body.walk():
                    found += _branches(view, statement)
            found += shared_exclusive(view, scope)
            found += adder_comparisons(view, scope)
            found += selected_adder(view, scope)
            found += borrowed_comparisons(view, scope)
        yield from (rewrite for _, rewrite in sorted(found, key=lambda f: f[0]))


def _conditional(view: View, node: Node) -> Iterator[tuple[int, Rewrite]]:
    if node.kind != "conditional" or not node.editable:
        return
    condition, then, otherwise = node.children
    text = selected(view, view.text(condition), then, otherwise)
    if text is not None:
        why = f"the two {_word(then)} in {shortened(view.text(node))} never count at once: one {_word(then)[:-1]} serves both"
        yield _cost(then, node), Rewrite("share.conditional", (view.replace(node, text),), why)


def selected(view: View, condition: str, then: Node, otherwise: Node) -> str | None:
    """`condition ? then : otherwise` with its two operators made one, or None when they are of different kinds."""
    if then.kind != "binary" or otherwise.kind != "binary" or then.value is not None or otherwise.value is not None:
        return None
    if then.op == otherwise.op and then.op in _RANK:
        return _same(view, condition, then, otherwise)
    if {then.op, otherwise.op} == {"+", "-"}:
        return _add_subtract(view, condition, then, otherwise)
    return None


def _same(view: View, condition: str, then: Node, otherwise: Node) -> str | None:
    pairs = list(zip(then.children, otherwise.children, strict=True))
    if then.op in _COMMUTES and not any(view.alike(a, b) for a, b in pairs):
        swapped = list(zip(then.children, reversed(otherwise.children), strict=True))
        if any(view.alike(a, b) for a, b in swapped):
            pairs = swapped
    if all(view.alike(a, b) for a, b in pairs):
        return None
    left, right = (_pick(view, condition, a, b) for a, b in pairs)
    return f"{left} {then.op} {right}"


def _add_subtract(view: View, condition: str, then: Node, otherwise: Node) -> str | None:
    """One adder: the subtrahend inverted and a carry put in where the difference is wanted."""
    minus = otherwise if otherwise.op == "-" else then
    plus = then if minus is otherwise else otherwise
    flag = f"!({condition})" if minus is otherwise else f"({condition})"
    augend, addend = plus.children
    if not view.alike(augend, minus.children[0]) and view.alike(addend, minus.children[0]):
        augend, addend = addend, augend
    ahead = (augend, minus.children[0]) if minus is otherwise else (minus.children[0], augend)
    left = _pick(view, condition, *ahead)
    inverted = f"~{view.operand(minus.children[1])}"
    straight = view.operand(addend)
    first, second = (straight, inverted) if minus is otherwise else (inverted, straight)
    carry = f"$signed({{1'b0, {flag}}})" if minus.signed else flag
    return f"{left} + ({_condition(condition)} ? {first} : {second}) + {carry}"


def _pick(view: View, condition: str, then: Node, otherwise: Node) -> str:
    if view.alike(then, otherwise):
        return view.operand(then)
    return f"({_condition(condition)} ? {view.operand(then)} : {view.operand(otherwise)})"


def _condition(text: str) -> str:
    return text if text.replace("_", "").isalnum() else f"({text})"


def _branches(view: View, statement: Statement) -> Iterator[tuple[int, Rewrite]]:
    """if (s) y = a + b; else y = c + d;"""
    if statement.kind != "if" or len(statement.children) != 2 or not statement.editable:
        return
    first, second = (child.only_assign() for child in statement.children)
    if first is None or second is None:
        return
    if not view.alike(first.target, second.target) or first.style != second.style:
        return
    condition = view.text(statement.conditions[0])
    text = selected(view, condition, first.value, second.value)
    if text is None:
        return
    sign = "<=" if first.style == "nonblocking" else "="
    target = view.text(first.target)
    why = f"the two {_word(first.value)} assigned to {target} never count at once: one {_word(first.value)[:-1]} serves both"
    edit = Edit(statement.path, statement.start, statement.end, f"{target} {sign} {text};")
    yield _cost(first.value, first.value), Rewrite("share.branches", (edit,), why)


def _distributed(view: View, node: Node) -> Iterator[tuple[int, Rewrite]]:
    """a*c + b*c and a*c - b*c; also & over |, which shares gates the same way."""
    forms = {"+": "*", "-": "*", "|": "&"}
    if node.kind != "binary" or node.op not in forms or not node.editable or node.value is not None:
        return
    inner = forms[node.op]
    left, right = node.children
    if any(child.kind != "binary" or child.op != inner for child in (left, right)):
        return
    for i, j in ((0, 0), (0, 1), (1, 0), (1, 1)):
        common, other = left.children[i], right.children[j]
        if view.alike(common, other) and common.value is None:
            a, b = left.children[1 - i], right.children[1 - j]
            text = f"({view.operand(a)} {node.op} {view.operand(b)}) {inner} {view.operand(common)}"
            why = f"{view.text(common)} is a factor of both sides of {shortened(view.text(node))}: one {inner} instead of two"
            yield 0 if inner == "*" else 5, Rewrite("share.factor", (view.replace(node, text),), why)
            return


def _cost(operator: Node, place: Node) -> int:
    """Sorting key: multipliers first, wide before narrow."""
    return 1000 * _RANK.get(operator.op, 9) - max(operator.width, place.width)


def _word(node: Node) -> str:
    names = {"*": "multipliers", "+": "adders", "-": "adders", "/": "dividers", "%": "dividers"}
    shifts = dict.fromkeys(("<<", ">>", "<<<", ">>>"), "shifters")
    return {**names, **shifts}.get(node.op, "comparators")
