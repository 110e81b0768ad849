"""How far figures move under changes that mean nothing: a gain within this band may be luck.

Names and the order of statements no longer matter (`canonical.py`), but any real change, however small, makes the
mapper meet the gates in another order, and its heuristics end elsewhere. Golden mapped in other orders, all else
equal, shows by how much.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random

from rtl_evolve.rtl.elaborate import Elaboration
from rtl_evolve.synth.envelope import Figure, best, figure_of
from rtl_evolve.synth.measure import MeasureSettings, measure
from rtl_evolve.synth.measurement import Measurement

FIGURES: tuple[Figure, ...] = ("area", "delay", "power")


@dataclass(frozen=True)
class NoiseBand:
    """Spread (greatest less least, over the mean) of each best figure over the samples: 0.02 is two per cent.

    Two measurements of what is equally good may differ by as much, so a gain counts when it is greater.
    """

    samples: int
    spread: Mapping[Figure, float]

    def survives(self, figure: Figure, gain: float) -> bool:
        """Whether a gain is beyond what luck gave golden."""
        return gain > self.spread.get(figure, 0.0)


def noise_band(
    elaboration: Elaboration,
    settings: MeasureSettings,
    samples: int = 5,
    max_delay_ps: float | None = None,
    seed: int = 1,
) -> NoiseBand:
    """Measure golden in its canonical order and `samples - 1` others, best over all recipes under a delay limit.

    A sample with no netlist within the limit counts by its fastest.
    """
    random = Random(seed)
    seeds = [0, *(random.getrandbits(32) | 1 for _ in range(samples - 1))]
    drawn = [measure(elaboration, replace(settings, order_seed=order_seed)) for order_seed in seeds]
    return NoiseBand(samples, {figure: _spread(drawn, figure, max_delay_ps) for figure in FIGURES})


def _spread(drawn: Sequence[tuple[Measurement, ...]], figure: Figure, max_delay_ps: float | None) -> float:
    values = []
    for measurements in drawn:
        chosen = best(measurements, figure, max_delay_ps) or best(measurements, "delay")
        value = figure_of(chosen, figure) if chosen else None
        if value is not None:
            values.append(value)
    mean = sum(values) / len(values) if values else 0.0
    return (max(values) - min(values)) / mean if mean else 0.0
