"""From pyslang's procedural blocks to `Process`es and `Statement`s."""

from typing import Any

from pyslang import ast
from rtl_evolve.rtl.rewrites.view_expressions import read_node
from rtl_evolve.rtl.rewrites.view_nodes import Assign, Node, Process, Statement
from rtl_evolve.rtl.rewrites.view_text import Texts

_DEEPEST = 60


def read_process(block: Any, texts: Texts) -> Process | None:
    """An always block with its edges; initial and final blocks, and those that wait inside, are left out (None)."""
    if block.procedureKind.name in ("Initial", "Final"):
        return None
    body = block.body
    edges: tuple[tuple[str, str], ...] = ()
    listed = None
    if body.kind == ast.StatementKind.Timed:
        edges = _edges(body.timing)
        if not edges and body.timing.kind in (ast.TimingControlKind.EventList, ast.TimingControlKind.SignalEvent):
            listed = texts.range(body.timing.syntax.sourceRange)[1:3]
        body = body.stmt
    elif block.procedureKind.name == "Always":
        return None
    path, start, end, editable = texts.range(block.syntax.sourceRange)
    return Process(edges, _statement(body, texts, (start, end), 0), path, start, end, editable, listed)


def _edges(timing: Any) -> tuple[tuple[str, str], ...]:
    events = list(timing.events) if timing.kind == ast.TimingControlKind.EventList else [timing]
    edges = []
    for event in events:
        edge = getattr(getattr(event, "edge", None), "name", "")
        if edge in ("PosEdge", "NegEdge") and event.expr.kind == ast.ExpressionKind.NamedValue:
            edges.append((event.expr.symbol.name, edge.lower()))
    return tuple(edges)


def _statement(statement: Any, texts: Texts, item: tuple[int, int], depth: int) -> Statement:
    kinds = ast.StatementKind
    path, start, end, editable = texts.range(statement.sourceRange)
    kind, op = "other", ""
    conditions: tuple[Node, ...] = ()
    labels: tuple[tuple[Node, ...], ...] = ()
    below: list[Any] = []
    assign = None
    if depth > _DEEPEST:
        statement = None
    match statement.kind if statement is not None else None:
        case kinds.Block:
            kind, below = "block", [statement.body]
        case kinds.List:
            kind, below = "block", list(statement.list)
        case kinds.Conditional if len(statement.conditions) == 1:
            kind = "if"
            conditions = (read_node(statement.conditions[0].expr, texts),)
            below = [s for s in (statement.ifTrue, statement.ifFalse) if s is not None]
        case kinds.Case:
            kind, op = "case", statement.condition.name
            conditions = (read_node(statement.expr, texts),)
            labels = tuple(tuple(read_node(e, texts) for e in i.expressions) for i in statement.items)
            below = [i.stmt for i in statement.items]
            if statement.defaultCase is not None:
                below.append(statement.defaultCase)
                labels = (*labels, ())
        case kinds.ForLoop:
            kind, below = "for", [statement.body]
        case kinds.ExpressionStatement if statement.expr.kind == ast.ExpressionKind.Assignment:
            assign = _assign(statement.expr, texts, item)
            kind = "assign" if assign is not None else "other"
    children = tuple(_statement(s, texts, item, depth + 1) for s in below)
    return Statement(kind, children, conditions, labels, assign, op, path, start, end, editable)  # type: ignore[arg-type]


def _assign(expression: Any, texts: Texts, item: tuple[int, int]) -> Assign | None:
    if expression.isCompound:
        return None
    path, start, end, editable = texts.range(expression.sourceRange)
    target, value = read_node(expression.left, texts), read_node(expression.right, texts)
    style = "nonblocking" if expression.isNonBlocking else "blocking"
    return Assign(style, target, value, path, start, end, item, False, editable)  # type: ignore[arg-type]
