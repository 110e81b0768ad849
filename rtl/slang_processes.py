"""What simulators and synthesisers disagree about in the processes of a design; runs in the child of `slang.py`."""

from collections.abc import Iterator
from typing import Any

import pyslang
from pyslang import analysis, ast

SENSITIVITY = "sensitivity"  # a signal is read but missing in an explicit list: simulation keeps an old value
RACE = "race"  # written with = at a clock edge, read at a clock edge by another process: the order decides
ORDER = "order"  # a combinational block reads a signal before writing it: simulation keeps an old value
INITIAL = "initial"  # a variable that only has an initial value
_REPEATED = (ast.ProceduralBlockKind.Always, ast.ProceduralBlockKind.AlwaysComb, ast.ProceduralBlockKind.AlwaysFF)
_EDGES = (ast.EdgeKind.PosEdge, ast.EdgeKind.NegEdge, ast.EdgeKind.BothEdges)


class _Processes:
    """Collected while slang analyses: a process may not be looked at afterwards."""

    def __init__(self) -> None:
        self.stale: list[tuple[str, Any]] = []
        self.blocking: dict[str, tuple[Any, Any]] = {}  # signal: (process, place of the assignment)
        self.clocked_reads: list[tuple[str, Any]] = []
        self.early: list[tuple[str, Any]] = []

    def add(self, process: analysis.AnalyzedProcedure) -> None:
        symbol: Any = process.analyzedSymbol
        if symbol.kind != ast.SymbolKind.ProceduralBlock or symbol.procedureKind not in _REPEATED:
            return
        timed = symbol.body.kind == ast.StatementKind.Timed
        events = list(_events(symbol.body.timing)) if timed else []
        if any(event.edge in _EDGES for event in events):
            self._clocked(process, symbol)
            return
        self._ordered(process, symbol)
        if events:
            self._listed(process, symbol)

    def _listed(self, process: analysis.AnalyzedProcedure, symbol: Any) -> None:
        listed = {read.symbol.hierarchicalPath for read in process.sensitivityList.reads}
        written = {driver.symbol.hierarchicalPath for driver in process.drivers}
        for read in process.readSet:
            name = read.symbol.hierarchicalPath
            if isinstance(read.symbol, ast.NetSymbol | ast.VariableSymbol) and name not in listed | written:
                self.stale.append((name, symbol.location))

    def _ordered(self, process: analysis.AnalyzedProcedure, symbol: Any) -> None:
        """Signals whose first read in the text of a combinational block comes before their first write."""
        written = {driver.symbol.hierarchicalPath for driver in process.drivers}
        order: list[tuple[str, bool]] = []  # (signal, whether it is written)

        def step(node: Any) -> ast.VisitAction:
            if isinstance(node, ast.AssignmentExpression):
                node.right.visit(step)
                order.extend((name, True) for name in _targets(node.left))
                return ast.VisitAction.Skip
            if isinstance(node, ast.NamedValueExpression):
                order.append((node.symbol.hierarchicalPath, False))
            return ast.VisitAction.Advance

        symbol.body.visit(step)
        first: dict[str, bool] = {}
        for name, write in order:
            first.setdefault(name, write)
        self.early += [(name, symbol.location) for name, write in first.items() if not write and name in written]

    def _clocked(self, process: analysis.AnalyzedProcedure, symbol: Any) -> None:
        self.clocked_reads += [(read.symbol.hierarchicalPath, symbol.location) for read in process.readSet]

        def assignment(node: Any) -> None:
            if isinstance(node, ast.AssignmentExpression) and not node.isNonBlocking:
                for name in _targets(node.left):
                    self.blocking.setdefault(name, (symbol.location, node.sourceRange.start))

        symbol.body.visit(assignment)


def _events(timing: Any) -> Iterator[Any]:
    if timing.kind == ast.TimingControlKind.EventList:
        for event in timing.events:
            yield from _events(event)
    elif timing.kind == ast.TimingControlKind.SignalEvent:
        yield timing


def _targets(left: Any) -> list[str]:
    found: list[str] = []

    def name(node: Any) -> None:
        if isinstance(node, ast.NamedValueExpression | ast.HierarchicalValueExpression):
            found.append(node.symbol.hierarchicalPath)

    left.visit(name)
    return found[:1]


def findings(compilation: ast.Compilation, manager: pyslang.SourceManager) -> tuple[list[Any], pyslang.Diagnostics]:
    """(kind, signal, file, line, column) of each finding, and what else slang's own analysis reports."""
    compilation.freeze()
    options = analysis.AnalysisOptions()
    options.flags = analysis.AnalysisFlags.AllowDupInitialDrivers | analysis.AnalysisFlags.AllowMultiDrivenLocals
    analyser = analysis.AnalysisManager(options)
    processes = _Processes()
    analyser.addProcListener(processes.add)
    analyser.analyze(compilation)
    constant = list(_initial_only(compilation, analyser))
    fixed = {name for name, _ in constant}
    found = [(SENSITIVITY, name, place) for name, place in processes.stale if name not in fixed]
    found += [(ORDER, name, place) for name, place in processes.early]
    for name, reader in processes.clocked_reads:
        if name in processes.blocking and processes.blocking[name][0] != reader:
            found.append((RACE, name, processes.blocking[name][1]))
    found += [(INITIAL, name, place) for name, place in constant]
    return [_row(manager, *item) for item in dict.fromkeys(found)], analyser.getDiagnostics()


def _initial_only(compilation: ast.Compilation, analyser: analysis.AnalysisManager) -> list[tuple[str, Any]]:
    found: list[tuple[str, Any]] = []

    def variable(symbol: Any) -> None:
        if isinstance(symbol, ast.VariableSymbol) and symbol.kind == ast.SymbolKind.Variable:
            sources = {driver.source for driver in analyser.getDrivers(symbol)}
            if sources == {analysis.DriverSource.Initial} or (not sources and symbol.initializer is not None):
                found.append((symbol.hierarchicalPath, symbol.location))

    for top in compilation.getRoot().topInstances:
        top.visit(variable)
    return found


def _row(manager: pyslang.SourceManager, kind: str, name: str, place: Any) -> tuple[str, str, str, int, int]:
    place = manager.getFullyExpandedLoc(place)
    path = manager.getFileName(place)
    return kind, name, path, manager.getLineNumber(place), manager.getColumnNumber(place)
