"""Evaluates expressions of the text on numbers, by Verilog's rules for two-valued logic."""

from collections.abc import Callable, Sequence

from rtl_evolve.rtl.rewrites.view_nodes import Node, Scope

Words = Sequence[int]
Lookup = Callable[[str], Words | None]


class NoValue(Exception):
    """The expression reads something whose values aren't known here."""


def evaluate(node: Node, scope: Scope | None, lookup: Lookup, count: int) -> list[int]:
    """The node's value, extended to its outer width, for `count` vectors. Raises `NoValue`."""
    inner = _inner(node, scope, lookup, count)
    return list(extend(inner, node.width, node.outer_width, node.sign_extended))


def folded(node: Node) -> int | None:
    """The value of an expression of constants alone, as `node.width` bits; None when it reads anything else."""
    try:
        return _inner(node, None, lambda name: None, 1)[0]
    except (NoValue, IndexError):
        return None


def extend(words: Words, width: int, outer: int, sign: bool) -> Words:
    """Numbers of `width` bits cut or extended to `outer` bits."""
    if outer < width:
        mask = (1 << outer) - 1
        return [w & mask for w in words]
    if outer == width or not sign:
        return words
    top, fill = 1 << (width - 1), ((1 << outer) - 1) ^ ((1 << width) - 1)
    return [w | fill if w & top else w for w in words]


def _inner(node: Node, scope: Scope | None, lookup: Lookup, count: int) -> Words:
    mask = (1 << node.width) - 1
    if node.value is not None and node.kind not in ("replicate", "parameter"):
        return [node.value] * count
    if node.kind == "parameter":
        if node.value is None:
            raise NoValue
        return [node.value] * count
    if node.kind == "name":
        known = lookup(node.op)
        if known is None:
            raise NoValue
        return [w & mask for w in known]
    below = [evaluate(child, scope, lookup, count) for child in node.children]
    match node.kind:
        case "unary":
            return _unary(node.op, below[0], node.children[0].outer_width, mask)
        case "binary":
            return _binary(node, below[0], below[1], mask)
        case "conditional":
            return [t if c else e for c, t, e in zip(*below, strict=True)]
        case "concat":
            return _concat(below, [c.outer_width for c in node.children], count)
        case "replicate":
            return _concat(below * (node.value or 0), [node.children[0].outer_width] * (node.value or 0), count)
        case "bit" | "slice":
            return _select(node, below, mask, scope)
        case "cast":
            return [
                w & mask for w in extend(below[0], node.children[0].outer_width, node.width, node.children[0].signed)
            ]
        case "call" if node.op in ("$signed", "$unsigned"):
            return below[0]
    raise NoValue


def _unary(op: str, words: Words, width: int, mask: int) -> Words:
    ones = (1 << width) - 1
    functions: dict[str, Callable[[int], int]] = {
        "~": lambda w: ~w & mask,
        "-": lambda w: -w & mask,
        "+": lambda w: w,
        "!": lambda w: int(w == 0),
        "&": lambda w: int(w == ones),
        "|": lambda w: int(w != 0),
        "^": lambda w: w.bit_count() & 1,
        "~&": lambda w: int(w != ones),
        "~|": lambda w: int(w == 0),
        "~^": lambda w: ~w.bit_count() & 1,
    }
    return [functions[op](w) for w in words]


def _signed(words: Words, width: int) -> Words:
    top, span = 1 << (width - 1), 1 << width
    return [w - span if w & top else w for w in words]


def _quotient(a: int, b: int) -> int:
    q = abs(a) // abs(b)
    return -q if (a < 0) != (b < 0) else q


_BINARY: dict[str, Callable[[int, int], int]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "&": lambda a, b: a & b,
    "|": lambda a, b: a | b,
    "^": lambda a, b: a ^ b,
    "~^": lambda a, b: ~(a ^ b),
    "==": lambda a, b: int(a == b),
    "!=": lambda a, b: int(a != b),
    "===": lambda a, b: int(a == b),
    "!==": lambda a, b: int(a != b),
    "<": lambda a, b: int(a < b),
    "<=": lambda a, b: int(a <= b),
    ">": lambda a, b: int(a > b),
    ">=": lambda a, b: int(a >= b),
    "&&": lambda a, b: int(bool(a) and bool(b)),
    "||": lambda a, b: int(bool(a) or bool(b)),
    "/": lambda a, b: _quotient(a, b) if b else 0,
    "%": lambda a, b: a - b * _quotient(a, b) if b else 0,
}


def _binary(node: Node, a: Words, b: Words, mask: int) -> Words:
    left, right = node.children
    if node.op in ("<<", "<<<", ">>", ">>>"):
        return _shift(node, a, b, mask)
    if node.op not in _BINARY:
        raise NoValue
    if node.op in ("<", "<=", ">", ">=", "/", "%") and left.outer_signed and right.outer_signed:
        a, b = _signed(a, left.outer_width), _signed(b, right.outer_width)
    function = _BINARY[node.op]
    return [function(x, y) & mask for x, y in zip(a, b, strict=True)]


def _shift(node: Node, a: Words, b: Words, mask: int) -> Words:
    width = node.width
    if node.op in ("<<", "<<<"):
        return [(x << y) & mask if y < width else 0 for x, y in zip(a, b, strict=True)]
    if node.op == ">>>" and node.signed:
        return [(x >> min(y, width)) & mask for x, y in zip(_signed(a, width), b, strict=True)]
    return [x >> y if y < width else 0 for x, y in zip(a, b, strict=True)]


def _concat(parts: Sequence[Words], widths: Sequence[int], count: int) -> list[int]:
    total = [0] * count
    for words, width in zip(parts, widths, strict=True):
        total = [(t << width) | w for t, w in zip(total, words, strict=True)]
    return total


def _select(node: Node, below: Sequence[Words], mask: int, scope: Scope | None) -> Words:
    """A bit or a slice; only of plain vectors, whose declared bounds give the position."""
    value = node.children[0]
    signal = scope.lookup(value.op) if scope is not None and value.kind == "name" else None
    if signal is None or not signal.simple or signal.msb < signal.lsb:
        raise NoValue
    if node.kind == "bit":
        low: Words = [s - signal.lsb for s in below[1]]
    elif node.op == ":":
        low = [s - signal.lsb for s in below[2]]
    elif node.op == "+:":
        low = [s - signal.lsb for s in below[1]]
    else:
        low = [s - signal.lsb - node.width + 1 for s in below[1]]
    if any(position < 0 or position >= signal.width for position in low):
        raise NoValue
    return [(w >> p) & mask for w, p in zip(below[0], low, strict=True)]
