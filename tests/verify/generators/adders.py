"""Carry-propagate adders of every family: n-bit operands and carry in, n sum bits and the carry out."""

from collections.abc import Callable

from generators.gates import Bit, Bits, Gates

Adder = Callable[[Gates, Bits, Bits, Bit], tuple[Bits, Bit]]
Span = tuple[Bit, Bit]  # generate and propagate of a range of positions


def half(g: Gates, a: Bit, b: Bit) -> tuple[Bit, Bit]:
    return g.xor(a, b), g.and_(a, b)


def full(g: Gates, a: Bit, b: Bit, c: Bit) -> tuple[Bit, Bit]:
    h = g.xor(a, b)
    return g.xor(h, c), g.or_(g.and_(a, b), g.and_(h, c))


def mirror(g: Gates, a: Bit, b: Bit, c: Bit) -> tuple[Bit, Bit]:
    """The sum computed from the carry, as in the mirror adder."""
    carry = g.or_(g.and_(a, b), g.and_(c, g.or_(a, b)))
    none = g.not_(carry)
    return g.or_(g.and_(none, g.or_(c, g.or_(a, b))), g.and_(c, g.and_(a, b))), carry


def ripple(g: Gates, x: Bits, y: Bits, carry: Bit) -> tuple[Bits, Bit]:
    total = []
    for a, b in zip(x, y, strict=True):
        s, carry = full(g, a, b, carry)
        total.append(s)
    return total, carry


def join(g: Gates, high: Span, low: Span) -> Span:
    return g.or_(high[0], g.and_(high[1], low[0])), g.and_(high[1], low[1])


def kogge_stone(g: Gates, spans: list[Span]) -> list[Span]:
    distance = 1
    while distance < len(spans):
        spans = [join(g, s, spans[i - distance]) if i >= distance else s for i, s in enumerate(spans)]
        distance *= 2
    return spans


def sklansky(g: Gates, spans: list[Span]) -> list[Span]:
    distance = 1
    while distance < len(spans):
        spans = [join(g, s, spans[i // distance * distance - 1]) if i & distance else s for i, s in enumerate(spans)]
        distance *= 2
    return spans


def brent_kung(g: Gates, spans: list[Span]) -> list[Span]:
    spans = list(spans)
    distance = 1
    while distance < len(spans):
        for i in range(2 * distance - 1, len(spans), 2 * distance):
            spans[i] = join(g, spans[i], spans[i - distance])
        distance *= 2
    while distance >= 1:
        for i in range(3 * distance - 1, len(spans), 2 * distance):
            spans[i] = join(g, spans[i], spans[i - distance])
        distance //= 2
    return spans


def han_carlson(g: Gates, spans: list[Span]) -> list[Span]:
    """Kogge-Stone over the odd positions, one more level for the even ones."""
    pairs = [join(g, spans[i], spans[i - 1]) for i in range(1, len(spans), 2)]
    odd = kogge_stone(g, pairs)
    out = [spans[0]]
    for i in range(1, len(spans)):
        out.append(odd[i // 2] if i % 2 else join(g, spans[i], odd[i // 2 - 1]))
    return out


def prefix(network: Callable[[Gates, list[Span]], list[Span]]) -> Adder:
    def adder(g: Gates, x: Bits, y: Bits, carry: Bit) -> tuple[Bits, Bit]:
        half_sums = [g.xor(a, b) for a, b in zip(x, y, strict=True)]
        spans = network(g, [(g.and_(a, b), h) for a, b, h in zip(x, y, half_sums, strict=True)])
        carries = [carry, *(g.or_(generate, g.and_(propagate, carry)) for generate, propagate in spans)]
        return [g.xor(h, c) for h, c in zip(half_sums, carries, strict=False)], carries[-1]

    return adder


def blocks(width: int, size: int) -> list[slice]:
    return [slice(start, min(start + size, width)) for start in range(0, width, size)]


def carry_select(size: int = 4) -> Adder:
    def adder(g: Gates, x: Bits, y: Bits, carry: Bit) -> tuple[Bits, Bit]:
        total: Bits = []
        for block in blocks(len(x), size):
            if block.start == 0:
                sums, carry = ripple(g, x[block], y[block], carry)
                total += sums
                continue
            with0, carry0 = ripple(g, x[block], y[block], g.zero)
            with1, carry1 = ripple(g, x[block], y[block], g.one)
            total += [g.mux(carry, one, zero) for one, zero in zip(with1, with0, strict=True)]
            carry = g.mux(carry, carry1, carry0)
        return total, carry

    return adder


def carry_skip(size: int = 4) -> Adder:
    def adder(g: Gates, x: Bits, y: Bits, carry: Bit) -> tuple[Bits, Bit]:
        total: Bits = []
        for block in blocks(len(x), size):
            sums, out = ripple(g, x[block], y[block], carry)
            skip = g.one
            for a, b in zip(x[block], y[block], strict=True):
                skip = g.and_(skip, g.xor(a, b))
            total += sums
            carry = g.mux(skip, carry, out)
        return total, carry

    return adder


def carry_increment(size: int = 4) -> Adder:
    """Each block added without a carry, then incremented by its carry in."""

    def adder(g: Gates, x: Bits, y: Bits, carry: Bit) -> tuple[Bits, Bit]:
        total: Bits = []
        for block in blocks(len(x), size):
            sums, out = ripple(g, x[block], y[block], g.zero)
            for s in sums:
                total.append(g.xor(s, carry))
                carry = g.and_(s, carry)
            carry = g.or_(out, carry)
        return total, carry

    return adder


def conditional_sum(g: Gates, x: Bits, y: Bits, carry: Bit) -> tuple[Bits, Bit]:
    """Halves added for both carries, the upper chosen by the lower's carry, recursively."""
    zero, one = _both_sums(g, x, y)
    chosen = [g.mux(carry, b, a) for a, b in zip(zero, one, strict=True)]
    return chosen[:-1], chosen[-1]


def _both_sums(g: Gates, x: Bits, y: Bits) -> tuple[Bits, Bits]:
    if len(x) == 1:
        h = g.xor(x[0], y[0])
        return [h, g.and_(x[0], y[0])], [g.not_(h), g.or_(x[0], y[0])]
    middle = len(x) // 2
    low = _both_sums(g, x[:middle], y[:middle])
    high = _both_sums(g, x[middle:], y[middle:])
    zero, one = ([*w[:-1], *[g.mux(w[-1], b, a) for a, b in zip(*high, strict=True)]] for w in low)
    return zero, one


ADDERS: dict[str, Adder] = {
    "ripple": ripple,
    "kogge-stone": prefix(kogge_stone),
    "brent-kung": prefix(brent_kung),
    "sklansky": prefix(sklansky),
    "han-carlson": prefix(han_carlson),
    "carry-select": carry_select(),
    "carry-skip": carry_skip(),
    "carry-increment": carry_increment(),
    "conditional-sum": conditional_sum,
}
