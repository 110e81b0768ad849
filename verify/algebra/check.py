"""A cone against its specification: do these output words equal these polynomials of the inputs, for all inputs?"""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice

from rtl_evolve.rtl.aig import Aig
from rtl_evolve.verify.algebra.adders import find_adders
from rtl_evolve.verify.algebra.facts import Adder, FactProver
from rtl_evolve.verify.algebra.graph import Graph, cone
from rtl_evolve.verify.algebra.polynomial import Monomial, Polynomial, add_to, weighted_sum
from rtl_evolve.verify.algebra.reduce import TooLarge, reduce
from rtl_evolve.verify.algebra.rules import Rules, Step
from rtl_evolve.verify.algebra.signatures import Signatures

MOST_TERMS = 400_000


@dataclass(frozen=True)
class WordClaim:
    """The number with bits `literals` (lowest first, n of them) equals `polynomial` of the inputs modulo 2^n.

    `other`, a second word of the same width, is added to the polynomial.
    """

    literals: tuple[int, ...]
    polynomial: Mapping[Monomial, int]
    other: tuple[int, ...] = ()


@dataclass(frozen=True)
class WordResult:
    """`equal` true: proven; false: `witness` (values of the inputs by variable) shows a difference; None: no answer.

    `steps` are the substitutions that reduced the difference to nothing, for a checker to repeat.
    """

    equal: bool | None
    witness: Mapping[int, int] | None = None
    steps: tuple[Step, ...] = ()


@dataclass(frozen=True)
class Reduction:
    """What was done for all words: the cone they were reduced in (and the claims there), the adder facts used, and each word's result."""

    words: tuple[WordResult, ...]
    aig: Aig
    claims: tuple[WordClaim, ...]
    adders: Mapping[int, Adder] = field(default_factory=dict)


def check_words(aig: Aig, claims: Sequence[WordClaim], seconds: float, most_terms: int = MOST_TERMS) -> Reduction:
    """Check each claim; stops looking after `seconds`, leaving the rest without an answer."""
    deadline = time.monotonic() + seconds
    small, flat = cone(aig, [lit for claim in claims for lit in claim.literals + claim.other])
    rest = iter(flat)
    moved = tuple(
        WordClaim(tuple(islice(rest, len(claim.literals))), claim.polynomial, tuple(islice(rest, len(claim.other))))
        for claim in claims
    )
    graph = Graph(small)
    signatures = Signatures(graph)
    adders = find_adders(graph, signatures)
    with FactProver(graph) as prover:
        rules = Rules(graph, adders, signatures, prover)
        results = tuple(_check(rules, claim, small.inputs, deadline, most_terms) for claim in moved)
    return Reduction(results, small, moved, adders)


def _check(rules: Rules, claim: WordClaim, inputs: int, deadline: float, most_terms: int) -> WordResult:
    order = rules.order(claim.literals + claim.other)
    difference = add_to(weighted_sum(claim.literals), claim.polynomial, -1)
    add_to(difference, weighted_sum(claim.other), -1)
    width = len(claim.literals)
    try:
        left, steps = reduce(difference, order, rules.step, width, deadline=deadline, most_terms=most_terms)
    except TooLarge:
        return WordResult(None)
    if not left:
        return WordResult(True, steps=tuple(steps))
    return WordResult(False, witness(left, inputs))


def witness(difference: Polynomial, inputs: int) -> dict[int, int]:
    """Inputs where a polynomial that is not zero differs from zero: those of a smallest monomial one, the rest zero."""
    ones = min(difference, key=lambda monomial: (len(monomial), sorted(monomial)))
    return {v: int(v in ones) for v in range(1, 1 + inputs)}
