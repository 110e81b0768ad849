"""Table look-ups against the formula written out."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from rtl_evolve.synth.liberty_tables import TableCollector

axis = st.lists(st.floats(0, 10, allow_nan=False), min_size=1, max_size=5, unique=True).map(
    lambda points: [sum(1 + p for p in points[: i + 1]) for i in range(len(points))]
)


def cut(points: list[float], at: float) -> tuple[int, float]:
    """The segment of a point and how far along it lies, extended beyond the ends."""
    place = max(sum(1 for p in points if p <= at) - 1, 0)
    place = min(place, len(points) - 2)
    return place, (at - points[place]) / (points[place + 1] - points[place])


def expected(first: list[float], second: list[float], rows: list[list[float]], x: float, y: float) -> float:
    """Bilinear interpolation, one axis after the other; an axis of one point counts for nothing."""

    def along(points: list[float], values: list[float], at: float) -> float:
        if len(points) == 1:
            return values[0]
        place, share = cut(points, at)
        return values[place] * (1 - share) + values[place + 1] * share

    return along(first, [along(second, row, y) for row in rows], x)


@given(st.data())
def test_bilinear_interpolation(data: st.DataObject) -> None:
    collector = TableCollector()
    wanted = []
    points = st.floats(-5, 80)
    for _ in range(3):
        first, second = data.draw(axis), data.draw(axis)
        rows = [[data.draw(st.floats(-9, 9)) for _ in second] for _ in first]
        x, y = data.draw(points), data.draw(points)
        number = collector.add(first, second, [value for row in rows for value in row])
        wanted.append((number, x, y, expected(first, second, rows, x, y)))
    numbers, x, y, values = (np.array(column) for column in zip(*wanted, strict=True))
    found = collector.tables().at(numbers, x, y)
    assert np.allclose(found, values, rtol=1e-9, atol=1e-6)


def test_a_table_without_axes_is_a_constant() -> None:
    collector = TableCollector()
    collector.add((), (), (4.5,))
    assert collector.tables().at(np.array([0, 0]), np.array([0.0, 7.0]), np.array([-1.0, 9.0])).tolist() == [4.5, 4.5]


def test_equal_tables_are_kept_once() -> None:
    collector = TableCollector()
    assert [
        collector.add((1, 2), (), (3, 4)),
        collector.add((), (1, 2), (3, 4)),
        collector.add((1, 2), (), (3, 4)),
    ] == [0, 1, 0]
