"""A mapped netlist: library cells and nets, checked and put in order for timing, simulation and power."""

import json
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rtl_evolve.synth.library import Cell, Library

# nets 0, 1 and 2 are the constants; an undefined bit that synthesis left counts as 0 (the gate judges x, not we)
CONSTANTS = {"0": 0, "1": 1, "x": 2, "z": 2}
FIRST_NET = 3


@dataclass(frozen=True)
class Instance:
    """A placed cell: net by pin name; `src` is the source position where synthesis kept one."""

    name: str
    cell: Cell
    nets: Mapping[str, int]
    src: str = ""


@dataclass(frozen=True)
class MappedPort:
    """A port of the design with its nets, least significant bit first."""

    name: str
    direction: str
    nets: tuple[int, ...]


@dataclass(frozen=True)
class Mapped:
    """A netlist of library cells.

    `order` lists the combinational instances (by index) so that each comes after those that drive it, `flops` the
    flip-flops; `driver` is (instance, pin) by net. `names` gives each net the user's name for it, or "".
    """

    library: Library
    ports: tuple[MappedPort, ...]
    instances: tuple[Instance, ...]
    names: tuple[str, ...]
    order: tuple[int, ...]
    flops: tuple[int, ...]
    driver: Mapping[int, tuple[int, str]] = field(repr=False)

    @property
    def inputs(self) -> tuple[MappedPort, ...]:
        return tuple(port for port in self.ports if port.direction == "input")

    @property
    def outputs(self) -> tuple[MappedPort, ...]:
        return tuple(port for port in self.ports if port.direction == "output")

    @property
    def area_um2(self) -> float:
        return math.fsum(instance.cell.area_um2 for instance in self.instances)

    def place(self, net: int) -> str:
        """A name to show for a net."""
        if net < FIRST_NET:
            return f"1'b{min(net, 1)}"
        return self.names[net] or f"net{net}"


@dataclass(frozen=True)
class Unusable:
    """Why a recipe gave no netlist that may be measured, in one sentence."""

    reason: str


def read_mapped(text: str, library: Library, top: str) -> Mapped | Unusable:
    """Yosys's `write_json` of a mapped design; anything a figure could not be trusted for makes it unusable."""
    module = json.loads(text)["modules"][top]
    cells = module["cells"]
    reason = _refused(cells, library)
    if reason:
        return Unusable(reason)
    number = _Numbering()
    ports = tuple(
        MappedPort(name, port["direction"], tuple(number.of(bit) for bit in port["bits"]))
        for name, port in module["ports"].items()
    )
    instances = tuple(_instance(name, cell, library, number) for name, cell in cells.items())
    names = _net_names(module["netnames"], number)
    return assemble(library, ports, instances, names)


def assemble(
    library: Library, ports: Sequence[MappedPort], instances: Sequence[Instance], names: Sequence[str]
) -> Mapped | Unusable:
    """Order the instances and check what drives what."""
    driver: dict[int, tuple[int, str]] = {}
    for index, instance in enumerate(instances):
        for pin in instance.cell.outputs:
            net = instance.nets.get(pin.name)
            if net is not None:
                if net in driver:
                    return Unusable(f"{names[net] or 'a net'} has several drivers")
                driver[net] = (index, pin.name)
    given = {net for port in ports if port.direction == "input" for net in port.nets}
    order = _order(instances, driver)
    if order is None:
        return Unusable("there is a combinational loop")
    for port in ports:
        for bit, net in enumerate(port.nets):
            if port.direction == "output" and net >= FIRST_NET and net not in driver and net not in given:
                return Unusable(f"output {port.name}[{bit}] is not driven")
    flops = tuple(index for index, instance in enumerate(instances) if instance.cell.flop)
    return Mapped(library, tuple(ports), tuple(instances), tuple(names), order, flops, driver)


def _refused(cells: Mapping[str, Any], library: Library) -> str:
    """Cells that cost nothing or can't be timed, named; empty when all is well."""
    types = Counter(cell["type"] for cell in cells.values())
    unmapped = [f"{name} ({count})" for name, count in sorted(types.items()) if name.startswith("$")]
    if unmapped:
        return f"the library has no cell for {', '.join(unmapped)}"
    boxes = [f"{name} ({count})" for name, count in sorted(types.items()) if name not in library.cells]
    if boxes:
        return f"these cells are not in the library: {', '.join(boxes)}"
    stateful = [name for name in sorted(types) if library.cells[name].latch]
    if stateful:
        return f"it became latches: {', '.join(stateful)}"
    return ""


class _Numbering:
    """Dense net numbers in the order of first use."""

    def __init__(self) -> None:
        self.numbers: dict[int, int] = {}

    def of(self, bit: int | str) -> int:
        if isinstance(bit, str):
            return CONSTANTS[bit]
        return self.numbers.setdefault(bit, FIRST_NET + len(self.numbers))


def _instance(name: str, cell: Mapping[str, Any], library: Library, number: _Numbering) -> Instance:
    pins = {pin: number.of(bits[0]) for pin, bits in cell["connections"].items() if bits}
    return Instance(name, library.cells[cell["type"]], pins, cell["attributes"].get("src", ""))


def _net_names(netnames: Mapping[str, Any], number: _Numbering) -> tuple[str, ...]:
    names = [""] * (FIRST_NET + len(number.numbers))
    for name, net in netnames.items():
        if net["hide_name"]:
            continue
        for place, bit in enumerate(net["bits"]):
            known = number.numbers.get(bit) if isinstance(bit, int) else None
            if known is not None and not names[known]:
                names[known] = name if len(net["bits"]) == 1 else f"{name}[{place}]"
    return tuple(names)


def _order(instances: Sequence[Instance], driver: Mapping[int, tuple[int, str]]) -> tuple[int, ...] | None:
    """Combinational instances, drivers first; None when they form a loop."""
    waiting: dict[int, int] = {}
    readers: dict[int, list[int]] = {}
    for index, instance in enumerate(instances):
        if instance.cell.flop:
            continue
        sources = set()
        for pin in instance.cell.inputs:
            source = driver.get(instance.nets.get(pin.name, -1))
            if source is not None and not instances[source[0]].cell.flop:
                sources.add(source[0])
        waiting[index] = len(sources)
        for source_index in sources:
            readers.setdefault(source_index, []).append(index)
    ready = [index for index, count in waiting.items() if count == 0]
    for index in ready:  # grows while it is walked
        for reader in readers.get(index, ()):
            waiting[reader] -= 1
            if waiting[reader] == 0:
                ready.append(reader)
    return tuple(ready) if len(ready) == len(waiting) else None
