"""Reads an expression as a sum of products: coefficients times one or two operands, and a constant, modulo 2**width."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from rtl_evolve.rtl.rewrites.view import View
from rtl_evolve.rtl.rewrites.view_nodes import Assign, Node, Scope

_BITWISE = {"&", "|", "^", "~^", "^~"}


@dataclass(frozen=True)
class Leaf:
    """An operand: its text, and the bits and sign that its value needs."""

    text: str
    width: int
    signed: bool

    @property
    def interval(self) -> tuple[int, int]:
        """The least and the largest value."""
        half = 1 << (self.width - 1)
        return (-half, half - 1) if self.signed else (0, 2 * half - 1)


@dataclass(frozen=True)
class Product:
    """`coefficient` times one or two operands."""

    coefficient: int
    factors: tuple[Leaf, ...]

    @property
    def interval(self) -> tuple[int, int]:
        low = high = self.coefficient
        for factor in self.factors:
            corners = [x * y for x in (low, high) for y in factor.interval]
            low, high = min(corners), max(corners)
        if len(self.factors) == 2 and self.factors[0] == self.factors[1]:
            low, high = (max(0, low), high) if self.coefficient > 0 else (low, min(0, high))
        return low, high


@dataclass(frozen=True)
class Linear:
    """The sum of `products` and `constant`, modulo 2**`width`; `inlined` are signals whose drivers were read through."""

    width: int
    products: tuple[Product, ...]
    constant: int
    inlined: tuple[str, ...] = ()

    @property
    def interval(self) -> tuple[int, int]:
        """What the sum can be when it isn't cut to its width."""
        low = high = self.constant
        for product in self.products:
            below, above = product.interval
            low, high = low + below, high + above
        return low, high

    @property
    def multiplications(self) -> int:
        return sum(len(p.factors) == 2 for p in self.products)

    @property
    def operands(self) -> tuple[Leaf, ...]:
        """Each operand once, in the order of the text."""
        return tuple(dict.fromkeys(leaf for product in self.products for leaf in product.factors))


def bits_for(interval: tuple[int, int]) -> tuple[int, bool]:
    """The narrowest width and sign that hold an interval."""
    low, high = interval
    if low >= 0:
        return max(1, high.bit_length()), False
    return max(high.bit_length(), (-low - 1).bit_length()) + 1, True


Through = Literal["none", "once", "always"]


