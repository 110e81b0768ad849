"""Static timing of a mapped netlist: NLDM delays, rise and fall apart, clock-to-output and setup of flip-flops.

The method and its figures are OpenSTA's (worst slew of all arcs at each pin, zero wires, ideal clocks): on the
comparisons in docs/measurement.md both agree to 1e-5. Where flip-flops act on both edges, a path from one edge to the
other has half a cycle and counts twice. A node is twice a net's number, plus one for its falling edge.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from rtl_evolve.synth.arcs import ArcList, Loads, list_arcs, list_setups, net_loads
from rtl_evolve.synth.clocks import acting_edges
from rtl_evolve.synth.liberty_tables import Floats, Indices, interpolate
from rtl_evolve.synth.mapped import Mapped

Kind = Literal["in-to-out", "in-to-reg", "reg-to-reg", "reg-to-out"]
# where a path starts: at an input, or at a flip-flop that acts on its clock's rising or falling edge
_INPUT, _RISING, _FALLING = range(3)
_NEVER = -np.inf


@dataclass(frozen=True)
class Boundary:
    """What lies around the design, in ps: arrival after the clock at each input, time kept free at each output.

    `uncertainty_ps` is added to every path that ends at a flip-flop.
    """

    input_ps: Mapping[str, float] = field(default_factory=dict)
    output_ps: Mapping[str, float] = field(default_factory=dict)
    uncertainty_ps: float = 0.0


@dataclass(frozen=True)
class PathPoint:
    """A signal on a path: the instance and pin that drive it ("" for a port), its name, edge and arrival in ps."""

    instance: str
    cell: str
    pin: str
    net: int
    signal: str
    rising: bool
    arrival_ps: float


@dataclass(frozen=True)
class Path:
    """A worst path: from a port or clock edge to `end`; `delay_ps` includes setup and what the boundary asks for."""

    kind: Kind
    end: str
    delay_ps: float
    points: tuple[PathPoint, ...]


@dataclass(frozen=True)
class Timing:
    """`delay_ps` is the worst of all paths, `worst` the worst of each kind there is, largest first.

    `slew_ps` and `arrival_ps` are by node; an arrival of a node no path reaches is minus infinity.
    """

    delay_ps: float
    worst: tuple[Path, ...]
    slew_ps: Floats
    arrival_ps: Floats
    loads: Loads
    arcs: ArcList
    arc_delay_ps: Floats

    @property
    def critical(self) -> Path | None:
        """The worst path; None in a design without any."""
        return self.worst[0] if self.worst else None


def analyse(mapped: Mapped, boundary: Boundary | None = None) -> Timing:
    """Arrivals and slews at every net, and the worst path of each kind."""
    boundary = boundary or Boundary()
    loads = net_loads(mapped)
    arcs = list_arcs(mapped)
    edges = acting_edges(mapped)
    launch = np.array([edges.get(int(index), True) for index in arcs.instance], dtype=bool)
    slew, arrival, delay = _propagate(mapped, arcs, loads, boundary, launch)
    ends = _ends(mapped, slew, boundary, edges)
    worst = _worst_paths(mapped, arcs, arrival, delay, ends)
    total = worst[0].delay_ps if worst else 0.0
    return Timing(total, worst, slew, arrival.max(axis=0), loads, arcs, delay)


def _propagate(
    mapped: Mapped, arcs: ArcList, loads: Loads, boundary: Boundary, launch: NDArray[np.bool_]
) -> tuple[Floats, Floats, Floats]:
    """Slew by node, arrival by (start, node), delay by arc; `launch` tells rising from falling flip-flops, by arc."""
    tables = mapped.library.tables
    nodes = 2 * len(mapped.names)
    slew = np.zeros(nodes)
    arrival = np.full((3, nodes), _NEVER)
    for port in mapped.inputs:
        for net in port.nets:
            arrival[_INPUT, 2 * net : 2 * net + 2] = boundary.input_ps.get(port.name, 0.0)
    at_load = loads.by_node[arcs.target]
    delay_axis, delay_size = tables.first[arcs.delay_table], tables.first_size[arcs.delay_table]
    slew_axis, slew_size = tables.first[arcs.slew_table], tables.first_size[arcs.slew_table]
    delay_values = tables.at_second(arcs.delay_table, at_load)
    slew_values = tables.at_second(arcs.slew_table, at_load)
    delay = np.zeros(len(arcs.source))
    for span, starts, targets in arcs.levels:
        source = arcs.source[span]
        entering = slew[source]
        delay[span] = interpolate(delay_axis[span], delay_size[span], delay_values[span], entering)
        leaving = interpolate(slew_axis[span], slew_size[span], slew_values[span], entering)
        slew[targets] = np.maximum.reduceat(leaving, starts)
        begun = arrival[:, source]
        if arcs.clocked[span].any():
            mine = np.stack([np.zeros_like(launch[span]), launch[span], ~launch[span]])
            begun = np.where(arcs.clocked[span], np.where(mine, 0.0, _NEVER), begun)
        arrival[:, targets] = np.maximum.reduceat(begun + delay[span], starts, axis=1)
    return slew, arrival, delay


@dataclass(frozen=True)
class _Ends:
    """Where paths end: node, time to add there, at which edge of a flip-flop's clock (None: an output), and a name."""

    node: Indices
    extra: Floats
    rising: tuple[bool | None, ...]
    name: tuple[str, ...]


