"""Comparisons that an adder of the same operands makes on the side, when its sum is not wanted at the same time."""

from collections.abc import Iterator

from rtl_evolve.rtl.rewrites.paths import Site, exclusive, guard_names, sensitive, sites, tests
from rtl_evolve.rtl.rewrites.redrive import joined
from rtl_evolve.rtl.rewrites.rule import Rewrite
from rtl_evolve.rtl.rewrites.view import View
from rtl_evolve.rtl.rewrites.view_nodes import Node, Scope

_ADDERS = ("+", "-")
_COMPARE = ("<", ">=", ">", "<=")


def adder_comparisons(view: View, scope: Scope) -> Iterator[tuple[int, Rewrite]]:
    """Comparisons of a and b in branches in which a + b or a - b is not wanted: the same adder's borrow and sign.

    The adder may stand in the branches itself, or be a signal that some condition makes a sum or a difference.
    """
    if not scope.uniform or not scope.editable:
        return
    everything = list(sites(view, scope))
    for a, b in _pairs(everything):
        compares = [s for s in everything if _compares(s.node) == (a, b) and s.guards and s.stable and s.node.editable]
        adds = [s for s in everything if _adds(s.node) == (a, b) and s.stable and s.node.editable]
        group = _compatible(compares, adds)
        if not group:
            continue
        rewrite = _merged(view, scope, a, b, group)
        if rewrite is not None:
            yield 500, rewrite


def _pairs(everything: list[Site]) -> list[tuple[str, str]]:
    return list(dict.fromkeys(p for s in everything if (p := _compares(s.node)) is not None))


def _compares(node: Node) -> tuple[str, str] | None:
    """The plain names (a, b) that a < b, a >= b, b > a, b <= a compares; also as $signed."""
    if node.kind != "binary" or node.op not in _COMPARE:
        return None
    names = _operands(node)
    return names and (names if node.op in ("<", ">=") else (names[1], names[0]))


def _adds(node: Node) -> tuple[str, str] | None:
    """The plain names of a + b or a - b that no context widens."""
    if node.kind != "binary" or node.op not in _ADDERS or node.width != node.outer_width:
        return None
    names = _operands(node)
    return names if names is None or node.width == node.children[0].width == node.children[1].width else None


def _operands(node: Node) -> tuple[str, str] | None:
    bare = [c.children[0] if c.kind == "call" and c.op in ("$signed", "$unsigned") else c for c in node.children]
    if any(n.kind != "name" for n in bare) or bare[0].width != bare[1].width or bare[0].width < 2:
        return None
    return bare[0].op, bare[1].op


def _compatible(compares: list[Site], adds: list[Site]) -> list[Site]:
    """Adders that exclude each other, and all comparisons that exclude every one of those adders."""
    chosen: list[Site] = []
    for site in adds:
        if site.guards and all(exclusive(site, other) or site.node.op == other.node.op for other in chosen):
            chosen.append(site)
    kept = [c for c in compares if all(exclusive(c, a) or a.node.op == "-" for a in chosen)]
    return [*chosen, *kept] if chosen and kept else []


def _merged(view: View, scope: Scope, a: str, b: str, group: list[Site]) -> Rewrite | None:
    texts = tests(group)
    first, second = scope.lookup(a), scope.lookup(b)
    item = min(s.item for s in group)
    named = {scope.lookup(n) for n in guard_names(group)}
    if texts is None or first is None or second is None or None in named:
        return None
    if any(s.end > item[0] for s in (first, second, *named) if s is not None):
        return None
    width, name = first.width, view.fresh_name(f"{a}_with_{b}")
    minus = view.fresh_name(f"{name}_minus")
    plain = [f"({t})" for t, s in zip(texts, group, strict=True) if s.node.op == "+"]
    lines = [f"wire {minus} = {'!(' + ' || '.join(plain) + ')' if plain else '1' + chr(39) + 'b1'};"]
    lines += [f"wire [{width}:0] {name} = {{1'b0, {a}}} + {{1'b0, {b} ^ {{{width}{{{minus}}}}}}} + {minus};"]
    uses = (*(view.replace(s.node, _use(s.node, a, b, name, width)) for s in group), *sensitive(group))
    count = sum(s.node.op in _COMPARE for s in group)
    why = f"{count} comparisons of {a} and {b} count only when their sum does not: {name} is sum, difference and borrow in one"
    return Rewrite("share.compare", joined(view.insert_before(item, scope.path, "\n".join(lines)), uses), why)


