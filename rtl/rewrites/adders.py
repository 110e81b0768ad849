"""Additions, subtractions and comparisons by an explicit adder architecture.

What: `a + b`, `a - b` and `a < b` become a function over a prefix graph chosen by its genes: Kogge-Stone, Han-Carlson,
Sklansky, sparse, or the smallest graph of a given depth. When it pays: Yosys's own adder is Brent and Kung's, twice
the least depth; on Nangate45 a 32-bit Kogge-Stone adder is 27 % faster, Han-Carlson 22 %, the fitted graph 15 % at 8 %
more area. It seldom pays in area alone, nor off the critical path. Source: Zimmermann's thesis, 1997.
"""

from collections.abc import Iterator
from dataclasses import replace
from random import Random

from rtl_evolve.rtl.generate.adder import add, add_modulo
from rtl_evolve.rtl.generate.word import ONE, Bit, Word, extend
from rtl_evolve.rtl.rewrites.calls import Function, Place, places
from rtl_evolve.rtl.rewrites.linear import Leaf, Linear
from rtl_evolve.rtl.rewrites.linear_reader import Reader, arithmetic_roots
from rtl_evolve.rtl.rewrites.rule import Rewrite
from rtl_evolve.rtl.rewrites.sum import formula
from rtl_evolve.rtl.rewrites.view import View
from rtl_evolve.rtl.rewrites.view_nodes import Node

KINDS = ("fit-1", "fit-0", "han-carlson", "kogge-stone", "sparse-4", "sklansky", "fit-2")
_LEAST_WIDTH = 6
_COMPARISONS = {"<", "<=", ">", ">="}


class Adders:
    """See the module's docstring."""

    name = "adders"

    def propose(self, view: View, rng: Random) -> Iterator[Rewrite]:
        sums = sorted(_sums(view), key=lambda site: -site[2].width)
        comparisons = sorted(_comparisons(view), key=lambda site: -max(leaf.width for leaf in site[2]))
        for kind in KINDS:
            for place, node, linear in sums:
                yield _added(view, place, node, linear, kind)
            for place, node, leaves in comparisons:
                yield _compared(view, place, node, leaves, kind)


def _sums(view: View) -> Iterator[tuple[Place, Node, Linear]]:
    """One operand, or two, plus a constant that is a carry at most."""
    for place in places(view):
        reader = Reader(view, place.scope, "none")
        for root in arithmetic_roots(place.root):
            for node in root.walk():
                if node.kind != "binary" or node.op not in ("+", "-") or not node.editable or node.value is not None:
                    continue
                linear = reader.read(node, place.demands[node])
                if linear.width >= _LEAST_WIDTH and _two_words(linear) is not None:
                    yield place, node, linear


def _two_words(linear: Linear) -> tuple[Leaf, Leaf, bool] | None:
    """(a, b, subtract) for a + b or a - b."""
    if linear.constant or len(linear.products) != 2 or linear.multiplications:
        return None
    first, second = sorted(linear.products, key=lambda p: -p.coefficient)
    if first.coefficient != 1 or second.coefficient not in (1, -1):
        return None
    return first.factors[0], second.factors[0], second.coefficient < 0


def _added(view: View, place: Place, node: Node, linear: Linear, kind: str) -> Rewrite:
    words = _two_words(linear)
    assert words is not None
    a, b, subtract = words
    function = Function(view, f"{place.stem}_{'difference' if subtract else 'sum'}", (a, b))
    # above the operands there are a carry and signs alone: those columns need no graph
    signed = a.signed or b.signed or subtract
    width = min(linear.width, max(a.width, b.width) + (2 if signed else 0))
    first, second = _resized(function, a, width), _resized(function, b, width)
    if subtract:
        total = add_modulo(function.body, first, tuple(~bit for bit in second), kind, ONE)
    elif signed or width == linear.width:
        total = add_modulo(function.body, first, second, kind)
    else:
        plain = add(function.body, first, second, kind)
        total = (*plain.word, plain.carry)
    result = extend(total, linear.width, signed)
    edits = function.replace(place, node, result, [f"{formula(linear)} by a {kind} prefix adder"])
    return Rewrite("adders.prefix", edits, _why(view.text(node), width, kind))


def _resized(function: Function, leaf: Leaf, width: int) -> Word:
    return extend(function.words[leaf], width, leaf.signed)


def _comparisons(view: View) -> Iterator[tuple[Place, Node, tuple[Leaf, Leaf]]]:
    for place in places(view):
        reader = Reader(view, place.scope, "none")
        for node in place.root.walk():
            if node.kind == "binary" and node.op in _COMPARISONS and node.editable and node.value is None:
                left, right = node.children
                width = max(left.outer_width, right.outer_width)
                leaves = (_compared_leaf(reader, left, width), _compared_leaf(reader, right, width))
                constant = left.value is not None or right.value is not None
                if not constant and max(leaf.width for leaf in leaves) >= _LEAST_WIDTH:
                    yield place, node, leaves


def _compared_leaf(reader: Reader, node: Node, width: int) -> Leaf:
    """An operand as wide as the comparison has its top bit as a sign when the comparison is signed."""
    leaf = reader.leaf(node, width + 1)
    return replace(leaf, signed=node.outer_signed) if leaf.width == width else leaf


def _compared(view: View, place: Place, node: Node, leaves: tuple[Leaf, Leaf], kind: str) -> Rewrite:
    """The carry of a + ~b (+ 1): no sum bits, and only the combines that this carry needs."""
    function = Function(view, f"{place.stem}_compare", leaves)
    left, right = leaves
    width = max(leaf.width + (leaf.signed != (left.signed or right.signed)) for leaf in leaves)
    a, b = _resized(function, left, width), _resized(function, right, width)
    if left.signed or right.signed:
        a, b = (*a[:-1], ~a[-1]), (*b[:-1], ~b[-1])
    if node.op in (">", "<="):
        a, b = b, a
    not_less: Bit = add(function.body, a, tuple(~bit for bit in b), kind, ONE).carry
    result = not_less if node.op in (">=", "<=") else ~not_less
    edits = function.replace(place, node, (result,), [f"{view.text(node)} by the last carry of a {kind} prefix graph"])
    return Rewrite("adders.compare", edits, _why(view.text(node), width, kind))


def _why(text: str, width: int, kind: str) -> str:
    return (
        f"{text} adds {width} bits: a {kind} prefix graph has fewer levels of carries than the adder synthesis builds"
    )
