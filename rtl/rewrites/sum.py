"""Whole expressions of sums and products as one compressor tree with one final adder.

What: every addition, subtraction, multiplication and constant of an expression, read through the signals between
them, becomes bits in columns; signs and constants fold into the columns; full adders reduce them to two words, one
adder makes the result. When it pays: each operator on its own ends in a carry chain and a tree of its own; three
operands or a product and an addend save at least one of them, in area and in delay. Genes: how products make rows
(AND, Booth, radix 4 with 3a added first), the adder at the end. Source: Zimmermann and Tran, "Optimized Synthesis of
Sum-of-Products", 2003; Dadda 1965.
"""

from collections.abc import Iterator
from random import Random

from rtl_evolve.rtl.edit import Edit
from rtl_evolve.rtl.generate.product import Factor
from rtl_evolve.rtl.generate.recoding import signed_digits
from rtl_evolve.rtl.generate.sums import Style, Term, sum_of
from rtl_evolve.rtl.generate.word import Word
from rtl_evolve.rtl.rewrites.calls import Function, Place, places
from rtl_evolve.rtl.rewrites.linear import Leaf, Linear, Product, Reader, arithmetic_roots
from rtl_evolve.rtl.rewrites.rule import Rewrite
from rtl_evolve.rtl.rewrites.view import View
from rtl_evolve.rtl.rewrites.view_nodes import Node

# in the order of their mean gain on Nangate45; docs/arithmetic.md has the figures
PRODUCT_STYLES = (
    Style("radix-4", final="fit-0"),
    Style("booth-4", final="fit-0"),
    Style("and", final="fit-0"),
    Style("radix-4"),
    Style("booth-8", final="fit-0"),
    Style("and"),
    Style("booth-4", final="kogge-stone"),
)
SUM_STYLES = (Style(), Style(final="fit-0"), Style(tree="arrival", final="fit-1"), Style(final="kogge-stone"))


class Sum:
    """See the module's docstring."""

    name = "sum"

    def propose(self, view: View, rng: Random) -> Iterator[Rewrite]:
        found = sorted(_sites(view), key=lambda site: -_bits(site[2]))
        for number in range(max(len(PRODUCT_STYLES), len(SUM_STYLES))):
            for place, node, linear in found:
                styles = PRODUCT_STYLES if linear.multiplications else SUM_STYLES
                if number < len(styles):
                    yield rewrite(view, place, node, linear, styles[number])


def _sites(view: View) -> Iterator[tuple[Place, Node, Linear]]:
    """Expressions worth a tree: three addends, or a product and anything else."""
    for place in places(view):
        for node in arithmetic_roots(place.root):
            seen: set[Linear] = set()
            readers = (Reader(view, place.scope, through) for through in ("once", "always", "none"))
            for linear in (reader.read(node) for reader in readers if node.editable):
                if linear not in seen and _fits(linear) and _addends(linear) >= 3:
                    seen.add(linear)
                    yield place, node, linear


def _fits(linear: Linear) -> bool:
    """Products are multiplied by powers of two alone (others would repeat all their rows)."""
    return all(len(p.factors) == 1 or len(signed_digits(p.coefficient)) == 1 for p in linear.products)


def _addends(linear: Linear) -> int:
    """Words to be added; a product counts as two."""
    return sum(2 if len(p.factors) == 2 else len(signed_digits(p.coefficient)) for p in linear.products)


def _bits(linear: Linear) -> int:
    """Bits in the columns: what the tree costs."""
    return sum(_product_bits(p) for p in linear.products)


def _product_bits(product: Product) -> int:
    widths = [leaf.width for leaf in product.factors]
    return (widths[0] if len(widths) == 1 else widths[0] * widths[1]) * len(signed_digits(product.coefficient))


def rewrite(view: View, place: Place, node: Node, linear: Linear, style: Style) -> Rewrite:
    """The expression as one tree in this style."""
    rows = f" ({style.rows} rows)" if linear.multiplications else ""
    why = (
        f"{_short(view.text(node))} is {formula(linear)}: one compressor tree{rows} for its {_bits(linear)} bits and "
        f"one final adder ({style.final}) replace an adder for each operator"
    )
    through = f", read through {', '.join(linear.inlined)}" if linear.inlined else ""
    return Rewrite("sum.tree", tree(view, place, node, linear, style, "sum"), why + through)


def tree(view: View, place: Place, node: Node, linear: Linear, style: Style, what: str) -> tuple[Edit, ...]:
    """The edits that compute `linear` in a function in the node's place."""
    function = Function(view, f"{place.stem}_{what}", linear.operands)
    result = sum_of(function.body, terms_of(linear, function.words), linear.width, style)
    return function.replace(place, node, result, [f"{formula(linear)}, modulo 2**{linear.width}"])


def terms_of(linear: Linear, words: dict[Leaf, Word]) -> list[Term]:
    """The sum's terms over the function's inputs; the wider factor of a product is the multiplicand."""
    terms = [Term((), linear.constant)] if linear.constant else []
    for product in linear.products:
        wide_first = sorted(product.factors, key=lambda leaf: -leaf.width)
        factors = tuple(Factor(words[leaf], leaf.signed) for leaf in wide_first)
        terms.append(Term(factors, product.coefficient))
    return terms


def formula(linear: Linear) -> str:
    """The sum as one reads it."""
    parts: list[str] = []
    for product in linear.products:
        size = abs(product.coefficient)
        words = "*".join(([str(size)] if size != 1 else []) + [_short(leaf.text) for leaf in product.factors])
        parts.append(("- " if product.coefficient < 0 else "+ ") + words)
    if linear.constant:
        parts.append(f"{'-' if linear.constant < 0 else '+'} {abs(linear.constant)}")
    return " ".join(parts).removeprefix("+ ")


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= 40 else text[:37] + "..."
