"""Under which conditions an operator counts: the branches around it, as text that may be used outside of them."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from rtl_evolve.rtl.edit import Edit
from rtl_evolve.rtl.rewrites.view import View
from rtl_evolve.rtl.rewrites.view_nodes import Node, Process, Scope, Statement


@dataclass(frozen=True)
class Guard:
    """One branch around an operator: branch number `branch` of the statement or conditional `fork`.

    `test` is an expression that is true when this branch is taken, given that the fork is reached; None when that
    can't be said (wildcard labels, variables that change inside the block). `reads` are the names it uses.
    """

    fork: object
    branch: int
    test: str | None
    reads: frozenset[str]


@dataclass(frozen=True, eq=False)
class Site:
    """An expression node with the branches around it (outermost first) and the module item it stands in.

    `stable`: every signal it reads means the same outside the item as here. `process`: the block it stands in.
    """

    node: Node
    guards: tuple[Guard, ...]
    item: tuple[int, int]
    stable: bool
    process: Process | None = None


def sites(view: View, scope: Scope) -> Iterator[Site]:
    """Every expression node computed in a scope, parents before children."""
    for assign in scope.assigns:
        yield from _inside(view, assign.value, (), assign.item, frozenset())
    for process in scope.processes:
        changing = frozenset(n for a in process.assigns() if a.style == "blocking" for n in a.target.names())
        yield from _statement(view, process.body, (), process, changing)


def exclusive(a: Site, b: Site) -> bool:
    """Whether the two never count at once: somewhere their ways part."""
    return any(x.fork is y.fork and x.branch != y.branch for x in a.guards for y in b.guards)


def tests(group: list[Site]) -> list[str] | None:
    """For each site a test that is true when it counts and false when another of the group does; None if unknown."""
    shared = [
        g
        for g in group[0].guards
        if all(any(x.fork is g.fork and x.branch == g.branch for x in s.guards) for s in group)
    ]
    common = {(id(g.fork), g.branch) for g in shared}
    result = []
    for site in group:
        own = [g for g in site.guards if (id(g.fork), g.branch) not in common]
        texts = [g.test for g in own]
        if not texts or any(t is None for t in texts):
            return None
        result.append(" && ".join(f"({t})" if len(texts) > 1 else str(t) for t in texts))
    return result


def guard_names(group: list[Site]) -> set[str]:
    """Signals that the tests of a group read."""
    return {name for site in group for guard in site.guards for name in guard.reads}


def _statement(
    view: View, statement: Statement, guards: tuple[Guard, ...], process: Process, changing: frozenset[str]
) -> Iterator[Site]:
    item = (process.start, process.end)
    for node in statement.conditions:
        yield from _inside(view, node, guards, item, changing, process)
    if statement.assign is not None:
        yield from _inside(view, statement.assign.value, guards, item, changing, process)
    for index, child in enumerate(statement.children):
        around = guards
        if statement.kind == "if":
            around = (*guards, _branch(view, statement, statement.conditions[0], index, changing))
        elif statement.kind == "case":
            around = (*guards, _arm(view, statement, index, changing))
        yield from _statement(view, child, around, process, changing)


def _branch(view: View, fork: object, condition: Node, index: int, changing: frozenset[str]) -> Guard:
    text = view.operand(condition) if index == 0 else f"!{view.operand(condition)}"
    reads = frozenset(condition.names())
    return Guard(fork, index, None if reads & changing or not condition.editable else text, reads)


def _arm(view: View, statement: Statement, index: int, changing: frozenset[str]) -> Guard:
    selector = statement.conditions[0]
    reads = frozenset(selector.names()).union(*(label.names() for labels in statement.labels for label in labels))
    plain = statement.op == "Normal" and not reads & changing and selector.editable
    labels = statement.labels[index]
    listed = labels or tuple(label for arm in statement.labels for label in arm)
    equal = " || ".join(f"{view.operand(selector)} == {view.operand(label)}" for label in listed)
    text = equal if labels else f"!({equal})"
    return Guard(statement, index, text if plain and listed else None, reads)


def _inside(
    view: View,
    node: Node,
    guards: tuple[Guard, ...],
    item: tuple[int, int],
    changing: frozenset[str],
    process: Process | None = None,
) -> Iterator[Site]:
    yield Site(node, guards, item, not node.names() & changing, process)
    for index, child in enumerate(node.children):
        around = guards
        if node.kind == "conditional" and index > 0:
            around = (*guards, _branch(view, node, node.children[0], index - 1, changing))
        yield from _inside(view, child, around, item, changing, process)


def sensitive(group: Iterable[Site]) -> tuple[Edit, ...]:
    """Edits that let the blocks of these sites read new signals: "@*" instead of a list of signals."""
    processes = dict.fromkeys(s.process for s in group if s.process is not None)
    return tuple(Edit(p.path, *p.listed, "@*") for p in processes if p.listed is not None)
