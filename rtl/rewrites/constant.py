"""Multiplication, division and remainder by constants as few additions.

What: `x * 95`, or a chain of shifted additions of x that amounts to it, becomes the shortest chain of additions and
subtractions; several constant multiples of one word share their steps; `x / 10` and `x % 10` become a truncated
product by the reciprocal and a short subtraction. When it pays: synthesis adds a row for each 1 of the constant; on
Nangate45 a chain has 40 % less area at 95, 183 or 46503 times 16 bits, and a tree of signed digits (family `sum`) is as
small and faster still. A quotient by a constant folds to a few gates a bit in synthesis, small and slow (56 um2 for 12
bits by 3, against 229 of the reciprocal): those are proposed last, for wide words, for speed alone. Sources: Dempster
and Macleod 1994; Granlund and Montgomery 1994.
"""

from collections import defaultdict
from collections.abc import Iterator
from random import Random

from rtl_evolve.rtl.edit import Edit
from rtl_evolve.rtl.generate.chains import chain, chains
from rtl_evolve.rtl.generate.multiples import multiples
from rtl_evolve.rtl.generate.product import Factor
from rtl_evolve.rtl.generate.quotients import divide
from rtl_evolve.rtl.generate.recoding import signed_digits
from rtl_evolve.rtl.generate.word import ZERO, extend
from rtl_evolve.rtl.rewrites.calls import Function, Place, places
from rtl_evolve.rtl.rewrites.linear import Leaf, Linear
from rtl_evolve.rtl.rewrites.linear_reader import Reader, arithmetic_roots
from rtl_evolve.rtl.rewrites.rule import Rewrite
from rtl_evolve.rtl.rewrites.view import View
from rtl_evolve.rtl.rewrites.view_nodes import Node

_ADDERS = ("plus", "fit-1", "fit-0")
_NARROWEST = 16  # bits of a dividend below which an array is better
_WIDEST = 40  # bits of a dividend; its reciprocal has as many


class Constant:
    """See the module's docstring."""

    name = "constant"

    def propose(self, view: View, rng: Random) -> Iterator[Rewrite]:
        quotients = list(_quotients(view))
        products = sorted(_products(view), key=lambda site: -_digits(site[2]))
        yield from _shared(view, products)
        for kind in _ADDERS:
            for place, node, linear in products:
                yield _multiplied(view, place, node, linear, kind)
        for kind in _ADDERS:
            for place, node, leaf in quotients:
                yield _divided(view, place, node, leaf, kind)


def _products(view: View) -> Iterator[tuple[Place, Node, Linear]]:
    """Constant multiples of one operand, however they are written, that take two additions or more."""
    for place in places(view):
        reader = Reader(view, place.scope, "none")
        for root in arithmetic_roots(place.root):
            nested: set[Node] = set()  # parts of a multiple that is taken as a whole
            for node in root.walk():
                if node.editable and node.value is None and node.kind == "binary" and node.op in ("*", "+", "-"):
                    linear = reader.read(node, place.demands[node])
                    if len(linear.products) == 1 and not linear.constant and _worth(linear):
                        if node not in nested:
                            yield place, node, linear
                        nested.update(node.walk())


def _worth(linear: Linear) -> bool:
    """Several additions, or one where the plain digits take more."""
    digits = _digits(linear)
    return digits > 2 or (digits == 2 and abs(linear.products[0].coefficient).bit_count() > 2)


def _digits(linear: Linear) -> int:
    product = linear.products[0]
    return len(signed_digits(product.coefficient)) if len(product.factors) == 1 and not product.negated else 0


def _multiplied(view: View, place: Place, node: Node, linear: Linear, kind: str) -> Rewrite:
    constant, leaf = linear.products[0].coefficient, linear.operands[0]
    function = Function(view, f"{place.stem}_times_{abs(constant)}", (leaf,))
    x = Factor(function.words[leaf], leaf.signed)
    (result,) = multiples(function.body, x, [(constant, linear.width)], kind)
    edits = function.replace(place, node, result, [f"{constant} * {leaf.text}, modulo 2**{linear.width}"])
    why = (
        f"{' '.join(view.text(node).split())} is {constant} times {leaf.text}: {len(chain(abs(constant)))} additions "
        f"({kind}) make it, where its digits alone would take {_digits(linear) - 1}"
    )
    return Rewrite("constant.chain", edits, why)


