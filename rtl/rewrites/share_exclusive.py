"""Operators in branches that exclude each other: one operator in front of them that all branches read."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rtl_evolve.rtl.rewrites.paths import Site, exclusive, guard_names, sensitive, sites, tests
from rtl_evolve.rtl.rewrites.redrive import joined
from rtl_evolve.rtl.rewrites.rule import Rewrite
from rtl_evolve.rtl.rewrites.view import View
from rtl_evolve.rtl.rewrites.view_graph import signals_in
from rtl_evolve.rtl.rewrites.view_nodes import Node, Scope

_ADDERS = ("+", "-")
_SINGLE = ("*", "/", "%", "<<", ">>", ">>>")
_NAMES = {"*": "multiplier", "/": "divider", "%": "divider", "<<": "shifter", ">>": "shifter", ">>>": "shifter"}


_MOST_GROUPS = 3  # of one kind of operator in one scope


@dataclass(frozen=True)
class Group:
    """Sites that never count at once, with a test for each and the item before which the shared operator goes."""

    sites: tuple[Site, ...]
    tests: tuple[str, ...]
    item: tuple[int, int]


def shared_exclusive(view: View, scope: Scope) -> Iterator[tuple[int, Rewrite]]:
    """Proposals with a sorting key (small: promising) for one scope."""
    if not scope.uniform or not scope.editable:
        return
    usable = [s for s in sites(view, scope) if _usable(s)]
    for op in _SINGLE:
        for signed in (False, True):
            for group in _maximal(view, scope, [s for s in usable if s.node.op == op and s.node.signed is signed]):
                yield _one_operator(view, scope, group, op)
    adders = [s for s in usable if s.node.op in _ADDERS and not s.node.signed]
    for width in sorted({s.node.width for s in adders}, reverse=True):
        for group in _maximal(view, scope, [s for s in adders if s.node.width == width]):
            yield _one_adder(view, scope, group, width)


def _usable(site: Site) -> bool:
    node = site.node
    leaf = all(
        not any(n.kind in ("other", "call") and n.op not in ("$signed", "$unsigned") for n in c.walk())
        for c in node.children
    )
    return bool(
        node.kind == "binary"
        and site.guards
        and site.stable
        and node.editable
        and node.value is None
        and leaf
        and node.width > 1
    )


def _maximal(view: View, scope: Scope, candidates: Sequence[Site]) -> Iterator[Group]:
    """Different groups: the one that each candidate in turn starts, those of its own item first."""
    seen: set[frozenset[Site]] = set()
    for first in candidates:
        order = sorted(candidates, key=lambda s: (s is not first, s.item != first.item))
        group = _group(view, scope, order)
        if group is not None and frozenset(group.sites) not in seen and len(seen) < _MOST_GROUPS:
            seen.add(frozenset(group.sites))
            yield group


def _group(view: View, scope: Scope, candidates: Sequence[Site]) -> Group | None:
    """The largest set, taken from the front, of sites that exclude each other and whose tests can be written."""
    chosen: list[Site] = []
    for site in candidates:
        nested = any(site.node in other.node.walk() for other in chosen)
        if not nested and all(exclusive(site, other) for other in chosen):
            chosen.append(site)
    if len(chosen) < 2 or len({_key(view, s.node) for s in chosen}) < 2:
        return None
    texts = tests(chosen)
    item = min(site.item for site in chosen)
    signals = {s for site in chosen for s in signals_in(scope, site.node)}
    named = {scope.lookup(name) for name in guard_names(chosen)}
    if texts is None or None in named or any(s.end > item[0] for s in (*signals, *named) if s is not None):
        return None
    return Group(tuple(chosen), tuple(texts), item)


def _key(view: View, node: Node) -> str:
    return "".join(view.text(node).split())


def choice(texts: Sequence[str], values: Sequence[str]) -> str:
    """The value whose test holds, in parentheses; the last one else."""
    if len(set(values)) == 1:
        return values[0]
    last = values[-1]
    text = last
    for value in reversed(list(dict.fromkeys(v for v in values if v != last))):
        test = " || ".join(f"({t})" for t, v in zip(texts, values, strict=True) if v == value)
        text = f"{test} ? {value} : {text}" if text == last else f"{test} ? {value} : ({text})"
    return f"({text})"


def _one_operator(view: View, scope: Scope, group: Group, op: str) -> tuple[int, Rewrite]:
    """Operands are selected into words of their widest width; signed where the operators are."""
    first = group.sites[0].node
    sign = "signed " if first.signed else ""
    name = view.fresh_name(f"shared_{_NAMES[op]}")
    width = max(s.node.width for s in group.sites)
    lines, operands = [], []
    for side, word in enumerate(("left", "right")):
        nodes = [s.node.children[side] for s in group.sites]
        size = max(n.width for n in nodes) if op == "*" or (side == 1 and op[0] in "<>") else width
        part = f"{name}_{word}"
        lines.append(f"wire {sign}[{size - 1}:0] {part} = {choice(group.tests, [view.operand(n) for n in nodes])};")
        operands.append(part)
    lines.append(f"wire {sign}[{width - 1}:0] {name} = {operands[0]} {op} {operands[1]};")
    uses = tuple(
        view.replace(s.node, name if s.node.width == width else f"{name}[{s.node.width - 1}:0]") for s in group.sites
    )
    uses += sensitive(group.sites)
    insertion = view.insert_before(group.item, scope.path, "\n".join(lines))
    why = f"{len(uses)} {_NAMES[op]}s never count at once: {name} computes whichever is asked for"
    rank = {"*": 0, "/": 0, "%": 0}.get(op, 2)
    return 1000 * rank - width, Rewrite("share.exclusive", joined(insertion, uses), why)


def _one_adder(view: View, scope: Scope, group: Group, width: int) -> tuple[int, Rewrite]:
    nodes = [s.node for s in group.sites]
    lefts = [view.operand(n.children[0]) for n in nodes]
    rights = [("~" if n.op == "-" else "") + view.operand(n.children[1]) for n in nodes]
    minus = [f"({t})" for t, n in zip(group.tests, nodes, strict=True) if n.op == "-"]
    name = view.fresh_name("shared_sum")
    carry = "" if not minus else " + 1'b1" if len(minus) == len(nodes) else f" + ({' || '.join(minus)})"
    line = f"wire [{width - 1}:0] {name} = {choice(group.tests, lefts)} + {choice(group.tests, rights)}{carry};"
    uses = (*(view.replace(n, name) for n in nodes), *sensitive(group.sites))
    why = f"{len(nodes)} adders never count at once: {name} computes whichever is asked for"
    return 1000 - width, Rewrite("share.exclusive", joined(view.insert_before(group.item, scope.path, line), uses), why)
