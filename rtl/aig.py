"""And-inverter graphs: the bit-level form that simulation and proof share.

A literal is twice a variable plus one when inverted. Variable 0 is constant false; variables 1 to `inputs` are the
inputs; the AND gates follow in topological order.
"""

from collections.abc import Sequence
from dataclasses import dataclass

FALSE = 0
TRUE = 1


@dataclass(frozen=True)
class Aig:
    """AND gate k (from 0) is variable `inputs + 1 + k`, the conjunction of literals `fanin0[k]` and `fanin1[k]`."""

    inputs: int
    fanin0: tuple[int, ...]
    fanin1: tuple[int, ...]

    @property
    def variables(self) -> int:
        """Number of variables, the constant included."""
        return 1 + self.inputs + len(self.fanin0)

    def simulate(self, patterns: Sequence[int], width: int) -> list[int]:
        """Value of every variable for `width` input vectors at once.

        `patterns` holds one integer an input, bit v of it being the input's value in vector v. Python's integers are
        the fastest bit vectors at hand: one operation a gate for thousands of vectors.
        """
        full = (1 << width) - 1
        values = [0, *patterns]
        append = values.append
        for a, b in zip(self.fanin0, self.fanin1, strict=True):
            x = values[a >> 1]
            y = values[b >> 1]
            if a & 1:
                x ^= full
            append((x & (y ^ full)) if b & 1 else x & y)
        return values


def value(values: Sequence[int], literal: int, width: int) -> int:
    """A literal's vector of values, from what `simulate` gave."""
    x = values[literal >> 1]
    return x ^ ((1 << width) - 1) if literal & 1 else x


class AigBuilder:
    """Builds an `Aig` gate by gate, with constants folded and equal gates shared."""

    def __init__(self, inputs: int = 0) -> None:
        self._inputs = inputs
        self._fanin0: list[int] = []
        self._fanin1: list[int] = []
        self._known: dict[tuple[int, int], int] = {}

    def input(self, index: int) -> int:
        """Literal of input `index`, from 0."""
        return 2 * (index + 1)

    def and_(self, a: int, b: int) -> int:
        if a < b:
            a, b = b, a
        if b == FALSE or a == b ^ 1:
            return FALSE
        if b == TRUE or a == b:
            return a
        known = self._known.get((a, b))
        if known is None:
            self._fanin0.append(a)
            self._fanin1.append(b)
            known = self._known[a, b] = 2 * (self._inputs + len(self._fanin0))
        return known

    def or_(self, a: int, b: int) -> int:
        return self.and_(a ^ 1, b ^ 1) ^ 1

    def xor(self, a: int, b: int) -> int:
        return self.or_(self.and_(a, b ^ 1), self.and_(a ^ 1, b))

    def mux(self, select: int, then: int, otherwise: int) -> int:
        """`then` where `select` is true."""
        if then == otherwise:
            return then
        return self.or_(self.and_(select, then), self.and_(select ^ 1, otherwise))

    def copy(self, aig: Aig, inputs: Sequence[int]) -> list[int]:
        """Add another graph whose inputs are the given literals; returns this graph's literal for each variable."""
        literals = [FALSE, *inputs]
        for a, b in zip(aig.fanin0, aig.fanin1, strict=True):
            literals.append(self.and_(literals[a >> 1] ^ (a & 1), literals[b >> 1] ^ (b & 1)))
        return literals

    def build(self) -> Aig:
        return Aig(self._inputs, tuple(self._fanin0), tuple(self._fanin1))
