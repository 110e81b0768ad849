"""Sums and differences in the arms of one case: a single adder in front of the process that all arms read."""

from collections.abc import Iterator

from rtl_evolve.rtl.edit import Edit
from rtl_evolve.rtl.rewrites.rule import Rewrite
from rtl_evolve.rtl.rewrites.view import View
from rtl_evolve.rtl.rewrites.view_nodes import Node, Process, Scope, Statement

_Arm = tuple[Node, tuple[Node, ...]]  # a sum or difference, and the labels under which it is computed


def shared_arms(view: View, scope: Scope, process: Process) -> Iterator[tuple[int, Rewrite]]:
    """One proposal for each case statement with at least two adders of the same width in arms that exclude each other."""
    if not process.editable:
        return
    blocking = {n for a in process.assigns() if a.style == "blocking" for n in a.target.names()}
    for statement in process.body.walk():
        if statement.kind != "case" or len(statement.conditions) != 1 or statement.op != "Normal":
            continue
        selector = statement.conditions[0]
        arms = [arm for arm in _arms(statement) if not (arm[0].names() | selector.names()) & blocking]
        for width in sorted({arm[0].width for arm in arms}, reverse=True):
            group = [arm for arm in arms if arm[0].width == width]
            rewrite = _shared(view, process, selector, group, width) if len(group) > 1 else None
            if rewrite is not None:
                yield 1000 - width, rewrite


def _arms(statement: Statement) -> Iterator[_Arm]:
    """The first adder of each labelled arm whose context doesn't widen it."""
    for child, labels in zip(statement.children, statement.labels, strict=False):
        found = [
            node
            for inner in child.walk()
            if inner.assign is not None
            for node in inner.assign.value.walk()
            if node.kind == "binary" and node.op in "+-" and node.value is None and node.editable
        ]
        if labels and len(found) == 1 and found[0].width == found[0].outer_width:
            yield found[0], labels


def _shared(view: View, process: Process, selector: Node, group: list[_Arm], width: int) -> Rewrite | None:
    lefts = [view.operand(node.children[0]) for node, _ in group]
    rights = [("~" if node.op == "-" else "") + view.operand(node.children[1]) for node, _ in group]
    tests = [" || ".join(f"{view.operand(selector)} == {view.operand(x)}" for x in labels) for _, labels in group]
    if any(node.signed for node, _ in group) or len({(a, b) for a, b in zip(lefts, rights, strict=True)}) < 2:
        return None
    minus = [test for test, (node, _) in zip(tests, group, strict=True) if node.op == "-"]
    name = view.fresh_name("shared_sum")
    carry = f" + ({' || '.join(minus)})" if minus else ""
    line = f"wire [{width - 1}:0] {name} = {_choice(tests, lefts)} + {_choice(tests, rights)}{carry};"
    start = process.start
    uses = tuple(view.replace(node, name) for node, _ in group)
    insert: Edit = view.insert_before((start, process.end), process.path, line)
    why = (
        f"the {len(group)} adders in the arms of case ({view.text(selector)}) never count at once: "
        f"{name} computes whichever is asked for"
    )
    return Rewrite("share.arms", (insert, *uses), why)


def _choice(tests: list[str], values: list[str]) -> str:
    """The value whose test holds; the last one else."""
    if len(set(values)) == 1:
        return values[0]
    text = values[-1]
    for test, value in reversed(list(zip(tests, values, strict=True))[:-1]):
        if value != text.split(" : ")[0]:
            text = f"({test}) ? {value} : {text}"
    return f"({text})"
