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
from rtl_evolve.verify.algebra.words import Inner, Places, solved

MOST_TERMS = 400_000
FEW_TERMS = 20_000  # beside what the claim itself has: what a first try may use, and an inner number


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
    """What was done: each word's result, the cone they were reduced in, the claims there, the adder facts used."""

    words: tuple[WordResult, ...]
    aig: Aig
    claims: tuple[WordClaim, ...]
    adders: Mapping[int, Adder] = field(default_factory=dict)


def check_words(
    aig: Aig, claims: Sequence[WordClaim], seconds: float, inner: Sequence[Inner] = (), most_terms: int = MOST_TERMS
) -> Reduction:
    """Check each claim; stops looking after `seconds`, leaving the rest without an answer.

    `inner` are numbers that may occur as words inside, the simpler ones first. Those that do are proven first, and
    used.
    """
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
        ways = [Rules(graph, adders, signatures, prover, keep_sums=keep) for keep in (False, True)]
        if inner:
            _use_words(graph, ways, Places(graph, signatures), inner, deadline)
        results = tuple(_check_all_ways(ways, claim, small.inputs, deadline, most_terms) for claim in moved)
    return Reduction(results, small, moved, adders)


def _use_words(graph: Graph, ways: Sequence[Rules], places: Places, inner: Sequence[Inner], deadline: float) -> None:
    """Prove the numbers that occur, within half of the time left for them all."""
    deadline -= (deadline - time.monotonic()) / 2
    for number in inner:
        bits = places.find(number)
        fact = None if bits is None else solved(graph, number, bits)
        if bits is None or fact is None:
            continue
        claim = WordClaim(bits, number.polynomial)
        if _check_all_ways(ways, claim, graph.inputs, deadline, _few_terms(claim)).equal:
            for rules in ways:
                rules.add_word(*fact)


def _few_terms(claim: WordClaim) -> int:
    return 4 * len(claim.polynomial) + FEW_TERMS


def _check_all_ways(
    ways: Sequence[Rules], claim: WordClaim, inputs: int, deadline: float, most_terms: int
) -> WordResult:
    """Each set of rules with few terms, as most of what can be proven stays small; then with all the terms allowed."""
    for most in sorted({min(_few_terms(claim), most_terms), most_terms}):
        for rules in ways:
            result = _check(rules, claim, inputs, deadline, most)
            if result.equal is not None:
                return result
    return WordResult(None)


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
