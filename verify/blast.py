"""Word-level terms as gates."""

from collections.abc import Mapping, Sequence

from rtl_evolve.rtl.aig import FALSE, TRUE, AigBuilder
from rtl_evolve.verify.terms import Term

Bits = list[int]


def blast(
    builder: AigBuilder, terms: Sequence[Term], inputs: Mapping[str, Sequence[int]], wanted: Sequence[int]
) -> list[Bits]:
    """Literals of the `wanted` terms; division is not offered (`ValueError`)."""
    needed = set(wanted)
    for index in range(len(terms) - 1, -1, -1):
        if index in needed:
            needed.update(terms[index].args)
    bits: dict[int, Bits] = {}
    for index in sorted(needed):
        term = terms[index]
        args = [bits[a] for a in term.args]
        bits[index] = list(inputs[term.name]) if term.op == "input" else _term(builder, term, args)
    return [bits[w] for w in wanted]


def _term(b: AigBuilder, term: Term, args: list[Bits]) -> Bits:
    match term.op:
        case "const":
            return [term.value >> i & 1 for i in range(term.width)]
        case "concat":
            return [bit for arg in args for bit in arg]
        case "slice":
            return args[0][term.value : term.value + term.width]
        case "zext":
            return args[0] + [FALSE] * (term.width - len(args[0]))
        case "sext":
            return args[0] + [args[0][-1]] * (term.width - len(args[0]))
        case "not":
            return [x ^ 1 for x in args[0]]
        case "neg":
            return _add(b, [FALSE] * term.width, [x ^ 1 for x in args[0]], TRUE)[0]
        case "redor":
            return [_all(b, [x ^ 1 for x in args[0]]) ^ 1]
        case "redand":
            return [_all(b, args[0])]
        case "redxor":
            return [_parity(b, args[0])]
        case "ite":
            return [b.mux(args[0][0], x, y) for x, y in zip(args[1], args[2], strict=True)]
        case _:
            return _binary(b, term.op, args[0], args[1])


def _binary(b: AigBuilder, op: str, x: Bits, y: Bits) -> Bits:
    match op:
        case "and":
            return [b.and_(p, q) for p, q in zip(x, y, strict=True)]
        case "or":
            return [b.or_(p, q) for p, q in zip(x, y, strict=True)]
        case "xor":
            return [b.xor(p, q) for p, q in zip(x, y, strict=True)]
        case "add":
            return _add(b, x, y, FALSE)[0]
        case "sub":
            return _add(b, x, [q ^ 1 for q in y], TRUE)[0]
        case "mul":
            return _multiply(b, x, y)
        case "eq":
            return [_all(b, [b.xor(p, q) ^ 1 for p, q in zip(x, y, strict=True)])]
        case "ult":
            return [_add(b, x, [q ^ 1 for q in y], TRUE)[1] ^ 1]
        case "slt":
            return _binary(b, "ult", [*x[:-1], x[-1] ^ 1], [*y[:-1], y[-1] ^ 1])
        case "shl":
            return _shift(b, x[::-1], y, FALSE)[::-1]
        case "lshr":
            return _shift(b, x, y, FALSE)
        case "ashr":
            return _shift(b, x, y, x[-1])
    raise ValueError(f"no gates for word-level operator {op}")


def _all(b: AigBuilder, bits: Sequence[int]) -> int:
    result = TRUE
    for bit in bits:
        result = b.and_(result, bit)
    return result


def _parity(b: AigBuilder, bits: Sequence[int]) -> int:
    result = FALSE
    for bit in bits:
        result = b.xor(result, bit)
    return result


def _add(b: AigBuilder, x: Bits, y: Bits, carry: int) -> tuple[Bits, int]:
    total: Bits = []
    for p, q in zip(x, y, strict=True):
        half = b.xor(p, q)
        total.append(b.xor(half, carry))
        carry = b.or_(b.and_(p, q), b.and_(half, carry))
    return total, carry


def _multiply(b: AigBuilder, x: Bits, y: Bits) -> Bits:
    width = len(x)
    total = [FALSE] * width
    for i, q in enumerate(y):
        row = [FALSE] * i + [b.and_(p, q) for p in x[: width - i]]
        total = _add(b, total, row, FALSE)[0]
    return total


def _shift(b: AigBuilder, x: Bits, amount: Bits, fill: int) -> Bits:
    """Right by `amount`; an amount of the width or more leaves only `fill`."""
    result = list(x)
    for level, bit in enumerate(amount):
        by = min(1 << level, len(x)) if level < 32 else len(x)
        moved = result[by:] + [fill] * by
        result = [b.mux(bit, m, r) for m, r in zip(moved, result, strict=True)]
    return result
