"""Multilinear polynomials over Boolean variables with integer coefficients, as mappings from monomial to coefficient.

A monomial is the set of its variables, as a Boolean variable equals its own square. On Boolean arguments such a
polynomial modulo 2^n is zero everywhere only when all its coefficients are zero modulo 2^n, so comparing coefficients
is a complete test.
"""

from collections.abc import Iterable, Mapping

Monomial = frozenset[int]
Polynomial = dict[Monomial, int]
ONE: Monomial = frozenset()


def constant(number: int) -> Polynomial:
    return {ONE: number} if number else {}


def literal(lit: int, weight: int = 1) -> Polynomial:
    """`weight` times an and-inverter literal (an odd literal is one minus its variable)."""
    if lit < 2:
        return constant(weight * lit)
    variable = frozenset((lit >> 1,))
    return {ONE: weight, variable: -weight} if lit & 1 else {variable: weight}


def add_to(total: Polynomial, term: Mapping[Monomial, int], weight: int = 1) -> Polynomial:
    """Add `weight` times `term` into `total`, in place."""
    for monomial, coefficient in term.items():
        sum_ = total.get(monomial, 0) + weight * coefficient
        if sum_:
            total[monomial] = sum_
        else:
            total.pop(monomial, None)
    return total


def product(left: Mapping[Monomial, int], right: Mapping[Monomial, int]) -> Polynomial:
    result: Polynomial = {}
    for a, c in left.items():
        for b, d in right.items():
            monomial = a | b
            sum_ = result.get(monomial, 0) + c * d
            if sum_:
                result[monomial] = sum_
            else:
                del result[monomial]
    return result


def weighted_sum(literals: Iterable[int], weight: int = 1) -> Polynomial:
    """The unsigned number whose bits are `literals`, lowest first, times `weight`."""
    total: Polynomial = {}
    for position, lit in enumerate(literals):
        add_to(total, literal(lit, weight << position))
    return total


def modulo(polynomial: Mapping[Monomial, int], bits: int) -> Polynomial:
    """The same polynomial modulo 2^bits, coefficients in the balanced range."""
    half = 1 << bits >> 1
    mask = (1 << bits) - 1
    reduced = ((monomial, ((c + half) & mask) - half) for monomial, c in polynomial.items())
    return {monomial: c for monomial, c in reduced if c}


def of_truth_table(table: int, variables: tuple[int, ...]) -> Polynomial:
    """The polynomial of a Boolean function: bit j of `table` is its value where variable i is bit i of j."""
    size = 1 << len(variables)
    coefficients = [table >> j & 1 for j in range(size)]
    for i in range(len(variables)):
        step = 1 << i
        for j in range(size):
            if j & step:
                coefficients[j] -= coefficients[j ^ step]
    return {frozenset(v for i, v in enumerate(variables) if j >> i & 1): c for j, c in enumerate(coefficients) if c}
