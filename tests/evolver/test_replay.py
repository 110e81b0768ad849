"""A recorded run, repeated without what proposed it; its record may hold what is of no use, too."""

import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from rtl_evolve.evolver.archive import Archive
from rtl_evolve.evolver.database import Context, ProgramDatabase, Row
from rtl_evolve.evolver.objective import Figures
from rtl_evolve.evolver.proposers.protocol import Proposal, Request
from rtl_evolve.evolver.proposers.replay import ReplayProposer
from rtl_evolve.rtl.candidate import Candidate

FIRST = Candidate((("a.v", "module a; endmodule\n"),), "rules", ("why",))
SECOND = Candidate((("a.v", "module a; wire x; endmodule\n"),), "openai/m", ("idea",), (FIRST.id,))
ROWS = (
    Row(0, FIRST, "sum", 0, None, context=Context(-1)),
    Row(1, Candidate((), "openai/m"), "openai/m", 1, "unusable_reply", "prose only", Context(-1)),
    Row(2, FIRST, "share", 2, "duplicate", "same text as x", Context(0)),
    Row(3, SECOND, "openai/m repair", 3, None, context=Context(2)),
)


@pytest.fixture
def recorded(tmp_path: Path) -> Iterator[ProgramDatabase]:
    database = ProgramDatabase.create(tmp_path / "run.sqlite")
    for row in ROWS:
        database.add(row, f"normal {row.position}")
    yield database
    database.close()


def at(database: ProgramDatabase, position: int, applied: int) -> Request:
    archive = Archive.new("golden", 4, Figures(1.0, 1.0, 1.0))
    archive.applied = applied
    return Request(position, position % 4, random.Random(1), archive, database, {})


def test_each_position_gives_what_was_recorded(recorded: ProgramDatabase) -> None:
    replay = ReplayProposer(recorded)
    assert replay.propose(at(recorded, 0, -1)) == Proposal(FIRST, "sum")
    assert replay.propose(at(recorded, 1, -1)) == Proposal(None, "openai/m", "prose only", "openai/m")
    assert replay.propose(at(recorded, 2, 0)) == Proposal(FIRST, "share")
    assert replay.propose(at(recorded, 3, 2)) == Proposal(SECOND, "openai/m repair")


def test_it_waits_until_as_many_results_are_in_as_were(recorded: ProgramDatabase) -> None:
    replay = ReplayProposer(recorded)
    assert replay.propose(at(recorded, 3, 0)) is None
    assert replay.propose(at(recorded, 3, 2)) is not None


def test_it_ends_where_the_record_ends(recorded: ProgramDatabase) -> None:
    assert ReplayProposer(recorded).propose(at(recorded, 4, 9)) is None
