"""A mapped netlist: library cells and nets, checked and put in order for timing, simulation and power."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from rtl_evolve.synth.library import Cell, Library

# nets 0 and 1 are the constants
FIRST_NET = 2


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
            return f"1'b{net}"
        return self.names[net] or f"net{net}"


@dataclass(frozen=True)
class Unusable:
    """Why a recipe gave no netlist that may be measured, in one sentence."""

    reason: str


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
