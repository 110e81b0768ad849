"""The program database: nothing lost, nothing twice, counts without scans, and no more work with many rows than with few."""

import resource
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest
from rtl_evolve.evolver.database import Context, ProgramDatabase, Row
from rtl_evolve.evolver.evaluation import Evaluation
from rtl_evolve.evolver.objective import Figures
from rtl_evolve.rtl.candidate import Candidate
from rtl_evolve.rtl.errors import InputError
from rtl_evolve.synth.measurement import Measurement, Power
from rtl_evolve.verify.verdict import Grade, Verdict

MEASURED = (Measurement("lib", "area", None, 100.0, 200.0, Power(1.0, 2.0, 3.0), 10, 0),)


def candidate(number: int) -> Candidate:
    return Candidate((("a.v", f"module a; wire [{number}:0] w; endmodule\n"),), "rules", ("why",), ("parent",))


def row(number: int, outcome: str | None = None) -> Row:
    return Row(number, candidate(number), "arm", number % 4, outcome, "", Context(number - 1, (Figures(1, 2, 3),)))


def evaluation(number: int, grade: Grade = Grade.PROVEN) -> Evaluation:
    stages = (("gate", 0.25), ("prove", 0.5))
    return Evaluation(candidate(number).id, Verdict(grade, "engine"), MEASURED, f"s{number}", stages, ("text",))


@pytest.fixture
def database(tmp_path: Path) -> ProgramDatabase:
    return ProgramDatabase.create(tmp_path / "run.sqlite")


def test_rows_come_back_as_they_went_in(database: ProgramDatabase, tmp_path: Path) -> None:
    database.add(row(0), "n0")
    database.add(row(1, "duplicate"), "n0")
    assert database.row(0) == row(0)
    database.finish(0, evaluation(0), 0.5)
    database.close()
    again = ProgramDatabase.open(tmp_path / "run.sqlite")
    found = again.row(0)
    assert (found.outcome, found.evaluation, found.confirmed) == ("proven", evaluation(0), False)
    assert again.row(1).outcome == "duplicate" and again.size == 2
    assert again.scalar(candidate(0).id) == 0.5 and again.scalar(candidate(1).id) is None
    assert candidate(0).id in again and "none" not in again
    assert again.same_text("n0") == candidate(0).id and again.same_text("n1") is None


def test_an_evaluation_counts_once(database: ProgramDatabase) -> None:
    database.add(row(0), "n0")
    for grade in (Grade.PROVEN, Grade.DIFFERENT):
        database.finish(0, evaluation(0, grade), 0.5)
    counts = database.counts()
    assert (counts["proposed"], counts["proven"], counts["different"], counts["pending"]) == (1, 1, 0, 0)
    assert database.stages() == {"gate": (1, 0.25), "prove": (1, 0.5)}


def test_what_confirming_changes_is_counted_right(database: ProgramDatabase) -> None:
    database.add(row(0), "n0")
    database.finish(0, evaluation(0), 0.5)
    before = evaluation(0)
    after = Evaluation(
        before.candidate_id,
        Verdict(Grade.UNDECIDED, "bench"),
        MEASURED,
        before.structure,
        (*before.stage_seconds, ("bench", 3.0)),
    )
    database.apply({"any": "state"}, 0, after, 0.4)
    assert database.get("state") == {"any": "state"}
    counts = database.counts()
    assert (counts["proven"], counts["undecided"], counts["pending"]) == (0, 1, 0)
    assert database.stages() == {"gate": (1, 0.25), "prove": (1, 0.5), "bench": (1, 3.0)}
    assert database.row(0).confirmed and database.row(0).evaluation == after and database.scalar(candidate(0).id) == 0.4


def test_structures_of_a_range_without_duplicates(database: ProgramDatabase) -> None:
    for number in range(4):
        database.add(row(number), f"n{number}")
        found = evaluation(number)
        twin = Evaluation(found.candidate_id, found.verdict, structure="s0", duplicate_of="first")
        database.finish(number, twin if number == 2 else found, None)
    assert database.structures(0, 3) == [("s1", candidate(1).id), ("s3", candidate(3).id)]
    assert database.counts()["duplicate"] == 1


def test_candidates_are_found_by_the_start_of_their_id(database: ProgramDatabase) -> None:
    for number in range(40):
        database.add(row(number), f"n{number}")
    found = database.find(candidate(7).id[:9])
    assert found is not None and found.position == 7
    assert database.find("zz") is None
    with pytest.raises(InputError, match="short for several"):
        database.find("")


def test_a_file_that_is_no_run_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is not there"):
        ProgramDatabase.open(tmp_path / "none.sqlite")
    (tmp_path / "text").write_text("text, and long enough to be no empty database" * 100)
    with pytest.raises(InputError, match="is not a run's database"):
        ProgramDatabase.open(tmp_path / "text")
    with sqlite3.connect(tmp_path / "old.sqlite") as connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()
    with pytest.raises(InputError, match="schema version 99"):
        ProgramDatabase.open(tmp_path / "old.sqlite")
    with pytest.raises(InputError, match="is there already"):
        ProgramDatabase.create(tmp_path / "old.sqlite")


def cost(database: ProgramDatabase, action: Callable[[int], object], numbers: range) -> float:
    """Steps of SQLite's machine an action takes: what it costs, whatever else runs on this machine.

    `benchmarks/database.py` gives the seconds.
    """
    steps = 0

    def count() -> int:
        nonlocal steps
        steps += 1
        return 0

    database._sql.set_progress_handler(count, 1)
    for number in numbers:
        action(number)
    database._sql.set_progress_handler(None, 1)
    return steps / len(numbers)


def fill(database: ProgramDatabase, numbers: range) -> None:
    for number in numbers:
        database.add(row(number), f"n{number}")
        database.finish(number, evaluation(number, Grade.PROVEN if number % 3 else Grade.REJECTED), number / 1e6)


@pytest.mark.slow
def test_a_hundred_thousand_rows_cost_no_more_than_a_thousand(database: ProgramDatabase) -> None:
    actions: dict[str, Callable[[int], object]] = {
        "row": lambda n: database.row(n % 1000),
        "known id": lambda n: candidate(n).id in database,
        "known text": lambda n: database.same_text(f"n{n}"),
        "counts": lambda n: database.counts(),
        "stages": lambda n: database.stages(),
        "scalar": lambda n: database.scalar(candidate(n % 1000).id),
        "structures": lambda n: database.structures(database.size - 2, database.size),
        "fruitless": lambda n: database.fruitless(n),
    }
    fill(database, range(1000))
    few = {name: cost(database, action, range(1000)) for name, action in actions.items()}
    few["insert"] = cost(database, lambda n: fill(database, range(1000 + n, 1001 + n)), range(1000))
    fill(database, range(2000, 100_000))
    many = {name: cost(database, action, range(99_000, 100_000)) for name, action in actions.items()}
    many["insert"] = cost(database, lambda n: fill(database, range(100_000 + n, 100_001 + n)), range(1000))
    slower = {name: many[name] / few[name] for name in few if many[name] > 1.5 * few[name]}
    assert not slower, slower
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss < 500 * 1024
