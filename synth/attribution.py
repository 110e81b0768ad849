"""What each source line and each named signal costs: area, power, and its part of the critical path.

Mapping leaves no names inside the logic, so nets are recognised by what they compute: a net whose value agrees, on
thousands of random inputs and states, with a bit of a word-level cell (or its inverse) belongs to that cell and its
source line. Gates in between belong to the cells that they feed, in equal shares. What feeds nothing recognisable is
reported as unattributed.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from random import Random

from rtl_evolve.rtl.aig import value
from rtl_evolve.rtl.elaborate import Elaboration
from rtl_evolve.rtl.netlist import Bit, Cell, Netlist
from rtl_evolve.synth.activity import settle
from rtl_evolve.synth.mapped import Mapped
from rtl_evolve.synth.power import InstancePower
from rtl_evolve.synth.timing import Timing
from rtl_evolve.synth.words import Words, word_functions

_PATTERNS = 2048
# shares of one gate are kept for its greatest owners alone
_OWNERS = 4

# by word-level cell number; what is missing to 1 is unattributed
Shares = Mapping[int, float]


@dataclass(frozen=True)
class Cost:
    """`path_ps` is the part of the critical path that passes through gates of this owner."""

    area_um2: float
    power_uw: float
    path_ps: float


@dataclass(frozen=True)
class LineCost:
    """The cost of what one source line says."""

    path: str
    line: int
    cost: Cost


@dataclass(frozen=True)
class SignalCost:
    """The cost of computing one named signal from the nearest recognised ones."""

    name: str
    cost: Cost


@dataclass(frozen=True)
class Attribution:
    """Costs, greatest area first; `unattributed` and `total` are over the whole netlist."""

    lines: tuple[LineCost, ...]
    signals: tuple[SignalCost, ...]
    unattributed: Cost
    total: Cost

    @property
    def unattributed_share(self) -> float:
        """The part of the area that no line answers for."""
        return self.unattributed.area_um2 / self.total.area_um2 if self.total.area_um2 else 0.0


def attribute(
    elaboration: Elaboration, mapped: Mapped, timing: Timing, power: InstancePower | None = None, seed: int = 1
) -> Attribution:
    """Share a mapped netlist's cost out over the design's source."""
    words = word_functions(elaboration)
    cells = elaboration.netlist.cells
    anchors = _anchors(cells, words, mapped, Random(seed)) if words else {}
    shares = _shares(mapped, anchors, _flop_cells(elaboration.netlist))
    costs = _instance_costs(mapped, timing, power)
    lines: dict[tuple[str, int], list[Cost]] = defaultdict(list)
    signals: dict[str, list[Cost]] = defaultdict(list)
    lost: list[Cost] = []
    names = _cell_names(elaboration.netlist)
    for owned, cost in zip(shares, costs, strict=True):
        attributed = 0.0
        for number, share in owned.items():
            place = _place(cells[number])
            if place is not None:
                lines[place].append(_scaled(cost, share))
                attributed += share
            if names[number]:
                signals[names[number]].append(_scaled(cost, share))
        lost.append(_scaled(cost, 1 - attributed))
    by_area = sorted(((place, _sum(parts)) for place, parts in lines.items()), key=lambda item: -item[1].area_um2)
    by_signal = sorted(((name, _sum(parts)) for name, parts in signals.items()), key=lambda item: -item[1].area_um2)
    return Attribution(
        tuple(LineCost(path, line, cost) for (path, line), cost in by_area),
        tuple(SignalCost(name, cost) for name, cost in by_signal),
        _sum(lost),
        _sum(costs),
    )


def _scaled(cost: Cost, share: float) -> Cost:
    return Cost(cost.area_um2 * share, cost.power_uw * share, cost.path_ps * share)


def _sum(costs: Iterable[Cost]) -> Cost:
    parts = list(costs)
    return Cost(sum(c.area_um2 for c in parts), sum(c.power_uw for c in parts), sum(c.path_ps for c in parts))


def _place(cell: Cell) -> tuple[str, int] | None:
    """File and line of a cell; a multiplexer's is that of its `if` or `case`, which its `src` names last."""
    positions = cell.src.split("|")
    path, colon, rest = positions[-1 if "mux" in cell.type else 0].rpartition(":")
    number = rest.split(".")[0].split("-")[0]
    return (path, int(number)) if colon and number.isdigit() else None


def _instance_costs(mapped: Mapped, timing: Timing, power: InstancePower | None) -> list[Cost]:
    on_path: dict[str, float] = defaultdict(float)
    points = timing.critical.points if timing.critical else ()
    for before, after in pairwise(points):
        on_path[after.instance] += after.arrival_ps - before.arrival_ps
    watts = power.switching_uw + power.internal_uw + power.leakage_uw if power else [0.0] * len(mapped.instances)
    return [
        Cost(instance.cell.area_um2, float(watts[place]), on_path.get(instance.name, 0.0))
        for place, instance in enumerate(mapped.instances)
    ]


