"""Proof for designs with registers: matching registers, then pipelines as functions of past inputs, then ABC."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from rtl_evolve.verify.comparison import Comparison
from rtl_evolve.verify.problem import ProofLimits
from rtl_evolve.verify.questions import Question, questions
from rtl_evolve.verify.replay import confirm
from rtl_evolve.verify.sequential.correspondence import Difference, by_correspondence
from rtl_evolve.verify.sequential.miter import Run
from rtl_evolve.verify.sequential.product import FREE_X
from rtl_evolve.verify.sequential.reach import by_reachability
from rtl_evolve.verify.sequential.step import history_depths
from rtl_evolve.verify.sequential.unroll import START
from rtl_evolve.verify.trace import Trace
from rtl_evolve.verify.verdict import Grade, Verdict

_SHARE = 0.4  # of the time left, for each attempt before the last


@dataclass
class _Proof:
    comparison: Comparison
    limits: ProofLimits
    seed: int
    began: float = field(default_factory=time.monotonic)
    steps: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)

    @property
    def left(self) -> float:
        return max(self.limits.seconds - (time.monotonic() - self.began), 0.1)

    def within(self, share: float) -> ProofLimits:
        return replace(self.limits, seconds=self.left * share)


def prove_sequential(comparison: Comparison, limits: ProofLimits, seed: int) -> Verdict:
    """Every question settled for all time, or the first that isn't."""
    proof = _Proof(comparison, limits, seed)
    for question in questions(comparison):
        verdict = _settle(proof, question)
        if verdict is not None:
            return verdict
    return Verdict(Grade.PROVEN, proof.steps[-1], reasons=(f"proven by {', '.join(dict.fromkeys(proof.steps))}",))


def _settle(proof: _Proof, question: Question) -> Verdict | None:
    """None when the question is proven, else the verdict."""
    comparison = proof.comparison
    attempts = [False] + ([True] if history_depths(question.product) else [])
    for history in attempts:
        answer = by_correspondence(question, comparison.design, proof.within(_SHARE), proof.seed, history=history)
        if answer.proven is not None:
            proof.steps += [*answer.steps, answer.proven.engine]
            return None
        if answer.difference is not None:
            trace = _unrolled_trace(comparison, question, answer.difference)
            verdict = confirm(comparison, trace, answer.difference.engine)
            if verdict is not None:
                return verdict
        proof.missing.append(answer.missing)
    reached = by_reachability(question, proof.within(1.0))
    if reached.proven:
        proof.steps.append(reached.engine)
        return None
    if reached.run is not None:
        verdict = confirm(comparison, _run_trace(comparison, question, reached.run), reached.engine)
        if verdict is not None:
            return verdict
    reasons = (f"not proven for all time: {'; '.join(dict.fromkeys(m for m in proof.missing if m))}",)
    if reached.frames:
        within = f"no difference within {reached.frames} cycles"
        return Verdict(Grade.BOUNDED, reached.engine, reasons=(within, *reasons))
    return Verdict(Grade.UNDECIDED, "", reasons=reasons)


def _unrolled_trace(comparison: Comparison, question: Question, difference: Difference) -> Trace:
    """The trace of an unrolled question's witness."""
    values = difference.values
    rows = []
    for cycle in range(difference.cycles):
        rows.append(
            [values[f"{w.name}@{cycle}"] >> i & 1 for w in question.product.inputs for i in range(len(w.literals))]
        )
    unknowns = [values.get(START, 0) >> i & 1 for i in range(question.unknowns)]
    return _trace(comparison, question, unknowns, rows)


def _run_trace(comparison: Comparison, question: Question, run: Run) -> Trace:
    return _trace(comparison, question, run.unknowns, run.inputs)


def _trace(comparison: Comparison, question: Question, unknowns: Sequence[int], rows: Sequence[Sequence[int]]) -> Trace:
    """Input bits split into the ports' and the candidate's x; start values where each side is found in the product."""
    ports = len(comparison.machines[0].inputs)
    free = any(w.name == FREE_X for w in question.product.inputs)
    undefined = comparison.machines[1].undefined
    start = [lit if lit < 2 else unknowns[(lit >> 1) - 1] ^ (lit & 1) for lit in question.start]
    first = len(question.product.states[0])
    golden, candidate = start[:first], start[first : first + len(question.product.states[1])]
    if question.kind == "x":
        golden = _golden_start(comparison, candidate, start)
    return Trace(
        tuple(tuple(row[:ports]) for row in rows),
        tuple(tuple(row[ports:]) if free else (0,) * undefined for row in rows),
        tuple(golden),
        tuple(candidate),
    )


def _golden_start(comparison: Comparison, candidate: Sequence[int], start: Sequence[int]) -> list[int]:
    """Golden's start values for a trace of the candidate alone: its own sides' where present, else as they follow."""
    behind = start[2 * len(candidate) :]
    count = len(comparison.machines[0].states)
    if len(behind) >= count:
        return list(behind[:count])
    golden = [v or 0 for v in comparison.start.golden]
    for g, c, inverted in comparison.start.shared:
        golden[g] = candidate[c] ^ int(inverted)
    return golden
