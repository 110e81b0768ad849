"""A comparison and a difference of the same operands: the borrow of the difference is the comparison."""

from collections.abc import Iterator

from rtl_evolve.rtl.rewrites.rule import Rewrite
from rtl_evolve.rtl.rewrites.view import View
from rtl_evolve.rtl.rewrites.view_nodes import Node, Scope


def borrowed_comparisons(view: View, scope: Scope) -> Iterator[tuple[int, Rewrite]]:
    """For each unsigned `a < b` (or >=, >, <=) beside an `a - b` of plain names: one wider difference for both."""
    roots = list(scope.expressions())
    nodes = [node for root in roots for node in root.walk() if node.kind == "binary" and node.editable]
    differences = [n for n in nodes if n.op == "-" and _plain(n)]
    for compare in nodes:
        if compare.op not in ("<", ">=", ">", "<=") or not _plain(compare):
            continue
        flipped = compare.op in (">", "<=")
        wanted = list(reversed(_names(compare))) if flipped else _names(compare)
        uses = [d for d in differences if _names(d) == wanted and d.width >= max(c.width for c in d.children)]
        if uses and scope.editable:
            yield from _rewrite(view, scope, compare, wanted, uses)


def _plain(node: Node) -> bool:
    """Both operands are unsigned signals."""
    return all(child.kind == "name" and not child.signed for child in node.children)


def _names(node: Node) -> list[str]:
    return [child.op for child in node.children]


def _rewrite(
    view: View, scope: Scope, compare: Node, names: list[str], uses: list[Node]
) -> Iterator[tuple[int, Rewrite]]:
    a, b = names
    signals = [s for s in (scope.lookup(a), scope.lookup(b)) if s is not None]
    width = max(s.width for s in signals)
    item = scope.item_of([compare, *uses])
    if item is None or any(s.end > item[0] for s in signals):
        return
    name = view.fresh_name(f"{a}_minus_{b}")
    insert = view.insert_before(item, scope.path, f"wire [{width}:0] {name} = {{1'b0, {a}}} - {{1'b0, {b}}};")
    borrow = f"{name}[{width}]" if compare.op in ("<", ">") else f"!{name}[{width}]"
    edits = [insert, view.replace(compare, borrow)]
    edits += [view.replace(use, f"{name}[{width - 1}:0]") for use in uses if use.outer_width == width]
    why = f"{view.text(compare)} is the borrow of {a} - {b}, which is computed anyway: the comparator goes"
    yield 900 - width, Rewrite("share.borrow", tuple(edits), why)
