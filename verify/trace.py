"""A run that shows a difference: from bits found by an engine to a replayed, minimal trace."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random

from rtl_evolve.verify.comparison import Comparison
from rtl_evolve.verify.lanes import Lanes, Seen
from rtl_evolve.verify.sequential.machine import TICK

_ROUNDS = 200  # of shrinking; each settles at least one bit
_WORK = 40_000_000  # gate evaluations that shrinking may cost


@dataclass(frozen=True)
class Trace:
    """One 0 or 1 for each input bit and each of the candidate's undefined bits in each cycle, and the start states."""

    inputs: tuple[tuple[int, ...], ...]
    free: tuple[tuple[int, ...], ...]
    golden: tuple[int, ...]
    candidate: tuple[int, ...]


@dataclass(frozen=True)
class Outcome:
    """The first cycle at which the two sides differ, and what was seen in every cycle up to it."""

    cycle: int
    seen: tuple[Seen, ...]
    by_x: bool  # the outputs differ only through the candidate's x


def replay(comparison: Comparison, trace: Trace) -> Outcome | None:
    """Simulate both machines over the trace; None when they agree, or the trace breaks the contract."""
    found: list[Seen] = []
    lanes = Lanes(comparison, 1, trace.golden, trace.candidate, Random(0))
    for inputs, free in zip(trace.inputs, trace.free, strict=True):
        seen = lanes.step(inputs, free)
        found.append(seen)
        if seen.wrong or seen.unknown:
            return Outcome(len(found) - 1, tuple(found), not seen.wrong)
    return None


def shrink(comparison: Comparison, trace: Trace) -> Trace:
    """A trace with as few cycles, and as few bits that aren't 0, as a greedy search finds; it still differs.

    Input bits return to 0 (a reset to its inactive level, `$tick` to 1), as do free start values.
    """
    outcome = replay(comparison, trace)
    assert outcome is not None
    trace = _cut(trace, outcome.cycle + 1)
    gates = sum(len(m.aig.fanin0) for m in comparison.machines) + 1
    work = _WORK
    while len(trace.inputs) > 1 and work > 0:
        count = len(trace.inputs)
        variants = [_without(trace, range(i)) for i in range(1, count)] + [
            _without(trace, [i]) for i in range(1, count)
        ]
        ends = _first_difference(comparison, variants)
        work -= gates * count * (1 + len(variants) // 512)
        lengths = [(end + 1, i) for i, end in enumerate(ends) if end is not None]
        if not lengths:
            break
        end, index = min(lengths)
        trace = _cut(variants[index], end)
    return _quieted(comparison, trace, work, gates)


def _quieted(comparison: Comparison, trace: Trace, work: int, gates: int) -> Trace:
    """Bits back to their quiet level, as many as possible: all at once, then longest runs that still differ."""
    todo = _loud(comparison, trace)
    cost = gates * len(trace.inputs)
    for _ in range(_ROUNDS):
        if not todo or work <= 0:
            break
        variants = []
        current = trace
        for place in todo[:256]:
            current = _flipped(current, place)
            variants.append(current)
        ends = _first_difference(comparison, variants)
        work -= cost
        good = [i for i, end in enumerate(ends) if end == len(trace.inputs) - 1]
        best = good[-1] if good else -1
        if best >= 0:
            trace = variants[best]
        todo = todo[best + 2 :] if best + 1 < len(variants) else todo[len(variants) :]
    return trace


_Place = tuple[str, int, int]  # which part of the trace, cycle, bit


def _loud(comparison: Comparison, trace: Trace) -> list[_Place]:
    """Bits that may be turned to their quiet level."""
    quiet = quiet_inputs(comparison)
    places: list[_Place] = []
    for cycle, bits in enumerate(trace.inputs):
        places += [("inputs", cycle, i) for i, (bit, calm) in enumerate(zip(bits, quiet, strict=True)) if bit != calm]
    for cycle, bits in enumerate(trace.free):
        places += [("free", cycle, i) for i, bit in enumerate(bits) if bit]
    start = comparison.start
    shared = {c for _, c, _ in start.shared}
    places += [("golden", 0, i) for i, bit in enumerate(trace.golden) if bit and start.golden[i] is None]
    places += [
        ("candidate", 0, i)
        for i, bit in enumerate(trace.candidate)
        if bit and start.candidate[i] is None and i not in shared
    ]
    followers = {g: [(c, inv) for h, c, inv in start.shared if h == g] for g, _, _ in start.shared}
    return [p for p in places if p[0] != "golden" or p[2] not in followers]


def quiet_inputs(comparison: Comparison) -> list[int]:
    """The level of each input bit at which nothing is asked of a design."""
    reset = comparison.design.reset
    quiet = []
    for port in comparison.machines[0].inputs:
        is_reset = reset is not None and port[0] == reset.name
        quiet.append(1 if port == TICK or (is_reset and reset is not None and not reset.active) else 0)
    return quiet


def _flipped(trace: Trace, place: _Place) -> Trace:
    part, cycle, index = place
    if part in ("inputs", "free"):
        rows = list(getattr(trace, part))
        row = list(rows[cycle])
        row[index] ^= 1
        rows[cycle] = tuple(row)
        return replace(trace, **{part: tuple(rows)})
    row = list(getattr(trace, part))
    row[index] ^= 1
    return replace(trace, **{part: tuple(row)})


def _cut(trace: Trace, cycles: int) -> Trace:
    return replace(trace, inputs=trace.inputs[:cycles], free=trace.free[:cycles])


def _without(trace: Trace, dropped: Sequence[int]) -> Trace:
    gone = set(dropped)
    return replace(
        trace,
        inputs=tuple(row for i, row in enumerate(trace.inputs) if i not in gone),
        free=tuple(row for i, row in enumerate(trace.free) if i not in gone),
    )


def _first_difference(comparison: Comparison, traces: Sequence[Trace]) -> list[int | None]:
    """The first differing cycle of each trace, all simulated at once (shorter ones padded by their last cycle)."""
    width = len(traces)
    lanes = Lanes(
        comparison,
        width,
        _columns([t.golden for t in traces]),
        _columns([t.candidate for t in traces]),
        Random(0),
    )
    ends: list[int | None] = [None] * width
    for cycle in range(max(len(t.inputs) for t in traces)):
        rows = [t.inputs[min(cycle, len(t.inputs) - 1)] for t in traces]
        frees = [t.free[min(cycle, len(t.free) - 1)] for t in traces]
        seen = lanes.step(_columns(rows), _columns(frees))
        hits = seen.wrong | seen.unknown
        for i, trace in enumerate(traces):
            if hits >> i & 1 and ends[i] is None and cycle < len(trace.inputs):
                ends[i] = cycle
    return ends


def _columns(rows: Sequence[Sequence[int]]) -> list[int]:
    """Transpose: row i becomes bit i of every column."""
    if not rows or not rows[0]:
        return []
    return [int("".join("1" if row[j] else "0" for row in reversed(rows)), 2) for j in range(len(rows[0]))]
