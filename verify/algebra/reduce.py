"""Eliminates the gates of a polynomial, from the outputs to the inputs."""

import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping

from rtl_evolve.verify.algebra.polynomial import Monomial, Polynomial
from rtl_evolve.verify.algebra.rules import Step


class TooLarge(Exception):
    """The polynomial outgrew its limit, or the time is over: no answer."""


def reduce(
    polynomial: Mapping[Monomial, int],
    order: Iterable[int],
    step_of: Callable[[int], Step],
    bits: int,
    *,
    deadline: float,
    most_terms: int,
) -> tuple[Polynomial, list[Step]]:
    """The polynomial modulo 2^bits with the variables in `order` replaced by their rules, and the steps taken."""
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
                    uses[v].add(monomial)
            return
        coefficient = (old + coefficient + half & mask) - half
        if coefficient:
            terms[monomial] = coefficient
        else:
            del terms[monomial]
            for v in monomial:
                uses[v].discard(monomial)

    for monomial, coefficient in polynomial.items():
        add(monomial, coefficient)
    taken = []
    for variable in order:
        users = uses.pop(variable, None)
        if not users:
            continue
        step = step_of(variable)
        taken.append(step)
        rule = list(step.rule.items())
        gone = frozenset((variable,))
        for monomial in list(users):
            coefficient = terms.pop(monomial)
            rest = monomial - gone
            for v in rest:
                uses[v].discard(monomial)
            for factor, weight in rule:
                add(rest | factor, coefficient * weight)
        if len(terms) > most_terms or time.monotonic() > deadline:
            raise TooLarge
    return terms, taken
