"""Numbers inside a cone: where a polynomial's bits are found among the gates, and what knowing them is good for.

A product that is right modulo 2^n and known to be less than 2^n equals its n bits as an integer. That is more than its
gates alone give away (the carries they drop), and what a wider sum it goes into needs.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rtl_evolve.verify.algebra.graph import Graph
from rtl_evolve.verify.algebra.polynomial import Monomial, Polynomial, add_to, constant, literal
from rtl_evolve.verify.algebra.signatures import Signatures

_LANES = 128  # simulation vectors a number's bits are looked for in; the first, evenly random ones


@dataclass(frozen=True)
class Inner:
    """A number that may occur inside: a polynomial of the inputs, which as an integer lies in `low` to `high`."""

    polynomial: Mapping[Monomial, int]
    low: int
    high: int

    @property
    def signed(self) -> bool:
        return self.low < 0

    @property
    def width(self) -> int:
        """Bits of the shortest word that holds all its values."""
        return max(self.high.bit_length(), (-self.low - 1).bit_length()) + 1 if self.signed else self.high.bit_length()

    def of_bits(self, bits: Sequence[int]) -> Polynomial:
        """The integer a word of these literals stands for, unsigned or two's complement as the number is."""
        total: Polynomial = {}
        for position, bit in enumerate(bits):
            weight = 1 << position
            add_to(total, literal(bit, -weight if self.signed and position == len(bits) - 1 else weight))
        return total


class Places:
    """Finds gates by what they do in the signatures' vectors."""

    def __init__(self, graph: Graph, signatures: Signatures) -> None:
        self._graph, self._signatures = graph, signatures
        self._lanes = (1 << _LANES) - 1
        self._known: dict[int, list[int]] = defaultdict(list)
        likely = sorted(range(graph.size), key=lambda v: (v not in graph.operands, graph.levels[v]))
        for variable in likely:
            value = signatures.values[variable] & self._lanes
            self._known[value].append(2 * variable)
            self._known[value ^ self._lanes].append(2 * variable + 1)

    def find(self, inner: Inner) -> tuple[int, ...] | None:
        """Literals that look like the number's bits, lowest first."""
        values = [0] * _LANES
        for monomial, coefficient in inner.polynomial.items():
            where = self._lanes
            for variable in monomial:
                where &= self._signatures.values[variable]
            while where:
                lowest = where & -where
                values[lowest.bit_length() - 1] += coefficient
                where ^= lowest
        found = []
        for position in range(inner.width):
            pattern = sum((number >> position & 1) << lane for lane, number in enumerate(values))
            same = self._known.get(pattern)
            if same is None:
                return None
            # top bits often look alike; they are different gates then, the higher ones farther from the inputs
            found.append(next((lit for lit in same if lit not in found), same[-1]))
        return tuple(found)


def solved(graph: Graph, inner: Inner, bits: Sequence[int]) -> tuple[int, Polynomial] | None:
    """A gate of a proven word in terms of the word's other bits and its polynomial; None where there is no such gate.

    Below the first bit that is a gate there may be inputs and constants, as in a square. What is left must then be
    divisible by that bit's weight.
    """
    for position, bit in enumerate(bits):
        if not graph.is_gate(bit >> 1):
            continue
        if position == len(bits) - 1 and inner.signed:
            return None
        rest = add_to(dict(inner.polynomial), inner.of_bits(bits), -1)
        add_to(rest, literal(bit, 1 << position))
        if any(coefficient % (1 << position) for coefficient in rest.values()):
            return None
        value: Polynomial = {monomial: coefficient >> position for monomial, coefficient in rest.items()}
        if frozenset((bit >> 1,)) in value:
            return None  # the gate stands for several bits of the word
        return bit >> 1, add_to(constant(1), value, -1) if bit & 1 else value
    return None