def _anchors(cells: Sequence[Cell], words: Words, mapped: Mapped, random: Random) -> dict[int, int]:
    """Word-level cell by mapped net, where they compute the same or the inverse."""
    by_name = {name: random.getrandbits(_PATTERNS) for name in words.sources if name}
    patterns = [by_name[name] if name else random.getrandbits(_PATTERNS) for name in words.sources]
    values = words.aig.simulate(patterns, _PATTERNS)
    ones = (1 << _PATTERNS) - 1
    known: dict[int, tuple[int, int]] = {}
    for number, cell in enumerate(cells):
        for bit in _output_bits(cell):
            literal = words.literals.get(bit)
            # inputs, states and constants are no cell's doing
            if literal is None or literal >> 1 <= words.aig.inputs:
                continue
            signature = _normal(value(values, literal, _PATTERNS), ones)
            # of cells that compute the same, the first on the way is the one that did the work
            if signature and (signature not in known or literal >> 1 < known[signature][0]):
                known[signature] = (literal >> 1, number)
    found = settle(mapped, ones, _given(mapped, by_name, ones, random))
    return {net: known[signature][1] for net in mapped.driver if (signature := _normal(found[net], ones)) in known}


def _normal(signature: int, ones: int) -> int:
    return signature ^ ones if signature & 1 else signature


def _given(mapped: Mapped, by_name: Mapping[str, int], ones: int, random: Random) -> dict[int, int]:
    """Values of the netlist's inputs and flip-flop outputs, alike by name; unknown ones at random."""
    given: dict[int, int] = {}
    for port in mapped.inputs:
        for place, net in enumerate(port.nets):
            name = port.name if len(port.nets) == 1 else f"{port.name}[{place}]"
            given[net] = by_name.get(name, random.getrandbits(_PATTERNS))
    for index in mapped.flops:
        instance = mapped.instances[index]
        flop = instance.cell.flop
        assert flop is not None
        outputs = [pin for pin in instance.cell.outputs if pin.name in instance.nets]
        name = next((mapped.names[instance.nets[p.name]] for p in outputs if p.function == flop.state), "")
        state = by_name.get(name, random.getrandbits(_PATTERNS))
        given |= {instance.nets[p.name]: state if p.function == flop.state else state ^ ones for p in outputs}
    return given


def _output_bits(cell: Cell) -> tuple[Bit, ...]:
    return tuple(bit for port, way in cell.directions.items() if way == "output" for bit in cell.ports[port])


def _flop_cells(netlist: Netlist) -> dict[str, int]:
    """Word-level register cell by the name of a bit it holds."""
    holder = {bit: k for k, cell in enumerate(netlist.cells) if "dff" in cell.type for bit in cell.ports.get("Q", ())}
    found: dict[str, int] = {}
    for name, bits in netlist.names.items():
        for place, bit in enumerate(bits):
            if bit in holder:
                found[name if len(bits) == 1 else f"{name}[{place}]"] = holder[bit]
    return found


def _cell_names(netlist: Netlist) -> list[str]:
    """For each word-level cell a user's signal that it drives, or ""."""
    named: dict[Bit, str] = {}
    for name, bits in netlist.names.items():
        for bit in bits:
            named.setdefault(bit, name)
    return [next((named[bit] for bit in _output_bits(cell) if bit in named), "") for cell in netlist.cells]


def _shares(mapped: Mapped, anchors: Mapping[int, int], flop_cells: Mapping[str, int]) -> list[Shares]:
    """Owners of every instance, from the outputs back."""
    owned: list[Shares] = [{} for _ in mapped.instances]
    readers: dict[int, list[int]] = defaultdict(list)
    for index, instance in enumerate(mapped.instances):
        for pin in instance.cell.inputs:
            if pin.name in instance.nets:
                readers[instance.nets[pin.name]].append(index)
    for index in mapped.flops:
        nets = _driven(mapped, index)
        number = next((flop_cells[mapped.names[net]] for net in nets if mapped.names[net] in flop_cells), None)
        owned[index] = {} if number is None else {number: 1.0}
    for index in reversed(mapped.order):
        nets = _driven(mapped, index)
        anchored = [anchors[net] for net in nets if net in anchors]
        if anchored:
            owned[index] = {anchored[0]: 1.0}
        else:
            owned[index] = _mean([owned[reader] for net in nets for reader in readers[net]])
    return owned


def _driven(mapped: Mapped, index: int) -> list[int]:
    instance = mapped.instances[index]
    return [instance.nets[pin.name] for pin in instance.cell.outputs if pin.name in instance.nets]


def _mean(shares: Sequence[Shares]) -> Shares:
    total: dict[int, float] = defaultdict(float)
    for share in shares:
        for number, part in share.items():
            total[number] += part / len(shares)
    greatest = sorted(total.items(), key=lambda item: (-item[1], item[0]))[:_OWNERS]
    kept, whole = sum(part for _, part in greatest), sum(total.values())
    return {number: part * whole / kept for number, part in greatest}
