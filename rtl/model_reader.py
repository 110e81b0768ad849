"""Builds a `Model` from Yosys's JSON of simple gates."""

import re
from collections.abc import Callable, Mapping

from rtl_evolve.rtl.aig import FALSE, TRUE, AigBuilder
from rtl_evolve.rtl.model import Model, Register, Undefined
from rtl_evolve.rtl.netlist import Bit, Cell, Netlist, read_netlist

_GATES: Mapping[str, Callable[[AigBuilder, Mapping[str, int]], int]] = {
    "$_BUF_": lambda b, p: p["A"],
    "$_NOT_": lambda b, p: p["A"] ^ 1,
    "$_AND_": lambda b, p: b.and_(p["A"], p["B"]),
    "$_NAND_": lambda b, p: b.and_(p["A"], p["B"]) ^ 1,
    "$_OR_": lambda b, p: b.or_(p["A"], p["B"]),
    "$_NOR_": lambda b, p: b.or_(p["A"], p["B"]) ^ 1,
    "$_XOR_": lambda b, p: b.xor(p["A"], p["B"]),
    "$_XNOR_": lambda b, p: b.xor(p["A"], p["B"]) ^ 1,
    "$_ANDNOT_": lambda b, p: b.and_(p["A"], p["B"] ^ 1),
    "$_ORNOT_": lambda b, p: b.or_(p["A"], p["B"] ^ 1),
    "$_MUX_": lambda b, p: b.mux(p["S"], p["B"], p["A"]),
    "$_NMUX_": lambda b, p: b.mux(p["S"], p["B"], p["A"]) ^ 1,
}
_REGISTER = re.compile(r"\$_(DFF|ALDFF|DFFSR)_([NP])([NP]?)([NP01]?)_$")


def read_model(text: str, top: str) -> Model:
    """Build the model from `write_json` output after techmap and simplemap."""
    return _Reader(read_netlist(text, top)).model()


class _Reader:
    def __init__(self, netlist: Netlist) -> None:
        self._netlist = netlist
        self._registers = [c for c in netlist.cells if _REGISTER.match(c.type)]
        self._free = [c for c in netlist.cells if c.type in ("$anyseq", "$anyconst")]
        self._driver: dict[Bit, Cell] = {}
        self._names: dict[Bit, str] = {}
        for name, bits in sorted(netlist.names.items(), key=lambda item: (item[0].count("."), len(item[0]))):
            for index, bit in enumerate(bits):
                self._names.setdefault(bit, f"{name}[{index}]" if len(bits) > 1 else name)
        self._latches: list[str] = []
        for cell in netlist.cells:
            if cell.type in _GATES:
                self._driver[cell.ports["Y"][0]] = cell
            elif "LATCH" in cell.type or cell.type in ("$_SR_PP_", "$_SR_NN_", "$_SR_PN_", "$_SR_NP_"):
                self._latches.append(self._name(cell.ports["Q"][0]))
        self._number_inputs()
        self._loops: list[str] = []

    def _number_inputs(self) -> None:
        """Port bits, register outputs, then undefined bits: every bit that no gate drives gets a variable."""
        self._literal: dict[Bit, int] = {"0": FALSE, "1": TRUE}
        self._inputs: list[tuple[str, int]] = []
        for port in self._netlist.ports:
            if port.direction == "input":
                for index, bit in enumerate(port.bits):
                    self._inputs.append((port.name, index))
                    self._literal[bit] = 2 * len(self._inputs)
        count = len(self._inputs)
        for cell in self._registers:
            count += 1
            self._literal[cell.ports["Q"][0]] = 2 * count
        self._undefined: list[Undefined] = []
        for bit, reason, src in self._undefined_bits():
            if bit not in self._literal:
                count += 1
                self._literal[bit] = 2 * count
                self._undefined.append(Undefined(count, reason, src))
        self._builder = AigBuilder(count)

    def _undefined_bits(self) -> list[tuple[Bit, str, str]]:
        """Bits that something reads and nothing drives, with why."""
        read: dict[Bit, None] = {}
        for port in self._netlist.ports:
            if port.direction == "output":
                read.update(dict.fromkeys(port.bits))
        for cell in self._netlist.cells:
            for name, bits in cell.ports.items():
                if cell.directions[name] == "input":
                    read.update(dict.fromkeys(bits))
        free: dict[Bit, tuple[str, str]] = {}
        for cell in self._free:
            reason = "division by zero" if "division_by_zero" in cell.name else "x or undriven"
            free.update((bit, (reason, cell.src)) for bit in cell.ports["Y"])
        undriven = ("undriven", "")
        return [(bit, *free.get(bit, undriven)) for bit in read if bit not in self._driver]

    def model(self) -> Model:
        for cell in self._netlist.cells:
            if cell.type in _GATES:
                self._evaluate(cell.ports["Y"][0])
        registers = tuple(self._register(c) for c in self._registers)
        outputs = tuple(
            (port.name, index, self._literal[bit])
            for port in self._netlist.ports
            if port.direction == "output"
            for index, bit in enumerate(port.bits)
        )
        signals = {
            name: tuple(self._literal[b] for b in bits)
            for name, bits in self._netlist.names.items()
            if all(b in self._literal for b in bits)
        }
        return Model(
            self._builder.build(),
            tuple(self._inputs),
            registers,
            tuple(self._undefined),
            outputs,
            signals,
            tuple(dict.fromkeys(self._latches)),
            tuple(dict.fromkeys(self._loops)),
        )

    def _evaluate(self, root: Bit) -> None:
        """Literals of everything `root` needs, depth first without recursion; a loop is cut and noted."""
        literal, open_ = self._literal, set()
        stack = [root]
        while stack:
            bit = stack[-1]
            if bit in literal:
                stack.pop()
                continue
            cell = self._driver[bit]
            needed = [b for port, bits in cell.ports.items() if port != "Y" for b in bits if b not in literal]
            if needed and bit in open_:
                self._loops.append(self._name(bit))
                literal[bit] = FALSE
            elif needed:
                open_.add(bit)
                stack += needed
            else:
                inputs = {port: literal[bits[0]] for port, bits in cell.ports.items() if port != "Y"}
                literal[bit] = _GATES[cell.type](self._builder, inputs)
                stack.pop()

    def _register(self, cell: Cell) -> Register:
        match = _REGISTER.match(cell.type)
        assert match
        kind, clock_edge, second, third = match.groups()
        ports = {name: self._literal[bits[0]] for name, bits in cell.ports.items()}
        output = cell.ports["Q"][0]
        load = load_value = None
        if kind == "DFF" and second:
            load = ports["R"] ^ (second == "N")
            load_value = TRUE if third == "1" else FALSE
        elif kind == "ALDFF":
            load = ports["L"] ^ (second == "N")
            load_value = ports["AD"]
        elif kind == "DFFSR":
            set_, clear = ports["S"] ^ (second == "N"), ports["R"] ^ (third == "N")
            load = self._builder.or_(set_, clear)
            load_value = clear ^ 1
        init = self._netlist.inits.get(output) if isinstance(output, int) else None
        variable = ports["Q"] >> 1
        return Register(self._name(output), variable, ports["D"], ports["C"], clock_edge == "P", init, load, load_value)

    def _name(self, wanted: Bit) -> str:
        """The user's name of a bit, "u.q[3]", or its net number when it has none."""
        return self._names.get(wanted, f"net {wanted}")
