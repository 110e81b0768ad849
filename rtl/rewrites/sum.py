"""Whole expressions of sums and products as one compressor tree with one final adder.

What: every addition, subtraction, multiplication and constant of an expression, read through the signals between
them, becomes bits in columns; signs and constants fold into the columns; full adders reduce them to two words, one
adder makes the result. When it pays: each operator on its own ends in a carry chain and a tree of its own; three
operands or a product and an addend save at least one of them, in area and in delay. Genes: how products make rows
(AND, Booth, radix 4 with 3a added first), the adder at the end. Source: Zimmermann and Tran, "Optimized Synthesis of
Sum-of-Products", 2003; Dadda 1965.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random

from rtl_evolve.rtl.edit import Edit
from rtl_evolve.rtl.generate.product import Factor
from rtl_evolve.rtl.generate.recoding import signed_digits
from rtl_evolve.rtl.generate.sums import Style, Term, sum_of
from rtl_evolve.rtl.generate.word import ZERO, Word
from rtl_evolve.rtl.rewrites.branches import Chain, chains
from rtl_evolve.rtl.rewrites.calls import Function, Place, places
from rtl_evolve.rtl.rewrites.factored import factored
from rtl_evolve.rtl.rewrites.linear import Leaf, Linear, Product
from rtl_evolve.rtl.rewrites.linear_reader import Reader, Through, arithmetic_roots
from rtl_evolve.rtl.rewrites.rule import Rewrite
from rtl_evolve.rtl.rewrites.view import View, parenthesised, shortened
from rtl_evolve.rtl.rewrites.view_nodes import Node

# in the order of their gain on Nangate45: radix 4 for unsigned, Booth for signed and fast ones
PRODUCT_STYLES = (
    Style("radix-4", final="fit-0"),
    Style("booth-4", final="fit-0"),
    Style("and", final="fit-0"),
    Style("radix-4"),
    Style("booth-8", final="fit-0"),
    Style("and"),
    Style("booth-4", final="kogge-stone"),
)
_THROUGH: tuple[Through, ...] = ("once", "always", "none")
SUM_STYLES = (Style(), Style(final="fit-0"), Style(tree="arrival", final="fit-1"), Style(final="kogge-stone"))


class Sum:
    """See the module's docstring."""

    name = "sum"

    def propose(self, view: View, rng: Random) -> Iterator[Rewrite]:
        whole: list[_Site] = sorted([*_chains(view), *_expressions(view)], key=lambda site: -_bits(site.linear))
        found = [replace(site, linear=linear) for site in whole for linear in (*factored(site.linear), site.linear)]
        for number in range(max(len(PRODUCT_STYLES), len(SUM_STYLES))):
            for site in found:
                styles = PRODUCT_STYLES if site.linear.multiplications else SUM_STYLES
                if number < len(styles):
                    yield _rewrite(view, site, styles[number])


@dataclass(frozen=True)
class _Site:
    """A sum worth a tree, and the expression or the if/else chain that computes it."""

    linear: Linear
    place: Place
    node: Node
    chain: Chain | None = None


def _expressions(view: View) -> Iterator[_Site]:
    """Three addends, or a product and anything else."""
    for place in places(view):
        for node in arithmetic_roots(place.root):
            seen: set[Linear] = set()
            for through in _THROUGH if node.editable else ():
                reader = Reader(view, place.scope, through)
                linear = reader.read(node, place.demands[node])
                # a signal that others read too stays as it is, so reading through it would compute it twice
                spared = all(reader.reads[name] <= linear.inlined.count(name) for name in linear.inlined)
                if linear not in seen and spared and _fits(linear):
                    seen.add(linear)
                    yield _Site(linear, place, node)


def _chains(view: View) -> Iterator[_Site]:
    """If/else chains whose branches are sums of much the same operands."""
    seen: set[Linear] = set()
    for through in _THROUGH:
        for chain in chains(view, through):
            if chain.linear not in seen and _fits(chain.linear):
                seen.add(chain.linear)
                item = (chain.process.start, chain.process.end)
                place = Place(chain.scope, chain.first.value, item, chain.first.target.op, chain.linear.width)
                yield _Site(chain.linear, place, chain.first.value, chain)


