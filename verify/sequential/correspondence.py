"""Proof by matching registers: states assumed alike stay alike, start alike, and then the outputs agree.

Van Eijk's register correspondence, with two additions: the step is settled by the whole portfolio (so that a
multiplier in front of a register is no obstacle), and pipeline registers can be read as functions of past inputs (so
that retimed ones needn't match).
"""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from random import Random

from rtl_evolve.rtl.aig import value
from rtl_evolve.rtl.design import Design
from rtl_evolve.verify.portfolio import Settled, settle
from rtl_evolve.verify.problem import Pair, Problem, ProofLimits, proven, witness_values
from rtl_evolve.verify.questions import Question
from rtl_evolve.verify.sequential.classes import Classes, guess_classes
from rtl_evolve.verify.sequential.step import Step, at_time, build_step, history_depths
from rtl_evolve.verify.sequential.timed import TooManyGates
from rtl_evolve.verify.sequential.unroll import Unrolled, unroll
from rtl_evolve.verify.sequential.wording import step_words, unrolled_words
from rtl_evolve.verify.stimulus import combinational_vectors
from rtl_evolve.verify.verdict import Grade, Verdict

_VECTORS = 512
_MOST_ROUNDS = 200


@dataclass(frozen=True)
class Difference:
    """A run from the start that shows a difference: values of input words "a@0", "a@1", ... and "$start"."""

    values: Mapping[str, int]
    cycles: int
    engine: str


@dataclass(frozen=True)
class Answer:
    """Proven, a real difference, or neither with what is missing."""

    proven: Verdict | None = None
    difference: Difference | None = None
    steps: tuple[str, ...] = ()
    missing: str = ""


def by_correspondence(question: Question, design: Design, limits: ProofLimits, seed: int, *, history: bool) -> Answer:
    """Try to prove a question by induction over matching states; with `history`, pipelines as functions."""
    return _Induction(question, design, limits, seed, history).run()


