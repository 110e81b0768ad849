"""Finds the full and half adders of a cone: exclusive ors by structure, their carries by simulation, then proof.

A sum bit is x ^ y ^ c for two operand bits and a carry, in a ripple adder as in any prefix adder; the majority of the
three is the next carry, wherever and however the circuit computes it. So the signature of that majority leads to the
carry, and each such fact is proven before anyone relies on it.
"""

from collections.abc import Iterable, Iterator

from rtl_evolve.verify.algebra.facts import Adder, FactProver, holds_locally
from rtl_evolve.verify.algebra.graph import MASK, Graph, canonical

CHOICES = 4  # gates with the same signature that are tried as one carry


def find_adders(graph: Graph) -> dict[int, Adder]:
    """Proven adders by the variable of their sum."""
    proven: dict[int, Adder] = {}
    unclear: dict[int, list[Adder]] = {}
    for variable, candidates in full_adders(graph).items():
        local = next((adder for adder in candidates if holds_locally(graph, adder)), None)
        if local is None:
            unclear[variable] = candidates
        else:
            proven[variable] = local
    proven |= _prove_by_sat(graph, unclear)
    for variable in graph.xors:
        if variable not in proven:
            half = next((adder for adder in half_adders(graph, variable) if holds_locally(graph, adder)), None)
            if half is not None:
                proven[variable] = half
    return proven


def full_adders(graph: Graph) -> dict[int, list[Adder]]:
    """Triples that add up to a sum variable, with a gate that looks like their majority; likeliest first."""
    operands = {lit >> 1 for pair in graph.xors.values() for lit in pair}
    found: dict[int, list[Adder]] = {}
    for variable in graph.xors:
        adders = [adder for triple in triples(graph, variable) for adder in _with_carry(graph, *triple, operands)]
        if adders:
            found[variable] = adders
    return found


def triples(graph: Graph, variable: int) -> Iterator[tuple[int, tuple[int, int, int]]]:
    """Three literals x, y, c with their sum literal, for an exclusive or one of whose operands is one too."""
    a, b = graph.xors[variable]
    for inner, c in ((a, b), (b, a)):
        pair = graph.xors.get(inner >> 1)
        if pair is not None and len({pair[0] >> 1, pair[1] >> 1, c >> 1}) == 3:
            yield 2 * variable ^ (inner & 1), (pair[0], pair[1], c)


def _with_carry(graph: Graph, total: int, triple: tuple[int, int, int], operands: set[int]) -> Iterator[Adder]:
    x, y, z = triple
    sx, sy, sz = (graph.signature(lit) for lit in triple)
    either, both = sx | sy, sx & sy
    nor, mixed = either ^ MASK, sx ^ sy
    # majorities of z with x, y in each polarity: generate | (z & not kill)
    for flip_x, flip_y, generate, alive in (
        (0, 0, both, either),
        (1, 1, nor, both ^ MASK),
        (0, 1, sx & mixed, sy ^ MASK | sx),
        (1, 0, sy & mixed, sx ^ MASK | sy),
    ):
        wanted = generate | sz & alive
        known = [k for k in graph.by_signature.get(canonical(wanted), ()) if 2 * k ^ total > 1]
        known = [k for k in known if k not in (x >> 1, y >> 1, z >> 1)]
        known.sort(key=lambda k: (k not in operands, -k))
        for k in known[:CHOICES]:
            inverted = graph.signatures[k] != wanted
            yield Adder(total ^ flip_x ^ flip_y, (x ^ flip_x, y ^ flip_y, z), 2 * k + inverted)


def half_adders(graph: Graph, variable: int) -> Iterator[Adder]:
    """Conjunctions of an exclusive or's two operands, those used outside it first."""
    a, b = graph.xors[variable]
    found = []
    for flip_a in (0, 1):
        for flip_b in (0, 1):
            x, y = a ^ flip_a, b ^ flip_b
            wanted = graph.signature(x) & graph.signature(y)
            for k in graph.by_signature.get(canonical(wanted), ()):
                if k not in (variable, a >> 1, b >> 1):
                    inverted = graph.signatures[k] != wanted
                    found.append(Adder(2 * variable ^ flip_a ^ flip_b, (x, y), 2 * k + inverted))
    yield from sorted(found, key=lambda adder: graph.fanout[adder.carry >> 1] < 2)


def _prove_by_sat(graph: Graph, unclear: dict[int, list[Adder]]) -> dict[int, Adder]:
    """Carries computed far from their sums, as in prefix adders: first with the operands left free, then in full."""
    if not unclear:
        return {}
    carries = {adder.carry >> 1 for adders in unclear.values() for adder in adders}
    operands = {v for adders in unclear.values() for v in adders[0].variables[:2]} - carries
    proven = _ask(graph, unclear, operands)
    rest = {variable: adders for variable, adders in unclear.items() if variable not in proven}
    return proven | (_ask(graph, rest, ()) if rest else {})


def _ask(graph: Graph, unclear: dict[int, list[Adder]], leaves: Iterable[int]) -> dict[int, Adder]:
    proven: dict[int, Adder] = {}
    with FactProver(graph, frozenset(leaves)) as prover:
        for variable in sorted(unclear, key=lambda v: max(v, unclear[v][0].carry >> 1)):
            for adder in unclear[variable]:
                if not prover.is_leaf(adder.carry >> 1) and prover.prove(adder):
                    proven[variable] = adder
                    break
    return proven
