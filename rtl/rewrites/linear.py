"""A sum of products as a record: coefficients times one or two operands, and a constant, modulo 2**width."""

from collections.abc import Iterable
from dataclasses import dataclass


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
    """`coefficient` times one or two operands (none: a constant), negated where the one-bit text `negated` is 1."""

    coefficient: int
    factors: tuple[Leaf, ...]
    negated: str = ""

    @property
    def interval(self) -> tuple[int, int]:
        low = high = self.coefficient
        for factor in self.factors:
            corners = [x * y for x in (low, high) for y in factor.interval]
            low, high = min(corners), max(corners)
        if len(self.factors) == 2 and self.factors[0] == self.factors[1]:
            low, high = (max(0, low), high) if self.coefficient > 0 else (low, min(0, high))
        return (min(low, -high), max(high, -low)) if self.negated else (low, high)


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


def collected(products: Iterable[Product], width: int, inlined: Iterable[str] = ()) -> Linear:
    """The sum of some products and constants: like ones added up, constants in one number of least size."""
    sums: dict[tuple[tuple[Leaf, ...], str], int] = {}
    constant = 0
    for product in products:
        if product.factors:
            key = (tuple(sorted(product.factors, key=lambda leaf: (leaf.text, leaf.width))), product.negated)
            sums[key] = sums.get(key, 0) + product.coefficient
        else:
            constant += product.coefficient
    kept = tuple(Product(c, factors, negated) for (factors, negated), c in sums.items() if c)
    return Linear(width, kept, centred(constant, width), tuple(inlined))


def centred(number: int, width: int) -> int:
    """The representative of least size modulo 2**width."""
    number %= 1 << width
    return number - (1 << width) if number >> (width - 1) & 1 else number
