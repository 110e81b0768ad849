"""One candidate's way: gate, elaborate, known circuit?, simulate, measure quickly, prove, measure in full."""

import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from rtl_evolve.evolver.evaluation import Evaluation
from rtl_evolve.evolver.loop import Task
from rtl_evolve.evolver.objective import raw_figures
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

BEHIND = 0.01  # behind the front by this much in both area and delay by the quick recipe: not worth a proof
_TESTED = Verdict(Grade.TESTED, "simulation", reasons=("not proven: behind the front by a quick measurement",))


@dataclass(frozen=True)
class EvaluateSettings:
    """What an evaluation rests on beside the design; `stamp` stands for the contents of library and recipe files.

    `searching` has the recipes by which golden is at its best somewhere, `full` has all: a candidate that would enter
    the front is measured by those too. Fewer recipes can only understate a candidate, never golden.
    """

    screening: MeasureSettings
    searching: MeasureSettings
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
    if verdict.grade not in settings.accept:
        return replace(look, verdict=verdict, stage_seconds=stages.seconds, feedback=verdict.reasons)
    with stages("measure"):
        measured = measure_in_detail(elaboration, settings.searching)
    return replace(
        look,
        verdict=verdict,
        measurements=measured.measurements,
        stage_seconds=stages.seconds,
        feedback=(*verdict.reasons, *failures_of(measured)),
    )


def evaluate_golden(design: Design, settings: EvaluateSettings, kept: EvaluationCache | None = None) -> Evaluation:
    """The baseline: golden through the same measuring as every candidate, by all recipes."""
    content = key("golden", replace(design, root=Path()), settings.screening, settings.full, settings.stamp)
    found = recall(kept, content, "golden")
    if found is not None:
        return found
    stages = Stages()
    with stages("elaborate"):
        golden = golden_of(design.sources)
    with stages("screen"):
        screening = measure_in_detail(golden, settings.screening).measurements
    with stages("measure"):
        measured = measure_in_detail(golden, settings.full)
    verdict = Verdict(Grade.PROVEN, "golden", reasons=("golden is itself",))
    seconds, failures = stages.seconds, failures_of(measured)
    found = Evaluation("golden", verdict, measured.measurements, golden.structure, seconds, failures, screening)
    remember(kept, content, found)
    return found


def searching_recipes(baseline: Evaluation) -> tuple[str, ...]:
    """The recipes by which golden is smallest, fastest and coolest."""
    measured = baseline.measurements
    best = [
        min(measured, key=lambda m: (m.area_um2, m.delay_ps)),
        min(measured, key=lambda m: (m.delay_ps, m.area_um2)),
    ]
    powered = [(m.power.total_uw, m.area_um2, m.recipe) for m in measured if m.power is not None]
    names = [m.recipe for m in best] + [min(powered)[2]] * bool(powered)
    return tuple(dict.fromkeys(names))


def failures_of(measured: Measured) -> tuple[str, ...]:
    """The recipes that gave nothing, each with its reason."""
    return tuple(f"{f.recipe}: {f.reason}" for f in measured.failures)


def _behind(screening: tuple[Measurement, ...], bar: tuple[tuple[float, float], ...]) -> bool:
    """Whether some member of the front is clearly better in both area and delay."""
    figures = raw_figures(screening)
    if figures is None:
        return False
    area, delay = figures.area_um2 / (1 + BEHIND), figures.delay_ps / (1 + BEHIND)
    return any(a <= area and d <= delay for a, d in bar)


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