class _Induction:
    def __init__(self, question: Question, design: Design, limits: ProofLimits, seed: int, history: bool) -> None:
        self._question, self._design, self._limits, self._seed = question, design, limits, seed
        self._depths = history_depths(question.product) if history else {}
        self._kept = [i for i in range(len(question.product.all_states)) if i not in self._depths]
        self._deadline = time.monotonic() + limits.seconds
        self._steps: list[str] = []
        self._from = max(len(question.tainted), max(self._depths.values(), default=0))

    def run(self) -> Answer:
        try:
            return self._run()
        except TooManyGates:
            return Answer(missing="too many gates over the cycles it takes")

    def _run(self) -> Answer:
        classes = guess_classes(self._question, self._kept, self._design, self._seed)
        if not self._from:
            self._split_by_start(classes)
        for _ in range(_MOST_ROUNDS):
            step = self._refined(classes)
            if step is None:
                return self._answer(missing="outputs need more than matching registers")
            settled = self._settle(step.problem, self._step_words(classes.alike(), step))
            if settled.verdict is None:
                return self._answer(missing="the step was not settled in time")
            if settled.verdict.grade is Grade.DIFFERENT:
                if not self._kept:
                    return self._answer(difference=self._from_history(step, settled.verdict))
                if not self._split_by(classes, step, settled.verdict):
                    return self._answer(missing="outputs need more than matching registers")
                continue
            answer = self._base(classes, step)
            if answer is not None:
                return answer
        return self._answer(missing="the matching of registers did not settle")

    def _answer(self, **what: Verdict | Difference | str | None) -> Answer:
        return Answer(steps=tuple(dict.fromkeys(self._steps)), **what)  # type: ignore[arg-type]

    def _settle(self, problem: Problem, words: Callable[[Problem], Problem]) -> Settled:
        settled = settle(problem, replace(self._limits, seconds=self._deadline - time.monotonic()), words)
        self._steps += settled.steps
        return settled

    def _split_by_start(self, classes: Classes) -> None:
        """Only states that start with the same literal can be alike from the start on."""
        start = self._question.start
        numbered = {lit >> 1: k for k, lit in enumerate(start)}
        rng = Random(self._seed)
        drawn = {k: rng.getrandbits(256) for k in numbered}
        full = (1 << 256) - 1
        drawn[0] = 0
        classes.split(lambda state: drawn[start[state] >> 1] ^ (full if start[state] & 1 else 0), full)

    def _refined(self, classes: Classes) -> Step | None:
        """The step after random vectors split nothing any more; None when they show outputs to differ."""
        rng = Random(self._seed)
        while True:
            step = build_step(self._question, classes.alike(), self._depths, self._seed)
            problem = step.problem
            values = problem.aig.simulate(combinational_vectors(problem.inputs, _VECTORS, rng), _VECTORS)
            allowed = value(values, problem.constraint, _VECTORS)
            nexts = {i: value(values, lit, _VECTORS) for i, lit in step.next_states.items()}
            if not classes.split(nexts.__getitem__, allowed):
                outputs = [p for p in problem.pairs if p.name not in step.places]
                return None if _differ(outputs, values, allowed) else step

    def _from_history(self, step: Step, verdict: Verdict) -> Difference:
        """With no state but past inputs, a step's witness is a run: its oldest inputs held until it begins."""
        values = witness_values(verdict)
        last = max(self._from, step.depth)
        run = {
            f"{word.name}@{cycle}": values[at_time(word.name, min(last - cycle, step.depth))]
            for word in self._question.product.inputs
            for cycle in range(last + 1)
        }
        return Difference(run, last + 1, verdict.engine)

    def _split_by(self, classes: Classes, step: Step, verdict: Verdict) -> bool:
        """Split by an engine's witness; false when only outputs differ in it."""
        bits = step.problem.input_bits(witness_values(verdict))
        values = step.problem.aig.simulate(bits, 1)
        return classes.split(lambda i: value(values, step.next_states[i], 1), 1)

    def _base(self, classes: Classes, step: Step) -> Answer | None:
        """The cycles before the induction starts, and the classes at its start; None to try again with fewer."""
        for cycle in range(self._from):
            unrolled = unroll(self._question, cycle, self._seed)
            settled = self._settle(unrolled.problem, self._unrolled_words(unrolled, {}))
            if settled.verdict is None:
                return self._answer(missing=f"cycle {cycle} was not settled in time")
            if settled.verdict.grade is Grade.DIFFERENT:
                return self._answer(difference=_first_cycles(settled.verdict, cycle + 1))
        if self._from and step.places:
            first = unroll(self._question, self._from, self._seed)
            pairs = [
                Pair(name, tuple(_stands(first, lit) for _, lit in m), tuple(first.states[i] for i, _ in m))
                for name, m in step.places.items()
            ]
            problem = first.problem.with_pairs(pairs)
            settled = self._settle(problem, self._unrolled_words(first, step.places))
            if settled.verdict is None:
                return self._answer(missing="the start of the induction was not settled in time")
            if settled.verdict.grade is Grade.DIFFERENT:
                values = problem.aig.simulate(problem.input_bits(witness_values(settled.verdict)), 1)
                classes.split(lambda i: value(values, first.states[i], 1), 1)
                return None
        kind = "past inputs" if self._depths and not self._kept else "matching registers"
        return self._answer(proven=proven(f"induction over {kind}"))

    def _step_words(self, alike: Mapping[int, int], step: Step) -> Callable[[Problem], Problem]:
        return lambda problem: step_words(problem, self._question, alike, step)

    def _unrolled_words(
        self, unrolled: Unrolled, places: Mapping[str, tuple[tuple[int, int], ...]]
    ) -> Callable[[Problem], Problem]:
        return lambda problem: unrolled_words(problem, self._question, unrolled, places)


def _first_cycles(verdict: Verdict, cycles: int) -> Difference:
    return Difference(witness_values(verdict), cycles, verdict.engine)


def _stands(unrolled: Unrolled, literal: int) -> int:
    return literal if literal < 2 else unrolled.states[(literal >> 1) - 1] ^ (literal & 1)


def _differ(pairs: list[Pair], values: list[int], allowed: int) -> bool:
    return any(
        (value(values, g, _VECTORS) ^ value(values, c, _VECTORS)) & allowed
        for p in pairs
        for g, c in zip(p.golden, p.candidate, strict=True)
    )
