"""Gates that a circuit generator draws with: straight into an and-inverter graph, or as Verilog text."""

from collections.abc import Sequence
from typing import Any, Protocol

from rtl_evolve.rtl.aig import AigBuilder

Bit = Any  # an and-inverter literal, or a Verilog expression
Bits = list[Bit]


class Gates(Protocol):
    """Constants `zero` and `one`, and gates that fold them."""

    zero: Bit
    one: Bit

    def and_(self, a: Bit, b: Bit) -> Bit: ...

    def or_(self, a: Bit, b: Bit) -> Bit: ...

    def xor(self, a: Bit, b: Bit) -> Bit: ...

    def not_(self, a: Bit) -> Bit: ...

    def mux(self, select: Bit, then: Bit, otherwise: Bit) -> Bit: ...


class AigGates:
    """Draws into `builder`; input words are taken in the order they are asked for."""

    zero: Bit = 0
    one: Bit = 1

    def __init__(self, inputs: int) -> None:
        self.builder = AigBuilder(inputs)
        self._next = 0

    def word(self, width: int) -> Bits:
        start, self._next = self._next, self._next + width
        return [self.builder.input(i) for i in range(start, start + width)]

    def and_(self, a: Bit, b: Bit) -> Bit:
        return self.builder.and_(a, b)

    def or_(self, a: Bit, b: Bit) -> Bit:
        return self.builder.or_(a, b)

    def xor(self, a: Bit, b: Bit) -> Bit:
        return self.builder.xor(a, b)

    def not_(self, a: Bit) -> Bit:
        return a ^ 1

    def mux(self, select: Bit, then: Bit, otherwise: Bit) -> Bit:
        return self.builder.mux(select, then, otherwise)


class VerilogGates:
    """Writes one wire a gate; `module` wraps them up."""

    zero: Bit = "1'b0"
    one: Bit = "1'b1"

    def __init__(self) -> None:
        self._lines: list[str] = []
        self._ports: list[str] = []

    def word(self, name: str, width: int) -> Bits:
        self._ports.append(f"input [{width - 1}:0] {name}")
        return [f"{name}[{i}]" for i in range(width)]

    def module(self, outputs: dict[str, Bits]) -> str:
        """The module `top` with the given output words."""
        ports = self._ports + [f"output [{len(bits) - 1}:0] {name}" for name, bits in outputs.items()]
        drive = [f"  assign {name} = {{{', '.join(reversed(bits))}}};" for name, bits in outputs.items()]
        return "\n".join([f"module top({', '.join(ports)});", *self._lines, *drive, "endmodule", ""])

    def _wire(self, expression: str) -> Bit:
        name = f"n{len(self._lines)}"
        self._lines.append(f"  wire {name} = {expression};")
        return name

    def and_(self, a: Bit, b: Bit) -> Bit:
        if self.zero in (a, b):
            return self.zero
        if self.one in (a, b):
            return b if a == self.one else a
        return self._wire(f"{a} & {b}")

    def or_(self, a: Bit, b: Bit) -> Bit:
        if self.one in (a, b):
            return self.one
        if self.zero in (a, b):
            return b if a == self.zero else a
        return self._wire(f"{a} | {b}")

    def xor(self, a: Bit, b: Bit) -> Bit:
        if a in (self.zero, self.one):
            a, b = b, a
        if b == self.zero:
            return a
        return self.not_(a) if b == self.one else self._wire(f"{a} ^ {b}")

    def not_(self, a: Bit) -> Bit:
        return {self.zero: self.one, self.one: self.zero}.get(a) or self._wire(f"~{a}")

    def mux(self, select: Bit, then: Bit, otherwise: Bit) -> Bit:
        return self._wire(f"{select} ? {then} : {otherwise}")


def pad(gates: Gates, bits: Sequence[Bit], width: int) -> Bits:
    """Cut or extended with zeros."""
    return [*bits[:width], *[gates.zero] * (width - len(bits))]
