"""Golden measured: by all recipes first, then as the search will measure candidates by the few that matter."""

from dataclasses import replace
from pathlib import Path

from rtl_evolve.evolver.evaluation import Evaluation
from rtl_evolve.evolver.objective import METRICS, Objective
from rtl_evolve.flows.cache import EvaluationCache, key
from rtl_evolve.flows.evaluate import failures_of, recall, remember
from rtl_evolve.flows.examine import golden_of
from rtl_evolve.flows.stages import Stages
from rtl_evolve.rtl.design import Design
from rtl_evolve.synth.measure import MeasureSettings, measure_in_detail
from rtl_evolve.synth.measurement import Measurement
from rtl_evolve.verify.verdict import Grade, Verdict

SEARCH_VECTORS = 2000  # for power while searching: within 1 % of ten thousand, and the same ones for both sides


def measure_golden(
    design: Design, full: MeasureSettings, stamp: str, kept: EvaluationCache | None = None
) -> Evaluation:
    """Golden's evaluation by all recipes; `stamp` stands for the contents of library and recipe files."""
    content = key("golden", replace(design, root=Path()), full, stamp)
    found = recall(kept, content, "golden")
    if found is not None:
        return found
    stages = Stages()
    with stages("elaborate"):
        golden = golden_of(design.sources)
    with stages("measure all"):
        measured = measure_in_detail(golden, full)
    verdict = Verdict(Grade.PROVEN, "golden", reasons=("golden is itself",))
    failures = failures_of(measured)
    done = Evaluation("golden", verdict, measured.measurements, golden.structure, stages.seconds, failures)
    remember(kept, content, done)
    return done


def search_recipes(
    measurements: tuple[Measurement, ...], objective: Objective
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The recipes a search screens by, and those it adds for what is proven.

    Screening goes by the recipes at which golden is at its best in what the objective makes small; the rest are those
    at which it is smallest and fastest. Leaving recipes out can only understate a candidate, never golden.
    """
    powered = [m for m in measurements if m.power is not None]
    best = {
        "area": min(measurements, key=lambda m: (m.area_um2, m.delay_ps)),
        "delay": min(measurements, key=lambda m: (m.delay_ps, m.area_um2)),
        "power": min(powered or measurements, key=lambda m: (m.power.total_uw if m.power else 0.0, m.area_um2)),
    }
    weights = dict(objective.weights)
    screening = tuple(dict.fromkeys(best[name].recipe for name in METRICS if name in weights))
    needed = ("area",) if objective.max_delay == "none" else ("area", "delay")
    return screening, tuple(dict.fromkeys(best[n].recipe for n in needed if best[n].recipe not in screening))


def measure_as_searched(
    baseline: Evaluation, design: Design, screening: MeasureSettings, completing: MeasureSettings | None
) -> Evaluation:
    """The baseline with golden's measurements by the search's settings."""
    stages = Stages(baseline.stage_seconds)
    golden = golden_of(design.sources)
    with stages("screen"):
        found = measure_in_detail(golden, screening).measurements
    if completing is not None:
        with stages("measure"):
            found += measure_in_detail(golden, completing).measurements
    return replace(baseline, screening=found, stage_seconds=stages.seconds)
