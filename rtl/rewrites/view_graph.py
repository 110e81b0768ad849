"""Which signals of the text read which: for dead and live signals, and so that no rewrite closes a loop."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from rtl_evolve.rtl.rewrites.view_nodes import Assign, Instance, Node, Process, Scope, Signal


@dataclass(frozen=True)
class Driver:
    """Something that gives a signal its value: an assign, an always block or an instance."""

    scope: Scope
    source: Assign | Process | Instance
    whole: bool  # it drives the whole signal, not a part of it


class Graph:
    """Drivers and readers of every declared signal, by the `Signal` record."""

    def __init__(self, scopes: tuple[Scope, ...]) -> None:
        self._drivers: dict[Signal, list[Driver]] = defaultdict(list)
        self._readers: dict[Signal, list[tuple[Scope, Assign | Process | Instance]]] = defaultdict(list)
        self._direct: dict[Signal, set[Signal]] = defaultdict(set)
        self._closed: dict[Signal, frozenset[Signal]] = {}
        for scope in scopes:
            for assign in scope.assigns:
                self._add(scope, assign, [assign.target], [assign.value], wired=True)
            for process in scope.processes:
                self._process(scope, process)
            for instance in scope.instances:
                ins = [c.node for c in instance.connections if c.node is not None and c.direction != "output"]
                outs = [c.node for c in instance.connections if c.node is not None and c.direction != "input"]
                self._add(scope, instance, outs, ins, wired=True)

    def _process(self, scope: Scope, process: Process) -> None:
        targets: list[Node] = []
        reads: list[Node] = []
        for statement in process.body.walk():
            reads += statement.conditions
            if statement.assign is not None:
                targets.append(statement.assign.target)
                reads.append(statement.assign.value)
        self._add(scope, process, targets, reads, wired=not process.clocked)

    def _add(
        self,
        scope: Scope,
        source: Assign | Process | Instance,
        targets: list[Node],
        values: list[Node],
        *,
        wired: bool,
    ) -> None:
        driven: dict[Signal, bool] = {}
        read: set[Signal] = set()
        for target in targets:
            for signal, whole in _driven(scope, target):
                driven[signal] = driven.get(signal, True) and whole
            read |= _selectors(scope, target)
        for node in values:
            read |= signals_in(scope, node)
        for signal, whole in driven.items():
            self._drivers[signal].append(Driver(scope, source, whole))
            if wired:
                self._direct[signal] |= read
        for signal in read:
            self._readers[signal].append((scope, source))

    def drivers(self, signal: Signal) -> list[Driver]:
        """What drives it; an input port has none."""
        return self._drivers.get(signal, [])

    def readers(self, signal: Signal) -> list[tuple[Scope, Assign | Process | Instance]]:
        """Who reads it, each once."""
        return self._readers.get(signal, [])

    def below(self, signal: Signal) -> frozenset[Signal]:
        """All signals its value depends on without a register between (an instance's outputs: on all its inputs)."""
        if signal not in self._closed:
            seen: set[Signal] = set()
            pending = [signal]
            while pending:
                for other in self._direct.get(pending.pop(), ()):
                    if other not in seen:
                        seen.add(other)
                        pending.append(other)
            self._closed[signal] = frozenset(seen)
        return self._closed[signal]

    def registered(self, signal: Signal) -> bool:
        """Driven by clocked blocks alone."""
        drivers = self.drivers(signal)
        return bool(drivers) and all(isinstance(d.source, Process) and d.source.clocked for d in drivers)


def signals_in(scope: Scope, node: Node) -> set[Signal]:
    """The declared signals an expression reads."""
    found = (scope.lookup(name) for name in node.names())
    return {signal for signal in found if signal is not None}


def _driven(scope: Scope, target: Node) -> Iterator[tuple[Signal, bool]]:
    """Signals an assignment's left side drives, and whether wholly."""
    if target.kind == "name":
        signal = scope.lookup(target.op)
        if signal is not None:
            yield signal, True
    elif target.kind == "concat":
        for child in target.children:
            yield from _driven(scope, child)
    elif target.kind in ("bit", "slice"):
        for signal, _ in _driven(scope, target.children[0]):
            yield signal, False


def _selectors(scope: Scope, target: Node) -> set[Signal]:
    if target.kind in ("bit", "slice"):
        return {s for child in target.children[1:] for s in signals_in(scope, child)}
    return {s for child in target.children for s in _selectors(scope, child)}
