"""A combinational question through all engines, the cheap ones first; what is settled on the way stays settled."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from rtl_evolve.verify.cone import open_bits, trimmed, unsettled
from rtl_evolve.verify.engines import abc, algebra_outside, exhaustive, sat, word
from rtl_evolve.verify.engines.outside import OutsideEngine, race
from rtl_evolve.verify.problem import Pair, Problem, ProofLimits, different, proven
from rtl_evolve.verify.sweep import sweep
from rtl_evolve.verify.verdict import Grade, Verdict

_AT_ONCE_BITS = 14  # exhaustive simulation of so few inputs costs less than anything else
_LATER_BITS = 22  # and of so many less than a solver
_QUICK_CONFLICTS = 20
_ROUNDS = (1.5, 6.0, 20.0, 600.0)  # seconds for each engine, round by round
_ENGINES: tuple[OutsideEngine, ...] = (word, algebra_outside, sat, abc)


@dataclass(frozen=True)
class Settled:
    """`verdict` of the whole question, None while undecided; `problem` is what is left; `steps` what was done."""

    problem: Problem
    verdict: Verdict | None = None
    steps: tuple[str, ...] = ()


@dataclass
class _Run:
    """One question on its way: the problem shrinks as parts are settled."""

    problem: Problem
    limits: ProofLimits
    began: float = field(default_factory=time.monotonic)
    steps: list[str] = field(default_factory=list)

    @property
    def left(self) -> float:
        return self.limits.seconds - (time.monotonic() - self.began)

    def done(self, verdict: Verdict | None) -> Settled:
        return Settled(self.problem, verdict, tuple(dict.fromkeys(self.steps)))


def settle(problem: Problem, limits: ProofLimits, words: Callable[[Problem], Problem]) -> Settled:
    """Prove or refute a question within the limits; `words` attaches the word-level view when it is first needed."""
    run = _Run(trimmed(problem), limits)
    if run.problem.settled:
        run.steps.append("structure")
        return run.done(proven("structure"))
    if exhaustive.fits(run.problem, _AT_ONCE_BITS):
        verdict = exhaustive.try_prove(run.problem, limits)
        if verdict is not None:
            return _ended(run, verdict)
    verdict = _sweep(run, _QUICK_CONFLICTS)
    if verdict is None and exhaustive.fits(run.problem, _LATER_BITS):
        verdict = exhaustive.try_prove(run.problem, replace(limits, seconds=run.left))
    if verdict is None:
        run.problem = words(run.problem)
        verdict = _race_rounds(run)
    return _ended(run, verdict)


def _ended(run: _Run, verdict: Verdict | None) -> Settled:
    if verdict is not None:
        run.steps.append(verdict.engine)
        if verdict.grade is Grade.PROVEN:
            run.problem = _merged(run.problem, run.problem.pairs)
    return run.done(verdict)


def _sweep(run: _Run, conflicts: int) -> Verdict | None:
    """Merge inner equivalences; the question may fall altogether, or show a difference."""
    swept = sweep(run.problem, conflicts, most_given_up=24)
    if swept.witness is not None:
        return different(run.problem, run.problem.input_values(swept.witness), "SAT sweeping")
    run.problem = swept.problem
    if swept.merged:
        run.steps.append("SAT sweeping")
    return proven("SAT sweeping") if run.problem.settled else None


def _race_rounds(run: _Run) -> Verdict | None:
    """All engines on the whole question, then on each output by itself, with more time from round to round."""
    for seconds in _ROUNDS:
        if run.left <= 0:
            break
        verdict = race(_ENGINES, run.problem, min(seconds, run.left), run.limits)
        if verdict is not None:
            return verdict
        verdict = _each_pair(run, seconds)
        if verdict is not None:
            return verdict
    return None


def _each_pair(run: _Run, seconds: float) -> Verdict | None:
    """Each open output word by itself; proven ones leave the question."""
    pairs = unsettled(run.problem)
    if len(pairs) < 2:
        return None
    for pair in pairs:
        if run.left <= 0:
            return None
        part = run.problem.with_pairs([pair])
        if exhaustive.fits(part, _LATER_BITS):
            verdict = exhaustive.try_prove(part, replace(run.limits, seconds=run.left))
        else:
            verdict = race(_ENGINES, part, min(seconds, run.left), run.limits)
        if verdict is None:
            continue
        if verdict.grade is Grade.DIFFERENT:
            return verdict
        run.steps.append(verdict.engine)
        run.problem = _merged(run.problem, [pair])
    return proven(run.steps[-1]) if run.problem.settled else None


def _merged(problem: Problem, pairs: Sequence[Pair]) -> Problem:
    """The candidate's side of proven pairs replaced by golden's."""
    names = {p.name for p in pairs}
    return replace(
        problem, pairs=tuple(replace(p, candidate=p.golden) if p.name in names else p for p in problem.pairs)
    )


def open_names(problem: Problem) -> tuple[str, ...]:
    """Names of the words that aren't settled."""
    return tuple(p.name for p in unsettled(problem)) if open_bits(problem) else ()
