"""Prefix graphs: complete, in order, and of the depth and size the literature gives."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rtl_evolve.rtl.generate.prefix import FAMILIES, Graph, brent_kung, depths, kogge_stone, sklansky
from rtl_evolve.rtl.generate.prefix_fit import fitted


def assert_complete(graph: Graph, width: int) -> None:
    made = {(i, i) for i in range(width)}
    for high, middle, low in graph:
        assert (high, middle) in made and (middle - 1, low) in made
        assert (high, low) not in made
        made.add((high, low))
    assert {(i, 0) for i in range(width)} <= made


@pytest.mark.parametrize("family", FAMILIES)
def test_families_make_every_carry(family: str) -> None:
    for width in range(1, 40):
        assert_complete(FAMILIES[family](width), width)


def test_known_sizes() -> None:
    assert len(sklansky(32)) == 80
    assert len(brent_kung(32)) == 57
    assert len(kogge_stone(32)) == 129
    assert max(depths(brent_kung(32), [0] * 32).values()) == 8


@pytest.mark.parametrize(("slack", "size"), [(0, 74), (1, 56), (2, 55), (3, 54)])
def test_fitted_sizes(slack: int, size: int) -> None:
    graph = fitted([0] * 32, slack)
    assert len(graph) == size
    assert max(depths(graph, [0] * 32).values()) == 5 + slack


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(0, 8), min_size=1, max_size=20), st.integers(0, 3))
def test_fitted_meets_the_earliest_time(arrivals: list[int], slack: int) -> None:
    graph = fitted(arrivals, slack)
    assert_complete(graph, len(arrivals))
    ready = depths(graph, arrivals)
    least = max(depths(kogge_stone(len(arrivals)), arrivals)[i, 0] for i in range(len(arrivals)))
    # no fixed graph of least depth beats it when its slack is none
    assert max(ready[i, 0] for i in range(len(arrivals))) <= least + slack
