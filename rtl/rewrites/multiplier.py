"""Multiplications as explicit partial products: Booth, radix 4 with 3a added first, squares, only the bits in use.

What: `a * b` becomes a function that makes the rows, compresses them and adds once; `a * a` makes each pair of bits
once. When it pays: Yosys recodes by Booth with separate sign rows, or makes an AND row for each bit; radix 4 with 3a
added first has half the rows and no signs to invert. Measured on Nangate45 at 16x16 bits: a quarter less area at equal
or less delay than the best recipe for `a * b`. Genes: the rows, the tree's order, the final adder. Source: MacSorley
1961; Yeh and Jen 2000; Bewick, "Fast Multiplication: Algorithms and Implementation", 1994 (hard multiples).
"""

from collections.abc import Iterator
from random import Random

from rtl_evolve.rtl.generate.sums import Style
from rtl_evolve.rtl.rewrites.calls import Place, places
from rtl_evolve.rtl.rewrites.linear import Linear
from rtl_evolve.rtl.rewrites.linear_reader import Reader, arithmetic_roots
from rtl_evolve.rtl.rewrites.rule import Rewrite
from rtl_evolve.rtl.rewrites.sum import tree
from rtl_evolve.rtl.rewrites.view import View
from rtl_evolve.rtl.rewrites.view_nodes import Node

STYLES = (
    Style("radix-4", final="fit-0"),
    Style("booth-4", final="fit-0"),
    Style("and", final="fit-0"),
    Style("booth-8", final="fit-0"),
    Style("radix-4", final="fit-1", tree="arrival"),
    Style("radix-4", final="kogge-stone"),
    Style("booth-4", final="kogge-stone"),
    Style("radix-4"),
    Style("booth-4"),
    Style("and"),
    Style("and", final="sklansky", carry="or"),
)


class Multiplier:
    """See the module's docstring."""

    name = "multiplier"

    def propose(self, view: View, rng: Random) -> Iterator[Rewrite]:
        found = sorted(_products(view), key=lambda site: -_size(site[2]))
        for style in STYLES:
            for place, node, linear in found:
                yield _rewrite(view, place, node, linear, style)


def _products(view: View) -> Iterator[tuple[Place, Node, Linear]]:
    """Multiplications of two words; within a longer sum each one on its own."""
    for place in places(view):
        for root in arithmetic_roots(place.root):
            reader = Reader(view, place.scope, "none")
            for node in root.walk():
                if node.kind == "binary" and node.op == "*" and node.editable and node.value is None:
                    linear = reader.read(node, place.demands[node])
                    if linear.multiplications == 1 and len(linear.products) == 1 and not linear.constant:
                        yield place, node, linear


def _size(linear: Linear) -> int:
    a, b = linear.products[0].factors
    return a.width * b.width


def _rewrite(view: View, place: Place, node: Node, linear: Linear, style: Style) -> Rewrite:
    a, b = linear.products[0].factors
    square = a == b
    sizes = f"{a.width}x{b.width}"
    edits = tree(view, place, node, linear, style, "square" if square else "product")
    if square:
        why = f"{a.text} times itself needs each pair of bits once: half the partial products of a {sizes} multiplier"
    else:
        why = (
            f"{view.text(node)} is a {sizes} product: {style.rows} rows, a {style.tree} tree and one {style.final} "
            f"adder, made for the {linear.width} bits in use, replace the multiplier that synthesis would build"
        )
    return Rewrite("multiplier.square" if square else "multiplier.rows", edits, why)
