"""Algebra: proves pairs of words equal by reducing both sides to polynomials of the inputs modulo 2^n."""

import time
from collections.abc import Mapping

from rtl_evolve.verify.algebra.check import WordClaim, check_words
from rtl_evolve.verify.algebra.specification import Specification
from rtl_evolve.verify.problem import Pair, Problem, ProofLimits, different, proven
from rtl_evolve.verify.verdict import Verdict

NAME = "algebra"


def try_prove(problem: Problem, limits: ProofLimits) -> Verdict | None:
    """Proven when every pair's difference reduces to zero; different only with inputs where the graph differs."""
    start = time.monotonic()
    specification = Specification(problem.terms, {word.name: word.literals for word in problem.inputs})
    for pair in problem.pairs:
        if pair.golden == pair.candidate:
            continue
        left = limits.seconds - (time.monotonic() - start)
        claim = claim_of(pair, specification)
        if left <= 0:
            return None
        inner = specification.inner_numbers([t for t in (pair.golden_term, pair.candidate_term) if t is not None])
        result = check_words(problem.aig, [claim], left, inner).words[0]
        if result.equal is None:
            return None
        if result.witness is not None:
            return _difference(problem, result.witness, time.monotonic() - start)
    return proven(NAME, time.monotonic() - start)


def claim_of(pair: Pair, specification: Specification) -> WordClaim:
    """One side's gates against the other side's polynomial; both sides' gates where neither has a polynomial."""
    for term, literals in ((pair.golden_term, pair.candidate), (pair.candidate_term, pair.golden)):
        polynomial = None if term is None else specification.polynomial(term)
        if polynomial is not None:
            return WordClaim(literals, polynomial)
    return WordClaim(pair.candidate, {}, pair.golden)


def _difference(problem: Problem, witness: Mapping[int, int], seconds: float) -> Verdict | None:
    bits = [witness.get(v, 0) for v in range(1, 1 + problem.aig.inputs)]
    values = problem.aig.simulate(bits, 1)

    def bit(lit: int) -> int:
        return values[lit >> 1] ^ (lit & 1)

    pairs = [both for pair in problem.pairs for both in zip(pair.golden, pair.candidate, strict=True)]
    if not bit(problem.constraint) or all(bit(g) == bit(c) for g, c in pairs):
        return None
    return different(problem, problem.input_values(bits), NAME, seconds)
