"""What the search remembers to decide from: the front, the islands, donors of edits, and what each arm earned.

Small whatever the length of a run, and stored whole with every result taken in, so that a resumed search decides as
the killed one would have.
"""

import random
from dataclasses import asdict, dataclass, field
from typing import Any

from rtl_evolve.evolver.database import Row
from rtl_evolve.evolver.objective import Figures

FRONT_STEP = 0.005  # a front member must be this much better than each other one in some metric: less is noise
POPULATION = 24  # members an island keeps
DONORS = 200
MIGRATION = 48  # results between migrations
STAGNATION = 160  # results without a gain until the poorest island starts anew from golden


@dataclass(frozen=True)
class Member:
    """A candidate good enough to build on; `figures` as parts of golden's, `step` what it won over its parent's scalar."""

    position: int
    id: str
    figures: Figures
    scalar: float
    feasible: bool
    step: float = 0.0


@dataclass
class Arm:
    """What one way of proposing has earned: results taken in, the scalar won, and the cost spent."""

    tries: int = 0
    reward: float = 0.0
    cost: float = 0.0


def _covered(member: Member, by: Member, step: float) -> bool:
    pairs = zip(member.figures.values(), by.figures.values(), strict=True)
    return all(b * (1 - step) <= m for m, b in pairs)


@dataclass
class Archive:
    """`golden` is in it as a member at position -1; `applied` is the position of the last result taken in.

    `bar` holds what the front's members measured in the screening, those behind others left out.
    """

    golden: Member
    islands: list[list[Member]]
    front: list[Member]
    best: Member
    donors: list[Member] = field(default_factory=list)
    arms: dict[str, Arm] = field(default_factory=dict)
    bar: list[Figures] = field(default_factory=list)
    applied: int = -1
    results: int = 0
    last_gain: int = 0

    @classmethod
    def new(cls, golden_id: str, islands: int, screening: Figures | None) -> "Archive":
        """An archive that knows golden alone, and what it measured in the screening."""
        member = Member(-1, golden_id, Figures(1.0, 1.0, 1.0), 1.0, True)
        archive = cls(member, [[] for _ in range(islands)], [member], member)
        archive._raise_bar(screening)
        return archive

    # --- taking results in

    def enters_front(self, member: Member) -> bool:
        """Whether it is a new best, or not covered by a front member to within `FRONT_STEP`."""
        return self.is_best(member) or not any(_covered(member, m, FRONT_STEP) for m in self.front)

    def is_best(self, member: Member) -> bool:
        """Whether it is feasible and better than the best so far."""
        return member.feasible and member.scalar < self.best.scalar - 1e-9

    def take(self, row: Row, member: Member | None, screening: Figures | None, cost: float) -> None:
        """Take one result in, in the order of proposals; `member` None when it is not good enough to build on."""
        self.applied = row.position
        self.results += 1
        earned = self.arms.setdefault(row.arm, Arm())
        earned.tries += 1
        earned.cost += cost
        if member is not None:
            earned.reward += self._accept(member, row.island, screening)
        if self.results % MIGRATION == 0:
            self._migrate()
        if self.results - self.last_gain >= STAGNATION:
            self._clear_poorest()

    def _accept(self, member: Member, island: int, screening: Figures | None) -> float:
        """The reward: the scalar won over the parent, more for a new best, a little for widening the front."""
        reward = max(0.0, member.step)
        if self.enters_front(member):
            if self.is_best(member):
                reward += self.best.scalar - member.scalar
                self.best = member
            reward += FRONT_STEP
            self.front = [m for m in self.front if not member.figures.dominates(m.figures)] + [member]
            self.last_gain = self.results
            self._raise_bar(screening)
        if member.step > 0:
            self.donors = sorted([*self.donors, member], key=lambda m: (-m.step, m.position))[:DONORS]
        self._settle(member, island)
        return reward

    def _raise_bar(self, screening: Figures | None) -> None:
        if screening is not None and not any(p == screening or p.dominates(screening) for p in self.bar):
            self.bar = [p for p in self.bar if not screening.dominates(p)] + [screening]

    def _settle(self, member: Member, island: int) -> None:
        population = self.islands[island]
        if all(m.position != member.position for m in population):
            population.append(member)
            population.sort(key=lambda m: (not m.feasible, m.scalar, m.position))
            del population[POPULATION:]

    def _migrate(self) -> None:
        best = [(k, population[0]) for k, population in enumerate(self.islands) if population]
        for k, member in best:
            self._settle(member, (k + 1) % len(self.islands))

    def _clear_poorest(self) -> None:
        """Let one island start anew from golden; what was found there is on the front or among the donors."""
        self.last_gain = self.results
        poorest = max(range(len(self.islands)), key=self._mean)
        self.islands[poorest] = []

    def _mean(self, island: int) -> float:
        """Of an island's scalars: its head may have come by migration."""
        population = self.islands[island]
        return sum(m.scalar for m in population) / len(population) if population else 2.0

    # --- what proposers ask

    def parent(self, island: int, rng: random.Random) -> Member:
        """A member to build on: mostly from the island (better ones more often), else the front, else golden."""
        roll = rng.random()
        population = self.islands[island]
        if roll < 0.6:
            return population[min(int(rng.expovariate(0.35)), len(population) - 1)] if population else self.golden
        if roll < 0.9:
            return rng.choice(self.front)
        return self.best

    def diversity(self) -> float:
        """1 when no two islands share a member, 0 when all hold the same."""
        sets = [{m.position for m in population} for population in self.islands]
        pairs = [(a, b) for i, a in enumerate(sets) for b in sets[:i] if a and b]
        if not pairs:
            return 1.0
        return 1 - sum(len(a & b) / min(len(a), len(b)) for a, b in pairs) / len(pairs)

    # --- stored form

    def state(self) -> dict[str, Any]:
        """As JSON-able values."""
        return asdict(self)

    @classmethod
    def restore(cls, state: dict[str, Any]) -> "Archive":
        """What `state` gave."""
        one = _member
        return cls(
            one(state["golden"]),
            [[one(m) for m in population] for population in state["islands"]],
            [one(m) for m in state["front"]],
            one(state["best"]),
            [one(m) for m in state["donors"]],
            {name: Arm(**arm) for name, arm in state["arms"].items()},
            [Figures(**figures) for figures in state["bar"]],
            state["applied"],
            state["results"],
            state["last_gain"],
        )


def _member(data: dict[str, Any]) -> Member:
    return Member(**{**data, "figures": Figures(**data["figures"])})