class Reader:
    """Reads the expressions of one scope.

    `through`: which signals are read through to what drives them: none, those that are read once, or all.
    """

    def __init__(self, view: View, scope: Scope, through: Through = "once") -> None:
        self.view = view
        self.scope = scope
        self.through = through
        self.inlined: list[str] = []
        self._reads: Counter[str] | None = None

    @property
    def reads(self) -> Counter[str]:
        """How often the scope's text reads each name."""
        if self._reads is None:
            nodes = (node for root in self.scope.expressions() for node in root.walk())
            self._reads = Counter(node.op for node in nodes if node.kind == "name")
        return self._reads

    def read(self, node: Node) -> Linear:
        """The sum that `node` computes in its own width."""
        self.inlined = []
        products: dict[tuple[Leaf, ...], int] = {}
        constant = 0
        for coefficient, factors in self._terms(node, 1, node.width):
            if factors:
                key = tuple(sorted(factors, key=lambda leaf: (leaf.text, leaf.width)))
                products[key] = products.get(key, 0) + coefficient
            else:
                constant += coefficient
        kept = tuple(Product(c, factors) for factors, c in products.items() if c)
        return Linear(node.width, kept, _centred(constant, node.width), tuple(self.inlined))

    def _terms(self, node: Node, coefficient: int, width: int) -> Iterator[tuple[int, tuple[Leaf, ...]]]:
        """Terms that add up to `coefficient` times the node, modulo 2**width."""
        if node.value is not None:
            yield coefficient * _number(node), ()
            return
        read = self._operator(node, coefficient, width) if node.width >= width else None
        if read is None and node.kind == "concat":
            read = self._shifted(node, coefficient, width)
        if read is None and self.through != "none":
            read = self._exact(node, coefficient, width)
        yield from read if read is not None else iter([(coefficient, (self.leaf(node, width),))])

    def _operator(self, node: Node, coefficient: int, width: int) -> Iterator[tuple[int, tuple[Leaf, ...]]] | None:
        """The node's terms when it is arithmetic at least `width` bits wide; None when it's something else."""
        terms = self._terms
        match node.kind, node.op:
            case "binary", "+" | "-":
                sign = -1 if node.op == "-" else 1
                left, right = node.children
                return _chained(terms(left, coefficient, width), terms(right, sign * coefficient, width))
            case "unary", "-":
                return terms(node.children[0], -coefficient, width)
            case "unary", "+":
                return terms(node.children[0], coefficient, width)
            case "unary", "~":
                return _chained(terms(node.children[0], -coefficient, width), iter([(-coefficient, ())]))
            case "binary", "<<" | "<<<" if node.children[1].value is not None and node.children[1].value < width:
                return terms(node.children[0], coefficient << node.children[1].value, width)
            case "binary", "*":
                return self._product(node, coefficient, width)
        return None

    def _product(self, node: Node, coefficient: int, width: int) -> Iterator[tuple[int, tuple[Leaf, ...]]]:
        left, right = node.children
        if left.value is not None:
            left, right = right, left
        if right.value is not None:
            return self._terms(left, coefficient * _number(right), width)
        return iter([(coefficient, (self.leaf(left, width), self.leaf(right, width)))])

    def _shifted(self, node: Node, coefficient: int, width: int) -> Iterator[tuple[int, tuple[Leaf, ...]]] | None:
        """{zeros, x, constant} is x shifted; {copies of x's top bit, x} is x signed."""
        parts = [child for child in node.children if child.width]
        low = 0
        constant = 0
        while parts and parts[-1].value is not None:
            constant |= parts[-1].value << low
            low += parts.pop().width
        while parts and parts[0].value == 0:
            parts.pop(0)
        signed = len(parts) == 2 and self._repeats_top(parts[0], parts[1])
        if len(parts) != 1 and not signed:
            return None
        rest = iter([(coefficient * constant, ())])
        if not signed:
            return _chained(self._terms(parts[0], coefficient << low, width), rest)
        if node.width < width and not node.sign_extended:
            return None
        leaf = replace(self.leaf(parts[1], width), signed=True)
        return _chained(iter([(coefficient << low, (leaf,))]), rest)

    def _repeats_top(self, copies: Node, of: Node) -> bool:
        """Whether `copies` is {n{x[msb]}} or x[msb] of the name `of`."""
        bit = copies.children[-1] if copies.kind == "replicate" else copies
        if bit.kind != "bit" or of.kind != "name" or bit.children[0].op != of.op:
            return False
        signal = self.scope.lookup(of.op)
        return signal is not None and bit.children[1].value == signal.msb

    def _exact(self, node: Node, coefficient: int, width: int) -> Iterator[tuple[int, tuple[Leaf, ...]]] | None:
        """The terms of narrower arithmetic, or of what drives a signal, when the node holds their sum in full."""
        if node.kind == "name":
            assign = self._driver(node)
            value = assign.value if assign is not None else None
        else:
            value = node.children[0] if node.kind == "cast" and node.children else node
        if value is None or not _arithmetic(value) or (value is node and node.width >= width):
            return None
        linear = self._inner(self.through).read(value)
        if not linear.products:
            return None
        needed, negative = bits_for(linear.interval)
        room = min(node.width, value.width)
        held = room >= needed + (node.sign_extended and not negative) and (node.sign_extended or not negative)
        if not (held or room >= width):
            return None
        self.inlined += [node.op] if node.kind == "name" else []
        self.inlined += linear.inlined
        terms = [(coefficient * p.coefficient, p.factors) for p in linear.products]
        return iter([*terms, (coefficient * linear.constant, ())])

    def _inner(self, through: Through) -> "Reader":
        reader = Reader(self.view, self.scope, through)
        reader._reads = self._reads
        return reader

    def _driver(self, node: Node) -> Assign | None:
        """The one assign that drives a local signal, when `through` lets it be read through."""
        signal = self.scope.signals.get(node.op)
        if signal is None or not signal.simple or signal.direction != "local":
            return None
        drivers, readers = self.view.graph.drivers(signal), self.view.graph.readers(signal)
        if len(drivers) != 1 or drivers[0].scope is not self.scope or not drivers[0].whole:
            return None
        if self.through == "once" and (len(readers) != 1 or self.reads[node.op] != 1):
            return None
        source = drivers[0].source
        return source if isinstance(source, Assign) and source.target.kind == "name" else None

    def leaf(self, node: Node, width: int) -> Leaf:
        """The node as an operand of a sum of `width` bits, no wider than its value needs."""
        needed, signed = self._needed(node)
        text = self.view.text(node)
        if needed >= width:
            return Leaf(text, width, False)
        return Leaf(text, needed, signed)

    def _needed(self, node: Node) -> tuple[int, bool]:
        """Bits and sign that hold a node's value once it is extended."""
        if node.value is not None:
            return bits_for((_number(node),) * 2)
        if node.kind == "conditional":
            return _both(self._needed(node.children[1]), self._needed(node.children[2]))
        if node.kind == "binary" and node.op in _BITWISE and not node.signed:
            return _both(self._needed(node.children[0]), self._needed(node.children[1]))
        if node.kind in ("binary", "unary") and node.op in ("+", "-", "*"):
            found = bits_for(self._inner("none").read(node).interval)
            if found[0] <= node.width and not (found[1] and not node.sign_extended):
                return found
        return node.width, node.sign_extended


