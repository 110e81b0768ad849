"""One shifter for shifts and rotations that exclude each other.

What: shifts of one operand by one amount to the left, to the right, with the sign, or around, in branches that
exclude each other, are served by one shifter: a funnel, a shifter to the right with the bits turned round for the
left, a rotator with masks, or one such for each direction (`shift_forms.py`).
When it pays: a shifter is log2(w) rows of multiplexers; k shifters with a selection behind become one with a selection
before or a mask behind it. Which form is best depends on delay against area, so all are proposed. Source: funnel
shifters (Weste and Harris, "CMOS VLSI Design", 11.8); data reversal and mask shifters (Pillmeier, Schulte, Walters,
"Design alternatives for barrel shifters", 2002).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from rtl_evolve.rtl.rewrites.paths import Site, exclusive, guard_names, sensitive, sites, tests
from rtl_evolve.rtl.rewrites.redrive import joined
from rtl_evolve.rtl.rewrites.rule import Rewrite
from rtl_evolve.rtl.rewrites.shift_forms import FORMS, Form, Group
from rtl_evolve.rtl.rewrites.view import View
from rtl_evolve.rtl.rewrites.view_nodes import Node, Scope


@dataclass(frozen=True)
class _Use:
    """A shift of a kind at a site."""

    kind: str
    operand: str
    amount: str
    site: Site


class Shift:
    """See the module's docstring."""

    name = "shift"

    def propose(self, view: View, rng: Random) -> Iterator[Rewrite]:
        for scope in view.scopes:
            if scope.uniform and scope.editable:
                yield from _groups(view, scope, list(_uses(view, scope)))


def _uses(view: View, scope: Scope) -> Iterator[_Use]:
    """The shifts and rotations of a scope; those that a rotation is made of don't count themselves."""
    inside: set[Node] = set()
    for site in sites(view, scope):
        node = site.node
        if node in inside:
            continue
        found = _rotation(view, scope, node) or _shift(view, node)
        if found is None:
            continue
        inside |= set(node.walk())
        if node.editable and node.width == node.outer_width and site.stable:
            yield _Use(*found, site)


def _shift(view: View, node: Node) -> tuple[str, str, str] | None:
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
    return kind, inner.op, amount.op


def _rotation(view: View, scope: Scope, node: Node) -> tuple[str, str, str] | None:
    """(x << n) | (x >> (w - n)), where the second amount is known by its numbers."""
    if node.kind != "binary" or node.op not in ("|", "^", "+"):
        return None
    parts = [_named_shift(child) for child in node.children]
    if parts[0] is None or parts[1] is None:
        return None
    first, second = parts[0], parts[1]
    if {first[0], second[0]} != {"sll", "srl"} or first[1] != second[1]:
        return None
    for main, other in ((first, second), (second, first)):
        amounts = [view.words(scope, n) for n in (main[2], other[2])]
        if main[2].kind != "name" or amounts[0] is None or amounts[1] is None:
            continue
        if all((a + b) % node.width == 0 and b > 0 for a, b in zip(amounts[0], amounts[1], strict=True)):
            return ("rol" if main[0] == "sll" else "ror"), main[1], main[2].op
    return None


def _named_shift(node: Node) -> tuple[str, str, Node] | None:
    kinds = {"<<": "sll", ">>": "srl"}
    if node.kind != "binary" or node.op not in kinds or node.children[0].kind != "name":
        return None
    return kinds[node.op], node.children[0].op, node.children[1]


def _groups(view: View, scope: Scope, uses: list[_Use]) -> Iterator[Rewrite]:
    """Every form for every operand and amount that two or more exclusive shifts share."""
    for operand, amount in dict.fromkeys((u.operand, u.amount) for u in uses):
        group = [u for u in uses if (u.operand, u.amount) == (operand, amount)]
        value, count = scope.lookup(operand), scope.lookup(amount)
        if value is None or count is None or len(group) < 2 or value.width != 1 << count.width:
            continue
        if value.lsb != 0 or count.lsb != 0 or not _apart(group):
            continue
        texts = tests([u.site for u in group])
        item = min(u.site.item for u in group)
        names = {operand, amount} | guard_names([u.site for u in group])
        signals = [scope.lookup(name) for name in names]
        if texts is None or any(s is None or s.end > item[0] for s in signals):
            continue
        by_kind: dict[str, str] = {}
        for use, text in zip(group, texts, strict=True):
            by_kind[use.kind] = f"{by_kind[use.kind]} || ({text})" if use.kind in by_kind else text
        for label, form in FORMS:
            made = form(Group(operand, amount, value.width, by_kind, view.fresh_name))
            if made is not None:
                yield _rewrite(view, scope, label, made, group, item)


def _apart(group: list[_Use]) -> bool:
    """Uses of different kinds must never count at once."""
    return all(a.kind == b.kind or exclusive(a.site, b.site) for i, a in enumerate(group) for b in group[:i])


def _rewrite(view: View, scope: Scope, label: str, form: Form, group: list[_Use], item: tuple[int, int]) -> Rewrite:
    served = [use for use in group if use.kind in form.results]
    uses = tuple(view.replace(use.site.node, _typed(use.site.node, form.results[use.kind])) for use in served)
    uses += sensitive(use.site for use in served)
    insertion = view.insert_before(item, scope.path, "\n".join(form.lines))
    operand, amount = group[0].operand, group[0].amount
    why = f"{len(served)} shifts of {operand} by {amount} never count at once: {form.what}"
    return Rewrite(f"shift.{label}", joined(insertion, uses), why)


def _typed(node: Node, text: str) -> str:
    return f"$signed({text})" if node.signed else text
