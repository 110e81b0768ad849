"""The timing arcs of a mapped netlist as arrays, sorted so that timing can go level by level."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from rtl_evolve.synth.liberty_tables import Floats, Indices
from rtl_evolve.synth.library import Arc, Cell
from rtl_evolve.synth.logic import compile_function
from rtl_evolve.synth.mapped import FIRST_NET, Mapped

_RISE, _FALL = 0, 1
_SOURCE_EDGES = {"positive_unate": ((0,), (1,)), "negative_unate": ((1,), (0,)), "non_unate": ((0, 1), (0, 1))}


@dataclass(frozen=True)
class Loads:
    """Capacitance in fF that each net drives, for its rising and falling edge."""

    rise_ff: Floats
    fall_ff: Floats

    @cached_property
    def by_node(self) -> Floats:
        return np.stack([self.rise_ff, self.fall_ff], axis=1).reshape(-1)


@dataclass(frozen=True)
class ArcList:
    """Arcs sorted by level and target node; `clocked` arcs begin at a clock edge.

    `levels` holds for each level its span of arcs, where each target's arcs begin in it, and the targets.
    """

    source: Indices
    target: Indices
    delay_table: Indices
    slew_table: Indices
    clocked: NDArray[np.bool_]
    instance: Indices
    levels: tuple[tuple[slice, Indices, Indices], ...]

    @cached_property
    def _first(self) -> dict[int, tuple[int, int]]:
        changes = np.flatnonzero(np.diff(self.target)) + 1
        bounds = [0, *changes.tolist(), len(self.target)]
        return {int(self.target[a]): (a, b) for a, b in pairwise(bounds) if b > a}

    def into(self, node: int) -> range:
        """The arcs that end at a node."""
        return range(*self._first.get(node, (0, 0)))


@dataclass(frozen=True)
class SetupCheck:
    """One setup constraint at an edge of a data pin of flip-flop `flop` (an instance number)."""

    node: int
    clock_node: int
    table: int
    name: str
    flop: int


def net_loads(mapped: Mapped) -> Loads:
    """Input capacitances summed over each net; wires and output ports count nothing."""
    rise, fall = np.zeros(len(mapped.names)), np.zeros(len(mapped.names))
    for instance in mapped.instances:
        for pin in instance.cell.inputs:
            net = instance.nets.get(pin.name)
            if net is not None:
                rise[net] += pin.rise_ff
                fall[net] += pin.fall_ff
    return Loads(rise, fall)


@dataclass(frozen=True)
class _CellArc:
    """One edge-to-edge arc of a cell type."""

    source_pin: str
    source_edge: int
    target_pin: str
    target_edge: int
    delay_table: int
    slew_table: int
    clocked: bool


def _edges(arc: Arc) -> Iterator[tuple[int, int]]:
    """(source edge, target edge) of every transition that an arc describes."""
    if arc.sense in ("rising_edge", "falling_edge"):
        edge = _RISE if arc.sense == "rising_edge" else _FALL
        yield from ((edge, _RISE), (edge, _FALL))
        return
    to_rise, to_fall = _SOURCE_EDGES[arc.sense]
    yield from ((edge, _RISE) for edge in to_rise)
    yield from ((edge, _FALL) for edge in to_fall)


def _cell_arcs(cell: Cell) -> tuple[_CellArc, ...]:
    found = []
    for pin in cell.outputs:
        for arc in pin.arcs:
            tables = ((arc.rise_delay, arc.rise_slew), (arc.fall_delay, arc.fall_slew))
            for source, target in _edges(arc):
                delay, slew = tables[target]
                if delay >= 0 and slew >= 0:
                    clocked = arc.sense in ("rising_edge", "falling_edge")
                    found.append(_CellArc(arc.related, source, pin.name, target, delay, slew, clocked))
    return tuple(found)


def net_levels(mapped: Mapped) -> list[int]:
    """Number of combinational cells on the longest way to each net; 0 at inputs and flip-flops."""
    level = [0] * len(mapped.names)
    for index in mapped.order:
        instance = mapped.instances[index]
        deepest = max(
            (level[instance.nets[pin.name]] for pin in instance.cell.inputs if pin.name in instance.nets), default=0
        )
        for pin in instance.cell.outputs:
            if pin.name in instance.nets:
                level[instance.nets[pin.name]] = deepest + 1
    return level


def by_cell(mapped: Mapped) -> dict[str, list[int]]:
    """Instance numbers by cell type, in the order of their first use."""
    groups: dict[str, list[int]] = {}
    for index, instance in enumerate(mapped.instances):
        groups.setdefault(instance.cell.name, []).append(index)
    return groups


def list_arcs(mapped: Mapped) -> ArcList:
    """All arcs of all instances between connected pins; a constant never switches, so none begins there."""
    level = np.array(net_levels(mapped), dtype=np.int64)
    columns: list[list[NDArray[np.int64]]] = [[] for _ in range(6)]
    for name, members in by_cell(mapped).items():
        cell = mapped.library.cells[name]
        indices = np.array(members, dtype=np.int64)
        nets = {pin: np.array([mapped.instances[i].nets.get(pin, 0) for i in members]) for pin in cell.pins}
        for arc in _cell_arcs(cell):
            if arc.source_pin not in nets:
                continue
            source, target = nets[arc.source_pin], nets[arc.target_pin]
            used = (source >= FIRST_NET) & (target >= FIRST_NET)
            same = np.ones(int(used.sum()), dtype=np.int64)
            for column, values in zip(
                columns,
                (
                    2 * source[used] + arc.source_edge,
                    2 * target[used] + arc.target_edge,
                    same * arc.delay_table,
                    same * arc.slew_table,
                    same * arc.clocked,
                    indices[used],
                ),
                strict=True,
            ):
                column.append(values)
    empty = np.zeros(0, dtype=np.int64)
    source, target, delay, slew, clocked, instance = (np.concatenate(c) if c else empty for c in columns)
    order = np.lexsort((target, level[target // 2]))
    target = target[order]
    return ArcList(
        source[order],
        target,
        delay[order],
        slew[order],
        clocked[order].astype(bool),
        instance[order],
        _levels(target, level[target // 2]),
    )


def _levels(target: Indices, level: Indices) -> tuple[tuple[slice, Indices, Indices], ...]:
    bounds = [0, *(np.flatnonzero(np.diff(level)) + 1).tolist(), len(target)]
    found = []
    for begin, end in pairwise(bounds):
        if end > begin:
            mine = target[begin:end]
            starts = np.concatenate(([0], np.flatnonzero(np.diff(mine)) + 1))
            found.append((slice(begin, end), starts, mine[starts]))
    return tuple(found)


@lru_cache(maxsize=256)
def clock_pin(clocked_on: str) -> tuple[str, bool]:
    """The pin in a flip-flop's `clocked_on` and whether its rising edge is the active one."""
    function = compile_function(clocked_on)
    return function.pins[0], function.truth_table() == (0, 1)


def list_setups(mapped: Mapped) -> list[SetupCheck]:
    """The setup constraints of all flip-flops at pins that can switch."""
    found = []
    for index in mapped.flops:
        instance = mapped.instances[index]
        for pin in instance.cell.inputs:
            net = instance.nets.get(pin.name, 0)
            for setup in pin.setups if net >= FIRST_NET else ():
                clock = 2 * instance.nets.get(setup.related, 0) + (0 if setup.rising else 1)
                name = f"{_state_name(mapped, index)} ({pin.name})"
                for edge, table in ((_RISE, setup.rise), (_FALL, setup.fall)):
                    if table >= 0:
                        found.append(SetupCheck(2 * net + edge, clock, table, name, index))
    return found


def _state_name(mapped: Mapped, index: int) -> str:
    """The user's name of the register bit that a flip-flop holds."""
    instance = mapped.instances[index]
    for pin in instance.cell.outputs:
        name = mapped.names[instance.nets[pin.name]] if pin.name in instance.nets else ""
        if name:
            return name
    return instance.name
