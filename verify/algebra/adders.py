"""Finds the full and half adders of a cone: exclusive ors by structure, their carries by simulation, then proof.

A sum bit is x ^ y ^ c for two operand bits and a carry, in a ripple adder as in any prefix adder; the majority of the
three is the next carry, wherever and however the circuit computes it. So the signature of that majority leads to the
carry, and each such fact is proven before anyone relies on it.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet

from rtl_evolve.rtl.aig import FALSE
from rtl_evolve.verify.algebra.facts import Adder, FactProver, holds_locally, never_both
from rtl_evolve.verify.algebra.graph import Graph
from rtl_evolve.verify.algebra.signatures import LOOKALIKES, MASK, Signatures

QUESTIONS = 12  # likely carries of one sum that are put to the solver, where operands are left free


def find_adders(graph: Graph, plain: Signatures) -> dict[int, Adder]:
    """Proven adders by the variable of their sum; `plain` are the signatures with no leaves free."""
    proven: dict[int, Adder] = {}
    unclear: dict[int, list[Adder]] = {}
    for variable in graph.xors:
        adders = adders_of(graph, plain, variable)
        local = next((adder for adder in likely(graph, adders) if holds_locally(graph, adder)), None)
        if local is None:
            unclear[variable] = adders
        else:
            proven[variable] = local
    for leaves in leaf_sets(graph, unclear, proven):
        proven |= _ask(graph, [v for v in unclear if v not in proven], leaves)
    for variable, adders in unclear.items():
        local = next((adder for adder in adders if holds_locally(graph, adder)), None)
        if variable not in proven and local is not None:
            proven[variable] = local
    return proven


def likely(graph: Graph, adders: Sequence[Adder]) -> Sequence[Adder]:
    """The adders to settle for without a closer look: those whose carry something adds up again.

    A carry that skips a block, for one, equals the block's own carry, but is the one that goes on. Where nearly all
    gates look alike such a choice means nothing, and a half adder is as good.
    """
    full = [adder for adder in adders if len(adder.addends) == 3]
    read = [adder for adder in adders if adder.carry >> 1 in graph.operands]
    if len({adder.carry >> 1 for adder in full}) > LOOKALIKES:
        return full + read
    return [adder for adder in read if len(adder.addends) == 3 or not full] or adders[:1]


def adders_of(graph: Graph, signatures: Signatures, variable: int) -> list[Adder]:
    """What looks like the adder whose sum a variable is: full adders first, likely carries first."""
    full = [a for triple in triples(graph, variable) for a in _full_adders(graph, signatures, *triple)]
    return full + _half_adders(graph, signatures, variable)


def triples(graph: Graph, variable: int) -> Iterator[tuple[int, tuple[int, int, int]]]:
    """Three literals x, y, c with their sum literal, for an exclusive or one of whose operands is one too."""
    a, b = graph.xors[variable]
    for inner, c in ((a, b), (b, a)):
        pair = graph.xors.get(inner >> 1)
        if pair is not None and len({pair[0] >> 1, pair[1] >> 1, c >> 1}) == 3:
            yield 2 * variable ^ (inner & 1), (pair[0], pair[1], c)


def _full_adders(graph: Graph, signatures: Signatures, total: int, triple: tuple[int, int, int]) -> Iterator[Adder]:
    x, y, z = triple
    sx, sy, sz = (signatures.of(lit) for lit in triple)
    # majorities of z with x, y in each polarity: both | (z & either)
    for flip_x, flip_y, both, either in (
        (0, 0, sx & sy, sx | sy),
        (1, 1, (sx | sy) ^ MASK, (sx & sy) ^ MASK),
        (0, 1, sx & ~sy, (sy & ~sx) ^ MASK),
        (1, 0, sy & ~sx, (sx & ~sy) ^ MASK),
    ):
        for carry in signatures.lookalikes(both | sz & either, triple):
            if carry >> 1 not in (x >> 1, y >> 1, z >> 1, total >> 1):
                yield Adder(total ^ flip_x ^ flip_y, (x ^ flip_x, y ^ flip_y, z), carry)


def _half_adders(graph: Graph, signatures: Signatures, variable: int) -> list[Adder]:
    """Conjunctions of an exclusive or's two operands that are used outside it."""
    a, b = graph.xors[variable]
    own = graph.fanin0[variable] >> 1, graph.fanin1[variable] >> 1
    ordered = sorted((a, b), key=lambda lit: graph.levels[lit >> 1])
    found = []
    for flip_a in (0, 1):
        for flip_b in (0, 1):
            x, y = a ^ flip_a, b ^ flip_b
            both = signatures.of(x) & signatures.of(y)
            if not both and never_both(graph, x, y):
                return [Adder(2 * variable ^ flip_a ^ flip_b, (x, y), FALSE)]
            for carry in signatures.lookalikes(both, ordered):
                k = carry >> 1
                if k not in (variable, a >> 1, b >> 1) and (k not in own or len(graph.readers[k]) > 1):
                    found.append(Adder(2 * variable ^ flip_a ^ flip_b, (x, y), carry))
    return sorted(found, key=lambda adder: adder.carry >> 1 not in graph.operands)


