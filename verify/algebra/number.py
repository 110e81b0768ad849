"""Numbers as polynomials of the input bits, and what the word-level operators make of them.

A term's number may be known bit by bit, or as one polynomial whose value modulo 2^width it is. The range of that
polynomial tells whether the number survives an extension: a product that fits its width does, a sum that may wrap
around doesn't.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from rtl_evolve.verify.algebra.polynomial import ONE, Polynomial, add_to, constant, product
from rtl_evolve.verify.terms import Term

MOST_TERMS = 60_000  # monomials of one polynomial; more would be no easier than the gates
MOST_BIT_TERMS = 300  # monomials of one bit's polynomial
MOST_SHIFT_BITS = 7


class NotPolynomial(Exception):
    """The term computes no polynomial of its inputs, or one too large to be of use."""


@dataclass(frozen=True)
class Number:
    """A term's value: equal to `polynomial` modulo 2^width, which as an integer lies in `low` to `high`.

    `bits`, where known, are the polynomials of its bits.
    """

    width: int
    polynomial: Polynomial
    low: int
    high: int
    bits: tuple[Polynomial, ...] | None = None

    def unsigned(self) -> "Number":
        """The same number with a polynomial that is its value read as unsigned."""
        if self.low >= 0 and self.high < 1 << self.width:
            return self
        if self.bits is None:
            raise NotPolynomial
        return from_bits(self.bits)

    def signed(self) -> "Number":
        """The same number with a polynomial that is its value read as two's complement."""
        half = 1 << self.width >> 1
        if self.low >= -half and self.high < half:
            return self
        if self.bits is None:
            raise NotPolynomial
        plain = from_bits(self.bits)
        total = add_to(dict(plain.polynomial), self.bits[-1], -(1 << self.width))
        return Number(self.width, total, -half, half - 1, self.bits)

    def known_bits(self) -> tuple[Polynomial, ...]:
        if self.bits is None:
            raise NotPolynomial
        return self.bits


def from_bits(bits: Sequence[Polynomial]) -> Number:
    """An unsigned number from the polynomials of its bits, lowest first."""
    total: Polynomial = {}
    for position, bit in enumerate(bits):
        add_to(total, _check_size(bit, MOST_BIT_TERMS), 1 << position)
    highest = sum(1 << i for i, bit in enumerate(bits) if bit)
    return Number(len(bits), total, 0, highest, tuple(bits))


def _check_size(polynomial: Polynomial, most: int = MOST_TERMS) -> Polynomial:
    if len(polynomial) > most:
        raise NotPolynomial
    return polynomial


def _times(a: Polynomial, b: Polynomial) -> Polynomial:
    if len(a) * len(b) > 4 * MOST_TERMS:
        raise NotPolynomial
    return _check_size(product(a, b))


def _linear(term: Term, parts: Sequence[tuple[Number, int]], offset: int = 0) -> Number:
    """The sum of numbers times weights."""
    total = constant(offset)
    low = high = offset
    for number, weight in parts:
        add_to(total, number.polynomial, weight)
        ends = (number.low * weight, number.high * weight)
        low, high = low + min(ends), high + max(ends)
    return Number(term.width, _check_size(total), low, high)


def _add(term: Term, args: Sequence[Number]) -> Number:
    return _linear(term, [(args[0], 1), (args[1], 1)])


def _sub(term: Term, args: Sequence[Number]) -> Number:
    return _linear(term, [(args[0], 1), (args[1], -1)])


def _neg(term: Term, args: Sequence[Number]) -> Number:
    return _linear(term, [(args[0], -1)])


def _not(term: Term, args: Sequence[Number]) -> Number:
    if args[0].bits is not None:
        return from_bits([_inverse(bit) for bit in args[0].bits])
    return _linear(term, [(args[0], -1)], -1)


def _mul(term: Term, args: Sequence[Number]) -> Number:
    a, b = args
    ends = [x * y for x in (a.low, a.high) for y in (b.low, b.high)]
    return Number(term.width, _times(a.polynomial, b.polynomial), min(ends), max(ends))


def _extend_zero(term: Term, args: Sequence[Number]) -> Number:
    a = args[0].unsigned()
    bits = None if a.bits is None else a.bits + ({},) * (term.width - a.width)
    return Number(term.width, a.polynomial, a.low, a.high, bits)


def _extend_sign(term: Term, args: Sequence[Number]) -> Number:
    a = args[0].signed()
    bits = None if a.bits is None else a.bits + a.bits[-1:] * (term.width - a.width)
    return Number(term.width, a.polynomial, a.low, a.high, bits)


def _slice(term: Term, args: Sequence[Number]) -> Number:
    a, low = args[0], term.value
    if a.bits is not None:
        return from_bits(a.bits[low : low + term.width])
    if low == 0:
        return Number(term.width, a.polynomial, a.low, a.high)
    if all(c % (1 << low) == 0 for c in a.polynomial.values()):
        divided = {monomial: c >> low for monomial, c in a.polynomial.items()}
        return Number(term.width, divided, a.low >> low, -(-a.high >> low))
    raise NotPolynomial


