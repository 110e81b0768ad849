"""A choice between two sums as one sum: operands and signs are chosen instead of results."""

from dataclasses import replace

from rtl_evolve.rtl.rewrites.linear import Leaf, Linear, Product, collected


def selected(condition: str, then: Linear, otherwise: Linear) -> Linear:
    """`condition ? then : otherwise` for a one-bit text.

    A product both have keeps its place, its sign chosen; products of one alone are paired with the other's, or
    multiplied by the condition.
    """
    products: list[Product] = []
    mine, theirs = list(then.products), list(otherwise.products)
    for product in then.products:
        partner = next((p for p in theirs if p.factors == product.factors), None)
        if partner is not None and abs(partner.coefficient) == abs(product.coefficient):
            products.append(_signed(condition, product, partner))
            mine.remove(product)
            theirs.remove(partner)
    for product in list(mine):
        partner = next((p for p in theirs if _alike(p, product)), None)
        if partner is not None:
            factors = zip(product.factors, partner.factors, strict=True)
            chosen = tuple(_chosen(condition, a, b) for a, b in factors)
            products.append(_signed(condition, replace(product, factors=chosen), partner))
            mine.remove(product)
            theirs.remove(partner)
    products += [_gated(condition, product) for product in mine]
    products += [_gated(_not(condition), product) for product in theirs]
    products.append(Product(otherwise.constant, ()))
    if then.constant != otherwise.constant:
        products.append(Product(then.constant - otherwise.constant, (Leaf(condition, 1, False),)))
    return collected(products, then.width, (*then.inlined, *otherwise.inlined))


def _alike(a: Product, b: Product) -> bool:
    return len(a.factors) == len(b.factors) and abs(a.coefficient) == abs(b.coefficient)


def _signed(condition: str, then: Product, otherwise: Product) -> Product:
    """`then`'s factors with the coefficient of `otherwise`, negated where the signs say so."""
    flipped = then.coefficient != otherwise.coefficient
    first = _not(then.negated) if flipped and then.negated else "1'b1" if flipped else then.negated or "1'b0"
    second = otherwise.negated or "1'b0"
    return Product(otherwise.coefficient, then.factors, _choice(condition, first, second))


def _choice(condition: str, then: str, otherwise: str) -> str:
    """`condition ? then : otherwise` of one-bit texts; "" for never."""
    if then == otherwise:
        return "" if then == "1'b0" else then
    match then, otherwise:
        case "1'b1", "1'b0":
            return condition
        case "1'b0", "1'b1":
            return _not(condition)
        case "1'b0", _:
            return f"(!{condition} && {otherwise})"
        case _, "1'b0":
            return f"({condition} && {then})"
        case "1'b1", _:
            return f"({condition} || {otherwise})"
        case _, "1'b1":
            return f"(!{condition} || {then})"
    return f"({condition} ? {then} : {otherwise})"


def _not(text: str) -> str:
    return text[1:] if text.startswith("!") and text[1:].isidentifier() else f"!{text}"


def _chosen(condition: str, a: Leaf, b: Leaf) -> Leaf:
    """One of two operands, wide enough for both."""
    if a == b:
        return a
    signed = a.signed or b.signed
    width = max(leaf.width + (signed and not leaf.signed) for leaf in (a, b))
    return Leaf(f"({condition} ? {operand(a, signed)} : {operand(b, signed)})", width, signed)


def operand(leaf: Leaf, signed: bool) -> str:
    """The operand with its own sign kept where it is extended."""
    if not signed:
        return leaf.text if leaf.text.isidentifier() else f"({leaf.text})"
    return f"$signed({leaf.text})" if leaf.signed else f"$signed({{1'b0, {leaf.text}}})"


def _gated(condition: str, product: Product) -> Product:
    """The product where the condition holds, else 0: its narrowest operand is chosen against 0."""
    narrow = min(product.factors, key=lambda leaf: leaf.width)
    kept = list(product.factors)
    zero = f"{narrow.width}'{'s' if narrow.signed else ''}d0"
    kept[kept.index(narrow)] = Leaf(
        f"({condition} ? {operand(narrow, narrow.signed)} : {zero})", narrow.width, narrow.signed
    )
    return replace(product, factors=tuple(kept))
