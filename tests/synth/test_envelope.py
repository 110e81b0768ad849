"""Best, gains and fronts on made-up figures."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rtl_evolve.synth.envelope import best, front, gains, hypervolume
from rtl_evolve.synth.measurement import Measurement, Power


def point(recipe: str, area: float, delay: float, power: float | None = None) -> Measurement:
    watts = None if power is None else Power(power, 0.0, 0.0)
    return Measurement("lib", recipe, None, area, delay, watts, 1, 0)


GOLDEN = (point("small", 100, 20, 9), point("fast", 150, 10, 12))


def test_best_under_a_limit() -> None:
    assert best(GOLDEN, "area") == GOLDEN[0]
    assert best(GOLDEN, "area", 15) == GOLDEN[1]
    assert best(GOLDEN, "delay") == GOLDEN[1]
    assert best(GOLDEN, "area", 5) is None
    assert best([point("a", 1, 1)], "power") is None


def test_each_side_is_at_its_best_under_the_same_limit() -> None:
    candidate = (point("small", 90, 25, 8), point("fast", 160, 9, 12))
    free = {gain.figure: gain.gain for gain in gains(candidate, GOLDEN)}
    assert free["area"] == pytest.approx(0.1)
    assert free["delay"] == pytest.approx(0.1)
    assert free["power"] == pytest.approx(1 / 9)
    tight = {gain.figure: gain.gain for gain in gains(candidate, GOLDEN, 20)}
    # the small one is too slow now: 160 against 100
    assert tight["area"] == pytest.approx(-0.6)
    assert {gain.gain for gain in gains(candidate, GOLDEN, 8)} == {None}


def test_a_recipe_that_failed_for_golden_counts_for_nobody() -> None:
    candidate = (point("small", 100, 20, 9), point("other", 10, 1, 1))
    assert gains(candidate, GOLDEN)[0].gain == 0
    assert gains((point("other", 10, 1, 1),), GOLDEN)[0].gain is None


def test_nothing_saved_from_nothing() -> None:
    wires = (point("r", 0, 0, 0),)
    assert [gain.gain for gain in gains(wires, wires)] == [0, 0, 0]


def test_front_and_hypervolume() -> None:
    points = (*GOLDEN, point("bad", 160, 15))
    assert front(points) == (GOLDEN[1], GOLDEN[0])
    # 20 wide and 10 * 50 more, of 40 by 200
    assert hypervolume(points, 40, 200) == pytest.approx((30 * 50 + 20 * 50) / 8000)


measured = st.lists(st.tuples(st.integers(1, 50), st.integers(1, 50)), min_size=1, max_size=12)


@given(measured)
def test_the_front_dominates_all_and_holds_no_dominated_point(figures: list[tuple[int, int]]) -> None:
    points = [point(str(i), area, delay) for i, (area, delay) in enumerate(figures)]
    kept = front(points)
    for p in points:
        assert any(k.area_um2 <= p.area_um2 and k.delay_ps <= p.delay_ps for k in kept)
    for k in kept:
        assert not any(
            o.area_um2 <= k.area_um2
            and o.delay_ps <= k.delay_ps
            and (o.area_um2, o.delay_ps) != (k.area_um2, k.delay_ps)
            for o in points
        )


@given(measured, measured)
def test_more_points_never_shrink_the_hypervolume(some: list[tuple[int, int]], more: list[tuple[int, int]]) -> None:
    a = [point(str(i), *figures) for i, figures in enumerate(some)]
    b = [point(str(i), *figures) for i, figures in enumerate(some + more)]
    assert hypervolume(b, 60, 60) >= hypervolume(a, 60, 60) - 1e-12
