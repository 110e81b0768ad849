"""A cone of an and-inverter graph, with what the search for adders needs: fan-out, exclusive ors, small functions."""

from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cached_property

from rtl_evolve.rtl.aig import Aig, AigBuilder

SMALL_SUPPORT = 6  # inputs a gate may depend on to be given its polynomial from its truth table


@dataclass(frozen=True)
class Select:
    """A gate that equals `then` where `select` is true, else `otherwise` (all literals)."""

    select: int
    then: int
    otherwise: int


class Graph:
    """Gates by variable number; `fanin0` and `fanin1` are zero for the constant and the inputs."""

    def __init__(self, aig: Aig) -> None:
        self.inputs = aig.inputs
        self.aig = aig
        self.fanin0 = [0] * (1 + aig.inputs) + list(aig.fanin0)
        self.fanin1 = [0] * (1 + aig.inputs) + list(aig.fanin1)

    @property
    def size(self) -> int:
        return len(self.fanin0)

    def is_gate(self, variable: int) -> bool:
        return variable > self.inputs

    @cached_property
    def readers(self) -> list[list[int]]:
        """The gates that read each variable."""
        readers: list[list[int]] = [[] for _ in range(self.size)]
        for variable in range(1 + self.inputs, self.size):
            readers[self.fanin0[variable] >> 1].append(variable)
            readers[self.fanin1[variable] >> 1].append(variable)
        return readers

    def near(self, variable: int, steps: int = 3, most: int = 60) -> set[int]:
        """Gates that a variable reaches in few steps, not many of them."""
        found: set[int] = set()
        front = [variable]
        for _ in range(steps):
            front = [reader for v in front for reader in self.readers[v] if reader not in found]
            found.update(front)
            if len(found) > most:
                break
        return found

    @cached_property
    def levels(self) -> list[int]:
        """Longest path from the inputs, in gates."""
        level = [0] * self.size
        for variable in range(1 + self.inputs, self.size):
            level[variable] = 1 + max(level[self.fanin0[variable] >> 1], level[self.fanin1[variable] >> 1])
        return level

    @cached_property
    def selects(self) -> dict[int, Select]:
        """Multiplexers; an exclusive or of a and b is the select of a between not-b and b."""
        found: dict[int, Select] = {}
        f0, f1, first = self.fanin0, self.fanin1, 1 + self.inputs
        for variable in range(first, self.size):
            a, b = f0[variable], f1[variable]
            if not (a & b & 1) or (a >> 1) < first or (b >> 1) < first:
                continue
            u, w = a >> 1, b >> 1
            for s, t in ((f0[u], f1[u]), (f1[u], f0[u])):
                if s ^ 1 == f0[w]:
                    found[variable] = Select(s, t ^ 1, f1[w] ^ 1)
                elif s ^ 1 == f1[w]:
                    found[variable] = Select(s, t ^ 1, f0[w] ^ 1)
                else:
                    continue
                if self.is_xor(found[variable]):
                    break
        return found

    @staticmethod
    def is_xor(select: Select) -> bool:
        return select.then == select.otherwise ^ 1

    @cached_property
    def xors(self) -> dict[int, tuple[int, int]]:
        """For each exclusive or its two literals (the gate is their exclusive or exactly)."""
        return {v: (s.select, s.otherwise) for v, s in self.selects.items() if self.is_xor(s)}

    @cached_property
    def operands(self) -> frozenset[int]:
        """Variables that an exclusive or reads."""
        return frozenset(lit >> 1 for pair in self.xors.values() for lit in pair)

    @cached_property
    def operands_below(self) -> list[int]:
        """The operands in the cone of each variable, a bit each (see `operand_bit`)."""
        below = [self.operand_bit.get(variable, 0) for variable in range(1 + self.inputs)]
        for variable in range(1 + self.inputs, self.size):
            own = self.operand_bit.get(variable, 0)
            below.append(own | below[self.fanin0[variable] >> 1] | below[self.fanin1[variable] >> 1])
        return below

    @cached_property
    def operand_bit(self) -> dict[int, int]:
        return {variable: 1 << i for i, variable in enumerate(sorted(self.operands))}

    @cached_property
    def small_supports(self) -> list[frozenset[int] | None]:
        """The inputs a variable depends on, where they are few."""
        return self.supports(frozenset())

    def supports(self, cuts: AbstractSet[int]) -> list[frozenset[int] | None]:
        """The inputs and `cuts` a variable is computed from, where they are few."""
        supports: list[frozenset[int] | None] = [frozenset()]
        supports += [frozenset((v,)) for v in range(1, 1 + self.inputs)]
        for variable in range(1 + self.inputs, self.size):
            a, b = supports[self.fanin0[variable] >> 1], supports[self.fanin1[variable] >> 1]
            union = None if a is None or b is None else a | b
            if variable in cuts:
                union = frozenset((variable,))
            supports.append(union if union is not None and len(union) <= SMALL_SUPPORT else None)
        return supports

    def truth_table(self, variable: int, leaves: Sequence[int], most_gates: int = 64) -> int | None:
        """The function of a variable over `leaves` (variables), or None where its cone has other leaves or is large."""
        full = (1 << (1 << len(leaves))) - 1
        values = {0: 0} | {leaf: projection(i, len(leaves)) for i, leaf in enumerate(leaves)}
        stack = [variable]
        budget = most_gates
        while stack:
            top = stack[-1]
            if top in values:
                stack.pop()
                continue
            if not self.is_gate(top):
                return None
            a, b = self.fanin0[top], self.fanin1[top]
            missing = [lit >> 1 for lit in (a, b) if lit >> 1 not in values]
            if missing:
                stack += missing
                continue
            budget -= 1
            if budget < 0:
                return None
            values[top] = (values[a >> 1] ^ (full if a & 1 else 0)) & (values[b >> 1] ^ (full if b & 1 else 0))
            stack.pop()
        return values[variable]


def projection(index: int, count: int) -> int:
    """Truth table of variable `index` among `count`."""
    half = 1 << index
    block = ((1 << half) - 1) << half
    return sum(block << start for start in range(0, 1 << count, 2 * half))


def cone(aig: Aig, roots: Iterable[int]) -> tuple[Aig, list[int]]:
    """Only what the root literals need, rebuilt with equal gates shared; inputs keep their numbers."""
    needed = bytearray(aig.variables)
    roots = list(roots)
    for root in roots:
        needed[root >> 1] = 1
    base = 1 + aig.inputs
    for gate in range(len(aig.fanin0) - 1, -1, -1):
        if needed[base + gate]:
            needed[aig.fanin0[gate] >> 1] = needed[aig.fanin1[gate] >> 1] = 1
    builder = AigBuilder(aig.inputs)
    literals = [2 * v for v in range(base)] + [0] * len(aig.fanin0)
    for gate, (a, b) in enumerate(zip(aig.fanin0, aig.fanin1, strict=True)):
        if needed[base + gate]:
            literals[base + gate] = builder.and_(literals[a >> 1] ^ (a & 1), literals[b >> 1] ^ (b & 1))
    return builder.build(), [literals[root >> 1] ^ (root & 1) for root in roots]
