"""The area-delay plot as inline SVG: golden's mappings, the best's, and the rest of the front."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

WIDTH, HEIGHT = 640, 360
LEFT, RIGHT, TOP, BOTTOM = 64, 16, 16, 44


@dataclass(frozen=True)
class Point:
    """A mapped netlist: `kind` ("golden", "best", "front") picks its mark, `label` is its tooltip."""

    delay_ps: float
    area_um2: float
    kind: str
    label: str


@dataclass(frozen=True)
class Mark:
    """A point in the picture's own units."""

    x: float
    y: float
    kind: str
    label: str


@dataclass(frozen=True)
class Tick:
    """An axis tick: where it is, and what it says."""

    at: float
    text: str


@dataclass(frozen=True)
class Plot:
    """All that the template draws; `steps` are staircase lines by kind, as SVG point lists."""

    marks: tuple[Mark, ...]
    x_ticks: tuple[Tick, ...]
    y_ticks: tuple[Tick, ...]
    steps: tuple[tuple[str, str], ...]
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    right: int = WIDTH - RIGHT
    top: int = TOP
    bottom: int = HEIGHT - BOTTOM


def area_delay_plot(points: Sequence[Point]) -> Plot | None:
    """Lay out the points; None when there is nothing to draw."""
    if not points:
        return None
    x_axis = _Axis([p.delay_ps for p in points], LEFT, WIDTH - RIGHT)
    y_axis = _Axis([p.area_um2 for p in points], HEIGHT - BOTTOM, TOP)
    marks = tuple(Mark(x_axis(p.delay_ps), y_axis(p.area_um2), p.kind, p.label) for p in points)
    kinds = [k for k in ("golden", "best") if any(p.kind == k for p in points)]
    steps = tuple((k, _staircase([p for p in points if p.kind == k], x_axis, y_axis)) for k in kinds)
    return Plot(marks, x_axis.ticks(), y_axis.ticks(), steps)


class _Axis:
    """A linear scale over the values with a margin of 6 %."""

    def __init__(self, values: Sequence[float], start: float, end: float) -> None:
        low, high = min(values), max(values)
        margin = 0.06 * (high - low) or 0.06 * abs(high) or 1.0
        self._low, self._high, self._start, self._end = max(0.0, low - margin), high + margin, start, end

    def __call__(self, value: float) -> float:
        share = (value - self._low) / (self._high - self._low)
        return round(self._start + share * (self._end - self._start), 1)

    def ticks(self) -> tuple[Tick, ...]:
        step = _round_step((self._high - self._low) / 5)
        first = math.ceil(self._low / step)
        count = math.floor(self._high / step) - first + 1
        return tuple(Tick(self(step * (first + i)), f"{step * (first + i):g}") for i in range(count))


def _round_step(raw: float) -> float:
    """The next of 1, 2, 5 times a power of ten."""
    power = 10.0 ** math.floor(math.log10(raw))
    return float(next(m * power for m in (1, 2, 5, 10) if m * power >= raw * 0.999999))


def _staircase(points: Sequence[Point], x_axis: _Axis, y_axis: _Axis) -> str:
    """The border between what the points reach and what they don't: the least area at each delay limit."""
    corners: list[str] = []
    best = math.inf
    for point in sorted(points, key=lambda p: (p.delay_ps, p.area_um2)):
        if point.area_um2 < best:
            if corners:
                corners.append(f"{x_axis(point.delay_ps)},{y_axis(best)}")
            corners.append(f"{x_axis(point.delay_ps)},{y_axis(point.area_um2)}")
            best = point.area_um2
    if corners:
        corners.append(f"{WIDTH - RIGHT},{y_axis(best)}")
    return " ".join(corners)