def leaf_sets(graph: Graph, unclear: Iterable[int], proven: Mapping[int, Adder]) -> Iterator[frozenset[int]]:
    """Guesses where the adders with far carries begin: their operand bits, which may then be left free.

    Of three addends the operands are the two that are added first; of two see `operand_and_carry`. A carry out of a known adder leads to that adder's operands.
    """
    known = {lit >> 1 for adder in proven.values() for lit in (adder.sum, adder.carry)}
    by_carry = {adder.carry >> 1: adder for adder in proven.values()}
    operands: set[int] = set()
    carries: set[int] = set()
    nearer: set[int] = set()

    def split(low: tuple[int, ...], carry: int) -> None:
        operands.update(low)
        while carry not in carries:
            carries.add(carry)
            below = by_carry.get(carry)
            if below is None:
                break
            a, *rest = below.variables
            low, carry = (
                ((a, rest[0]), rest[1]) if len(rest) == 2 else operand_and_carry(graph, known, by_carry, a, rest[0])
            )
            operands.update(low)

    for variable in unclear:
        a, b = (lit >> 1 for lit in graph.xors[variable])
        found = [triple for _, triple in triples(graph, variable)]
        for x, y, c in found:
            split((x >> 1, y >> 1), c >> 1)
        if not found:
            split(*operand_and_carry(graph, known, by_carry, a, b))
        nearer.add(min(a, b, key=graph.levels.__getitem__))
    yield frozenset(operands - carries)
    yield frozenset(operands - carries | nearer)
    yield frozenset()


def operand_and_carry(
    graph: Graph, known: AbstractSet[int], carries: Mapping[int, Adder], a: int, b: int
) -> tuple[tuple[int], int]:
    """Which of two addends is the carry in: one that comes out of no known adder, or is a known adder's carry."""
    for chosen in (a not in known, b not in known), (a in carries, b in carries):
        if chosen[0] != chosen[1]:
            return ((b,), a) if chosen[0] else ((a,), b)
    return ((a,), b) if graph.levels[a] < graph.levels[b] else ((b,), a)


def _ask(graph: Graph, variables: Sequence[int], leaves: AbstractSet[int]) -> dict[int, Adder]:
    """The first adder of each sum that can be proven with the leaves left free; adders near the inputs come first."""
    proven: dict[int, Adder] = {}
    most = QUESTIONS if leaves else QUESTIONS // 4
    if not variables:
        return proven
    signatures = Signatures(graph, leaves)
    questions = {v: adders for v in variables if (adders := adders_of(graph, signatures, v))}
    with FactProver(graph, leaves) as prover:
        for variable in sorted(questions, key=lambda v: max(v, questions[v][0].carry >> 1)):
            for adder in questions[variable][:most]:
                if not prover.is_leaf(adder.carry >> 1) and prover.prove(adder):
                    proven[variable] = adder
                    break
    return proven
