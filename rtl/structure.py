"""A hash of the elaborated circuit that doesn't depend on names, order or layout of the text."""

import hashlib
from collections.abc import Mapping

from rtl_evolve.rtl.netlist import Bit, Cell, Netlist

_COMMUTATIVE = {"$add", "$and", "$or", "$xor", "$xnor", "$mul", "$eq", "$ne", "$logic_and", "$logic_or"}
_MASK = (1 << 64) - 1
_LEVELS = 64  # rounds over registers; deeper differences still show through the registers' own hashes


def structure_hash(netlist: Netlist) -> str:
    """Hex hash, 16 digits: equal for circuits with the same word-level cells wired the same way.

    Weisfeiler-Lehman refinement over the word-level cells: registers start from their type and initial value and are
    refined from what feeds them until no two that were alike part any more. Two different circuits can in principle
    collide; so it may only stop work from being repeated, never stand for a proof.
    """
    driver, order = _ordered(netlist)
    cut = [c for c in netlist.cells if _keeps_state(c)]
    state = {(id(c), p): _mix(c.type, p, _initial(netlist, c)) for c in cut for p in _outputs(c)}
    classes = 0
    values: dict[Bit, int] = {}
    for _ in range(_LEVELS):
        values = _evaluate(netlist, order, state, cut)
        state = {(id(c), p): _mix(state[id(c), p], p, _cell_hash(c, values)) for c in cut for p in _outputs(c)}
        now = len(set(state.values()))
        if now == classes:
            break
        classes = now
    ports = sorted((p.name, p.direction, _word(p.bits, values)) for p in netlist.ports if p.direction != "input")
    inputs = sorted((p.name, len(p.bits)) for p in netlist.ports if p.direction == "input")
    kept = sorted(state.values()) if driver else []
    return hashlib.sha256(repr((inputs, ports, kept)).encode()).hexdigest()[:16]


def _keeps_state(cell: Cell) -> bool:
    return any(word in cell.type for word in ("dff", "ff", "latch", "mem", "aldff")) and cell.type.startswith("$")


def _outputs(cell: Cell) -> list[str]:
    return [p for p, d in cell.directions.items() if d == "output"]


def _initial(netlist: Netlist, cell: Cell) -> str:
    bits = [b for p in _outputs(cell) for b in cell.ports[p]]
    return "".join(str(netlist.inits.get(b, "x")) if isinstance(b, int) else "c" for b in bits)


def _ordered(netlist: Netlist) -> tuple[Mapping[Bit, Cell], list[Cell]]:
    """Combinational cells in topological order (a loop is cut where it is entered)."""
    driver: dict[Bit, Cell] = {}
    for cell in netlist.cells:
        for port in _outputs(cell):
            driver.update((bit, cell) for bit in cell.ports[port] if isinstance(bit, int))
    order: list[Cell] = []
    seen: set[int] = set()
    for root in netlist.cells:
        stack = [(root, False)]
        while stack:
            cell, done = stack.pop()
            if done:
                order.append(cell)
            elif id(cell) not in seen and not _keeps_state(cell):
                seen.add(id(cell))
                stack.append((cell, True))
                for port, direction in cell.directions.items():
                    if direction != "output":
                        stack += [(driver[b], False) for b in cell.ports[port] if b in driver]
    return driver, order


def _evaluate(
    netlist: Netlist, order: list[Cell], state: Mapping[tuple[int, str], int], cut: list[Cell]
) -> dict[Bit, int]:
    values: dict[Bit, int] = {}
    for port in netlist.ports:
        if port.direction == "input":
            values.update((bit, _mix("input", port.name, i)) for i, bit in enumerate(port.bits))
    for cell in cut:
        for name in _outputs(cell):
            values.update((b, _mix(state[id(cell), name], i)) for i, b in enumerate(cell.ports[name]))
    for cell in order:
        whole = _cell_hash(cell, values)
        for name in _outputs(cell):
            values.update((b, _mix(whole, name, i)) for i, b in enumerate(cell.ports[name]))
    return values


def _cell_hash(cell: Cell, values: Mapping[Bit, int]) -> int:
    words = {p: _word(cell.ports[p], values) for p, d in cell.directions.items() if d != "output"}
    parameters = {k: v for k, v in cell.parameters.items() if k not in ("MEMID", "TRANS_ID")}
    if cell.type in _COMMUTATIVE and {"A", "B"} <= words.keys():
        sides = sorted(
            (words[s], str(parameters.pop(f"{s}_SIGNED", "")), parameters.pop(f"{s}_WIDTH", 0)) for s in "AB"
        )
        return _mix(cell.type, repr(sides), repr(sorted(parameters.items())))
    return _mix(cell.type, repr(sorted(words.items())), repr(sorted(parameters.items())))


def _word(bits: tuple[Bit, ...], values: Mapping[Bit, int]) -> int:
    return _mix(*(values.get(bit, 0) if isinstance(bit, int) else bit for bit in bits))


def _mix(*parts: object) -> int:
    return int.from_bytes(hashlib.blake2b(repr(parts).encode(), digest_size=8).digest()) & _MASK
