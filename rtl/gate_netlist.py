"""What the gate finds in a netlist: loops, latches, tri-state, black boxes, formal cells, undriven and x, each named."""

import re
from collections.abc import Iterable, Iterator

from rtl_evolve.rtl.elaborate import Elaboration
from rtl_evolve.rtl.gate_loops import loops
from rtl_evolve.rtl.netlist import Bit, Cell, Netlist

FORMAL = ("$assert", "$assume", "$cover", "$live", "$fair", "$check", "$equiv", "$initstate")
FREE = ("$anyseq", "$anyconst", "$allseq", "$allconst", "$anyinit", "$future_ff")
TRISTATE = ("$tribuf", "$_TBUF_")
LATCHES = ("$dlatch", "$adlatch", "$dlatchsr", "$sr")
UNTIMED = (*FORMAL, "$print")
_SHOWN = 4  # names in one message


def unsupported(design: Elaboration) -> tuple[str, ...]:
    """Why golden is a circuit we cannot take, one line a kind; empty when we can."""
    netlist = design.netlist
    reasons = [f"combinational loop through {listed(loop)}" for loop in loop_names(design)]
    reasons += [
        f"{listed(names)} is level-sensitive (a latch), which is not supported" for names in _some(latches(design))
    ]
    reasons += [f"{listed(names)} is driven by tri-state buffers" for names in _some(tristates(netlist))]
    reasons += [f"module {name} has no contents (a black box)" for name in black_boxes(netlist)]
    return tuple(reasons)


def _some(names: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    if names:
        yield names


def listed(names: Iterable[str]) -> str:
    """Names for a message, the rest counted."""
    names = list(names)
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return ", ".join(names[:_SHOWN]) + more


def words(bit_names: Iterable[str]) -> tuple[str, ...]:
    """Signals of bits: "y[3]", "y[4]" become "y"."""
    return tuple(dict.fromkeys(re.sub(r"\[\d+\]$", "", n) for n in bit_names))


def latches(design: Elaboration) -> tuple[str, ...]:
    """Level-sensitive storage by the user's signal names."""
    bits = [b for c in cells_of(design.netlist, LATCHES) for b in c.ports["Q"]]
    return words(design.model.latches) or signal_names(design.netlist, bits)


def tristates(netlist: Netlist) -> tuple[str, ...]:
    """Signals with a tri-state driver, or with a constant z that something reads or that leaves the module."""
    driven = [bit for c in netlist.cells if c.type in TRISTATE for bit in c.ports["Y"]]
    floating = [name for name, bits in netlist.names.items() if "z" in bits]
    floating += [n for c in netlist.cells if any("z" in b for b in c.ports.values()) for n in _outputs(netlist, c)]
    return tuple(dict.fromkeys((*signal_names(netlist, driven), *floating)))


def black_boxes(netlist: Netlist) -> tuple[str, ...]:
    """Modules that are instantiated but have no contents."""
    return tuple(dict.fromkeys(c.type for c in netlist.cells if not c.type.startswith("$")))


def cells_of(netlist: Netlist, types: Iterable[str]) -> tuple[Cell, ...]:
    """All cells of the given types."""
    wanted = frozenset(types)
    return tuple(c for c in netlist.cells if c.type in wanted)


def several_drivers(netlist: Netlist) -> tuple[str, ...]:
    """Signals with a bit that two cells, a cell and an input port, or two input ports drive."""
    drivers: dict[Bit, int] = {}
    for port in netlist.ports:
        if port.direction == "input":
            for bit in port.bits:
                drivers[bit] = drivers.get(bit, 0) + 1 + isinstance(bit, str)
    for cell in netlist.cells:
        for bit in (b for name, bits in cell.ports.items() if cell.directions.get(name) == "output" for b in bits):
            drivers[bit] = drivers.get(bit, 0) + 1
    return signal_names(netlist, (bit for bit, count in drivers.items() if count > 1))


def undriven(netlist: Netlist) -> tuple[str, ...]:
    """Signals with a bit that something reads, or that is an output, and that nothing drives."""
    driven = {b for p in netlist.ports if p.direction == "input" for b in p.bits}
    read = [b for p in netlist.ports if p.direction == "output" for b in p.bits]
    for cell in netlist.cells:
        for name, bits in cell.ports.items():
            if cell.directions.get(name) == "output":
                driven.update(bits)
            else:
                read += bits
    return signal_names(netlist, (b for b in read if isinstance(b, int) and b not in driven))


def x_places(netlist: Netlist) -> tuple[str, ...]:
    """Where constant x enters: outputs and memories by name, cells by their source place or the signal they drive."""
    found = [f"output {p.name}" for p in netlist.ports if p.direction == "output" and "x" in p.bits]
    for cell in netlist.cells:
        inputs = [b for n, bits in cell.ports.items() if cell.directions.get(n) != "output" for b in bits]
        if "x" in inputs and not cell.type.startswith("$mem"):  # a memory port without a clock has CLK at x
            found.append(source_place(cell.src) or listed(_outputs(netlist, cell)))
    read = [str(c.parameters["MEMID"]).lstrip("\\") for c in netlist.cells if c.type.startswith("$memrd")]
    found += [f"memory {name}, which may be read before it is written" for name in read]
    return tuple(dict.fromkeys(f for f in found if f))


def x_names(netlist: Netlist) -> tuple[str, ...]:
    """Signals of the top that are x all over."""
    return tuple(n for n, bits in netlist.names.items() if set(bits) == {"x"} and "." not in n)


def signal_names(netlist: Netlist, bits: Iterable[Bit]) -> tuple[str, ...]:
    """The user's names of the signals these bits are in, ports first; net numbers where there is no name."""
    ports = {p.name for p in netlist.ports}
    owner: dict[Bit, str] = {}
    for name in sorted(netlist.names, key=lambda n: (n not in ports, n.count("."), len(n), n)):
        for bit in netlist.names[name]:
            owner.setdefault(bit, name)
    return tuple(dict.fromkeys(owner.get(bit, f"net {bit}") for bit in bits))


def _outputs(netlist: Netlist, cell: Cell) -> tuple[str, ...]:
    bits = [b for n, bits in cell.ports.items() if cell.directions.get(n) == "output" for b in bits]
    return tuple(n for n in signal_names(netlist, bits) if not n.startswith("net "))


def source_place(src: str) -> str:
    """The first place of a Yosys source attribute, as "file:line:column"; "" without one."""
    match = re.match(r"([^|]+?):(\d+)(?:\.(\d+))?", src)
    return ":".join(part for part in match.groups() if part) if match else ""


def loop_names(design: Elaboration) -> tuple[tuple[str, ...], ...]:
    """Signals of each combinational loop; the bit-level model decides whether there is one, the words name it."""
    if not design.model.loops:
        return ()
    groups: list[set[str]] = []
    for loop in loops(design.netlist):
        names = set(signal_names(design.netlist, loop))
        apart = [g for g in groups if not g & names]
        groups = [*apart, names.union(*(g for g in groups if g & names))]  # bits of one word are one loop to a reader
    return tuple(tuple(sorted(g)) for g in groups) or (words(design.model.loops),)