def _use(node: Node, a: str, b: str, name: str, width: int) -> str:
    if node.op in _ADDERS:
        return f"{name}[{width - 1}:0]"
    signed = node.children[0].outer_signed and node.children[1].outer_signed
    top = width - 1
    if signed:
        less = f"(({a}[{top}] ^ {b}[{top}]) ? {a}[{top}] : {name}[{top}])"
        return less if node.op in ("<", ">") else f"!{less}"
    return f"!{name}[{width}]" if node.op in ("<", ">") else f"{name}[{width}]"


def selected_adder(view: View, scope: Scope) -> Iterator[tuple[int, Rewrite]]:
    """As `adder_comparisons`, where the adder is a signal s ? a - b : a + b read in other branches."""
    if not scope.uniform or not scope.editable:
        return
    everything = list(sites(view, scope))
    for assign in scope.assigns:
        form = _add_or_subtract(view, assign.value)
        signal = scope.lookup(assign.target.op) if assign.target.kind == "name" and assign.alone else None
        if form is None or signal is None or assign.style not in ("continuous", "declared"):
            continue
        a, b, minus = form
        reads = [s for s in everything if s.node.kind == "name" and s.node.op == signal.name]
        compares = [s for s in everything if _compares(s.node) == (a, b) and s.guards and s.stable and s.node.editable]
        kept = [c for c in compares if all(exclusive(c, r) for r in reads)]
        texts = tests([*kept, *reads]) if kept and reads else None
        named = {scope.lookup(n) for n in guard_names(kept)}
        first = scope.lookup(a)
        if texts is None or first is None or first.width != signal.width or None in named:
            continue
        if any(s.end > assign.item[0] for s in named if s is not None) or not assign.value.editable:
            continue
        yield (
            400,
            _with_comparisons(
                view,
                scope,
                signal.name,
                first.width,
                (a, b, minus),
                kept,
                texts[: len(kept)],
                assign.item,
                assign.value,
            ),
        )


def _with_comparisons(
    view: View,
    scope: Scope,
    target: str,
    width: int,
    form: tuple[str, str, str],
    compares: list[Site],
    texts: list[str],
    item: tuple[int, int],
    value: Node,
) -> Rewrite:
    a, b, minus = form
    name = view.fresh_name(f"{target}_wide")
    down = view.fresh_name(f"{name}_minus")
    lines = (
        f"wire {down} = ({minus}) || {' || '.join(f'({t})' for t in dict.fromkeys(texts))};\n"
        f"wire [{width}:0] {name} = {{1'b0, {a}}} + {{1'b0, {b} ^ {{{width}{{{down}}}}}}} + {down};"
    )
    uses = [view.replace(value, f"{name}[{width - 1}:0]")]
    uses += [view.replace(s.node, _use(s.node, a, b, name, width)) for s in compares]
    uses += sensitive(compares)
    why = f"{len(compares)} comparisons of {a} and {b} count only when {target} does not: its adder's borrow and sign are the comparisons"
    return Rewrite("share.compare", joined(view.insert_before(item, scope.path, lines), tuple(uses)), why)


def _add_or_subtract(view: View, node: Node) -> tuple[str, str, str] | None:
    """(a, b, condition of the difference) of a - b, s ? a - b : a + b, or a + (s ? ~b : b) + s over plain names."""
    if _adds(node) is not None and node.op == "-":
        a, b = _operands(node) or ("", "")
        return a, b, "1'b1"
    if node.kind == "conditional":
        then, otherwise = node.children[1:]
        if _adds(then) is not None and _adds(then) == _adds(otherwise) and {then.op, otherwise.op} == {"+", "-"}:
            a, b = _operands(then) or ("", "")
            test = view.operand(node.children[0])
            return a, b, test if then.op == "-" else f"!{test}"
    if node.kind == "binary" and node.op == "+" and node.children[0].kind == "binary" and node.children[0].op == "+":
        left, middle = node.children[0].children
        carry = node.children[1]
        if left.kind == "name" and middle.kind == "conditional" and view.text(middle.children[0]) == view.text(carry):
            then, otherwise = middle.children[1:]
            inverted = then.kind == "unary" and then.op == "~" and then.children[0].kind == "name"
            if inverted and otherwise.kind == "name" and then.children[0].op == otherwise.op:
                return left.op, otherwise.op, view.operand(carry)
    return None
