"""Multiples of one number by few additions: shared fundamentals instead of an addition for each digit.

A fundamental is an odd multiple of x. Each step adds or subtracts two shifted fundamentals that are there already.
Single constants of up to 13 bits are solved exactly up to three additions; else a power of two is split off, or a
factor of the form 2**k +- 1, and what is left is solved the same way. Several are solved by taking first what is one
addition away, then what is two away. Sources: Bull and Horrocks 1991; Dempster and Macleod 1994, 1995 (RAG-n).
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from rtl_evolve.rtl.generate.recoding import signed_digits

_SPARE_BITS = 1  # how far above the target's width a fundamental on the way may lie
_EXACT_BITS = 13  # three additions are searched in full up to here


@dataclass(frozen=True)
class Step:
    """`result` = (`left` << `left_shift`) + `sign` * (`right` << `right_shift`), after dividing out `down` factors 2."""

    result: int
    left: int
    left_shift: int
    sign: int
    right: int
    right_shift: int
    down: int = 0


@lru_cache(maxsize=4096)
def chain(constant: int) -> tuple[Step, ...]:
    """Steps that end in the odd part of a positive constant; none for a power of two."""
    target = odd_part(constant)
    for additions in range(len(signed_digits(target))):
        steps = _within(target, additions)
        if steps is not None:
            return steps
    raise AssertionError("one addition for each further digit always does")


@lru_cache(maxsize=1 << 16)
def _within(target: int, additions: int) -> tuple[Step, ...] | None:
    """Steps for an odd target with at most so many additions."""
    if target == 1:
        return ()
    near = _two_away(target.bit_length() + _SPARE_BITS)
    if target in near and len(near[target]) <= additions:
        return near[target]
    if additions < 3:
        return None
    if additions == 3 and target.bit_length() <= _EXACT_BITS:
        for steps in near.values():
            last = _one_step((1, *(s.result for s in steps)), target) if len(steps) == 2 else None
            if last is not None:
                return (*steps, last)
    return _peeled(target, additions)


def _peeled(target: int, additions: int) -> tuple[Step, ...] | None:
    """One power of two, or one factor 2**k +- 1, taken off; the rest with one addition less."""
    for shift in range(1, target.bit_length() + _SPARE_BITS):
        for sign in (1, -1):
            rest = target - sign * (1 << shift)
            if rest > 0:
                inner = _within(odd_part(rest), additions - 1)
                if inner is not None:
                    return (*inner, Step(target, odd_part(rest), _twos(rest), sign, 1, shift))
            low = target - sign  # target = (rest << shift) + sign
            if low > 0 and odd_part(low) != target:
                inner = _within(odd_part(low), additions - 1)
                if inner is not None:
                    return (*inner, Step(target, odd_part(low), _twos(low), sign, 1, 0))
            factor = (1 << shift) + sign
            if 1 < factor < target and target % factor == 0:
                inner = _within(target // factor, additions - 1)
                if inner is not None:
                    return (*inner, Step(target, target // factor, shift, sign, target // factor, 0))
    return None


@lru_cache(maxsize=32)
def _two_away(bits: int) -> dict[int, tuple[Step, ...]]:
    """All fundamentals of at most so many bits that two additions make, with their steps."""
    found: dict[int, tuple[Step, ...]] = {}
    first = list(_steps((1,), bits))
    for step in first:
        found[step.result] = (step,)
    for step in first:
        for second in _steps((1, step.result), bits):
            found.setdefault(second.result, (step, second))
    return found


def chains(constants: Iterable[int]) -> tuple[Step, ...]:
    """Steps that make the odd part of every (positive) constant, shared."""
    targets = sorted({odd_part(c) for c in constants} - {1})
    have: list[int] = [1]
    steps: list[Step] = []
    while missing := [t for t in targets if t not in have]:
        found = next((s for t in missing if (s := _one_step(have, t)) is not None), None)
        added = (found,) if found is not None else _towards(have, missing)
        for step in added:
            if step.result not in have:
                steps.append(step)
                have.append(step.result)
    return tuple(steps)


def odd_part(number: int) -> int:
    """The number without its factors of two."""
    return number >> ((number & -number).bit_length() - 1)


def _twos(number: int) -> int:
    """How often 2 divides it."""
    return (number & -number).bit_length() - 1


def _towards(have: Sequence[int], missing: Sequence[int]) -> tuple[Step, ...]:
    """Steps that reach the nearest missing target: two additions from what is there, else its own chain."""
    for target in missing:
        for step in _steps(have, target.bit_length() + _SPARE_BITS):
            last = _one_step((*have, step.result), target)
            if last is not None:
                return (step, last)
    return chain(min(missing, key=lambda t: (len(chain(t)), t)))


def _steps(have: Sequence[int], bits: int) -> Iterator[Step]:
    """Every fundamental one addition away; small ones first."""
    found: dict[int, Step] = {}
    for index, x in enumerate(have):
        for y in have[: index + 1]:
            for shift in range(bits):
                for left, right in ((x, y), (y, x)):
                    for sign in (1, -1):
                        step = _step(left, shift, sign, right)
                        if step is not None and step.result.bit_length() <= bits:
                            found.setdefault(step.result, step)
    return iter(found[result] for result in sorted(found))


def _step(left: int, shift: int, sign: int, right: int) -> Step | None:
    """(left << shift) + sign * right, or right - (left << shift) when that is what is positive."""
    value = (left << shift) + sign * right
    if value == 0:
        return None
    result = odd_part(abs(value))
    down = (abs(value) // result).bit_length() - 1
    if value > 0:
        return Step(result, left, shift, sign, right, 0, down)
    return Step(result, right, 0, -1, left, shift, down)


def _one_step(have: Sequence[int], target: int) -> Step | None:
    """`target` as one addition of two fundamentals, both shifted at most once."""
    known = set(have)
    bits = target.bit_length() + _SPARE_BITS
    for x in have:
        for shift in range(bits):
            for sign in (1, -1):
                # target = (x << shift) + sign * y, or target = y - (x << shift) with sign -1
                rest = sign * (target - (x << shift))
                if rest > 0 and rest in known:
                    return Step(target, x, shift, sign, rest, 0)
            above = target + (x << shift)
            if odd_part(above) in known:
                y = odd_part(above)
                return Step(target, y, (above // y).bit_length() - 1, -1, x, shift)
        for y in have:
            for shift in range(1, bits):
                total = x + (y << shift)
                if odd_part(total) == target:
                    return Step(target, x, 0, 1, y, shift, (total // target).bit_length() - 1)
        for y in have:
            for value, sign in ((x + y, 1), (x - y, -1)):
                if value > 0 and odd_part(value) == target:
                    return Step(target, x, 0, sign, y, 0, (value // target).bit_length() - 1)
    return None
