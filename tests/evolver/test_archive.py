"""What the search remembers: front, islands, donors, arms, the bar; and that all of it survives storing."""

import json
import random

import pytest
from rtl_evolve.evolver.archive import DONORS, MIGRATION, POPULATION, STAGNATION, Archive, Member
from rtl_evolve.evolver.database import Row
from rtl_evolve.evolver.objective import Figures
from rtl_evolve.rtl.candidate import Candidate

RNG = random.Random(0)


def member(position: int, area: float, delay: float = 1.0, step: float = 0.0, feasible: bool = True) -> Member:
    return Member(position, f"c{position}", Figures(area, delay, 1.0), area, feasible, step)


def take(archive: Archive, position: int, found: Member | None, island: int = 0, arm: str = "arm") -> None:
    screening = Figures(found.figures.area_um2 * 100, found.figures.delay_ps * 100, 1.0) if found else None
    archive.take(Row(position, Candidate(()), arm, island, None), found, screening, 1.0)


@pytest.fixture
def archive() -> Archive:
    return Archive.new("golden", 4, Figures(100, 100, 1.0))


def test_golden_is_the_first_best(archive: Archive) -> None:
    assert archive.best is archive.golden and archive.front == [archive.golden]
    assert archive.parent(0, RNG) == archive.golden


def test_the_front_keeps_what_is_best_somewhere(archive: Archive) -> None:
    take(archive, 0, member(0, 0.9, 1.2))
    take(archive, 1, member(1, 1.2, 0.8, feasible=False))
    take(archive, 2, member(2, 0.95, 1.3))
    assert [m.position for m in archive.front] == [-1, 0, 1]
    take(archive, 3, member(3, 0.8, 1.0))
    assert [m.position for m in archive.front] == [1, 3]
    assert archive.best.position == 3


def test_less_than_noise_widens_nothing(archive: Archive) -> None:
    take(archive, 0, member(0, 0.9, 1.0))
    assert not archive.enters_front(member(1, 1.0, 0.998, feasible=False))
    assert archive.enters_front(member(1, 0.8999, 1.0))  # a new best, however little


def test_an_infeasible_member_is_never_the_best(archive: Archive) -> None:
    take(archive, 0, member(0, 0.5, 2.0, feasible=False))
    assert archive.best.position == -1 and archive.front[-1].position == 0


def test_the_bar_rises_with_the_front(archive: Archive) -> None:
    assert archive.bar == [Figures(100, 100, 1.0)]
    take(archive, 0, member(0, 0.9, 1.0))
    take(archive, 1, member(1, 1.1, 0.7, feasible=False))
    assert archive.bar == [Figures(90, 100, 1.0), Figures(pytest.approx(110), 70, 1.0)]  # type: ignore[arg-type]


def test_donors_are_those_that_won_something(archive: Archive) -> None:
    for position in range(DONORS + 50):
        take(archive, position, member(position, 0.9, step=(position - 10) / 1000))
    assert len(archive.donors) == DONORS and archive.donors[0].position == DONORS + 49
    assert min(m.step for m in archive.donors) > 0


def test_arms_are_paid_for_what_they_win(archive: Archive) -> None:
    take(archive, 0, member(0, 0.9, step=0.1), arm="good")
    take(archive, 1, None, arm="bad")
    assert archive.arms["good"].reward > 0.2 and archive.arms["bad"].reward == 0
    assert archive.arms["good"].tries == archive.arms["bad"].tries == 1


def long_search(archive: Archive, results: int) -> None:
    """Each island wins a little all the time, from its own members alone."""
    rng = random.Random(1)
    best = [1.0] * 4
    for position in range(results):
        island = position % 4
        best[island] -= rng.random() * 1e-4
        take(archive, position, member(position, best[island], 1 + rng.random(), step=1e-5), island)


def test_islands_stay_distinct_through_migrations(archive: Archive) -> None:
    long_search(archive, MIGRATION * 12)
    assert all(len(population) == POPULATION for population in archive.islands)
    assert archive.diversity() > 0.7


def test_collapsed_islands_are_seen(archive: Archive) -> None:
    long_search(archive, 200)
    archive.islands = [list(archive.islands[0]) for _ in range(4)]
    assert archive.diversity() == 0


def test_stagnation_clears_the_poorest_island_alone(archive: Archive) -> None:
    for position in range(40):
        take(archive, position, member(position, 0.9 + 0.01 * (position % 4), 1.0), position % 4)
    before = [list(population) for population in archive.islands]
    for position in range(40, archive.last_gain + STAGNATION):
        take(archive, position, None)
    assert [k for k in range(4) if not archive.islands[k]] == [3]
    assert [len(archive.islands[k]) for k in range(3)] >= [len(before[k]) for k in range(3)]
    assert archive.parent(3, random.Random(0)) in (archive.golden, *archive.front)
    assert archive.diversity() > 0.5


def test_parents_are_mostly_good_and_of_the_island(archive: Archive) -> None:
    long_search(archive, 400)
    rng = random.Random(2)
    chosen = [archive.parent(2, rng) for _ in range(500)]
    own = {m.position for m in archive.islands[2]}
    assert 0.5 < sum(m.position in own for m in chosen) / 500 < 0.95
    assert len({m.position for m in chosen}) > 10
    ranks = [archive.islands[2].index(m) for m in chosen if m in archive.islands[2]]
    assert sum(ranks) / len(ranks) < POPULATION / 3


def test_it_comes_back_from_storage_as_it_was(archive: Archive) -> None:
    long_search(archive, 300)
    assert Archive.restore(json.loads(json.dumps(archive.state()))) == archive
