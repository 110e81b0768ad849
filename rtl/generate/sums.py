"""Sums of words, products and constants as one compressor tree with one adder at its end."""

from collections.abc import Sequence
from dataclasses import dataclass

from rtl_evolve.rtl.generate.adder import PLUS, add_modulo
from rtl_evolve.rtl.generate.body import Body
from rtl_evolve.rtl.generate.columns import Carry, Columns, Tree, TwoWords
from rtl_evolve.rtl.generate.product import Factor, Rows, add_product, add_signed
from rtl_evolve.rtl.generate.recoding import signed_digits
from rtl_evolve.rtl.generate.word import ZERO, Bit, Word


@dataclass(frozen=True)
class Term:
    """`coefficient` times the product of one or two factors (of none: the constant itself), negated where `negate` is 1."""

    factors: tuple[Factor, ...]
    coefficient: int = 1
    negate: Bit = ZERO


@dataclass(frozen=True)
class Style:
    """The genes of a sum: how products make rows, how columns are compressed, how carries are written, what adds."""

    rows: Rows = "booth-4"
    tree: Tree = "dadda"
    carry: Carry = "mux"
    final: str = PLUS


def sum_of(body: Body, terms: Sequence[Term], width: int, style: Style) -> Word:
    """The sum modulo 2**width."""
    two = carry_save(body, terms, width, style)
    body.comment("the carries are resolved")
    return resolve(body, two, style.final)


def carry_save(body: Body, terms: Sequence[Term], width: int, style: Style) -> TwoWords:
    """The sum as two words that add up to it."""
    columns = Columns(width)
    for term in terms:
        _add_term(body, columns, term, style)
    return columns.compress(body, style.tree, style.carry)


def resolve(body: Body, two: TwoWords, final: str) -> Word:
    """One word; columns at the low end with one bit each need no adder."""
    width = len(two.first)
    low = next((i for i in range(width) if two.second[i] != ZERO), width)
    if low == width:
        return two.first
    return two.first[:low] + add_modulo(
        body, two.first[low:], two.second[low:], final, arrivals=two.times[low:], low=low
    )


def _add_term(body: Body, columns: Columns, term: Term, style: Style) -> None:
    if not term.factors:
        columns.constant += term.coefficient
        return
    for shift, digit in signed_digits(term.coefficient):
        negate = ~term.negate if digit < 0 else term.negate
        if len(term.factors) == 1:
            add_signed(body, columns, term.factors[0], shift, negate)
        else:
            a, b = term.factors
            add_product(body, columns, a, b, style.rows, shift, negate, style.final)
