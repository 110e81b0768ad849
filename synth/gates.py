"""A design between its front and its mapping: an and-inverter graph, and flip-flops that are library cells already."""

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rtl_evolve.rtl.aig import FALSE, TRUE, Aig, AigBuilder
from rtl_evolve.synth.library import Cell, Library
from rtl_evolve.synth.mapped import Unusable

Make = Callable[..., int]

# Yosys's simple gates over literals (its manual, "gate-level cells"); ports in this order
GATES: dict[str, tuple[tuple[str, ...], Make]] = {
    "$_BUF_": (("A",), lambda g, a: a),
    "$_NOT_": (("A",), lambda g, a: a ^ 1),
    "$_AND_": (("A", "B"), lambda g, a, b: g.and_(a, b)),
    "$_NAND_": (("A", "B"), lambda g, a, b: g.and_(a, b) ^ 1),
    "$_OR_": (("A", "B"), lambda g, a, b: g.or_(a, b)),
    "$_NOR_": (("A", "B"), lambda g, a, b: g.or_(a, b) ^ 1),
    "$_XOR_": (("A", "B"), lambda g, a, b: g.xor(a, b)),
    "$_XNOR_": (("A", "B"), lambda g, a, b: g.xor(a, b) ^ 1),
    "$_ANDNOT_": (("A", "B"), lambda g, a, b: g.and_(a, b ^ 1)),
    "$_ORNOT_": (("A", "B"), lambda g, a, b: g.or_(a, b ^ 1)),
    "$_MUX_": (("A", "B", "S"), lambda g, a, b, s: g.mux(s, b, a)),
    "$_NMUX_": (("A", "B", "S"), lambda g, a, b, s: g.mux(s, b, a) ^ 1),
    "$_AOI3_": (("A", "B", "C"), lambda g, a, b, c: g.or_(g.and_(a, b), c) ^ 1),
    "$_OAI3_": (("A", "B", "C"), lambda g, a, b, c: g.and_(g.or_(a, b), c) ^ 1),
    "$_AOI4_": (("A", "B", "C", "D"), lambda g, a, b, c, d: g.or_(g.and_(a, b), g.and_(c, d)) ^ 1),
    "$_OAI4_": (("A", "B", "C", "D"), lambda g, a, b, c, d: g.and_(g.or_(a, b), g.or_(c, d)) ^ 1),
}


@dataclass(frozen=True)
class GatePort:
    """A port of the design: a literal for each bit, least significant first (an input's is its variable's)."""

    name: str
    direction: str
    literals: tuple[int, ...]


@dataclass(frozen=True)
class GateFlop:
    """A flip-flop of the library: literals at its inputs, and the graph's input variables that its outputs are.

    `state` is the user's name of the bit it holds, "" when it has none; it is for showing only.
    """

    cell: Cell
    inputs: tuple[tuple[str, int], ...]
    outputs: tuple[tuple[str, int], ...]
    state: str
    src: str


@dataclass(frozen=True)
class Gates:
    """The graph's inputs are the input ports' bits and the flip-flops' outputs."""

    aig: Aig
    ports: tuple[GatePort, ...]
    flops: tuple[GateFlop, ...]


