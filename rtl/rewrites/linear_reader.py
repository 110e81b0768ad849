"""Reads an expression of the text as a sum of products (`linear.py`)."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Literal

from rtl_evolve.rtl.rewrites.gated import selected
from rtl_evolve.rtl.rewrites.linear import Leaf, Linear, Product, bits_for, centred, collected
from rtl_evolve.rtl.rewrites.view import View
from rtl_evolve.rtl.rewrites.view_nodes import Assign, Node, Scope

_BITWISE = {"&", "|", "^", "~^", "^~"}


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

    def read(self, node: Node, width: int | None = None) -> Linear:
        """The sum that `node` computes, in its own width or the fewer bits that are wanted."""
        self.inlined = []
        width = min(node.width, width or node.width)
        products = list(self._terms(node, 1, width))
        return collected(products, width, self.inlined)

    def _terms(self, node: Node, coefficient: int, width: int) -> Iterable[Product]:
        """Products that add up to `coefficient` times the node, modulo 2**width."""
        if node.value is not None:
            return [Product(coefficient * _number(node), ())]
        read = self._operator(node, coefficient, width) if node.width >= width else None
        if read is None and (node.kind == "concat" or _converts(node)):
            read = self._shifted(node, coefficient, width)
        if read is None and self.through != "none":
            read = self._exact(node, coefficient, width)
        return read if read is not None else [Product(coefficient, (self.leaf(node, width),))]

    def _operator(self, node: Node, coefficient: int, width: int) -> Iterable[Product] | None:
        """The node's terms when it is arithmetic at least `width` bits wide; None when it's something else."""
        terms = self._terms
        match node.kind, node.op:
            case "binary", "+" | "-":
                sign = -1 if node.op == "-" else 1
                left, right = node.children
                return [*terms(left, coefficient, width), *terms(right, sign * coefficient, width)]
            case "unary", "-":
                return terms(node.children[0], -coefficient, width)
            case "unary", "+":
                return terms(node.children[0], coefficient, width)
            case "unary", "~":
                return [*terms(node.children[0], -coefficient, width), Product(-coefficient, ())]
            case "binary", "<<" | "<<<" if node.children[1].value is not None and node.children[1].value < width:
                return terms(node.children[0], coefficient << node.children[1].value, width)
            case "binary", "*":
                return self._product(node, coefficient, width)
            case "conditional", _ if self.through != "none":
                return self._selected(node, coefficient, width)
        return None

    def _selected(self, node: Node, coefficient: int, width: int) -> Iterable[Product] | None:
        """A choice between two sums as one sum of chosen operands and signs."""
        condition, *branches = node.children
        if not any(_arithmetic(branch) for branch in branches):
            return None
        then, otherwise = (self._inner(self.through).read(branch, width) for branch in branches)
        self.inlined += [*then.inlined, *otherwise.inlined]
        text = self.view.operand(condition)
        linear = selected(text if condition.width == 1 else f"(|{text})", then, otherwise)
        return _scaled(linear, coefficient)

    def _product(self, node: Node, coefficient: int, width: int) -> Iterable[Product]:
        left, right = node.children
        if left.value is not None:
            left, right = right, left
        if right.value is not None:
            return self._terms(left, coefficient * _number(right), width)
        return [Product(coefficient, (self.leaf(left, width), self.leaf(right, width)))]

    def _shifted(self, node: Node, coefficient: int, width: int) -> Iterable[Product] | None:
        """{zeros, x, constant} is x shifted; {copies of x's top bit, x} is x signed."""
        concat = node.children[0] if _converts(node) and node.width == node.children[0].width else node
        parts = [child for child in concat.children if child.width] if concat.kind == "concat" else []
        low = constant = 0
        while parts and parts[-1].value is not None:
            constant |= parts[-1].value << low
            low += parts.pop().width
        zeros = 0
        while parts and parts[0].value == 0:
            zeros += parts.pop(0).width
        copies = len(parts) == 2 and not zeros and self._repeats_top(parts[0], parts[1])
        if len(parts) != 1 and not copies:
            return None
        rest = Product(coefficient * constant, ())
        cut = node.width >= width  # how it would be extended doesn't matter then
        if copies:
            signed = Product(coefficient << low, (replace(self.leaf(parts[1], width), signed=True),))
            return [signed, rest] if cut or node.sign_extended else None
        if not (zeros or cut) and node.sign_extended:
            return None
        return [*self._terms(parts[0], coefficient << low, width), rest]

    def _repeats_top(self, copies: Node, of: Node) -> bool:
        """Whether `copies` is {n{x[msb]}} or x[msb] of the name `of`."""
        bit = copies.children[-1] if copies.kind == "replicate" else copies
        if bit.kind != "bit" or of.kind != "name" or bit.children[0].op != of.op:
            return False
        signal = self.scope.lookup(of.op)
        return signal is not None and bit.children[1].value == signal.msb

    def _exact(self, node: Node, coefficient: int, width: int) -> Iterable[Product] | None:
        """The terms of narrower arithmetic, or of what drives a signal, when the node holds their sum in full."""
        if node.kind == "name":
            assign = self._driver(node)
            value = assign.value if assign is not None else None
        else:
            value = node.children[0] if _converts(node) else node
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
        return _scaled(linear, coefficient)

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
        if node.kind == "concat" or _converts(node):
            plain = collected(self._shifted(node, 1, width) or (), width)
            if len(plain.products) == 1 and not plain.constant and plain.products[0].coefficient == 1:
                factors = plain.products[0].factors
                if len(factors) == 1:
                    return factors[0]
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


def _converts(node: Node) -> bool:
    """Whether it is its operand with another sign, or cast to another width."""
    return node.kind == "cast" or (node.kind == "call" and node.op in ("$signed", "$unsigned"))


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
        if root.kind == "conditional" and any(_arithmetic(branch) for branch in root.children[1:]):
            yield root
        for child in root.children:
            yield from arithmetic_roots(child)


def demands(root: Node, width: int) -> dict[Node, int]:
    """How many low bits of each node of an expression count when `width` bits of its value do."""
    found: dict[Node, int] = {}
    pending = [(root, width)]
    while pending:
        node, wanted = pending.pop()
        found[node] = min(node.width, wanted)
        passes = _arithmetic(node) or (node.kind == "binary" and node.op in _BITWISE) or node.op == "~"
        for index, child in enumerate(node.children):
            through = (passes and child.width == node.width) or (node.kind == "conditional" and index > 0)
            pending.append((child, found[node] if through else child.outer_width))
    return found


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
    return centred(value, node.width) if negative else value


def _scaled(linear: Linear, coefficient: int) -> list[Product]:
    scaled = [replace(p, coefficient=coefficient * p.coefficient) for p in linear.products]
    return [*scaled, Product(coefficient * linear.constant, ())]
