"""The shape of every source of candidates."""

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol

from rtl_evolve.evolver.archive import Archive
from rtl_evolve.evolver.database import ProgramDatabase
from rtl_evolve.rtl.candidate import Candidate


@dataclass(frozen=True)
class Proposal:
    """What was proposed by which arm; `candidate` is None for a reply that could not be used, `problem` says why.

    `proposer` is told where there is no candidate to tell it.
    """

    candidate: Candidate | None
    arm: str
    problem: str = ""
    proposer: str = ""


def never() -> bool:
    """A `pause` that never asks to give up."""
    return False


@dataclass(frozen=True)
class Request:
    """Everything a decision may rest on: what was taken in so far, what is known, and a random generator of its own.

    `pending` counts, per arm, proposals whose result is not in yet. `left` is how many candidates may still be
    evaluated (None: no limit). A proposer that waits for something outside calls `pause` now and then, and returns
    None without having decided anything when that gives True.
    """

    position: int
    island: int
    rng: random.Random
    archive: Archive
    database: ProgramDatabase
    pending: Mapping[str, int]
    left: int | None = None
    pause: Callable[[], bool] = never


class Proposer(Protocol):
    """`propose` depends on nothing but the request (caches aside): then a resumed search goes on as it would have."""

    name: str

    def propose(self, request: Request) -> Proposal | None:
        """The next candidate, or None when there is nothing new before further results are in."""
        ...
