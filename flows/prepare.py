"""From settings to what the stages are given: the design, and how candidates are evaluated."""

from dataclasses import replace

from rtl_evolve.evolver.evaluation import Evaluation
from rtl_evolve.flows.baseline import SEARCH_VECTORS, search_recipes
from rtl_evolve.flows.cache import key
from rtl_evolve.flows.config import DesignSettings, Settings
from rtl_evolve.flows.confirm import Bench
from rtl_evolve.flows.evaluate import EvaluateSettings
from rtl_evolve.rtl.design import Design
from rtl_evolve.rtl.load import load_design
from rtl_evolve.rtl.process import Limits
from rtl_evolve.synth.libraries import find_library
from rtl_evolve.synth.measure import MeasureSettings, workload_for
from rtl_evolve.synth.recipe import load_recipes
from rtl_evolve.verify.bench.result import BenchSettings
from rtl_evolve.verify.problem import ProofLimits


def design_of(settings: DesignSettings) -> Design:
    """Load and check golden; `InputError` says what is wrong with it."""
    return load_design(
        settings.files,
        settings.top,
        include_dirs=settings.include_dirs,
        defines=settings.defines,
        parameters=settings.parameters,
        clocks=settings.clocks,
        reset=settings.reset,
        assumptions=settings.assume,
        latency=settings.latency,
        x_policy=settings.x_policy,
    )


def measure_settings(settings: Settings, design: Design) -> MeasureSettings:
    """How golden and every candidate are measured in full."""
    return MeasureSettings(
        settings.library,
        settings.dont_use,
        settings.recipes,
        settings.own_recipes,
        settings.clock_ps,
        period_ps=settings.period_ps,
        workload=workload_for(design, settings.power_vectors),
        limits=Limits(seconds=30, memory_mb=settings.memory_mb),
    )


def stamp_of(settings: Settings) -> str:
    """Stands for the contents of the library and of the recipes; `InputError` when one is unknown."""
    library = find_library(settings.library, settings.dont_use)
    return key(library.digest, load_recipes(settings.own_recipes).choose(settings.recipes))


def evaluate_settings(settings: Settings, design: Design, baseline: Evaluation) -> EvaluateSettings:
    """Everything an evaluation rests on, given golden's measurements by all recipes."""
    full = measure_settings(settings, design)
    first, more = search_recipes(baseline.measurements, settings.objective)
    screening = replace(full, recipes=first, workload=workload_for(design, min(SEARCH_VECTORS, settings.power_vectors)))
    completing = replace(screening, recipes=more, power=False) if more else None
    proof = ProofLimits(settings.proof_seconds, memory_mb=settings.memory_mb)
    return EvaluateSettings(screening, completing, full, proof, settings.grades, stamp_of(settings))


def bench_of(settings: Settings) -> Bench | None:
    """How candidates for the front are simulated; None when the flow turns that off."""
    if not settings.bench.enabled:
        return None
    test = settings.bench.cocotb_test
    stamp = key(test.read_bytes()) if test is not None else ""
    return Bench(BenchSettings(settings.bench.cycles), test, stamp)