def read_gates(text: str, library: Library, top: str) -> Gates | Unusable:
    """Yosys's `write_json` of a design after its front; x counts as 0 (the gate judges x, not we)."""
    module = json.loads(text)["modules"][top]
    cells: Mapping[str, Any] = module["cells"]
    reason = _refused(cells, library)
    if reason:
        return Unusable(reason)
    literals: dict[int | str, int] = {"0": FALSE, "1": TRUE, "x": FALSE, "z": FALSE}
    sources: list[int] = []
    for port in module["ports"].values():
        sources += [bit for bit in port["bits"] if port["direction"] == "input"]
    held = [(name, cell) for name, cell in cells.items() if not cell["type"].startswith("$")]
    for _, cell in held:
        outputs = [pin.name for pin in library.cells[cell["type"]].outputs]
        sources += [cell["connections"][pin][0] for pin in outputs if cell["connections"].get(pin)]
    builder = AigBuilder(len(sources))
    for place, bit in enumerate(sources):
        if bit in literals:
            return Unusable("a signal has several drivers")
        literals[bit] = builder.input(place)
    reason = build_gates([c for c in cells.values() if c["type"].startswith("$")], literals, builder)
    if reason:
        return Unusable(reason)
    names = bit_names(module["netnames"])
    ports = []
    for name, port in module["ports"].items():
        undriven = [place for place, bit in enumerate(port["bits"]) if bit not in literals]
        if undriven:
            return Unusable(f"output {name}[{undriven[0]}] is not driven")
        ports.append(GatePort(name, port["direction"], tuple(literals[bit] for bit in port["bits"])))
    flops = tuple(_flop(cell, library.cells[cell["type"]], literals, names) for _, cell in held)
    return Gates(builder.build(), tuple(ports), flops)


def _refused(cells: Mapping[str, Any], library: Library) -> str:
    """What can't be mapped or measured, named; empty when all is well."""
    types = Counter(cell["type"] for cell in cells.values())
    unknown = {name: count for name, count in sorted(types.items()) if name.startswith("$") and name not in GATES}
    if unknown:
        return f"the library has no cell for {_listed(unknown)}"
    boxes = {name: count for name, count in sorted(types.items()) if name not in library.cells and name not in GATES}
    if boxes:
        return f"these cells are not in the library: {_listed(boxes)}"
    return ""


def _listed(types: Mapping[str, int]) -> str:
    return ", ".join(f"{name} ({count})" for name, count in types.items())


def build_gates(cells: Sequence[Mapping[str, Any]], literals: dict[int | str, int], builder: AigBuilder) -> str:
    """Add Yosys's gates to a graph, inputs first, noting the literals; the reason when that can't be, else ""."""
    driver: dict[int | str, Mapping[str, Any]] = {}
    for cell in cells:
        bit = cell["connections"]["Y"][0]
        if bit in driver or bit in literals:
            return "a signal has several drivers"
        driver[bit] = cell
    for root in driver:
        stack = [root]
        open_: set[int | str] = set()
        while stack:
            bit = stack[-1]
            if bit in literals:
                stack.pop()
                continue
            if bit not in driver:
                literals[bit] = FALSE  # undriven: x
                stack.pop()
                continue
            cell = driver[bit]
            pins, make = GATES[cell["type"]]
            inputs = [cell["connections"][pin][0] for pin in pins]
            waiting = [source for source in inputs if source not in literals]
            if not waiting:
                literals[bit] = make(builder, *(literals[source] for source in inputs))
                stack.pop()
            elif bit in open_:
                return "there is a combinational loop"
            else:
                open_.add(bit)
                stack += waiting
    return ""


def _flop(
    cell: Mapping[str, Any], library_cell: Cell, literals: Mapping[int | str, int], names: Mapping[int, str]
) -> GateFlop:
    connections = cell["connections"]
    inputs = tuple(
        (pin.name, literals.get(connections[pin.name][0], FALSE))
        for pin in library_cell.inputs
        if connections.get(pin.name)
    )
    outputs = tuple((pin.name, connections[pin.name][0]) for pin in library_cell.outputs if connections.get(pin.name))
    state = next((names[bit] for _, bit in outputs if bit in names), "")
    variables = tuple((pin, literals[bit] >> 1) for pin, bit in outputs)
    return GateFlop(library_cell, inputs, variables, state, cell["attributes"].get("src", ""))


def bit_names(netnames: Mapping[str, Any]) -> dict[int, str]:
    """The user's name of each bit that has one."""
    names: dict[int, str] = {}
    for name, net in netnames.items():
        for place, bit in enumerate(net["bits"] if not net["hide_name"] else ()):
            if isinstance(bit, int):
                names.setdefault(bit, name if len(net["bits"]) == 1 else f"{name}[{place}]")
    return names
