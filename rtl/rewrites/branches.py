"""If/else chains and cases that give one target a sum in every branch, read as one expression."""

from collections.abc import Iterator
from dataclasses import dataclass

from rtl_evolve.rtl.rewrites.gated import selected
from rtl_evolve.rtl.rewrites.linear import Linear
from rtl_evolve.rtl.rewrites.linear_reader import Reader, Through
from rtl_evolve.rtl.rewrites.view import View
from rtl_evolve.rtl.rewrites.view_nodes import Assign, Process, Scope, Statement


@dataclass(frozen=True)
class Chain:
    """A statement all of whose branches assign the same whole signal; `linear` is what it assigns."""

    scope: Scope
    process: Process
    statement: Statement
    first: Assign
    linear: Linear


def chains(view: View, through: Through) -> Iterator[Chain]:
    """Chains of at least two branches, the outermost that can be read."""
    for scope in view.scopes:
        if scope.uniform:
            for process in scope.processes:
                yield from _chains(view, scope, process, process.body, through)


def _chains(view: View, scope: Scope, process: Process, statement: Statement, through: Through) -> Iterator[Chain]:
    if statement.kind == "if" and statement.editable:
        assigns: list[Assign] = []
        linear = _read(view, Reader(view, scope, through), statement, assigns)
        if linear is not None and len(assigns) > 1:
            yield Chain(scope, process, statement, assigns[0], linear)
            return
    for child in statement.children:
        yield from _chains(view, scope, process, child, through)


def _read(view: View, reader: Reader, statement: Statement, assigns: list[Assign]) -> Linear | None:
    """What a statement assigns to its one target; None when it isn't that plain."""
    if statement.kind == "block" and len(statement.children) == 1:
        return _read(view, reader, statement.children[0], assigns)
    if statement.kind == "assign" and statement.assign is not None:
        assign = statement.assign
        if assign.target.kind != "name" or assign.value.width < assign.target.width:
            return None
        if assigns and (assigns[0].target.op, assigns[0].style) != (assign.target.op, assign.style):
            return None
        assigns.append(assign)
        return reader.read(assign.value, assign.target.width)
    if statement.kind == "if" and len(statement.children) == 2:
        then = _read(view, reader, statement.children[0], assigns)
        otherwise = _read(view, reader, statement.children[1], assigns) if then is not None else None
        if then is None or otherwise is None:
            return None
        condition = statement.conditions[0]
        text = view.operand(condition)
        return selected(text if condition.width == 1 else f"(|{text})", then, otherwise)
    return None
