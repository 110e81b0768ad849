"""Sums with common parts taken out: operands of one coefficient added first, products of one operand made one."""

from collections import defaultdict
from collections.abc import Iterator, Sequence

from rtl_evolve.rtl.generate.recoding import signed_digits
from rtl_evolve.rtl.rewrites.gated import operand
from rtl_evolve.rtl.rewrites.linear import Leaf, Linear, Product, bits_for, collected


def factored(linear: Linear) -> Iterator[Linear]:
    """The sum with less in its columns: by coefficients, and by common operands, largest groups or pairs first."""
    seen = {linear}
    for found in (_by_coefficient(linear), _by_operand(linear, largest=False), _by_operand(linear, largest=True)):
        if found not in seen:
            seen.add(found)
            yield found


def _by_coefficient(linear: Linear) -> Linear:
    """7x + 7y is 7(x + y), and 7x - 7y is 7(x - y): one addition instead of a row for each digit."""
    groups: dict[int, list[Product]] = defaultdict(list)
    for product in linear.products:
        if len(product.factors) == 1 and not product.negated:
            groups[abs(product.coefficient)].append(product)
    products = list(linear.products)
    for size, members in groups.items():
        if len(signed_digits(size)) > 1 and len(members) > 1:
            for pair in zip(members[::2], members[1::2], strict=False):
                sign = 1 if max(p.coefficient for p in pair) > 0 else -1
                parts = [(sign * p.coefficient // size, p.factors[0]) for p in pair]
                products = [p for p in products if p not in pair]
                products.append(Product(sign * size, (_added(parts),)))
    return _as(linear, products)


def _by_operand(linear: Linear, *, largest: bool) -> Linear:
    """ac + bc is (a + b)c."""
    products = list(linear.products)
    while True:
        groups: dict[tuple[Leaf, int], list[Product]] = defaultdict(list)
        for product in products:
            if len(product.factors) == 2 and product.factors[0] != product.factors[1] and not product.negated:
                for leaf in product.factors:
                    groups[leaf, abs(product.coefficient)].append(product)
        shared = {key: members for key, members in groups.items() if len(members) > 1}
        if not shared:
            return _as(linear, products)
        (leaf, size), members = (max if largest else min)(shared.items(), key=lambda item: len(item[1]))
        sign = 1 if max(p.coefficient for p in members) > 0 else -1
        others = [p.factors[0] if p.factors[1] == leaf else p.factors[1] for p in members]
        parts = [(sign * p.coefficient // size, other) for p, other in zip(members, others, strict=True)]
        products = [p for p in products if p not in members]
        products.append(Product(sign * size, (_added(parts), leaf)))


def _added(parts: Sequence[tuple[int, Leaf]]) -> Leaf:
    """Operands added and subtracted as an operand; the first with a plus comes first."""
    ordered = sorted(parts, key=lambda part: -part[0])
    signed = any(leaf.signed for _, leaf in ordered)
    # operands of one kind are extended alike; of two kinds the unsigned ones must be made signed
    mixed = signed and not all(leaf.signed for _, leaf in ordered)
    texts = [operand(leaf, signed=mixed) for _, leaf in ordered]
    text = texts[0] + "".join(
        f" {'+' if sign > 0 else '-'} {word}" for (sign, _), word in zip(ordered[1:], texts[1:], strict=True)
    )
    low = sum(min(sign * end for end in leaf.interval) for sign, leaf in ordered)
    high = sum(max(sign * end for end in leaf.interval) for sign, leaf in ordered)
    width, negative = bits_for((low, high))
    return Leaf(text, width, negative)


def _as(linear: Linear, products: Sequence[Product]) -> Linear:
    return collected([*products, Product(linear.constant, ())], linear.width, linear.inlined)