def _shared(view: View, products: list[tuple[Place, Node, Linear]]) -> Iterator[Rewrite]:
    """All constant multiples of one signal in one scope from one function."""
    groups: dict[tuple[int, Leaf], list[tuple[Place, Node, Linear]]] = defaultdict(list)
    for place, node, linear in products:
        if linear.operands[0].text.isidentifier() and not _blocking(place, linear.operands[0].text):
            groups[id(place.scope), linear.operands[0]].append((place, node, linear))
    for (_, leaf), sites in groups.items():
        sizes = {abs(linear.products[0].coefficient) for _, _, linear in sites}
        if len(sizes) > 1 and len(chains(sizes)) < sum(len(chain(size)) for size in sizes):
            yield _from_one(view, leaf, sites)


def _blocking(place: Place, name: str) -> bool:
    """Whether blocking assignments change the signal, so that its value depends on where it is read."""
    return any(
        assign.style == "blocking" and name in assign.target.names()
        for process in place.scope.processes
        for assign in process.assigns()
    )


def _from_one(view: View, leaf: Leaf, sites: list[tuple[Place, Node, Linear]]) -> Rewrite:
    first = min(sites, key=lambda site: site[0].item)[0]
    function = Function(view, f"{leaf.text}_multiples", (leaf,))
    x = Factor(function.words[leaf], leaf.signed)
    wanted = [(linear.products[0].coefficient, linear.width) for _, _, linear in sites]
    words = multiples(function.body, x, wanted)
    constants = ", ".join(str(constant) for constant, _ in wanted)
    wire = view.fresh_name(f"{leaf.text}_times")
    edits: list[Edit] = []
    low = 0
    for (place, node, _), word in zip(sites, words, strict=True):
        text = f"{wire}[{low + len(word) - 1}:{low}]"
        signed = node.signed and not (node is place.root and place.width <= len(word))
        edits.append(view.replace(node, f"$signed({text})" if signed else text))
        low += len(word)
    whole = tuple(bit for word in words for bit in word)
    text = function.text(whole, [f"{constants} times {leaf.text}, the highest bits last"])
    declaration = f"wire [{low - 1}:0] {wire} = {function.call()};"
    edits.insert(0, view.insert_before(first.item, sites[0][1].path, f"{text}\n{declaration}"))
    count = len(chains({abs(constant) for constant, _ in wanted}))
    why = f"{constants} times {leaf.text} share their partial sums: {count} additions make all of them"
    return Rewrite("constant.shared", tuple(edits), why)


def _quotients(view: View) -> Iterator[tuple[Place, Node, Leaf]]:
    """Unsigned divisions and remainders by constants that are no powers of two."""
    for place in places(view):
        reader = Reader(view, place.scope, "none")
        for node in place.root.walk():
            if node.kind != "binary" or node.op not in ("/", "%") or not node.editable or node.value is not None:
                continue
            divisor = node.children[1].value
            if divisor and divisor & (divisor - 1):
                leaf = reader.leaf(node.children[0], node.width + 1)
                # a signed division of what can't be negative is an unsigned one
                positive = not node.signed or (leaf.width < node.width and not divisor >> (node.width - 1))
                if not leaf.signed and _NARROWEST <= leaf.width <= _WIDEST and positive:
                    yield place, node, leaf


def _divided(view: View, place: Place, node: Node, leaf: Leaf, kind: str) -> Rewrite:
    divisor = node.children[1].value or 1
    what = "quotient" if node.op == "/" else "remainder"
    function = Function(view, f"{place.stem}_{what}", (leaf,))
    quotient, remainder = divide(function.body, function.words[leaf], divisor, kind)
    result = extend(quotient if node.op == "/" else remainder, node.width, signed=False)
    edits = function.replace(place, node, result or (ZERO,), [f"{leaf.text} {node.op} {divisor}"])
    why = (
        f"{leaf.text} {node.op} {divisor} by a product with the reciprocal of {divisor}, exact for {leaf.width} bits, "
        f"instead of a divider of {node.width} rows"
    )
    return Rewrite(f"constant.{what}", edits, why)