def _concat(term: Term, args: Sequence[Number]) -> Number:
    if all(number.bits is not None for number in args):
        return from_bits([bit for number in args for bit in number.known_bits()])
    parts = []
    at = 0
    for number in args:
        last = at + number.width == term.width
        parts.append((number if last else number.unsigned(), 1 << at))
        at += number.width
    return _linear(term, parts)


def _bitwise(combine: Callable[[Polynomial, Polynomial], Polynomial]) -> Callable[[Term, Sequence[Number]], Number]:
    def operator(term: Term, args: Sequence[Number]) -> Number:
        pairs = zip(args[0].known_bits(), args[1].known_bits(), strict=True)
        return from_bits([combine(a, b) for a, b in pairs])

    return operator


def _and(term: Term, args: Sequence[Number]) -> Number:
    """Bit by bit, or a number gated by one bit repeated."""
    if all(a.bits is not None for a in args):
        return _bitwise(_times)(term, args)
    for number, mask in (args, args[::-1]):
        bits = mask.bits
        if bits is not None and all(bit == bits[0] for bit in bits):
            gated = _times(number.polynomial, bits[0])
            return Number(term.width, gated, min(0, number.low), max(0, number.high))
    raise NotPolynomial


def _or_bits(a: Polynomial, b: Polynomial) -> Polynomial:
    return add_to(add_to(dict(a), b), _times(a, b), -1)


def _xor_bits(a: Polynomial, b: Polynomial) -> Polynomial:
    return add_to(add_to(dict(a), b), _times(a, b), -2)


def _inverse(bit: Polynomial) -> Polynomial:
    return add_to(constant(1), bit, -1)


def _choose(term: Term, args: Sequence[Number]) -> Number:
    select, then, otherwise = args
    chosen = select.known_bits()[0]
    if then.bits is not None and otherwise.bits is not None:
        pairs = zip(then.bits, otherwise.bits, strict=True)
        return from_bits([_mix(chosen, a, b) for a, b in pairs])
    mixed = _check_size(_mix(chosen, then.polynomial, otherwise.polynomial))
    return Number(term.width, mixed, min(then.low, otherwise.low), max(then.high, otherwise.high))


def _mix(chosen: Polynomial, then: Polynomial, otherwise: Polynomial) -> Polynomial:
    return add_to(dict(otherwise), _times(chosen, add_to(dict(then), otherwise, -1)))


def _shift_left(term: Term, args: Sequence[Number]) -> Number:
    """By a constant, or by few bits: each doubles the shift where it is one."""
    amount = args[1].unsigned()
    if set(amount.polynomial) <= {ONE}:
        by = amount.polynomial.get(ONE, 0)
        if by >= term.width:
            return from_bits([{}] * term.width)
        return _linear(term, [(args[0], 1 << by)])
    bits = args[1].known_bits()
    while bits and not bits[-1]:
        bits = bits[:-1]
    if len(bits) > MOST_SHIFT_BITS:
        raise NotPolynomial
    factor = constant(1)
    for position, bit in enumerate(bits):
        factor = _times(factor, add_to(constant(1), bit, (1 << (1 << position)) - 1))
    return _mul(term, [args[0], Number(term.width, factor, 1, 1 << (1 << len(bits)))])


def _shift_right(term: Term, args: Sequence[Number]) -> Number:
    amount = args[1].unsigned()
    if not set(amount.polynomial) <= {ONE}:
        raise NotPolynomial
    by = min(amount.polynomial.get(ONE, 0), term.width)
    bits = args[0].known_bits()
    fill: Polynomial = bits[-1] if term.op == "ashr" else {}
    return from_bits(bits[by:] + (fill,) * by)


def _reduce(term: Term, args: Sequence[Number]) -> Number:
    bits = args[0].known_bits()
    combine = {"redand": _times, "redor": _or_bits, "redxor": _xor_bits}[term.op]
    total = bits[0]
    for bit in bits[1:]:
        total = _check_size(combine(total, bit), MOST_BIT_TERMS)
    return from_bits([total])


OPERATORS: Mapping[str, Callable[[Term, Sequence[Number]], Number]] = {
    "add": _add,
    "sub": _sub,
    "neg": _neg,
    "not": _not,
    "mul": _mul,
    "zext": _extend_zero,
    "sext": _extend_sign,
    "slice": _slice,
    "concat": _concat,
    "and": _and,
    "or": _bitwise(_or_bits),
    "xor": _bitwise(_xor_bits),
    "ite": _choose,
    "shl": _shift_left,
    "lshr": _shift_right,
    "ashr": _shift_right,
    "redand": _reduce,
    "redor": _reduce,
    "redxor": _reduce,
}