def _fits(linear: Linear) -> bool:
    """Enough addends; and products times powers of two alone (others would repeat all their rows)."""
    simple = all(len(p.factors) == 1 or len(signed_digits(p.coefficient)) == 1 for p in linear.products)
    return simple and _addends(linear) >= 3


def _addends(linear: Linear) -> int:
    """Words to be added; a product counts as two, a constant beside one as one."""
    return bool(linear.constant and linear.multiplications) + sum(
        2 if len(p.factors) == 2 else len(signed_digits(p.coefficient)) for p in linear.products
    )


def _bits(linear: Linear) -> int:
    """Bits in the columns: what the tree costs."""
    return sum(_product_bits(p) for p in linear.products)


def _product_bits(product: Product) -> int:
    widths = [leaf.width for leaf in product.factors]
    return (widths[0] if len(widths) == 1 else widths[0] * widths[1]) * len(signed_digits(product.coefficient))


def _rewrite(view: View, site: _Site, style: Style) -> Rewrite:
    """The expression, or the chain, as one tree in this style."""
    linear = site.linear
    rows = f" ({style.rows} rows)" if linear.multiplications else ""
    through = f", read through {', '.join(linear.inlined)}" if linear.inlined else ""
    name = site.chain.first.target.op if site.chain else shortened(view.text(site.node), 40)
    why = (
        f"{name} is {formula(linear)}{through}: one compressor tree{rows} for its {_bits(linear)} bits and "
        f"one final adder ({style.final}) replace an adder for each operator"
    )
    edits = tree(view, site.place, site.node, linear, style, "sum")
    if site.chain is None:
        return Rewrite("sum.tree", edits, why)
    function, call = edits
    first, statement = site.chain.first, site.chain.statement
    operator = "<=" if first.style == "nonblocking" else "="
    whole = Edit(statement.path, statement.start, statement.end, f"{first.target.op} {operator} {call.text};")
    return Rewrite("sum.branches", (function, whole), why)


def tree(view: View, place: Place, node: Node, linear: Linear, style: Style, what: str) -> tuple[Edit, ...]:
    """The edits that compute `linear` in a function in the node's place."""
    signs = [sign_leaf(p) for p in linear.products if p.negated]
    function = Function(view, f"{place.stem}_{what}", tuple(dict.fromkeys([*linear.operands, *signs])))
    result = sum_of(function.body, terms_of(linear, function.words), linear.width, style)
    return function.replace(place, node, result, [f"{formula(linear)}, modulo 2**{linear.width}"])


def terms_of(linear: Linear, words: dict[Leaf, Word]) -> list[Term]:
    """The sum's terms over the function's inputs; the wider factor of a product is the multiplicand."""
    terms = [Term((), linear.constant)] if linear.constant else []
    for product in linear.products:
        wide_first = sorted(product.factors, key=lambda leaf: -leaf.width)
        factors = tuple(Factor(words[leaf], leaf.signed) for leaf in wide_first)
        terms.append(Term(factors, product.coefficient, words[sign_leaf(product)][0] if product.negated else ZERO))
    return terms


def sign_leaf(product: Product) -> Leaf:
    """The operand that says whether the product is negated."""
    return Leaf(product.negated, 1, False)


def formula(linear: Linear) -> str:
    """The sum as one reads it."""
    parts: list[str] = []
    for product in linear.products:
        size = abs(product.coefficient)
        sign = "-" if product.coefficient < 0 else "+"
        sign = f"{sign} (-1)**({shortened(product.negated, 40)})*" if product.negated else f"{sign} "
        words = "*".join(([str(size)] if size != 1 else []) + [_operand(leaf.text) for leaf in product.factors])
        parts.append(sign + words)
    if linear.constant:
        parts.append(f"{'-' if linear.constant < 0 else '+'} {abs(linear.constant)}")
    return " ".join(parts).removeprefix("+ ")


def _operand(text: str) -> str:
    return parenthesised(shortened(text, 40))
