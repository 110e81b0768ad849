"""Is a candidate equivalent to golden, for all inputs and all time? The portfolio, from cheap to costly."""

import time
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from rtl_evolve.rtl.design import Design
from rtl_evolve.rtl.elaborate import Elaboration
from rtl_evolve.verify.attach import attach_ports
from rtl_evolve.verify.comparison import Comparison, compare
from rtl_evolve.verify.explain import changed_before_reset
from rtl_evolve.verify.golden_x import sharpen
from rtl_evolve.verify.portfolio import open_names, settle
from rtl_evolve.verify.problem import Problem, ProofLimits, witness_values
from rtl_evolve.verify.prove_registers import prove_sequential
from rtl_evolve.verify.questions import Question, questions
from rtl_evolve.verify.replay import confirm
from rtl_evolve.verify.sequential.machine import UnfaithfulClocks
from rtl_evolve.verify.sequential.product import FREE_X
from rtl_evolve.verify.simulate import refute_comparison
from rtl_evolve.verify.trace import Trace
from rtl_evolve.verify.verdict import Counterexample, Grade, Verdict

_VECTORS = 2048  # simulated before anything is proven


def prove(
    golden: Elaboration,
    candidate: Elaboration,
    design: Design,
    limits: ProofLimits | None = None,
    seed: int = 0,
    hints: Sequence[Counterexample] = (),
) -> Verdict:
    """The verdict: proven, different (replayed), bounded or undecided.

    Both elaborations must have passed the gate. `hints` are known counterexamples, tried first. Raises `InputError`
    for a bad input contract.
    """
    began = time.monotonic()
    limits = limits or ProofLimits()
    try:
        comparison = compare(golden, candidate, design)
    except UnfaithfulClocks as error:
        reason = f"the clock or asynchronous load of {error} depends on itself"
        return Verdict(Grade.UNDECIDED, "", time.monotonic() - began, (reason,))
    changed = changed_before_reset(comparison)
    if changed:
        return Verdict(
            Grade.REJECTED, "initial values", time.monotonic() - began, changed, None, comparison.assumptions
        )
    verdict = refute_comparison(comparison, seed, _VECTORS, hints)
    if verdict is None:
        left = replace(limits, seconds=limits.seconds - (time.monotonic() - began))
        decide = prove_sequential if comparison.sequential else _prove_combinational
        verdict = decide(comparison, left, seed)
    if verdict.grade is Grade.DIFFERENT:
        verdict = sharpen(comparison, verdict, seed)
    return replace(verdict, seconds=time.monotonic() - began, assumptions=comparison.assumptions)


def _prove_combinational(comparison: Comparison, limits: ProofLimits, seed: int) -> Verdict:
    began = time.monotonic()
    steps: list[str] = []
    for question in questions(comparison):
        left = replace(limits, seconds=limits.seconds - (time.monotonic() - began))
        settled = settle(question.product.problem(seed), left, partial(_words, question))
        steps += settled.steps
        if settled.verdict is None:
            return _undecided(settled.problem)
        if settled.verdict.grade is Grade.DIFFERENT:
            found = confirm(comparison, _trace(comparison, settled.verdict), settled.verdict.engine)
            return found or _undecided(settled.problem)
    return Verdict(Grade.PROVEN, steps[-1], reasons=(f"proven by {', '.join(dict.fromkeys(steps))}",))


def _words(question: Question, problem: Problem) -> Problem:
    return attach_ports(problem, *question.netlists, question.assumptions) if question.netlists else problem


def _undecided(problem: Problem) -> Verdict:
    names = open_names(problem)
    proven = [p.name for p in problem.pairs if p.name not in names]
    reasons = [f"no engine settled {', '.join(names)} within the time limit"]
    if proven:
        reasons.append(f"proven so far: {', '.join(proven)}")
    return Verdict(Grade.UNDECIDED, "", reasons=tuple(reasons))


def _trace(comparison: Comparison, verdict: Verdict) -> Trace:
    """The one-cycle trace of an engine's difference."""
    values = witness_values(verdict)
    bits = tuple(values[w.name] >> i & 1 for w in comparison.words for i in range(len(w.literals)))
    undefined = comparison.machines[1].undefined
    free = tuple(values.get(FREE_X, 0) >> i & 1 for i in range(undefined))
    return Trace((bits,), (free,), (), ())
