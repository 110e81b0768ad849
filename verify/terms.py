"""Word-level terms: what a cone computes, in the vocabulary of SMT-LIB's bit vectors.

A term graph is a tuple of `Term`; arguments are indices of earlier terms. Every operand is already extended to the
width its operator works at, so a reader needs no rules about Verilog's widths and signs:

    input(name)  const(value)
    concat(low, ..., high)   slice(a; lowest bit = value)   zext(a)   sext(a)
    not and or xor neg add sub mul udiv urem sdiv srem      all of one width; division by zero as in SMT-LIB
    shl lshr ashr                                           amount of the same width as the value
    eq ult slt                                              one bit wide
    redor redand redxor                                     one bit wide
    ite(condition of one bit, then, else)
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Term:
    """`width` in bits. `value` is a constant's value, or a slice's lowest bit; `name` is an input word's name."""

    op: str
    width: int
    args: tuple[int, ...] = ()
    value: int = 0
    name: str = ""


@dataclass(frozen=True)
class Part:
    """Bits `low` to `low + width - 1` of a term, inverted or not; the pieces a word is put together from."""

    term: int
    low: int
    width: int = 1
    inverted: bool = False


class TermBuilder:
    """Makes terms, sharing equal ones and folding slices of concatenations."""

    def __init__(self) -> None:
        self.terms: list[Term] = []
        self._known: dict[Term, int] = {}

    def width(self, index: int) -> int:
        return self.terms[index].width

    def add(self, term: Term) -> int:
        known = self._known.get(term)
        if known is None:
            self.terms.append(term)
            known = self._known[term] = len(self.terms) - 1
        return known

    def input(self, name: str, width: int) -> int:
        return self.add(Term("input", width, name=name))

    def const(self, value: int, width: int) -> int:
        return self.add(Term("const", width, value=value & ((1 << width) - 1)))

    def folded(self, term: Term, args: Sequence[int]) -> int:
        """The constant that a term over constants is."""
        values = [self.terms[a].value for a in args]
        return self.const(_value(term, values, [self.width(a) for a in args], {}), term.width)

    def op(self, op: str, width: int, *args: int) -> int:
        return self.add(Term(op, width, args))

    def extend(self, a: int, width: int, *, signed: bool) -> int:
        """`a` brought to `width`: cut, or extended with zeros or its sign."""
        have = self.width(a)
        if width < have:
            return self.slice(a, 0, width)
        if width == have:
            return a
        if self.terms[a].op == "const" and not signed:
            return self.const(self.terms[a].value, width)
        return self.op("sext" if signed else "zext", width, a)

    def slice(self, a: int, low: int, width: int) -> int:
        term = self.terms[a]
        if low == 0 and width == term.width:
            return a
        if term.op == "slice":
            return self.slice(term.args[0], low + term.value, width)
        if term.op == "const":
            return self.const(term.value >> low, width)
        if term.op == "zext" and low + width <= self.width(term.args[0]):
            return self.slice(term.args[0], low, width)
        return self.add(Term("slice", width, (a,), low))

    def join(self, parts: Sequence[Part]) -> int:
        """The word made of `parts`, least significant first; neighbours that belong together become one slice."""
        runs: list[Part] = []
        for part in parts:
            last = runs[-1] if runs else None
            if last and last.term == part.term and last.inverted == part.inverted and last.low + last.width == part.low:
                runs[-1] = Part(last.term, last.low, last.width + part.width, last.inverted)
            elif last and self._both_constant(last, part):
                value = self._constant(last) | self._constant(part) << last.width
                runs[-1] = Part(self.const(value, last.width + part.width), 0, last.width + part.width)
            else:
                runs.append(part)
        pieces = []
        for run in runs:
            piece = self.slice(run.term, run.low, run.width)
            pieces.append(self.op("not", run.width, piece) if run.inverted else piece)
        if len(pieces) == 1:
            return pieces[0]
        if len(pieces) == 2 and self.terms[pieces[1]].op == "const" and self.terms[pieces[1]].value == 0:
            return self.extend(pieces[0], sum(map(self.width, pieces)), signed=False)
        return self.op("concat", sum(map(self.width, pieces)), *pieces)

    def _both_constant(self, a: Part, b: Part) -> bool:
        return self.terms[a.term].op == "const" and self.terms[b.term].op == "const"

    def _constant(self, part: Part) -> int:
        value = (self.terms[part.term].value >> part.low) & ((1 << part.width) - 1)
        return value ^ ((1 << part.width) - 1) if part.inverted else value


def evaluate(terms: Sequence[Term], inputs: Mapping[str, int], wanted: Sequence[int]) -> list[int]:
    """Values of the `wanted` terms for one assignment of the input words; terms nothing wants are not computed."""
    needed = set(wanted)
    for index in range(len(terms) - 1, -1, -1):
        if index in needed:
            needed.update(terms[index].args)
    values: dict[int, int] = {}
    for index in sorted(needed):
        term = terms[index]
        args = [values[a] for a in term.args]
        widths = [terms[a].width for a in term.args]
        values[index] = _value(term, args, widths, inputs) & ((1 << term.width) - 1)
    return [values[w] for w in wanted]


def _value(term: Term, args: list[int], widths: list[int], inputs: Mapping[str, int]) -> int:
    match term.op:
        case "input":
            return inputs[term.name]
        case "const":
            return term.value
        case "concat":
            total = at = 0
            for arg, width in zip(args, widths, strict=True):
                total |= arg << at
                at += width
            return total
        case "slice":
            return args[0] >> term.value
        case "zext" | "redor":
            return args[0] if term.op == "zext" else int(args[0] != 0)
        case "redand":
            return int(args[0] == (1 << widths[0]) - 1)
        case "redxor":
            return args[0].bit_count() & 1
        case "ite":
            return args[1] if args[0] else args[2]
        case "not":
            return ~args[0]
        case "neg":
            return -args[0]
        case "sext":
            return signed_value(args[0], widths[0])
        case _:
            return _binary(term.op, args[0], args[1], widths[0])


def signed_value(value: int, width: int) -> int:
    """`value` read as a two's complement number of `width` bits."""
    return value - (1 << width) if value >> (width - 1) & 1 else value


def _binary(op: str, a: int, b: int, width: int) -> int:
    sa, sb = signed_value(a, width), signed_value(b, width)
    match op:
        case "and":
            return a & b
        case "or":
            return a | b
        case "xor":
            return a ^ b
        case "add":
            return a + b
        case "sub":
            return a - b
        case "mul":
            return a * b
        case "shl":
            return a << b if b < width else 0
        case "lshr":
            return a >> b if b < width else 0
        case "ashr":
            return sa >> min(b, width)
        case "eq":
            return int(a == b)
        case "ult":
            return int(a < b)
        case "slt":
            return int(sa < sb)
        case "udiv":
            return a // b if b else -1
        case "urem":
            return a % b if b else a
        case "sdiv":
            return _truncated(sa, sb) if b else (1 if sa < 0 else -1)
        case "srem":
            return sa - sb * _truncated(sa, sb) if b else a
    raise ValueError(f"no such word-level operator: {op}")


def _truncated(a: int, b: int) -> int:
    quotient = abs(a) // abs(b)
    return quotient if (a < 0) == (b < 0) else -quotient
