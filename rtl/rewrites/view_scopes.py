"""From pyslang's instance tree to `Scope`s: one for each module or generate block of the text, with all its copies."""

from collections import defaultdict
from typing import Any, TypeAlias

from pyslang import ast, syntax
from rtl_evolve.rtl.rewrites.view_expressions import read_node
from rtl_evolve.rtl.rewrites.view_nodes import Assign, Connection, Instance, Node, Process, Scope, Signal
from rtl_evolve.rtl.rewrites.view_statements import read_process
from rtl_evolve.rtl.rewrites.view_text import Texts

_MOST_COPIES = 64  # of one body that are read; with more we don't claim that all are alike
_Contents: TypeAlias = tuple[
    dict[str, Signal], tuple[Assign, ...], tuple[Process, ...], tuple[Instance, ...], dict[str, int]
]
_DIRECTIONS = {"In": "input", "Out": "output", "InOut": "inout"}


def read_scopes(texts: Texts) -> tuple[Scope, ...]:
    """All bodies reachable from the top, outer before inner."""
    if texts.top is None:
        return ()
    found: dict[tuple[str, int], list[tuple[Any, str]]] = defaultdict(list)
    parents: dict[tuple[str, int], tuple[str, int]] = {}
    pending: list[tuple[Any, str, tuple[str, int] | None]] = [(texts.top.body, "", None)]
    while pending:
        body, prefix, parent = pending.pop(0)
        key = texts.place(body.syntax.sourceRange.start) if body.syntax is not None else ("", 0)
        if body.syntax is None or not key[0]:
            continue
        found[key].append((body, prefix))
        if parent is not None:
            parents[key] = parent
        pending += [(inner, name, key if block else None) for inner, name, block in _inner(body, prefix)]
    scopes: dict[tuple[str, int], Scope] = {}
    for key, copies in found.items():
        outer = scopes.get(parents[key]) if key in parents else None
        scope = _scope(copies, outer, texts)
        scopes[key] = scope
        if outer is not None:
            outer.inner.append(scope)
    return tuple(scopes.values())


def _inner(body: Any, prefix: str) -> list[tuple[Any, str, bool]]:
    """Bodies directly inside: (body, hierarchical prefix, is it a generate block)."""
    kinds = ast.SymbolKind
    inner: list[tuple[Any, str, bool]] = []
    for member in body:
        if member.kind == kinds.Instance and member.isModule:
            inner.append((member.body, f"{prefix}{_instance_name(member)}.", False))
        elif member.kind == kinds.InstanceArray:
            for index, element in enumerate(member.elements):
                if element.kind == kinds.Instance:
                    inner.append((element.body, f"{prefix}{member.name}[{index}].", False))
        elif member.kind == kinds.GenerateBlock and not member.isUninstantiated:
            name = member.externalName
            inner.append((member, f"{prefix}{name}." if name else prefix, True))
        elif member.kind == kinds.GenerateBlockArray and member.valid:
            for block in member.entries:
                inner.append((block, f"{prefix}{member.externalName}[{block.arrayIndex}].", True))
    return inner


def _instance_name(instance: Any) -> str:
    return str(instance.name)


def _scope(copies: list[tuple[Any, str]], parent: Scope | None, texts: Texts) -> Scope:
    """The scope of one text, from the first copy; the others are only compared with it."""
    body, _ = copies[0]
    first = _contents(body, texts)
    uniform = len(copies) <= _MOST_COPIES and (parent is None or parent.uniform)
    if uniform and len(copies) > 1:
        shape = _shape(first)
        uniform = all(_shape(_contents(other, texts)) == shape for other, _ in copies[1:])
    path, start, end = _interior(body, texts)
    signals, assigns, processes, instances, parameters = first
    return Scope(
        parent.module if parent else body.name,
        tuple(prefix for _, prefix in copies),
        uniform,
        path,
        (start, end),
        signals,
        assigns,
        processes,
        instances,
        parameters,
        parent,
        texts.may_change(path, start, end),
    )


def _interior(body: Any, texts: Texts) -> tuple[str, int, int]:
    """The characters between a module's header and `endmodule`, or a block's `begin` and `end`."""
    node = body.syntax
    if isinstance(node, syntax.ModuleDeclarationSyntax):
        path, start = texts.place(node.header.sourceRange.end)
        return path, start, texts.place(node.endmodule.range.start)[1]
    if isinstance(node, syntax.GenerateBlockSyntax):
        after = node.beginName.sourceRange.end if node.beginName is not None else node.begin.range.end
        path, start = texts.place(after)
        return path, start, texts.place(node.end.range.start)[1]
    path, start, end, _ = texts.range(node.sourceRange)
    return path, start, end


def _contents(body: Any, texts: Texts) -> _Contents:
    kinds = ast.SymbolKind
    directions = {p.name: p.direction.name for p in getattr(body, "portList", ()) if p.kind == kinds.Port}
    signals: dict[str, Signal] = {}
    assigns: list[Assign] = []
    processes: list[Process] = []
    instances: list[Instance] = []
    parameters: dict[str, int] = {}
    for member in body:
        if member.kind in (kinds.Net, kinds.Variable) and member.syntax is not None:
            signals[member.name] = _signal(member, directions.get(member.name), texts)
            if member.initializer is not None and member.kind == kinds.Net:
                assigns.append(_declared(member, signals[member.name], texts))
        elif member.kind == kinds.ContinuousAssign and member.assignment.kind == ast.ExpressionKind.Assignment:
            assigns.append(_continuous(member, texts))
        elif member.kind == kinds.ProceduralBlock:
            process = read_process(member, texts)
            if process is not None:
                processes.append(process)
        elif member.kind == kinds.Instance and member.isModule:
            instances.append(_instance(member, texts))
        elif member.kind == kinds.Parameter:
            value = getattr(member.value, "value", None)
            if value is not None and not isinstance(value, str | float) and not getattr(value, "hasUnknown", True):
                parameters[member.name] = int(value)
    return signals, tuple(assigns), tuple(processes), tuple(instances), parameters


