"""One candidate's way: gate, elaborate, known circuit?, simulate, measure quickly, prove, measure in full."""

import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from rtl_evolve.evolver.evaluation import Evaluation
from rtl_evolve.evolver.loop import Task
from rtl_evolve.evolver.objective import Figures, raw_figures
from rtl_evolve.flows.cache import EvaluationCache, key
from rtl_evolve.flows.examine import elaboration_of, examine, golden_of, refused
from rtl_evolve.flows.stages import Stages
from rtl_evolve.rtl.candidate import Candidate
from rtl_evolve.rtl.design import Design
from rtl_evolve.rtl.elaborate import Elaboration
from rtl_evolve.synth.measure import Measured, MeasureSettings, measure_in_detail
from rtl_evolve.synth.measurement import Measurement
from rtl_evolve.verify.problem import ProofLimits
from rtl_evolve.verify.prove import prove
from rtl_evolve.verify.verdict import Grade, Verdict

BETTER = 0.002  # what a candidate must gain on each front member in some figure to be worth a proof
_TESTED = Verdict(Grade.TESTED, "simulation", reasons=("not proven: no better than the front by a quick measurement",))


@dataclass(frozen=True)
class EvaluateSettings:
    """What an evaluation rests on beside the design; `stamp` stands for the contents of library and recipe files.

    `screening` has the recipe by which golden is best at what is to be made small; `completing` adds what keeping its
    delay is judged by, for candidates that are proven; `full` has all recipes, for those that would enter the front.
    """

    screening: MeasureSettings
    completing: MeasureSettings | None
    full: MeasureSettings
    proof: ProofLimits
    accept: tuple[Grade, ...] = (Grade.PROVEN,)
    stamp: str = ""


def evaluate(task: Task, design: Design, settings: EvaluateSettings, kept: EvaluationCache | None = None) -> Evaluation:
    """The whole cascade; the same result whether `kept` (results by content) has it or not, but for the seconds."""
    content = (replace(design, root=Path()), settings, task.candidate.sources(design.sources))
    look = recall(kept, key("look", *content), task.candidate.id)
    if look is None:
        look = _look(task.candidate, design, settings, task.known)
        remember(kept, key("look", *content), look)
    if look.structure in task.known:
        return _duplicate(look, task.known[look.structure])
    if look.verdict.grade is not Grade.TESTED or _behind(look.screening, task.bar):
        return look
    done = recall(kept, key("full", *content), task.candidate.id)
    if done is None:
        done = _finish(look, task.candidate, design, settings)
        remember(kept, key("full", *content), done)
    return done


def _look(candidate: Candidate, design: Design, settings: EvaluateSettings, known: Mapping[str, str]) -> Evaluation:
    """All that is cheap: refused, different, or tested with its quick measurements (or known: then no more)."""
    stages = Stages()
    examined = examine(candidate, design, stages, known)
    elaboration, verdict = examined.elaboration, examined.verdict
    structure = elaboration.structure if elaboration else None
    if verdict is not None:
        return Evaluation(candidate.id, verdict, (), structure, stages.seconds, verdict.reasons)
    assert elaboration is not None, "a candidate without a verdict has elaborated"
    if structure in known:
        return Evaluation(candidate.id, _TESTED, (), structure, stages.seconds)
    with stages("screen"):
        screening = measure_in_detail(elaboration, settings.screening)
    failures = failures_of(screening)
    return Evaluation(candidate.id, _TESTED, (), structure, stages.seconds, failures, screening.measurements)


def _finish(look: Evaluation, candidate: Candidate, design: Design, settings: EvaluateSettings) -> Evaluation:
    """All that is costly: the proof, and the measurements of what is proven."""
    stages = Stages(look.stage_seconds)
    with stages("elaborate"):
        golden, elaboration = golden_of(design.sources), elaboration_of(candidate.sources(design.sources))
    assert isinstance(elaboration, Elaboration), "it elaborated a moment ago"
    with stages("prove"):
        verdict = prove(golden, elaboration, design, settings.proof)
    done = replace(look, verdict=verdict, feedback=(*look.feedback, *verdict.reasons))
    if verdict.grade not in settings.accept or settings.completing is None:
        return replace(done, stage_seconds=stages.seconds)
    with stages("measure"):
        measured = measure_in_detail(elaboration, settings.completing)
    return replace(
        done,
        screening=(*look.screening, *measured.measurements),
        stage_seconds=stages.seconds,
        feedback=(*done.feedback, *failures_of(measured)),
    )


def failures_of(measured: Measured) -> tuple[str, ...]:
    """The recipes that gave nothing, each with its reason."""
    return tuple(f"{f.recipe}: {f.reason}" for f in measured.failures)


def _behind(screening: tuple[Measurement, ...], bar: tuple[Figures, ...]) -> bool:
    """Whether some member of the front leaves the candidate nothing that is clearly better."""
    figures = raw_figures(screening)
    if figures is None:
        return False
    return any(
        all(theirs * (1 - BETTER) <= ours for theirs, ours in zip(point.values(), figures.values(), strict=True))
        for point in bar
    )


def _duplicate(look: Evaluation, twin: str) -> Evaluation:
    verdict = refused("duplicate", f"elaborates to the same circuit as {twin}")
    return Evaluation(look.candidate_id, verdict, (), look.structure, look.stage_seconds, duplicate_of=twin)


def recall(kept: EvaluationCache | None, content: str, candidate_id: str) -> Evaluation | None:
    """What an earlier evaluation of the same content gave."""
    began = time.monotonic()
    found = kept.get(content) if kept else None
    seconds = (("cache", time.monotonic() - began),)
    return found and replace(found, candidate_id=candidate_id, stage_seconds=seconds)


def remember(kept: EvaluationCache | None, content: str, evaluation: Evaluation) -> None:
    """Keep what content alone decides: not what ran into a limit, nor what stopped at a known circuit."""
    stopped = evaluation.verdict.grade is Grade.TESTED and not (evaluation.screening or evaluation.feedback)
    if kept is not None and evaluation.verdict.grade is not Grade.UNDECIDED and not stopped:
        kept.put(content, evaluation)
