"""From a trace to a verdict: nothing is called different before it was replayed on both designs by simulation."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from rtl_evolve.verify.comparison import Comparison
from rtl_evolve.verify.explain import clock_reasons, earliness, start_reasons
from rtl_evolve.verify.lanes import Seen
from rtl_evolve.verify.problem import literal, parse_literal
from rtl_evolve.verify.sequential.machine import TICK
from rtl_evolve.verify.trace import Outcome, Trace, quiet_inputs, replay, shrink
from rtl_evolve.verify.verdict import Counterexample, Cycle, Grade, Verdict

_LISTED = 6  # port values in a one-sentence reason


def confirm(comparison: Comparison, trace: Trace, engine: str, note: str = "") -> Verdict | None:
    """Replay a trace, shrink it and say what it shows; None when it doesn't show a difference after all."""
    if replay(comparison, trace) is None:
        return None
    trace = shrink(comparison, trace)
    outcome = replay(comparison, trace)
    assert outcome is not None
    cycles = tuple(_cycle(comparison, trace.inputs[i], seen, outcome) for i, seen in enumerate(outcome.seen))
    reasons = [_reason(comparison, cycles, outcome)]
    if comparison.candidate_x and not outcome.by_x and _also_by_x(comparison, trace):
        reasons.append("x on reachable inputs: the candidate is undefined there")
    if comparison.sequential:
        reasons += clock_reasons(comparison)
        reasons += start_reasons(comparison)
        early = earliness(comparison)
        note = "; ".join(part for part in (note, early) if part)
    if any(r.startswith("x on reachable") for r in reasons):
        reasons.append(_x_source(comparison))
    counterexample = Counterexample(cycles, note)
    return Verdict(Grade.DIFFERENT, engine, 0.0, tuple(reasons), counterexample, comparison.assumptions)


def _also_by_x(comparison: Comparison, trace: Trace) -> bool:
    """Whether the candidate's outputs in the last cycle change with its undefined bits."""
    ones = replace(trace, free=tuple((1,) * len(row) for row in trace.free))
    outcome = replay(comparison, ones)
    return outcome is not None and bool(outcome.seen[-1].unknown)


def _cycle(comparison: Comparison, bits: Sequence[int], seen: Seen, outcome: Outcome) -> Cycle:
    hidden = {TICK[0]}
    if comparison.clocking.kind in ("edge", "load") and not comparison.clocking.ticks:
        hidden.add(comparison.clocking.clock)
    inputs = [
        (word.name, sum(bits[(lit >> 1) - 1] << i for i, lit in enumerate(word.literals)), len(word.literals))
        for word in comparison.words
        if word.name not in hidden
    ]
    shown = {name: literal(v, width) for name, v, width in inputs}
    if comparison.clocking.ticks:
        tick = bits[comparison.machines[0].inputs.index(TICK)]
        shown[comparison.clocking.clock] = "edge" if tick else "no edge"
    golden, candidate = (_words(v) for v in (seen.golden, seen.candidate))
    if outcome.by_x and outcome.seen[-1] is seen:
        candidate = _with_x(seen, candidate)
    return Cycle(tuple(shown.items()), tuple(golden.items()), tuple(candidate.items()))


def _words(values: Mapping[tuple[str, int], int]) -> dict[str, str]:
    total: dict[str, int] = {}
    width: dict[str, int] = {}
    for (port, bit), v in values.items():
        total[port] = total.get(port, 0) | v << bit
        width[port] = width.get(port, 0) + 1
    return {port: literal(v, width[port]) for port, v in total.items()}


def _with_x(seen: Seen, words: Mapping[str, str]) -> dict[str, str]:
    """Words in binary with x where the undefined bits are seen to matter."""
    doubtful = {key for key, v in seen.candidate.items() if seen.candidate_x[key] != v}
    result = dict(words)
    for port in {p for p, _ in doubtful}:
        bits = sorted((b, v) for (p, b), v in seen.candidate.items() if p == port)
        text = "".join("x" if (port, b) in doubtful else str(v) for b, v in reversed(bits))
        result[port] = f"{len(bits)}'b{text}"
    return result


def _reason(comparison: Comparison, cycles: Sequence[Cycle], outcome: Outcome) -> str:
    last = cycles[-1]
    candidate = dict(last.candidate)
    differing = [(n, g, candidate[n]) for n, g in last.golden if candidate[n] != g] or [("an output", "defined", "x")]
    name, expected, found = differing[0]
    where = f"in cycle {outcome.cycle} " if comparison.sequential else ""
    inputs = ", ".join(f"{n} = {v}" for n, v in last.inputs[:_LISTED]) + (", ..." if len(last.inputs) > _LISTED else "")
    also = f" ({len(differing) - 1} more outputs differ)" if len(differing) > 1 else ""
    if outcome.by_x:
        return f"x on reachable inputs: {name} is {found} {where}where golden gives {expected}, at {inputs}{also}"
    return f"{name} is {found} {where}where golden gives {expected}, at {inputs}{also}"


def _x_source(comparison: Comparison) -> str:
    sources = []
    for undefined in comparison.candidate.model.undefined:
        place = undefined.src.partition("|")[0]
        sources.append(f"{undefined.reason} at {place}" if place else undefined.reason)
    return "the candidate is undefined: " + "; ".join(list(dict.fromkeys(sources))[:3])


def trace_of(comparison: Comparison, counterexample: Counterexample) -> Trace:
    """A known counterexample's inputs as a trace to try, unknown start values and x being 0."""
    quiet = quiet_inputs(comparison)
    rows = []
    for cycle in counterexample.cycles:
        values = {n: parse_literal(v) for n, v in cycle.inputs if "'h" in v}
        row = list(quiet)
        for word in comparison.words:
            if word.name in values:
                for i, lit in enumerate(word.literals):
                    row[(lit >> 1) - 1] = values[word.name] >> i & 1
        rows.append(tuple(row))
    start = comparison.start
    golden = tuple(v or 0 for v in start.golden)
    candidate = [v or 0 for v in start.candidate]
    for g, c, inverted in start.shared:
        candidate[c] = golden[g] ^ int(inverted)
    free = ((0,) * comparison.machines[1].undefined,) * len(rows)
    return Trace(tuple(rows), free, golden, tuple(candidate))
