"""From an elaborated design to figures: one `Measurement` a recipe and clock target, golden and candidates alike."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from rtl_evolve.rtl.design import Design
from rtl_evolve.rtl.elaborate import Elaboration
from rtl_evolve.rtl.process import Limits
from rtl_evolve.synth.activity import Workload, activity_of, simulate
from rtl_evolve.synth.glitch import timed_activity
from rtl_evolve.synth.libraries import DEFAULT_LIBRARY, find_library
from rtl_evolve.synth.mapped import Mapped, Unusable
from rtl_evolve.synth.measurement import Measurement
from rtl_evolve.synth.power import InstancePower, estimate_power
from rtl_evolve.synth.recipe import load_recipes
from rtl_evolve.synth.synthesise import Job, Synthesised, synthesise
from rtl_evolve.synth.timing import Boundary, Timing, analyse


@dataclass(frozen=True)
class MeasureSettings:
    """How to measure; the same settings must be used for golden and for every candidate.

    `library` is what `find_library` takes, `recipes` names of recipes or sets (`own_recipes`: a user's YAML file).
    Each recipe that heeds a clock target is run once without one and once for each of `clock_ps`. Power is at one
    cycle every `period_ps`, `glitches` included or at zero delay (quicker, and blind to what sets architectures
    apart). `limits.seconds` is for one recipe. `order_seed` is for
    measuring noise (`noise.py`).
    """

    library: str = DEFAULT_LIBRARY
    dont_use: tuple[str, ...] = ()
    recipes: tuple[str, ...] = ("default",)
    own_recipes: Path | None = None
    clock_ps: tuple[float, ...] = ()
    power: bool = True
    glitches: bool = True
    period_ps: float = 10_000.0
    workload: Workload = field(default_factory=Workload)
    boundary: Boundary = field(default_factory=Boundary)
    order_seed: int = 0
    limits: Limits = field(default_factory=lambda: Limits(seconds=30))


def workload_for(design: Design, vectors: int = 2_000, seed: int = 1) -> Workload:
    """Random inputs with the design's clocks and reset known for what they are."""
    reset = (design.reset.name, design.reset.active) if design.reset else None
    return Workload(vectors, seed, tuple(clock.name for clock in design.clocks), reset)


@dataclass(frozen=True)
class Netlist:
    """A measured netlist with what was found out about it."""

    measurement: Measurement
    mapped: Mapped
    timing: Timing
    power: InstancePower | None


@dataclass(frozen=True)
class Failure:
    """A recipe that gave nothing to measure, and why."""

    recipe: str
    clock_ps: float | None
    reason: str


@dataclass(frozen=True)
class Measured:
    """Everything that one design's measuring gave, in the recipes' order."""

    netlists: tuple[Netlist, ...]
    failures: tuple[Failure, ...]

    @property
    def measurements(self) -> tuple[Measurement, ...]:
        return tuple(netlist.measurement for netlist in self.netlists)


def measure(elaboration: Elaboration, settings: MeasureSettings) -> tuple[Measurement, ...]:
    """A measurement for each recipe that worked; empty when none did (`measure_in_detail` says why).

    Raises InputError for an unknown library or recipe.
    """
    return measure_in_detail(elaboration, settings).measurements


def measure_in_detail(elaboration: Elaboration, settings: MeasureSettings) -> Measured:
    """As `measure`, with the netlists, their timing, and why recipes failed."""
    library = find_library(settings.library, settings.dont_use)
    results = synthesise(elaboration.rtlil, measuring_jobs(settings), library, settings.limits, settings.order_seed)
    netlists: list[Netlist] = []
    for found in results:
        if isinstance(found.result, Mapped):
            # recipes may share a netlist: judge it once
            twin = next((n for n in netlists if n.mapped is found.result), None)
            netlists.append(_renamed(twin, found) if twin else _figures(found, found.result, settings))
    failures = tuple(
        Failure(r.job.recipe.name, r.job.clock_ps, r.result.reason) for r in results if isinstance(r.result, Unusable)
    )
    return Measured(tuple(netlists), failures)


def _renamed(twin: Netlist, found: Synthesised) -> Netlist:
    recipe, clock_ps = found.job.recipe.name, found.job.clock_ps
    return replace(twin, measurement=replace(twin.measurement, recipe=recipe, clock_ps=clock_ps, seconds=found.seconds))


def measuring_jobs(settings: MeasureSettings) -> Sequence[Job]:
    """Every recipe without a clock target, and those that heed one for each target too."""
    recipes = load_recipes(settings.own_recipes).choose(settings.recipes)
    return tuple(
        Job(recipe, clock) for recipe in recipes for clock in (None, *(settings.clock_ps if recipe.clocked else ()))
    )


def _figures(synthesised: Synthesised, mapped: Mapped, settings: MeasureSettings) -> Netlist:
    began = time.perf_counter()
    timing = analyse(mapped, settings.boundary)
    power = _power(mapped, timing, settings) if settings.power else None
    measurement = Measurement(
        library=mapped.library.name,
        recipe=synthesised.job.recipe.name,
        clock_ps=synthesised.job.clock_ps,
        area_um2=mapped.area_um2,
        delay_ps=timing.delay_ps,
        power=power.total() if power else None,
        cells=len(mapped.instances),
        sequential_cells=len(mapped.flops),
        seconds=synthesised.seconds + time.perf_counter() - began,
    )
    return Netlist(measurement, mapped, timing, power)


def _power(mapped: Mapped, timing: Timing, settings: MeasureSettings) -> InstancePower:
    waves = simulate(mapped, settings.workload)
    activity = timed_activity(mapped, timing, waves) if settings.glitches else activity_of(waves)
    return estimate_power(mapped, timing, activity, settings.period_ps)
