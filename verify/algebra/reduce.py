"""Eliminates the gates of a polynomial, from the outputs to the inputs."""

import time
from collections import defaultdict
from collections.abc import Iterable, Mapping

from rtl_evolve.verify.algebra.polynomial import Monomial, Polynomial
from rtl_evolve.verify.algebra.rules import Step


class TooLarge(Exception):
    """The polynomial outgrew its limit, or the time is over: no answer."""


def reduce(
    polynomial: Mapping[Monomial, int],
    steps: Iterable[Step],
    bits: int,
    first_gate: int,
    *,
    deadline: float,
    most_terms: int,
) -> Polynomial:
    """The polynomial modulo 2^bits with every step's variable replaced by its rule, in order.

    Variables below `first_gate` are inputs, which no step replaces.
    """
    terms: Polynomial = {}
    uses: dict[int, set[Monomial]] = defaultdict(set)
    half = 1 << bits >> 1
    mask = (1 << bits) - 1

    def add(monomial: Monomial, coefficient: int) -> None:
        old = terms.get(monomial)
        if old is None:
            coefficient = (coefficient + half & mask) - half
            if coefficient:
                terms[monomial] = coefficient
                for v in monomial:
                    if v >= first_gate:
                        uses[v].add(monomial)
            return
        coefficient = (old + coefficient + half & mask) - half
        if coefficient:
            terms[monomial] = coefficient
        else:
            del terms[monomial]
            for v in monomial:
                if v >= first_gate:
                    uses[v].discard(monomial)

    for monomial, coefficient in polynomial.items():
        add(monomial, coefficient)
    for step in steps:
        users = uses.pop(step.variable, None)
        if not users:
            continue
        rule = list(step.rule.items())
        gone = frozenset((step.variable,))
        for monomial in list(users):
            coefficient = terms.pop(monomial)
            rest = monomial - gone
            for v in rest:
                if v >= first_gate:
                    uses[v].discard(monomial)
            for factor, weight in rule:
                add(rest | factor, coefficient * weight)
        if len(terms) > most_terms or time.monotonic() > deadline:
            raise TooLarge
    return terms
