"""NLDM tables of a whole library as arrays, looked up many at a time with bilinear interpolation."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Indices = NDArray[np.int64]


@dataclass(frozen=True)
class Tables:
    """All tables of a library, padded to one size; a table is known by its number.

    The first axis is a slew in ps, the second a load in fF or, for constraints, the data pin's slew in ps. An axis
    that a table doesn't have is two points with equal values. Outside the axes the last segment is extended.
    """

    first: Floats
    second: Floats
    values: Floats
    first_size: Indices
    second_size: Indices

    def at_second(self, table: Indices, second: Floats) -> Floats:
        """Each table cut at its own point of the second axis: (tables, first axis)."""
        axis = self.second[table]
        cut, fraction = _segment(axis, self.second_size[table], second)
        rows = np.arange(len(table))
        values = self.values[table]
        low = values[rows, :, cut]
        return low + (values[rows, :, cut + 1] - low) * fraction[:, None]

    def at(self, table: Indices, first: Floats, second: Floats) -> Floats:
        """Each table's value at its own point."""
        return interpolate(self.first[table], self.first_size[table], self.at_second(table, second), first)


def interpolate(axis: Floats, size: Indices, values: Floats, point: Floats) -> Floats:
    """One-dimensional tables, one a row, each at its own point."""
    cut, fraction = _segment(axis, size, point)
    rows = np.arange(len(cut))
    low: Floats = values[rows, cut]
    return low + (values[rows, cut + 1] - low) * fraction


def _segment(axis: Floats, size: Indices, point: Floats) -> tuple[Indices, Floats]:
    """The segment of each axis that a point lies in (or the end one) and how far along it."""
    cut = np.clip((axis <= point[:, None]).sum(axis=1) - 1, 0, size - 2)
    rows = np.arange(len(cut))
    low = axis[rows, cut]
    return cut, (point - low) / (axis[rows, cut + 1] - low)


class TableCollector:
    """Gathers tables while a library is read; equal tables get one number."""

    def __init__(self) -> None:
        self._numbers: dict[tuple[tuple[float, ...], tuple[float, ...], tuple[float, ...]], int] = {}

    def add(self, first: Sequence[float], second: Sequence[float], values: Sequence[float]) -> int:
        """The number of a table given row by row; an empty axis is one it doesn't have."""
        key = (tuple(first), tuple(second), tuple(values))
        return self._numbers.setdefault(key, len(self._numbers))

    def tables(self) -> Tables:
        """Everything gathered, as arrays."""
        keys = list(self._numbers)
        size = max((max(len(x), len(y), 2) for x, y, _ in keys), default=2)
        first, second = (np.full((len(keys), size), np.inf) for _ in range(2))
        values = np.zeros((len(keys), size, size))
        for number, (x, y, flat) in enumerate(keys):
            block = np.array(flat).reshape(max(len(x), 1), max(len(y), 1))
            for axis, points, along in ((first, x, 0), (second, y, 1)):
                if len(points) < 2:
                    axis[number, :2] = (0.0, 1.0)
                    block = np.repeat(block, 2, axis=along)
                else:
                    axis[number, : len(points)] = points
            values[number, : block.shape[0], : block.shape[1]] = block
        sizes = [np.array([max(len(key[axis]), 2) for key in keys], dtype=np.int64) for axis in (0, 1)]
        return Tables(first, second, values, *sizes)
