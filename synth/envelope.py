"""What a set of measurements is worth: the best over all recipes under a delay limit, and gains between two sets."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from rtl_evolve.synth.measurement import Measurement

Figure = Literal["area", "delay", "power"]


def figure_of(measurement: Measurement, figure: Figure) -> float | None:
    """Area in um2, delay in ps or power in uW (None when power wasn't measured)."""
    if figure == "area":
        return measurement.area_um2
    if figure == "delay":
        return measurement.delay_ps
    return measurement.power.total_uw if measurement.power else None


def best(measurements: Iterable[Measurement], figure: Figure, max_delay_ps: float | None = None) -> Measurement | None:
    """The measurement with the least of a figure among those within the delay limit; ties go to the first."""
    eligible = [m for m in measurements if max_delay_ps is None or m.delay_ps <= max_delay_ps]
    found: Measurement | None = None
    least = float("inf")
    for measurement in eligible:
        value = figure_of(measurement, figure)
        if value is not None and value < least:
            found, least = measurement, value
    return found


def comparable(candidate: Iterable[Measurement], baseline: Iterable[Measurement]) -> tuple[Measurement, ...]:
    """The candidate's measurements by recipes that worked for the baseline too: a recipe only one side has proves
    nothing in its favour."""
    theirs = {(m.library, m.recipe, m.clock_ps) for m in baseline}
    return tuple(m for m in candidate if (m.library, m.recipe, m.clock_ps) in theirs)


@dataclass(frozen=True)
class Gain:
    """`1 - candidate/baseline` of one figure, each side at its best; None where a side has no netlist in the limit."""

    figure: Figure
    gain: float | None
    baseline: Measurement | None
    candidate: Measurement | None


def gains(
    candidate: Sequence[Measurement], baseline: Sequence[Measurement], max_delay_ps: float | None = None
) -> tuple[Gain, ...]:
    """Gains in area, delay and power under one delay limit for both sides."""
    candidate = comparable(candidate, baseline)
    return tuple(_gain(figure, candidate, baseline, max_delay_ps) for figure in ("area", "delay", "power"))


def _gain(
    figure: Figure, candidate: Sequence[Measurement], baseline: Sequence[Measurement], max_delay_ps: float | None
) -> Gain:
    before, after = best(baseline, figure, max_delay_ps), best(candidate, figure, max_delay_ps)
    if before is None or after is None:
        return Gain(figure, None, before, after)
    was, now = figure_of(before, figure), figure_of(after, figure)
    # nothing to begin with (wires only): no share of it can be saved
    gain = 1 - now / was if was and now is not None else 0.0 if now == was else None
    return Gain(figure, gain, before, after)


def front(measurements: Iterable[Measurement], figure: Figure = "area") -> tuple[Measurement, ...]:
    """The area-delay curve (or another figure's): measurements that no other beats in both, fastest first."""
    kept: list[Measurement] = []
    least = float("inf")
    for measurement in sorted(measurements, key=_by(figure)):
        value = figure_of(measurement, figure)
        if value is not None and value < least:
            kept.append(measurement)
            least = value
    return tuple(kept)


def _by(figure: Figure) -> Callable[[Measurement], tuple[float, float]]:
    return lambda m: (m.delay_ps, figure_of(m, figure) or 0.0)


def hypervolume(
    points: Iterable[Measurement], reference_delay_ps: float, reference: float, figure: Figure = "area"
) -> float:
    """The area that a front dominates up to a reference point, as a share of the whole rectangle to the origin."""
    total = 0.0
    ceiling = reference
    for measurement in front(points, figure):
        value = figure_of(measurement, figure) or 0.0
        if measurement.delay_ps < reference_delay_ps and value < ceiling:
            total += (reference_delay_ps - measurement.delay_ps) * (ceiling - value)
            ceiling = value
    return total / (reference_delay_ps * reference) if reference_delay_ps and reference else 0.0