def _ends(mapped: Mapped, slew: Floats, boundary: Boundary, edges: Mapping[int, bool]) -> _Ends:
    node: list[int] = []
    extra: list[float] = []
    name: list[str] = []
    for port in mapped.outputs:
        for place, net in enumerate(port.nets):
            node += [2 * net, 2 * net + 1]
            extra += [boundary.output_ps.get(port.name, 0.0)] * 2
            name += [port.name if len(port.nets) == 1 else f"{port.name}[{place}]"] * 2
    rising: list[bool | None] = [None] * len(node)
    setups = list_setups(mapped)
    if setups:
        tables = np.array([s.table for s in setups])
        at = np.array([s.node for s in setups])
        clock = np.array([s.clock_node for s in setups])
        needed = mapped.library.tables.at(tables, slew[clock], slew[at]) + boundary.uncertainty_ps
        node += at.tolist()
        extra += needed.tolist()
        name += [s.name for s in setups]
        rising += [edges[s.flop] for s in setups]
    return _Ends(np.array(node, dtype=np.int64), np.array(extra), tuple(rising), tuple(name))


def _worst_paths(mapped: Mapped, arcs: ArcList, arrival: Floats, delay: Floats, ends: _Ends) -> tuple[Path, ...]:
    """The worst path of each kind, by what it asks of the clock period."""
    worst: dict[Kind, Path] = {}
    groups = {rising: np.array([r is rising for r in ends.rising], dtype=bool) for rising in set(ends.rising)}
    for start in (_INPUT, _RISING, _FALLING):
        for rising, mine in groups.items():
            # inputs and outputs go by the rising edge
            half = (rising is not False) == (start == _FALLING)
            totals = np.where(mine, (arrival[start, ends.node] + ends.extra) * (2.0 if half else 1.0), _NEVER)
            end = int(totals.argmax())
            kind = _KINDS[start != _INPUT, rising is not None]
            if totals[end] > _NEVER and (kind not in worst or totals[end] > worst[kind].delay_ps):
                points = _trace(mapped, arcs, arrival[start], delay, int(ends.node[end]), launched=start != _INPUT)
                worst[kind] = Path(kind, ends.name[end], float(totals[end]), points)
    return tuple(sorted(worst.values(), key=lambda path: -path.delay_ps))


_KINDS: dict[tuple[bool, bool], Kind] = {
    (False, False): "in-to-out",
    (False, True): "in-to-reg",
    (True, False): "reg-to-out",
    (True, True): "reg-to-reg",
}


def _trace(
    mapped: Mapped, arcs: ArcList, arrival: Floats, delay: Floats, node: int, *, launched: bool
) -> tuple[PathPoint, ...]:
    """Walk back from a node along the arcs that set its arrival."""
    points: list[PathPoint] = []
    while True:
        points.append(_point(mapped, node, float(arrival[node])))
        entering = arcs.into(node)
        if not len(entering):
            break
        sources = arcs.source[entering]
        clocked = arcs.clocked[entering]
        begun = np.where(clocked, 0.0 if launched else _NEVER, arrival[sources])
        best = int((begun + delay[entering]).argmax())
        node = int(sources[best])
        if clocked[best]:
            points.append(_point(mapped, node, 0.0))
            break
    return tuple(reversed(points))


def _point(mapped: Mapped, node: int, arrival: float) -> PathPoint:
    net = node // 2
    index, pin = mapped.driver.get(net, (-1, ""))
    instance = mapped.instances[index] if index >= 0 else None
    return PathPoint(
        instance.name if instance else "",
        instance.cell.name if instance else "",
        pin,
        net,
        mapped.place(net),
        node % 2 == 0,
        arrival,
    )


def path_sources(mapped: Mapped, path: Path) -> Sequence[str]:
    """The source positions of the instances along a path, as far as synthesis kept them."""
    by_name = {instance.name: instance for instance in mapped.instances}
    return tuple(by_name[point.instance].src for point in path.points if point.instance in by_name)
