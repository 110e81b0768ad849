"""The polynomial a word-level term computes, over the input bits, where it computes one."""

from collections.abc import Mapping, Sequence

from rtl_evolve.verify.algebra.number import OPERATORS, NotPolynomial, Number, from_bits
from rtl_evolve.verify.algebra.polynomial import Monomial, Polynomial, constant, literal, modulo
from rtl_evolve.verify.algebra.words import Inner
from rtl_evolve.verify.terms import Term


class Specification:
    """Polynomials of terms over one problem's input words, computed on demand."""

    def __init__(self, terms: Sequence[Term], inputs: Mapping[str, Sequence[int]]) -> None:
        """`inputs` gives each input word's literals."""
        self._terms = terms
        self._inputs = inputs
        self._known: dict[int, Number | None] = {}

    def polynomial(self, index: int) -> Polynomial | None:
        """The term's polynomial modulo 2^width, or None when it has none."""
        number = self.number(index)
        return None if number is None else modulo(number.polynomial, number.width)

    def number(self, index: int) -> Number | None:
        for needed in self._in_order(index):
            try:
                self._known[needed] = self._compute(self._terms[needed])
            except NotPolynomial:
                self._known[needed] = None
        return self._known[index]

    def _in_order(self, index: int) -> list[int]:
        """The terms `index` depends on that aren't computed yet, arguments first (they have lower indices)."""
        needed: set[int] = set()
        stack = [index]
        while stack:
            top = stack.pop()
            if top not in needed and top not in self._known:
                needed.add(top)
                stack += self._terms[top].args
        return sorted(needed)

    def _compute(self, term: Term) -> Number:
        if term.op == "input":
            return from_bits([literal(lit) for lit in self._inputs[term.name]])
        if term.op == "const":
            return from_bits([constant(term.value >> i & 1) for i in range(term.width)])
        args = [self._known[a] for a in term.args]
        operands = [a for a in args if a is not None]
        if len(operands) < len(args):
            raise NotPolynomial
        operator = OPERATORS.get(term.op)
        if operator is None:
            raise NotPolynomial
        return operator(term, operands)

    def inner_numbers(self, roots: Sequence[int], most: int = 64) -> list[Inner]:
        """The sums and products below the root terms, arguments first: numbers that may be words of a circuit too."""
        found: dict[tuple[int, int, frozenset[tuple[Monomial, int]]], Inner] = {}
        for root in roots:
            self.number(root)
        for index in sorted(self._below(roots)):
            number = self._known[index]
            if number is None or self._terms[index].op not in ("add", "sub", "mul", "neg"):
                continue
            key = (number.low, number.high, frozenset(number.polynomial.items()))
            found[key] = Inner(number.polynomial, number.low, number.high)
        return list(found.values())[:most]

    def _below(self, roots: Sequence[int]) -> set[int]:
        """The terms that the roots depend on, themselves left out."""
        seen: set[int] = set()
        stack = [a for root in roots for a in self._terms[root].args]
        while stack:
            top = stack.pop()
            if top not in seen:
                seen.add(top)
                stack += self._terms[top].args
        return seen
