"""What gates do in a few thousand random vectors: gates that look alike are worth a proof."""

import random
from collections import defaultdict
from collections.abc import Iterable

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

    def lookalikes(self, signature: int) -> list[int]:
        """Literals that have this signature, a few at most, operands of exclusive ors first."""
        known = self._by_value.get(_canonical(signature), [])
        operands = self._graph.operands
        first = sorted(known, key=lambda k: (k not in operands, -k))[:LOOKALIKES]
        return [2 * k + (self.values[k] != signature) for k in first]


class Patterns:
    """Mostly even random bits, with a quarter of the vectors sparse or dense so that rare carries happen."""

    def __init__(self, seed: int) -> None:
        self._rng = random.Random(seed)

    def next(self) -> int:
        even, skewed = VECTORS * 3 // 4, VECTORS // 8
        bits = self._rng.getrandbits
        sparse = bits(skewed) & bits(skewed)
        dense = bits(skewed) | bits(skewed)
        return bits(even) | sparse << even | dense << even + skewed


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
