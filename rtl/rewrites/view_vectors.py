"""Random values for a design: input vectors with corners and coincidences, free states and states reached in runs."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random

from rtl_evolve.rtl.design import Reset
from rtl_evolve.rtl.model import Model

FREE = 384  # vectors with registers at random values
RUNS, CYCLES = 48, 24  # runs from the initial state, side by side
SAMPLED = (3, 4, 6, 9, 13, 17, 20, 23)  # cycles of a run whose values are kept
_RESET_NAME = re.compile(r"(^|_)(a?rst|reset|clr|clear)(_?n|_?ni|_?b|_?i)?($|_)|^n_?(rst|reset)", re.IGNORECASE)
_ACTIVE_LOW = re.compile(r"(_n|_ni|_b|rstn|resetn|rstb)($|_)|^n_?(rst|reset)", re.IGNORECASE)


@dataclass(frozen=True, eq=False)
class Samples:
    """Bit-parallel values: `values[variable]` holds one bit a vector, `width` vectors."""

    width: int
    values: Sequence[int]

    def word(self, literals: Sequence[int]) -> list[int]:
        """A signal's number in each vector, from its literals (least significant first)."""
        full = (1 << self.width) - 1
        rows = []
        for literal in reversed(literals):
            bits = self.values[literal >> 1] ^ (full if literal & 1 else 0)
            rows.append(f"{bits:0{self.width}b}")
        return [int("".join(column), 2) for column in zip(*rows, strict=True)] if rows else [0] * self.width


Fields = Mapping[str, Sequence[tuple[int, int]]]


def free_samples(model: Model, reset: Reset | None, fields: Fields, rng: Random) -> Samples:
    """Inputs and registers at random values, whether or not the design ever gets there.

    `fields` are the (lowest bit, width) stretches of ports and registers that the text treats as units.
    """
    resets = _resets(model, reset)
    patterns = _inputs(model, resets, FREE, fields, rng, quiet=True)
    states = _states(model, fields, rng)
    return Samples(FREE, model.aig.simulate([*patterns, *states, *[0] * len(model.undefined)], FREE))


def _states(model: Model, fields: Fields, rng: Random) -> list[int]:
    """One random pattern a register bit; the bits of one register together make the words of `_number`."""
    places = [re.fullmatch(r"(.*?)(?:\[(\d+)\])?", r.name) for r in model.registers]
    bits: dict[str, int] = {}
    for place in places:
        if place is not None:
            bits[place[1]] = max(bits.get(place[1], 0), int(place[2] or 0) + 1)
    words = {
        name: _transposed([_number(width, fields.get(name, ()), rng) for _ in range(FREE)], width)
        for name, width in bits.items()
    }
    return [words[place[1]][int(place[2] or 0)] if place is not None else 0 for place in places]


def reached_samples(model: Model, reset: Reset | None, fields: Fields, rng: Random) -> Samples:
    """Values seen in runs from the initial state (reset first, other inputs random); `RUNS` of them side by side."""
    resets = _resets(model, reset)
    full = (1 << RUNS) - 1
    state = [rng.getrandbits(RUNS) if r.init is None else full * r.init for r in model.registers]
    kept: list[list[int]] = []
    for cycle in range(CYCLES):
        patterns = _inputs(model, resets, RUNS, fields, rng, quiet=cycle > 1)
        if cycle < 2:
            for index, (port, _) in enumerate(model.inputs):
                if port in resets:
                    patterns[index] = full * resets[port]
        values = model.aig.simulate([*patterns, *state, *[0] * len(model.undefined)], RUNS)
        if cycle in SAMPLED:
            kept.append(values)
        state = [_next(values, r.next, r.load, r.load_value, full) for r in model.registers]
    joined = [sum(v << (RUNS * i) for i, v in enumerate(column)) for column in zip(*kept, strict=True)]
    return Samples(RUNS * len(kept), joined)


