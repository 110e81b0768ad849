"""The cheap refuter: thousands of vectors at once on both elaborated designs, and a minimal counterexample."""

import time
from collections.abc import Sequence
from random import Random

from rtl_evolve.rtl.design import Design
from rtl_evolve.rtl.elaborate import Elaboration
from rtl_evolve.verify.comparison import Comparison, compare
from rtl_evolve.verify.lanes import Lanes, start_lanes
from rtl_evolve.verify.replay import confirm, trace_of
from rtl_evolve.verify.sequential.machine import UnfaithfulClocks
from rtl_evolve.verify.stimulus import SequentialVectors, combinational_vectors
from rtl_evolve.verify.trace import Trace
from rtl_evolve.verify.verdict import Counterexample, Verdict

_CYCLES = 48


def refute(
    golden: Elaboration,
    candidate: Elaboration,
    design: Design,
    seed: int,
    vectors: int = 4096,
    hints: Sequence[Counterexample] = (),
) -> Verdict | None:
    """A difference found by simulation, or None; `hints` (known counterexamples of this design) are tried first.

    `vectors` is the number of input vectors (of streams times cycles, with registers).
    """
    began = time.monotonic()
    try:
        comparison = compare(golden, candidate, design)
    except UnfaithfulClocks:
        return None
    verdict = refute_comparison(comparison, seed, vectors, hints)
    return verdict and timed(verdict, began)


def timed(verdict: Verdict, began: float) -> Verdict:
    """The verdict with the seconds since `began` (of time.monotonic)."""
    return Verdict(
        verdict.grade,
        verdict.engine,
        time.monotonic() - began,
        verdict.reasons,
        verdict.counterexample,
        verdict.assumptions,
    )


def refute_comparison(
    comparison: Comparison, seed: int, vectors: int, hints: Sequence[Counterexample] = ()
) -> Verdict | None:
    """As `refute`, on a comparison already made."""
    for hint in hints:
        verdict = confirm(comparison, trace_of(comparison, hint), "known counterexample")
        if verdict is not None:
            return verdict
    trace = find_trace(comparison, Random(seed), vectors)
    return confirm(comparison, trace, "simulation") if trace else None


def find_trace(comparison: Comparison, rng: Random, vectors: int) -> Trace | None:
    """Simulate until some stream differs; that stream as a trace."""
    cycles = _CYCLES + len(comparison.start.tainted) if comparison.sequential else 1
    width = max(vectors // cycles, 64)
    golden, candidate = start_lanes(comparison, width, rng)
    lanes = Lanes(comparison, width, golden, candidate, rng)
    streams = SequentialVectors(comparison.words, comparison.design, width, rng)
    undefined = comparison.machines[1].undefined
    inputs: list[list[int]] = []
    frees: list[list[int]] = []
    for _ in range(cycles):
        if comparison.sequential:
            inputs.append(streams.next())
        else:
            inputs.append(combinational_vectors(comparison.words, width, rng))
        frees.append([rng.getrandbits(width) for _ in range(undefined)])
        seen = lanes.step(inputs[-1], frees[-1])
        hits = seen.wrong or seen.unknown
        if hits:
            lane = (hits & -hits).bit_length() - 1
            return Trace(
                tuple(_lane(row, lane) for row in inputs),
                tuple(_lane(row, lane) for row in frees),
                _lane(golden, lane),
                _lane(candidate, lane),
            )
    return None


def _lane(row: Sequence[int], lane: int) -> tuple[int, ...]:
    return tuple(v >> lane & 1 for v in row)
