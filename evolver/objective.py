"""What "better" means: figures of a candidate at its best recipes, their gains over golden, and the scalar."""

import math
import re
from dataclasses import dataclass
from typing import Literal

from rtl_evolve.synth.measurement import Measurement

METRICS = ("area", "delay", "power")
MaxDelay = Literal["keep", "none"] | float

# How much slower than golden at the same operating point still counts as "not slower": two mappings of one circuit
# differ by this much for no reason but the order of its gates.
POINT_TOLERANCE = 0.02


@dataclass(frozen=True)
class Figures:
    """The best of each metric over the recipes; each may come from another recipe."""

    area_um2: float
    delay_ps: float
    power_uw: float

    def values(self) -> tuple[float, float, float]:
        return (self.area_um2, self.delay_ps, self.power_uw)

    def dominates(self, other: "Figures") -> bool:
        """Nowhere worse and somewhere better."""
        pairs = list(zip(self.values(), other.values(), strict=True))
        return all(a <= b for a, b in pairs) and any(a < b for a, b in pairs)


@dataclass(frozen=True)
class Gain:
    """`1 - candidate/baseline` per metric: 0.12 is 12 % less than golden."""

    area: float
    delay: float
    power: float

    def values(self) -> tuple[float, float, float]:
        return (self.area, self.delay, self.power)


@dataclass(frozen=True)
class Objective:
    """Minimise the product of `metric ** weight`, within limits.

    `max_delay`: "keep" asks that a candidate be nowhere slower than golden is at golden's own best points, "none"
    asks nothing, a number is a limit in ps under which both sides are taken. `max_loss` is how much worse than
    golden area or power may get when it is not part of the product (0.02: 2 %).
    """

    weights: tuple[tuple[str, float], ...] = (("area", 1.0),)
    max_delay: MaxDelay = "keep"
    max_loss: float = 0.02

    def __str__(self) -> str:
        return "*".join(name if weight == 1 else f"{name}^{weight:g}" for name, weight in self.weights)


def parse_objective(text: str, max_delay: MaxDelay = "keep", max_loss: float = 0.02) -> Objective:
    """An objective from text such as "area", "area*power" or "area^2*delay"; `ValueError` says what is wrong."""
    weights: dict[str, float] = {}
    for factor in text.replace("**", "^").split("*"):
        match = re.fullmatch(r"\s*(\w+)\s*(?:\^\s*(\d+(?:\.\d+)?))?\s*", factor)
        if match is None or match[1] not in METRICS:
            raise ValueError(
                f"{factor.strip()!r} is none of {', '.join(METRICS)} (a product such as area*power is allowed)"
            )
        weights[match[1]] = weights.get(match[1], 0.0) + float(match[2] or 1)
    if not any(weights.values()):
        raise ValueError("every weight is 0")
    return Objective(tuple(weights.items()), max_delay, max_loss)


def raw_figures(measurements: tuple[Measurement, ...]) -> Figures | None:
    """Best of each metric over all measurements, without a limit; None when nothing was measured."""
    if not measurements:
        return None
    power = [m.power.total_uw for m in measurements if m.power is not None]
    return Figures(
        min(m.area_um2 for m in measurements), min(m.delay_ps for m in measurements), min(power, default=0.0)
    )


def _limits(baseline: tuple[Measurement, ...], max_delay: MaxDelay) -> tuple[float, float, float]:
    """The delay in ps up to which a measurement counts for area, delay and power."""
    if max_delay == "none":
        return (math.inf, math.inf, math.inf)
    if max_delay != "keep":
        return (max_delay, max_delay, max_delay)
    smallest = min(baseline, key=lambda m: (m.area_um2, m.delay_ps))
    fastest = min(m.delay_ps for m in baseline)
    powered = [m for m in baseline if m.power is not None]
    coolest = min(powered, key=lambda m: (m.power.total_uw if m.power else 0.0, m.delay_ps), default=smallest)
    return (smallest.delay_ps * (1 + POINT_TOLERANCE), fastest, coolest.delay_ps * (1 + POINT_TOLERANCE))


def limited_figures(
    measurements: tuple[Measurement, ...], baseline: tuple[Measurement, ...], objective: Objective
) -> Figures | None:
    """Best of each metric under the objective's delay limit; None when no recipe meets it.

    For "keep" the limit is golden's own: for area, the delay of golden's smallest mapping; for power, that of its
    least power-hungry; for delay, golden's fastest. So a candidate may not be small by being slow.
    """
    for_area, for_delay, for_power = _limits(baseline, objective.max_delay)
    areas = [m.area_um2 for m in measurements if m.delay_ps <= for_area]
    delays = [m.delay_ps for m in measurements if m.delay_ps <= for_delay]
    powers = [m.power.total_uw for m in measurements if m.power is not None and m.delay_ps <= for_power]
    without_power = all(m.power is None for m in measurements)
    if not areas or not delays or not (powers or without_power):
        return None
    return Figures(min(areas), min(delays), min(powers, default=0.0))


@dataclass(frozen=True)
class Score:
    """A candidate against golden: `scalar` is below 1 when better; `feasible` when it keeps every limit.

    `ratios` are its figures without any limit as parts of golden's, which makes candidates comparable that were
    measured with more recipes or fewer.
    """

    figures: Figures
    ratios: Figures
    gain: Gain
    scalar: float
    feasible: bool


def gain_of(figures: Figures, base: Figures) -> Gain:
    """Gains of one set of figures over another; 0 where the baseline is 0."""
    return Gain(*(1 - a / b if b else 0.0 for a, b in zip(figures.values(), base.values(), strict=True)))


def score(
    measurements: tuple[Measurement, ...], baseline: tuple[Measurement, ...], objective: Objective
) -> Score | None:
    """Score measurements against golden's; None when either side was not measured, or a recipe failed that golden has.

    Where golden itself misses a limit in ps, gains are against golden without a limit.
    """
    raw, raw_base = raw_figures(measurements), raw_figures(baseline)
    missing = {(m.recipe, m.clock_ps) for m in baseline} - {(m.recipe, m.clock_ps) for m in measurements}
    if raw is None or raw_base is None or missing:
        return None
    ratios = Figures(*(1 - g for g in gain_of(raw, raw_base).values()))
    base = limited_figures(baseline, baseline, objective) or raw_base
    limited = limited_figures(measurements, baseline, objective)
    figures = limited or raw
    gain = gain_of(figures, base)
    weights = dict(objective.weights)
    scalar = math.prod((1 - g) ** weights.get(name, 0.0) for name, g in zip(METRICS, gain.values(), strict=True))
    kept = all(
        g >= -objective.max_loss - 1e-9
        for name, g in zip(METRICS, gain.values(), strict=True)
        if name not in weights and name != "delay"
    )
    return Score(figures, ratios, gain, scalar, limited is not None and kept)
