"""What gates do in a few thousand random vectors: gates that look alike are worth a proof."""

import random
from collections import defaultdict
from collections.abc import Iterable, Sequence

from rtl_evolve.verify.algebra.graph import Graph

VECTORS = 2048
MASK = (1 << VECTORS) - 1
LOOKALIKES = 4


class Signatures:
    """The graph's gates simulated, with `leaves` free: given random values of their own instead of what they compute.

    Above the right leaves a carry that hardly ever happens in the whole circuit happens often.
    """

    def __init__(self, graph: Graph, leaves: Iterable[int] = (), seed: int = 1) -> None:
        self._graph = graph
        patterns = Patterns(seed)
        inputs = [patterns.next() for _ in range(graph.inputs)]
        free = {leaf: patterns.next() for leaf in sorted(leaves) if graph.is_gate(leaf)}
        self.values = _simulate(graph, inputs, free) if free else graph.aig.simulate(inputs, VECTORS)
        self._by_value: dict[int, list[int]] = defaultdict(list)
        for variable in range(1, graph.size):
            self._by_value[_canonical(self.values[variable])].append(variable)

    def of(self, lit: int) -> int:
        return self.values[lit >> 1] ^ MASK if lit & 1 else self.values[lit >> 1]

    def lookalikes(self, signature: int, addends: Sequence[int]) -> list[int]:
        """Literals that have this signature: operands of exclusive ors first.

        Where many gates look alike, as those that are hardly ever true, the addends must be found in their cones:
        gates near the last addend come first, then the few that have the least above the addends.
        """
        known = self._by_value.get(_canonical(signature), [])
        operands = self._graph.operands
        order = sorted(known, key=lambda k: (k not in operands, -k))
        if len(known) > LOOKALIKES:
            bits = sum(self._graph.operand_bit[lit >> 1] for lit in addends)
            near = self._graph.near(addends[-1] >> 1)
            above = [k for k in order[::-1] if bits & self._graph.operands_below[k] and k not in near]
            above.sort(key=lambda k: k not in operands)
            order = [k for k in order if k in near] + above[:LOOKALIKES]
        return [2 * k + (self.values[k] != signature) for k in order]


class Patterns:
    """Even random bits in half of the vectors; in the rest ones are rare, seldom, common or nearly everywhere, so that
    long chains of carries happen too."""

    def __init__(self, seed: int) -> None:
        self._bits = random.Random(seed).getrandbits

    def next(self) -> int:
        part = VECTORS // 8
        total, at = self._bits(VECTORS // 2), VECTORS // 2
        for draws in (2, 4):
            sparse, dense = self._bits(part), self._bits(part)
            for _ in range(draws - 1):
                sparse &= self._bits(part)
                dense |= self._bits(part)
            total |= sparse << at | dense << at + part
            at += 2 * part
        return total


def _simulate(graph: Graph, inputs: list[int], free: dict[int, int]) -> list[int]:
    values = [0, *inputs]
    for variable in range(1 + graph.inputs, graph.size):
        if variable in free:
            values.append(free[variable])
            continue
        a, b = graph.fanin0[variable], graph.fanin1[variable]
        x, y = values[a >> 1], values[b >> 1]
        values.append((x ^ MASK if a & 1 else x) & (y ^ MASK if b & 1 else y))
    return values


def _canonical(signature: int) -> int:
    """The same number for a function and its complement."""
    return signature ^ MASK if signature & 1 else signature
