"""Finds expressions that give a word's simulated numbers from other words: the guesses behind `recognise`."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from rtl_evolve.rtl.rewrites.operators import BINARY, UNARY, Sizes, constants
from rtl_evolve.rtl.rewrites.view_values import Words
from rtl_evolve.rtl.rewrites.words import Word

_KEY = 24  # samples that index a word


@dataclass(frozen=True)
class Match:
    """`text` computes the target; `name` says what it is ("sum"), `words` are the operands' texts."""

    name: str
    text: str
    words: tuple[str, ...]


def matches(target: Words, width: int, support: int, pool: Sequence[Word]) -> Iterator[Match]:
    """Expressions over `pool` whose numbers are the target's in every sample, the simplest first.

    `support` filters: together the operands must depend on all the inputs and states that the target depends on.
    """
    pool = [w for w in pool if len(w.values) == len(target)]
    yield from _one(target, width, support, pool)
    yield from _two(target, width, support, pool)
    yield from _three(target, width, support, pool)


def _covers(support: int, *words: Word) -> bool:
    together = 0
    for word in words:
        together |= word.support
    return support & ~together == 0


def _overlap(x: Word, y: Word) -> bool:
    """Whether one is a part of the other: operators on such pairs fit by accident."""
    return x.signal is y.signal and bool(set(x.literals) & set(y.literals))


def _same(target: Words, function: Callable[[int], int], values: Words, mask: int) -> bool:
    return all(function(x) & mask == t for x, t in zip(values, target, strict=True))


def _one(target: Words, width: int, support: int, pool: Sequence[Word]) -> Iterator[Match]:
    mask = (1 << width) - 1
    for word in pool:
        if not _covers(support, word):
            continue
        sizes = Sizes(word.width, word.width, width)
        for operator in UNARY:
            if operator.fits(sizes) and _same(target, lambda x: operator.function(x, 0, sizes), word.values, mask):  # noqa: B023 - used at once
                yield Match(operator.name, operator.written(word.text, "", sizes), (word.text,))
        pairs = sorted(set(zip(word.values, target, strict=True)))
        for name, text in constants(pairs, sizes):
            yield Match(name, text.format(a=word.text), (word.text,))


def _two(target: Words, width: int, support: int, pool: Sequence[Word]) -> Iterator[Match]:
    mask = (1 << width) - 1
    for i, x in enumerate(pool):
        for j, y in enumerate(pool):
            if not _covers(support, x, y) or (i != j and _overlap(x, y)):
                continue
            sizes = Sizes(x.width, y.width, width)
            for operator in BINARY:
                if (operator.commutes and j < i) or (i == j and operator.name != "product"):
                    continue
                if not operator.fits(sizes):
                    continue
                function = operator.function
                if all(function(a, b, sizes) & mask == t for a, b, t in zip(x.values, y.values, target, strict=True)):
                    yield Match(operator.name, operator.written(x.text, y.text, sizes), (x.text, y.text))


def _three(target: Words, width: int, support: int, pool: Sequence[Word]) -> Iterator[Match]:
    """Two words and a third found by what is left over: sums with a carry, products with an addend, selections."""
    if width < 2:
        return
    modulus = 1 << width
    known: dict[tuple[int, ...], list[Word]] = {}
    for word in pool:
        known.setdefault(tuple(v % modulus for v in word.values[:_KEY]), []).append(word)

    def rest(values: list[int]) -> Iterator[Word]:
        for word in known.get(tuple(values[:_KEY]), ()):
            if all(v % modulus == r for v, r in zip(word.values, values, strict=True)):
                yield word

    forms: tuple[tuple[str, str, Callable[[int, int], int], bool], ...] = (
        ("sum with carry", "{a} + {b} + {c}", lambda x, y: x + y, True),
        ("difference", "{a} - {b} + {c}", lambda x, y: x - y, False),
        ("multiply-add", "{a} * {b} + {c}", lambda x, y: x * y, True),
    )
    wide = [w for w in pool if w.width > 1]
    for i, x in enumerate(wide):
        for j, y in enumerate(wide):
            for name, text, function, commutes in forms:
                if i == j or (commutes and j < i):
                    continue
                left = [
                    (t - function(a, b)) % modulus for a, b, t in zip(x.values[:_KEY], y.values, target, strict=False)
                ]
                if tuple(left) not in known:
                    continue
                left = [(t - function(a, b)) % modulus for a, b, t in zip(x.values, y.values, target, strict=True)]
                for z in rest(left):
                    if _covers(support, x, y, z):
                        yield Match(name, text.format(a=x.text, b=y.text, c=z.text), (x.text, y.text, z.text))
    bits = [w for w in pool if w.width == 1]
    yield from _sum_or_difference(target, width, support, wide, bits)
    yield from _selections(target, support, wide, bits)


def _sum_or_difference(
    target: Words, width: int, support: int, wide: Sequence[Word], bits: Sequence[Word]
) -> Iterator[Match]:
    """x + y or x - y as a bit says: one adder, with y inverted and a carry put in for the difference."""
    modulus = 1 << width
    for x in wide:
        for y in wide:
            if x is y:
                continue
            rows = list(zip(x.values, y.values, target, strict=True))
            if not all((t - a - b) % modulus == 0 or (t - a + b) % modulus == 0 for a, b, t in rows):
                continue
            minus = [(t - a + b) % modulus == 0 for a, b, t in rows]
            plus = [(t - a - b) % modulus == 0 for a, b, t in rows]
            if all(plus) or all(minus):
                continue
            for s in bits:
                for flag, text in ((1, s.text), (0, f"!{s.text}")):
                    fits = all((m if v == flag else p) for v, m, p in zip(s.values, minus, plus, strict=True))
                    if fits and _covers(support, x, y, s):
                        written = f"{x.text} + (({text}) ? ~{y.text} : {y.text}) + ({text})"
                        yield Match("sum or difference", written, (x.text, y.text, s.text))


def _selections(target: Words, support: int, wide: Sequence[Word], bits: Sequence[Word]) -> Iterator[Match]:
    for i, x in enumerate(wide):
        for y in wide[:i]:
            if any(t not in (a, b) for a, b, t in zip(x.values, y.values, target, strict=True)):
                continue
            for s in bits:
                if not _covers(support, x, y, s):
                    continue
                rows = list(zip(s.values, x.values, y.values, target, strict=True))
                if all(t == (a if c else b) for c, a, b, t in rows):
                    yield Match("selection", f"{s.text} ? {x.text} : {y.text}", (s.text, x.text, y.text))
                elif all(t == (b if c else a) for c, a, b, t in rows):
                    yield Match("selection", f"{s.text} ? {y.text} : {x.text}", (s.text, x.text, y.text))
