"""The last step for a candidate that would enter the front: all recipes, and the simulation bench."""

from dataclasses import dataclass, replace
from pathlib import Path

from rtl_evolve.evolver.evaluation import Evaluation
from rtl_evolve.flows.cache import EvaluationCache, key
from rtl_evolve.flows.evaluate import EvaluateSettings, failures_of, recall, remember
from rtl_evolve.flows.examine import elaboration_of
from rtl_evolve.flows.stages import Stages
from rtl_evolve.rtl.candidate import Candidate
from rtl_evolve.rtl.design import Design
from rtl_evolve.rtl.elaborate import Elaboration
from rtl_evolve.rtl.errors import InputError
from rtl_evolve.synth.measure import measure_in_detail
from rtl_evolve.verify.bench.lockstep import lockstep
from rtl_evolve.verify.bench.result import BenchSettings, Outcome
from rtl_evolve.verify.bench.user_test import run_user_test
from rtl_evolve.verify.verdict import Grade


@dataclass(frozen=True)
class Bench:
    """How the bench is run; `user_test` is a cocotb module of the user's that must pass too, `stamp` its content."""

    settings: BenchSettings
    user_test: Path | None = None
    stamp: str = ""


def confirm(
    candidate: Candidate,
    evaluation: Evaluation,
    design: Design,
    settings: EvaluateSettings,
    bench: Bench | None,
    kept: EvaluationCache | None = None,
) -> Evaluation:
    """The evaluation with measurements of all recipes, and with its grade taken away should the bench disagree.

    Raises `ToolMissing` or `ToolFailed` when golden itself cannot be simulated.
    """
    asked = bench and (bench.settings.cycles, bench.settings.seed, bench.stamp)
    content = key("confirm", replace(design, root=Path()), settings, asked, candidate.sources(design.sources))
    found = recall(kept, content, candidate.id)
    if found is not None:
        return replace(found, stage_seconds=(*evaluation.stage_seconds, *found.stage_seconds))
    stages = Stages()
    with stages("elaborate"):
        elaboration = elaboration_of(candidate.sources(design.sources))
    assert isinstance(elaboration, Elaboration), "what is to enter the front has elaborated"
    with stages("measure all"):
        measured = measure_in_detail(elaboration, settings.full)
    done = replace(
        evaluation,
        measurements=measured.measurements,
        feedback=(*evaluation.feedback, *failures_of(measured)),
    )
    if bench is not None:
        with stages("bench"):
            done = _benched(done, candidate, design, bench)
    remember(kept, content, replace(done, stage_seconds=stages.seconds))
    return replace(done, stage_seconds=(*evaluation.stage_seconds, *stages.seconds))


def _benched(evaluation: Evaluation, candidate: Candidate, design: Design, bench: Bench) -> Evaluation:
    """What the bench leaves of an evaluation. A proof that the bench contradicts is no proof, and no difference."""
    result = lockstep(design, candidate, bench.settings)
    what = "the simulation bench"
    if result.passed and bench.user_test is not None:
        result = run_user_test(design, candidate, bench.user_test, bench.settings)
        what = bench.user_test.name
    if result.passed:
        return evaluation
    grade = Grade.REJECTED if result.outcome is Outcome.UNBUILDABLE else Grade.UNDECIDED
    before = f"{evaluation.verdict.grade.value} by {evaluation.verdict.engine}"
    reason = f"{what}: {result.outcome.value}: {result.mismatch} (it had been {before})"
    verdict = replace(
        evaluation.verdict, grade=grade, engine="bench", reasons=(reason,), counterexample=result.counterexample
    )
    return replace(evaluation, verdict=verdict, feedback=(*evaluation.feedback, reason))


def try_bench(design: Design, bench: Bench) -> None:
    """Build what the bench needs of golden, and try it out.

    Raises `InputError` when the user's own test fails on golden, `ToolMissing` or `ToolFailed` when the bench fails.
    """
    golden = Candidate(())
    lockstep(design, golden, bench.settings)
    if bench.user_test is not None:
        result = run_user_test(design, golden, bench.user_test, bench.settings)
        if not result.passed:
            raise InputError(f"{bench.user_test} does not pass on {design.top} itself: {result.mismatch}")
