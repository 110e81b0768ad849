"""Adders of two words over a prefix graph, by carry-select blocks, or left to the `+` operator.

A graph's combines of one level become vectors: `g` the carries generated, `p` those propagated. Carry-skip adders are
left out on purpose: static timing sees their false paths, so they never measure faster than a ripple.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from rtl_evolve.rtl.generate.body import Body
from rtl_evolve.rtl.generate.prefix import FAMILIES, Graph, depths
from rtl_evolve.rtl.generate.prefix_fit import fitted
from rtl_evolve.rtl.generate.word import ONE, ZERO, Bit, Word, text

Span = tuple[int, int]
PLUS = "plus"
KINDS = (PLUS, *FAMILIES, "fit-0", "fit-1", "fit-2", "select-4", "select-8")


@dataclass(frozen=True)
class Sum:
    """`word` is as wide as the operands, `carry` what comes out above it."""

    word: Word
    carry: Bit


@dataclass(frozen=True)
class _Entry:
    """`x | (y & z)` for one span."""

    span: Span
    x: Bit
    y: Bit
    z: Bit

    @property
    def column(self) -> int:
        return self.span[0]

    @property
    def shape(self) -> tuple[bool, bool]:
        """Whether there is no x, and no z."""
        return self.x == ZERO, self.z == ONE


def add(
    body: Body, a: Word, b: Word, kind: str, carry_in: Bit = ZERO, arrivals: Sequence[int] = (), low: int = 0
) -> Sum:
    """The sum of two words of equal width by one of `KINDS`, with its carry.

    "fit-N" is the smallest graph that is at most N levels later than the earliest possible for the bits' `arrivals`
    (gate levels; all at once when empty). `low` is the column of bit 0, for names only.
    """
    _check(a, b)
    if kind == PLUS:
        word = _plus(body, (*a, ZERO), (*b, ZERO), carry_in, low)
        return Sum(word[:-1], word[-1])
    name, _, number = kind.partition("-")
    if name == "select" and number.isdigit():
        return _carry_select(body, a, b, carry_in, int(number), low)
    return prefix_add(body, a, b, graph_for(kind, len(a), arrivals), carry_in, low)


def add_modulo(
    body: Body, a: Word, b: Word, kind: str, carry_in: Bit = ZERO, arrivals: Sequence[int] = (), low: int = 0
) -> Word:
    """As `add`, without the carry: a graph then has one bit less to serve."""
    _check(a, b)
    if kind == PLUS:
        return _plus(body, a, b, carry_in, low)
    if kind.startswith("select-") or len(a) == 1:
        return add(body, a, b, kind, carry_in, arrivals, low).word
    below = add(body, a[:-1], b[:-1], kind, carry_in, arrivals[:-1], low)
    high = body.xor("p", a[-1], b[-1])
    return (*below.word, body.xor("s", high, below.carry))


def subtract_modulo(body: Body, a: Word, b: Word, kind: str, arrivals: Sequence[int] = (), low: int = 0) -> Word:
    """a - b modulo 2**width."""
    _check(a, b)
    if kind == PLUS:
        return body.let("s", len(a), f"{text(a)} - {text(b)}", low)
    return add_modulo(body, a, tuple(~bit for bit in b), kind, ONE, arrivals, low)


def graph_for(kind: str, width: int, arrivals: Sequence[int] = ()) -> Graph:
    """The prefix graph of a kind."""
    name, _, number = kind.partition("-")
    if name != "fit":
        return FAMILIES[kind](width)
    first = min(arrivals, default=0)
    # a combine takes two gate levels
    return fitted([(arrival - first) // 2 for arrival in arrivals] or [0] * width, int(number))


def _check(a: Word, b: Word) -> None:
    if len(a) != len(b):
        raise ValueError(f"operands of {len(a)} and {len(b)} bits")


def prefix_add(body: Body, a: Word, b: Word, graph: Graph, carry_in: Bit = ZERO, low: int = 0) -> Sum:
    """The sum over a prefix graph; a carry in costs bit 0 one level."""
    width = len(a)
    propagate = bitwise(body, "p", "^", a, b, low)
    generate = list(bitwise(body, "g", "&", a, b, low))
    generate[0] = body.or_("g", generate[0], body.and_("pc", propagate[0], carry_in))
    carries = _carries(body, propagate, generate, graph, low)
    into = (carry_in, *carries[: width - 1])
    return Sum(bitwise(body, "s", "^", propagate, into, low), carries[-1])


def _carries(body: Body, propagate: Word, generate: Sequence[Bit], graph: Graph, low: int) -> Word:
    """The carry out of every bit."""
    width = len(propagate)
    level = depths(graph, [0] * width)
    g: dict[Span, Bit] = {(i, i): bit for i, bit in enumerate(generate)}
    p: dict[Span, Bit] = {(i, i): bit for i, bit in enumerate(propagate)}
    needed = _propagates_needed(graph)
    ordered = sorted(graph, key=lambda c: (level[c[0], c[2]], c[0]))
    for depth, members in groupby(ordered, key=lambda c: level[c[0], c[2]]):
        combines = list(members)
        body.comment(f"carries, level {depth}")
        new_g = _merge(body, f"g{depth}", [_Entry((h, j), g[h, m], p[h, m], g[m - 1, j]) for h, m, j in combines], low)
        grouped = [_Entry((h, j), ZERO, p[h, m], p[m - 1, j]) for h, m, j in combines if (h, j) in needed]
        new_p = _merge(body, f"p{depth}", grouped, low)
        g |= new_g
        p |= new_p
    return tuple(g[i, 0] for i in range(width))


def _propagates_needed(graph: Graph) -> set[Span]:
    """Spans whose propagate something reads."""
    needed: set[Span] = set()
    for high, middle, low in reversed(graph):
        needed.add((high, middle))
        if (high, low) in needed:
            needed.add((middle - 1, low))
    return needed


def _merge(body: Body, name: str, entries: Sequence[_Entry], low: int) -> dict[Span, Bit]:
    """`x | (y & z)` for each span, as one vector for each run of columns."""
    known = {entry.span: _folded(entry.x, entry.y, entry.z) for entry in entries}
    result = {span: bit for span, bit in known.items() if bit is not None}
    waiting = [entry for entry in entries if known[entry.span] is None]
    for run in _runs(waiting):
        x_text, y_text, z_text = (text(bits) for bits in zip(*((e.x, e.y, e.z) for e in run), strict=True))
        no_x, no_z = run[0].shape
        product = y_text if no_z else f"{y_text} & {z_text}"
        expression = product if no_x else f"{x_text} | {product if no_z else f'({product})'}"
        word = body.let(name, len(run), expression, low + run[0].column)
        result |= {entry.span: bit for entry, bit in zip(run, word, strict=True)}
    return result


def _folded(x: Bit, y: Bit, z: Bit) -> Bit | None:
    """`x | (y & z)` when it is no gate."""
    if x == ONE or (y == ONE and z == ONE):
        return ONE
    if ZERO in (y, z):
        return x
    if x == ZERO and ONE in (y, z):
        return z if y == ONE else y
    return None


def _runs(entries: Iterable[_Entry]) -> Iterable[list[_Entry]]:
    """Split where the column isn't the next one, or the expression's shape changes."""
    run: list[_Entry] = []
    for entry in entries:
        if run and (run[-1].column + 1, run[-1].shape) != (entry.column, entry.shape):
            yield run
            run = []
        run.append(entry)
    if run:
        yield run


def bitwise(body: Body, name: str, operator: str, a: Word, b: Word, low: int = 0) -> Word:
    """`a operator b` ("&", "|" or "^") as vectors, with constant bits folded."""
    fold = {"&": body.and_, "|": body.or_, "^": body.xor}[operator]
    word: list[Bit] = []
    plain = [x.constant is None and y.constant is None and x != y and x != ~y for x, y in zip(a, b, strict=True)]
    for is_plain, members in groupby(range(len(a)), key=lambda i: plain[i]):
        run = list(members)
        if is_plain:
            left, right = a[run[0] : run[-1] + 1], b[run[0] : run[-1] + 1]
            word += body.let(name, len(run), f"{text(left)} {operator} {text(right)}", low + run[0])
        else:
            word += [fold(name, a[i], b[i]) for i in run]
    return tuple(word)


def _plus(body: Body, a: Word, b: Word, carry_in: Bit, low: int) -> Word:
    # in a concatenation, as ~x on its own would be inverted after it is extended
    extra = "" if carry_in == ZERO else f" + {{{text([carry_in])}}}" if carry_in.inverted else f" + {text([carry_in])}"
    return body.let("s", len(a), f"{text(a)} + {text(b)}{extra}", low)


def _carry_select(body: Body, a: Word, b: Word, carry_in: Bit, block: int, low: int) -> Sum:
    """Blocks that grow by one bit, each added for both carries; the carry into a block selects its sum."""
    word: list[Bit] = []
    carry, start, size = carry_in, 0, block
    while start < len(a):
        end = min(start + size, len(a))
        left, right = (*a[start:end], ZERO), (*b[start:end], ZERO)
        chosen = _plus(body, left, right, carry if start == 0 else ZERO, low + start)
        if start:
            raised = _plus(body, left, right, ONE, low + start)
            chosen = body.let("t", len(left), f"{text([carry])} ? {text(raised)} : {text(chosen)}", low + start)
        word, carry = [*word, *chosen[:-1]], chosen[-1]
        start, size = end, size + 1
    return Sum(tuple(word), carry)