def _signal(symbol: Any, direction: str | None, texts: Texts) -> Signal:
    kind = symbol.type
    declarator = symbol.syntax
    path, start, end, editable = texts.range(declarator.sourceRange)
    declaration = declarator.parent
    outer = texts.range(declaration.sourceRange) if declaration is not None else (path, start, end, False)
    simple = kind.isIntegral and kind.canonicalType.kind in (ast.SymbolKind.PackedArrayType, ast.SymbolKind.ScalarType)
    if simple and kind.canonicalType.kind == ast.SymbolKind.PackedArrayType:
        simple = kind.canonicalType.elementType.bitWidth == 1 and not kind.isPredefinedInteger
    bounds = kind.fixedRange if kind.isIntegral else None
    return Signal(
        symbol.name,
        kind.bitWidth if kind.isIntegral else 0,
        kind.isSigned if kind.isIntegral else False,
        "net" if symbol.kind == ast.SymbolKind.Net else "variable",
        _DIRECTIONS.get(direction, "local") if direction else "local",  # type: ignore[arg-type]
        path,
        start,
        end,
        (outer[1], outer[2]),
        _packed_range(declaration, texts),
        len(list(getattr(declaration, "declarators", (0,)))) > 1,
        bounds.left if bounds else 0,
        bounds.right if bounds else 0,
        simple,
        editable and outer[3],
    )


def _packed_range(declaration: Any, texts: Texts) -> tuple[int, int] | None:
    """Where the one packed dimension of a declaration is written."""
    holder = getattr(declaration, "header", declaration)
    kind = getattr(holder, "type", None) or getattr(holder, "dataType", None)
    dimensions = list(getattr(kind, "dimensions", ()) or ())
    if len(dimensions) != 1:
        return None
    _, start, end, plain = texts.range(dimensions[0].sourceRange)
    return (start, end) if plain else None


def _declared(symbol: Any, signal: Signal, texts: Texts) -> Assign:
    value = read_node(symbol.initializer, texts)
    name_end = texts.place(symbol.syntax.name.range.end)[1]
    target = _target_of(signal, name_end)
    return Assign(
        "declared",
        target,
        value,
        signal.path,
        signal.start,
        signal.end,
        signal.declaration,
        not signal.shared,
        signal.editable,
    )


def _target_of(signal: Signal, end: int) -> Node:
    return Node(
        "name",
        signal.name,
        (),
        signal.path,
        signal.start,
        end,
        signal.width,
        signal.signed,
        signal.width,
        signal.signed,
        False,
        None,
        signal.editable,
    )


def _continuous(symbol: Any, texts: Texts) -> Assign:
    expression = symbol.assignment
    path, start, end, editable = texts.range(expression.sourceRange)
    item = symbol.syntax.parent
    outer = texts.range(item.sourceRange)
    return Assign(
        "continuous",
        read_node(expression.left, texts),
        read_node(expression.right, texts),
        path,
        start,
        end,
        (outer[1], outer[2]),
        len([a for a in item.assignments if isinstance(a, syntax.SyntaxNode)]) == 1 and outer[3],
        editable,
    )


def _instance(symbol: Any, texts: Texts) -> Instance:
    item = symbol.syntax.parent
    path, start, end, editable = texts.range(item.sourceRange)
    connections = []
    for connection in symbol.portConnections:
        port, expression = connection.port, connection.expression
        if port.kind != ast.SymbolKind.Port:
            continue
        if expression is not None and expression.kind == ast.ExpressionKind.Assignment:
            expression = expression.left
        node = None if expression is None else read_node(expression, texts)
        direction = _DIRECTIONS.get(port.direction.name, "inout")
        width = port.type.bitWidth if port.type.isIntegral else 0
        connections.append(Connection(port.name, direction, width, node))  # type: ignore[arg-type]
    alone = len([i for i in item.instances if isinstance(i, syntax.SyntaxNode)]) == 1
    return Instance(symbol.name, symbol.definition.name, tuple(connections), path, start, end, alone, editable)


def _shape(contents: _Contents) -> list[object]:
    """What must be alike in all copies for a literal width or constant to be right in each."""
    signals, assigns, processes, instances, _ = contents
    shape: list[object] = [(s.name, s.width) for s in signals.values()]
    roots = [n for a in assigns for n in (a.target, a.value)]
    for process in processes:
        for statement in process.body.walk():
            roots += statement.conditions
            roots += [n for labels in statement.labels for n in labels]
            if statement.assign is not None:
                roots += [statement.assign.target, statement.assign.value]
    roots += [c.node for i in instances for c in i.connections if c.node is not None]
    shape += [(n.kind, n.op, n.width, n.outer_width, n.value, n.start) for root in roots for n in root.walk()]
    return shape