def _arithmetic(node: Node) -> bool:
    if node.value is not None:
        return False
    if node.kind == "binary" and node.op in ("<<", "<<<"):
        return node.children[1].value is not None
    return (node.kind == "binary" and node.op in ("+", "-", "*")) or (node.kind == "unary" and node.op == "-")


def arithmetic_roots(root: Node) -> Iterator[Node]:
    """The outermost arithmetic nodes, and those within what isn't arithmetic below them."""
    if _arithmetic(root):
        yield root
        yield from _below(root)
    else:
        for child in root.children:
            yield from arithmetic_roots(child)


def _below(node: Node) -> Iterator[Node]:
    """Roots under the operands of an arithmetic node."""
    for child in node.children:
        if _arithmetic(child) and child.width == node.width:
            yield from _below(child)
        else:
            yield from arithmetic_roots(child)


def _both(a: tuple[int, bool], b: tuple[int, bool]) -> tuple[int, bool]:
    if a[1] == b[1]:
        return max(a[0], b[0]), a[1]
    unsigned = b[0] if a[1] else a[0]
    return max(unsigned + 1, a[0] if a[1] else b[0]), True


def _number(node: Node) -> int:
    """A constant node's value in its surroundings; one as wide as they are may as well be negative."""
    value = node.value or 0
    negative = node.sign_extended or node.outer_width <= node.width
    return _centred(value, node.width) if negative else value


def _centred(number: int, width: int) -> int:
    """The representative of least size modulo 2**width."""
    number %= 1 << width
    return number - (1 << width) if number >> (width - 1) & 1 else number


def _chained(
    first: Iterator[tuple[int, tuple[Leaf, ...]]], second: Iterator[tuple[int, tuple[Leaf, ...]]]
) -> Iterator[tuple[int, tuple[Leaf, ...]]]:
    yield from first
    yield from second