def _next(values: Sequence[int], following: int, load: int | None, load_value: int | None, full: int) -> int:
    def literal(x: int) -> int:
        return values[x >> 1] ^ (full if x & 1 else 0)

    result = literal(following)
    if load is None or load_value is None:
        return result
    when = literal(load)
    return (literal(load_value) & when) | (result & ~when & full)


def _resets(model: Model, reset: Reset | None) -> dict[str, int]:
    """Reset inputs with their active level: the given one, else guessed by name among the one-bit inputs."""
    if reset is not None:
        return {reset.name: reset.active}
    ports = [port for port, _ in model.inputs]
    single = [p for p in dict.fromkeys(ports) if ports.count(p) == 1 and _RESET_NAME.search(p)]
    return {p: 0 if _ACTIVE_LOW.search(p) else 1 for p in single} if model.registers else {}


def _inputs(model: Model, resets: dict[str, int], width: int, fields: Fields, rng: Random, *, quiet: bool) -> list[int]:
    """One pattern an input bit; with `quiet` resets are rarely active."""
    ports: dict[str, int] = {}
    for port, _ in model.inputs:
        ports[port] = ports.get(port, 0) + 1
    columns = _related(ports, width, fields, rng)
    for port, active in resets.items():
        if port in columns and quiet:
            rare = rng.getrandbits(width) & rng.getrandbits(width) & rng.getrandbits(width) & rng.getrandbits(width)
            columns[port] = [rare if active else rare ^ ((1 << width) - 1)]
    return [columns[port][bit] for port, bit in model.inputs]


def _related(ports: dict[str, int], width: int, fields: Fields, rng: Random) -> dict[str, list[int]]:
    """Words for all inputs; in a quarter of the vectors an input follows an earlier one of its width, or nearly."""
    numbers: dict[str, list[int]] = {}
    for port, bits in ports.items():
        words = [_number(bits, fields.get(port, ()), rng) for _ in range(width)]
        like = [p for p in numbers if ports[p] == bits and bits > 1]
        if like:
            for vector in range(width):
                if rng.random() < 0.25:
                    base = numbers[rng.choice(like)][vector]
                    words[vector] = (base + rng.choice((0, 0, 1, -1, 1 << rng.randrange(bits)))) % (1 << bits)
        numbers[port] = words
    return {port: _transposed(words, ports[port]) for port, words in numbers.items()}


def _number(bits: int, fields: Sequence[tuple[int, int]], rng: Random) -> int:
    """Mostly uniform; else few ones, few zeros, a small number, a shifted number, a run of ones, all or none.

    In half of the numbers that have fields, each field may be all ones, all zeros, or near either.
    """
    if fields and rng.random() < 0.5:
        number = rng.getrandbits(bits)
        for low, width in fields:
            if rng.random() < 0.5:
                mask = ((1 << width) - 1) << low
                near = rng.choice((0, 0, 1, mask >> low, mask >> low, (mask >> low) - 1, (mask >> low) >> 1))
                number = (number & ~mask) | ((near << low) & mask)
        return number & ((1 << bits) - 1)
    top = (1 << bits) - 1
    number = rng.getrandbits(bits)
    kind = rng.randrange(12)
    if kind == 0:
        number &= rng.getrandbits(bits) & rng.getrandbits(bits)
    elif kind == 1:
        number |= rng.getrandbits(bits) | rng.getrandbits(bits)
    elif kind == 2:
        number >>= rng.randrange(bits)
    elif kind == 3:
        number = (number << rng.randrange(bits)) & top
    elif kind == 4:
        number = (top >> rng.randrange(bits)) & (top << rng.randrange(bits)) & top
    elif kind == 5:
        number = rng.choice((0, 1, top, top >> 1, (top >> 1) + 1, 1 << rng.randrange(bits)))
    return number


def _transposed(words: Sequence[int], bits: int) -> list[int]:
    """Bit patterns (one integer a bit, one bit a vector) of the given numbers."""
    rows = [f"{word:0{bits}b}" for word in reversed(words)]
    return [int("".join(column), 2) for column in zip(*rows, strict=True)][::-1]
