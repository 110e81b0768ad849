"""Objectives, limits and gains, on figures small enough to check by hand."""

import pytest
from rtl_evolve.evolver.objective import Figures, Objective, parse_objective, score
from rtl_evolve.synth.measurement import Measurement, Power


def mapping(recipe: str, area: float, delay: float, power: float = 10.0) -> Measurement:
    return Measurement("lib", recipe, None, area, delay, Power(power, 0.0, 0.0), 1, 0)


GOLDEN = (mapping("small", 100, 1000, 10), mapping("fast", 200, 500, 20))


def test_products_and_powers_are_read() -> None:
    assert parse_objective("area * power^2*area").weights == (("area", 2.0), ("power", 2.0))
    assert parse_objective("delay**1.5").weights == (("delay", 1.5),)
    assert str(parse_objective("area^2*delay")) == "area^2*delay"


@pytest.mark.parametrize("text", ["", "speed", "area*", "area^x", "area+delay", "area^0"])
def test_other_texts_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"none of|weight"):
        parse_objective(text)


def test_golden_scores_one_and_gains_nothing() -> None:
    for limit in ("keep", "none", 600.0):
        found = score(GOLDEN, GOLDEN, Objective(max_delay=limit))  # type: ignore[arg-type]
        assert found is not None and found.feasible
        assert found.scalar == 1 and found.gain.values() == (0, 0, 0)


def test_each_side_is_taken_at_its_best() -> None:
    found = score((mapping("small", 95, 990, 9), mapping("fast", 80, 400, 21)), GOLDEN, Objective())
    assert found is not None and found.feasible
    assert found.gain.values() == (pytest.approx(0.2), pytest.approx(0.2), pytest.approx(0.1))
    assert found.scalar == pytest.approx(0.8)
    assert found.ratios == Figures(pytest.approx(0.8), pytest.approx(0.8), pytest.approx(0.9))  # type: ignore[arg-type]


def test_keep_refuses_what_is_small_by_being_slow() -> None:
    slow = (mapping("small", 50, 1500), mapping("fast", 200, 500, 10))
    kept = score(slow, GOLDEN, Objective())
    assert kept is not None and kept.figures.area_um2 == 200 and kept.scalar == 2
    free = score(slow, GOLDEN, Objective(max_delay="none"))
    assert free is not None and free.feasible and free.gain.area == pytest.approx(0.5)


def test_keep_asks_for_goldens_own_best_delay() -> None:
    slower = (mapping("small", 50, 900), mapping("fast", 60, 501))
    found = score(slower, GOLDEN, Objective())
    assert found is not None and not found.feasible


def test_a_limit_in_ps_holds_for_both_sides() -> None:
    found = score((mapping("small", 90, 700), mapping("fast", 150, 590)), GOLDEN, Objective(max_delay=600.0))
    assert found is not None and found.feasible
    assert found.figures == Figures(150, 590, 10)
    assert found.gain.area == pytest.approx(0.25)  # against golden's 200 at 500 ps
    late = score((mapping("small", 90, 700), mapping("fast", 90, 650)), GOLDEN, Objective(max_delay=600.0))
    assert late is not None and not late.feasible


def test_another_figure_may_not_get_much_worse() -> None:
    hot = (mapping("small", 50, 900, 10.3), mapping("fast", 90, 400, 30))
    found = score(hot, GOLDEN, Objective())
    assert found is not None and not found.feasible
    allowed = score(hot, GOLDEN, Objective(max_loss=0.05))
    assert allowed is not None and allowed.feasible
    product = score(hot, GOLDEN, parse_objective("area*power"))
    assert product is not None and product.feasible
    assert product.scalar == pytest.approx(0.5 * 1.03)


def test_a_recipe_that_failed_is_no_score() -> None:
    assert score(GOLDEN[:1], GOLDEN, Objective()) is None
    more = score((*GOLDEN, mapping("more", 50, 400)), GOLDEN, Objective())
    assert more is not None and more.gain.area == pytest.approx(0.5)


def test_nothing_measured_is_no_score() -> None:
    assert score((), GOLDEN, Objective()) is None
