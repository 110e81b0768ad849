"""A combinational question through all engines, the cheap ones first; what is settled on the way stays settled."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from rtl_evolve.verify.cases import selecting_bits, split
from rtl_evolve.verify.cone import trimmed, unsettled
from rtl_evolve.verify.engines import abc, algebra_outside, exhaustive, sat, word
from rtl_evolve.verify.engines.outside import OutsideEngine, Slot, race
from rtl_evolve.verify.lemmas import prove_lemmas
from rtl_evolve.verify.problem import Problem, ProofLimits, different, proven, witness_values
from rtl_evolve.verify.sweep import sweep
from rtl_evolve.verify.verdict import Grade, Verdict

_AT_ONCE_BITS = 14  # exhaustive simulation of so few inputs costs less than anything else
_LATER_BITS = 22  # and of so many less than a solver
_QUICK_CONFLICTS = 20
_LATER_CONFLICTS = 200
_GIVEN_UP = 24  # comparisons that reach their effort, before a sweep stops
_CASE_SECONDS = 10.0
# Turns of each round: engine, on the question with equal gates merged or as it was built, for how many seconds. What
# falls at all mostly falls at once. Algebra gets both: merged gates may hide an adder from it, or show it one.
_TURNS: tuple[tuple[OutsideEngine, bool, tuple[float, ...]], ...] = (
    (word, True, (0.5, 3.0, 12.0, 600.0)),
    (algebra_outside, True, (1.5, 6.0, 20.0, 600.0)),
    (algebra_outside, False, (1.5, 6.0, 20.0, 600.0)),
    (sat, True, (1.0, 5.0, 20.0, 600.0)),
    (abc, True, (1.0, 5.0, 20.0, 600.0)),
)
_ROUNDS = 4
Words = Callable[[Problem], Problem]


@dataclass(frozen=True)
class Settled:
    """`verdict` of the whole question, None while undecided; `problem` is what is left; `steps` what was done."""

    problem: Problem
    verdict: Verdict | None = None
    steps: tuple[str, ...] = ()


@dataclass
class _Run:
    """One question on its way. `swept` is `raw` with equal gates merged: most engines like that, but algebra needs
    the adders of either side as they were built."""

    raw: Problem
    limits: ProofLimits
    began: float = field(default_factory=time.monotonic)
    steps: list[str] = field(default_factory=list)
    merged: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        self.swept = self.raw

    @property
    def left(self) -> float:
        return self.limits.seconds - (time.monotonic() - self.began)

    @property
    def rest(self) -> ProofLimits:
        return replace(self.limits, seconds=self.left)

    def settle(self, names: set[str]) -> None:
        """The candidate's side of proven pairs becomes golden's."""
        self.raw, self.swept = (_without(problem, names) for problem in (self.raw, self.swept))


def _without(problem: Problem, names: set[str]) -> Problem:
    pairs = tuple(replace(p, candidate=p.golden) if p.name in names else p for p in problem.pairs)
    return replace(problem, pairs=pairs)


def settle(problem: Problem, limits: ProofLimits, words: Words, *, splitting: bool = True) -> Settled:
    """Prove or refute a question within the limits; `words` attaches the word-level view when it is first needed.

    With `splitting`, hard questions are also split by the values of the bits that select between computations.
    """
    run = _Run(trimmed(problem), limits)
    verdict = _cheap(run)
    if verdict is None:
        run.raw = words(run.raw)
        run.swept = _with_terms(run.swept, run.raw)
        verdict = _decompose(run) or _race_rounds(run, splitting)
    if verdict is not None:
        run.steps.append(verdict.engine)
        if verdict.grade is Grade.PROVEN:
            run.settle({p.name for p in run.raw.pairs})
    return Settled(run.swept, verdict, tuple(dict.fromkeys(run.steps)))


def _with_terms(problem: Problem, source: Problem) -> Problem:
    """The terms of the same question in another graph."""
    terms = {p.name: (p.golden_term, p.candidate_term) for p in source.pairs}
    pairs = tuple(replace(p, golden_term=terms[p.name][0], candidate_term=terms[p.name][1]) for p in problem.pairs)
    return replace(problem, pairs=pairs, terms=source.terms, constraint_term=source.constraint_term)


def _cheap(run: _Run) -> Verdict | None:
    """What takes milliseconds: structure, few inputs, sweeping."""
    if run.raw.settled:
        return proven("structure")
    if exhaustive.fits(run.raw, _AT_ONCE_BITS):
        verdict = exhaustive.try_prove(run.raw, run.limits)
        if verdict is not None:
            return verdict
    return _sweep(run, _QUICK_CONFLICTS)


def _sweep(run: _Run, conflicts: int) -> Verdict | None:
    """Merge inner equivalences; the question may fall altogether, show a difference, or become small."""
    swept = sweep(run.raw, conflicts, _GIVEN_UP)
    if swept.witness is not None:
        return different(run.raw, run.raw.input_values(swept.witness), "SAT sweeping")
    run.swept, run.merged = swept.problem, swept.literals
    if run.swept.settled:
        return proven("SAT sweeping")
    if swept.merged:
        run.steps.append("SAT sweeping")
    if exhaustive.fits(run.swept, _LATER_BITS):
        return exhaustive.try_prove(run.swept, run.rest)
    return None


def _decompose(run: _Run) -> Verdict | None:
    """Inner words by algebra; what they leave is mostly plain logic, and falls to sweeping."""
    lemmas = prove_lemmas(run.raw, run.merged, run.rest)
    if not lemmas.proven:
        return None
    run.raw = lemmas.problem
    run.steps.append("algebra on inner words")
    return _sweep(run, _LATER_CONFLICTS)


def _race_rounds(run: _Run, splitting: bool) -> Verdict | None:
    """All engines on the whole question, then on each output by itself, with more time from round to round."""
    for number in range(_ROUNDS):
        if run.left <= 0:
            break
        verdict = _race(run, number, run.raw, run.swept) or _each_pair(run, number)
        if verdict is None and splitting:
            splitting = False
            verdict = _by_cases(run)
        if verdict is not None:
            return verdict
    return None


def _race(run: _Run, number: int, raw: Problem, swept: Problem) -> Verdict | None:
    slots = [Slot(engine, swept if merged else raw, seconds[number]) for engine, merged, seconds in _TURNS]
    return race(slots, run.rest)


def _each_pair(run: _Run, number: int) -> Verdict | None:
    """Each open output word by itself; proven ones leave the question."""
    pairs = unsettled(run.swept)
    if len(pairs) < 2:
        return None
    for pair in pairs:
        if run.left <= 0:
            return None
        part = run.swept.with_pairs([pair])
        if exhaustive.fits(part, _LATER_BITS):
            verdict = exhaustive.try_prove(part, run.rest)
        else:
            raw = run.raw.with_pairs([p for p in run.raw.pairs if p.name == pair.name])
            verdict = _race(run, number, raw, part)
        if verdict is None:
            continue
        if verdict.grade is Grade.DIFFERENT:
            return verdict
        run.steps.append(verdict.engine)
        run.settle({pair.name})
    return proven(run.steps[-1]) if run.swept.settled else None


def _by_cases(run: _Run) -> Verdict | None:
    """The question once for every value of its selecting bits."""
    bits = selecting_bits(run.raw)
    if not bits:
        return None
    for case in split(run.raw, bits):
        limits = replace(run.limits, seconds=min(run.left / 2, _CASE_SECONDS))
        settled = settle(case.problem, limits, lambda problem: problem, splitting=False)
        if settled.verdict is None:
            return None
        if settled.verdict.grade is Grade.DIFFERENT:
            return different(run.raw, case.whole(witness_values(settled.verdict)), settled.verdict.engine)
        run.steps += settled.steps
    return proven("case split")


def open_names(problem: Problem) -> tuple[str, ...]:
    """Names of the words that aren't settled."""
    return tuple(p.name for p in unsettled(problem))
