"""The last step for a candidate that would enter the front: all recipes, and the simulation bench."""

from dataclasses import replace
from pathlib import Path

from rtl_evolve.evolver.evaluation import Evaluation
from rtl_evolve.flows.cache import EvaluationCache, key
from rtl_evolve.flows.evaluate import EvaluateSettings, failures_of, recall, remember
from rtl_evolve.flows.examine import elaboration_of
from rtl_evolve.flows.stages import Stages
from rtl_evolve.rtl.candidate import Candidate
from rtl_evolve.rtl.design import Design
from rtl_evolve.rtl.elaborate import Elaboration
from rtl_evolve.synth.measure import measure_in_detail


def confirm(
    candidate: Candidate,
    evaluation: Evaluation,
    design: Design,
    settings: EvaluateSettings,
    kept: EvaluationCache | None = None,
) -> Evaluation:
    """The evaluation with measurements of all recipes, and with its grade taken away should the bench disagree."""
    content = key("confirm", replace(design, root=Path()), settings, candidate.sources(design.sources))
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
        stage_seconds=(*evaluation.stage_seconds, *stages.seconds),
    )
    remember(kept, content, replace(done, stage_seconds=stages.seconds))
    return done
