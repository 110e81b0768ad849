"""Parses a Verilog expression over input ports into a word-level term, by the language's rules for width and sign."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from rtl_evolve.rtl.errors import InputError
from rtl_evolve.verify.problem import Word
from rtl_evolve.verify.terms import TermBuilder

_TOKEN = re.compile(
    r"\s*(?:(?P<sized>(?:\d+)?\s*'[sS]?[bBoOdDhH]\s*[0-9a-fA-F_]+)|(?P<number>\d[\d_]*)|(?P<name>\$?[A-Za-z_]\w*)"
    r"|(?P<op><<<|>>>|&&|\|\||==|!=|<=|>=|<<|>>|~&|~\||~\^|\^~|->|[-+*/%&|^~!<>?:(){}\[\],]))"
)
_LEVELS: tuple[tuple[str, ...], ...] = (
    ("->",),
    ("||",),
    ("&&",),
    ("|",),
    ("^", "~^", "^~"),
    ("&",),
    ("==", "!="),
    ("<", "<=", ">", ">="),
    ("<<", ">>", "<<<", ">>>"),
    ("+", "-"),
    ("*", "/", "%"),
)
_BITS = {"&": "and", "|": "or", "^": "xor", "~^": "xor", "^~": "xor"}
_NUMBERS = {"+": "add", "-": "sub", "*": "mul"}
_COMPARE = {"==", "!=", "<", "<=", ">", ">="}
_SHIFTS = {"<<": "shl", "<<<": "shl", ">>": "lshr", ">>>": "ashr"}


@dataclass(frozen=True)
class _Node:
    """An operand or operator; `width` and `signed` are its own (self-determined) ones."""

    op: str
    width: int
    signed: bool
    args: tuple["_Node", ...] = ()
    value: int = 0
    name: str = ""


def to_term(text: str, words: Mapping[str, Word], terms: TermBuilder) -> int:
    """The expression's truth, one bit wide. Raises `InputError` naming what isn't understood."""
    node = _Parser(text, words).whole()
    return _truth(terms, node)


class _Parser:
    def __init__(self, text: str, words: Mapping[str, Word]) -> None:
        self._text, self._words = text, words
        self._tokens: list[tuple[str, str]] = []
        at = 0
        while text[at:].strip():
            match = _TOKEN.match(text, at)
            if not match:
                raise self._error(f"cannot read {text[at:].strip()[:12]!r}")
            assert match.lastgroup
            self._tokens.append((match.lastgroup, match[match.lastgroup]))
            at = match.end()
        self._at = 0

    def _error(self, what: str) -> InputError:
        return InputError(f"assumption {self._text!r}: {what}")

    def _peek(self) -> str:
        return self._tokens[self._at][1] if self._at < len(self._tokens) else ""

    def _take(self, wanted: str = "") -> str:
        found = self._peek()
        if not found or (wanted and found != wanted):
            raise self._error(f"expected {wanted or 'an operand'}, found {found or 'the end'}")
        self._at += 1
        return found

    def whole(self) -> _Node:
        node = self._ternary()
        if self._peek():
            raise self._error(f"unexpected {self._peek()!r}")
        return node

    def _ternary(self) -> _Node:
        condition = self._level(0)
        if self._peek() != "?":
            return condition
        self._take()
        then = self._ternary()
        self._take(":")
        other = self._ternary()
        return _Node("?", max(then.width, other.width), then.signed and other.signed, (condition, then, other))

    def _level(self, level: int) -> _Node:
        if level == len(_LEVELS):
            return self._unary()
        left = self._level(level + 1)
        while self._peek() in _LEVELS[level]:
            op = self._take()
            right = self._level(level if op == "->" else level + 1)
            if op in ("&&", "||", "->") or op in _COMPARE:
                left = _Node(op, 1, False, (left, right))
            elif op in _SHIFTS:
                left = _Node(op, left.width, left.signed, (left, right))
            elif op in ("/", "%"):
                raise self._error("division is not offered in an assumption")
            else:
                left = _Node(op, max(left.width, right.width), left.signed and right.signed, (left, right))
        return left

    def _unary(self) -> _Node:
        op = self._peek()
        if op in ("!", "&", "|", "^", "~&", "~|", "~^", "^~"):
            self._take()
            return _Node(f"u{op}", 1, False, (self._unary(),))
        if op in ("~", "-", "+"):
            self._take()
            inner = self._unary()
            return inner if op == "+" else _Node(f"u{op}", inner.width, inner.signed, (inner,))
        return self._primary()

    def _primary(self) -> _Node:
        kind = self._tokens[self._at][0] if self._at < len(self._tokens) else ""
        token = self._take()
        if kind == "number":
            return _Node("const", 32, True, value=int(token))
        if kind == "sized":
            return self._sized(token)
        if token == "(":
            node = self._ternary()
            self._take(")")
            return node
        if token == "{":
            return self._braces()
        if kind == "name":
            return self._call(token) if token.startswith("$") else self._port(token)
        raise self._error(f"unexpected {token!r}")

    def _sized(self, token: str) -> _Node:
        size, _, rest = token.replace("_", "").replace(" ", "").partition("'")
        signed = rest[0] in "sS"
        rest = rest[1:] if signed else rest
        base = {"b": 2, "o": 8, "d": 10, "h": 16}[rest[0].lower()]
        try:
            value = int(rest[1:], base)
        except ValueError:
            raise self._error(f"cannot read the number {token!r}") from None
        width = int(size) if size else 32
        if not width:
            raise self._error(f"the number {token!r} has no bits")
        return _Node("const", width, signed, value=value & ((1 << width) - 1))

    def _braces(self) -> _Node:
        first = self._ternary()
        if self._peek() == "{":
            if first.op != "const" or not first.value:
                raise self._error("a replication needs a constant count")
            self._take("{")
            parts = self._list("}") * first.value
            self._take("}")
        else:
            parts = [first, *(self._list("}") if self._peek() == "," and self._take(",") else [])]
            if len(parts) == 1:
                self._take("}")
        return _Node("concat", sum(p.width for p in parts), False, tuple(parts))

    def _list(self, end: str) -> list[_Node]:
        nodes = [self._ternary()]
        while self._peek() == ",":
            self._take()
            nodes.append(self._ternary())
        self._take(end)
        return nodes

    def _call(self, name: str) -> _Node:
        self._take("(")
        (arg, *more) = self._list(")")
        if more or name not in ("$signed", "$unsigned", "$onehot", "$onehot0", "$countones"):
            raise self._error(f"{name} is not offered in an assumption")
        if name in ("$signed", "$unsigned"):
            return _Node("cast", arg.width, name == "$signed", (arg,))
        count = _Node("$countones", 32, True, (arg,))
        if name == "$countones":
            return count
        bound = _Node("const", 32, True, value=1)
        return _Node("==" if name == "$onehot" else "<=", 1, False, (count, bound))

    def _port(self, name: str) -> _Node:
        word = self._words.get(name)
        if word is None:
            raise self._error(f"{name} is not an input port (there are: {', '.join(self._words)})")
        width = len(word.literals)
        port = _Node("port", width, word.signed, name=name)
        if self._peek() != "[":
            return port
        self._take()
        high = self._index(name, width)
        low = high
        if self._peek() == ":":
            self._take()
            low = self._index(name, width)
        self._take("]")
        if low > high:
            raise self._error(f"{name}[{high}:{low}] is reversed")
        return _Node("slice", high - low + 1, False, (port,), value=low)

    def _index(self, name: str, width: int) -> int:
        node = self._ternary()
        if node.op != "const" or node.value >= width:
            raise self._error(f"{name} has bits 0 to {width - 1}, chosen by a constant")
        return node.value


def _truth(t: TermBuilder, node: _Node) -> int:
    value = _emit(t, node, node.width, node.signed)
    return value if node.width == 1 else t.op("redor", 1, value)


def _own(t: TermBuilder, node: _Node) -> int:
    return _emit(t, node, node.width, node.signed)


def _emit(t: TermBuilder, node: _Node, width: int, signed: bool) -> int:
    """The node's value at its context's width and sign."""
    args, op = node.args, node.op
    if op in _BITS or op in _NUMBERS:
        left, right = (_emit(t, a, width, signed) for a in args)
        result = t.op(_BITS.get(op) or _NUMBERS[op], width, left, right)
        return t.op("not", width, result) if op in ("~^", "^~") else result
    if op in _SHIFTS:
        value = _emit(t, args[0], width, signed)
        work = max(width, args[1].width)
        name = "lshr" if op == ">>>" and not signed else _SHIFTS[op]
        amount = t.extend(_own(t, args[1]), work, signed=False)
        return t.extend(t.op(name, work, t.extend(value, work, signed=signed), amount), width, signed=False)
    if op == "?":
        return t.op("ite", width, _truth(t, args[0]), *(_emit(t, a, width, signed) for a in args[1:]))
    if op in ("u~", "u-"):
        return t.op("not" if op == "u~" else "neg", width, _emit(t, args[0], width, signed))
    return t.extend(_self_determined(t, node), width, signed=signed)


def _self_determined(t: TermBuilder, node: _Node) -> int:
    args, op = node.args, node.op
    if op == "const":
        return t.const(node.value, node.width)
    if op == "port":
        return t.input(node.name, node.width)
    if op == "slice":
        return t.slice(_own(t, args[0]), node.value, node.width)
    if op == "concat":
        return t.op("concat", node.width, *(_own(t, a) for a in reversed(args)))
    if op == "cast":
        return _own(t, args[0])
    if op == "$countones":
        total = t.const(0, 32)
        whole = _own(t, args[0])
        for i in range(args[0].width):
            total = t.op("add", 32, total, t.extend(t.slice(whole, i, 1), 32, signed=False))
        return total
    if op in _COMPARE:
        return _compare(t, node)
    if op in ("&&", "||", "->"):
        left, right = (_truth(t, a) for a in args)
        left = t.op("not", 1, left) if op == "->" else left
        return t.op("and" if op == "&&" else "or", 1, left, right)
    return _reduction(t, node)


def _compare(t: TermBuilder, node: _Node) -> int:
    width = max(a.width for a in node.args)
    signed = all(a.signed for a in node.args)
    left, right = (_emit(t, a, width, signed) for a in node.args)
    if node.op in (">", "<="):
        left, right = right, left
    result = t.op("eq" if node.op in ("==", "!=") else "slt" if signed else "ult", 1, left, right)
    return t.op("not", 1, result) if node.op in ("!=", "<=", ">=") else result


def _reduction(t: TermBuilder, node: _Node) -> int:
    name = {"&": "redand", "|": "redor", "^": "redxor", "!": "redor"}[node.op.lstrip("u").lstrip("~").rstrip("~")]
    result = t.op(name, 1, _own(t, node.args[0]))
    return t.op("not", 1, result) if "~" in node.op or node.op == "u!" else result
