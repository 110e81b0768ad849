"""The search against fake proposers and evaluations, in milliseconds."""

import random
import time
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import pytest
from rtl_evolve.evolver.archive import Archive
from rtl_evolve.evolver.database import ProgramDatabase, Row
from rtl_evolve.evolver.evaluation import Evaluation
from rtl_evolve.evolver.loop import Hands, Search, Task, search
from rtl_evolve.evolver.objective import parse_objective
from rtl_evolve.evolver.proposers.protocol import Proposal, Request
from rtl_evolve.rtl.candidate import Candidate
from rtl_evolve.rtl.design import SourceFile, Sources
from rtl_evolve.synth.measurement import Measurement, Power
from rtl_evolve.verify.verdict import Grade, Verdict

GOLDEN = Sources((SourceFile("a.v", "module a; // 20 20 20\nendmodule\n"),), "a")


def measured(area: float, delay: float) -> tuple[Measurement, ...]:
    return (Measurement("lib", "recipe", None, area, delay, Power(1.0, 1.0, 1.0), 1, 0),)


BASELINE = Evaluation("golden", Verdict(Grade.PROVEN), measured(60, 60), "g", screening=measured(60, 60))


def numbers(candidate: Candidate) -> list[int]:
    return [int(word) for word in candidate.files[0][1].split("=")[1].split(";")[0].split("+")]


def candidate(values: list[int], parent: str) -> Candidate:
    return Candidate(
        (("a.v", f"module a; wire x = {' + '.join(map(str, values))};\nendmodule\n"),), "fake", (), (parent,)
    )


class Mutator:
    """Six numbers to make small; the sum is the area. Some proposals repeat, some are no good."""

    name = "fake"

    def propose(self, request: Request) -> Proposal | None:
        rng, archive = request.rng, request.archive
        if rng.random() < 0.05:
            return Proposal(None, "talk", "prose only")
        parent = archive.parent(request.island, rng)
        values = [10] * 6 if parent.position < 0 else numbers(request.database.row(parent.position).candidate)
        values[rng.randrange(6)] += rng.choice((-3, -2, -1, 1))
        values[rng.randrange(6)] += rng.choice((-1, 0, 0, 1))
        return Proposal(candidate(values, parent.id), "mutate")


def evaluate(task: Task) -> Evaluation:
    """A sum below 40 is wrong, one that is a multiple of 7 can't be decided, a multiple of 11 is refused."""
    area = sum(numbers(task.candidate))
    structure = str(sorted(numbers(task.candidate)))
    screening = measured(area, 60)
    me = task.candidate.id
    if structure in task.known:
        return Evaluation(me, Verdict(Grade.REJECTED), structure=structure, duplicate_of=task.known[structure])
    if area % 11 == 0:
        return Evaluation(me, Verdict(Grade.REJECTED, reasons=("eleven",)))
    if area < 40:
        return Evaluation(me, Verdict(Grade.DIFFERENT), structure=structure)
    if any(b.area_um2 < area for b in task.bar):
        return Evaluation(me, Verdict(Grade.TESTED), structure=structure, screening=screening)
    if area % 7 == 0:
        return Evaluation(me, Verdict(Grade.UNDECIDED), structure=structure, screening=screening)
    return Evaluation(me, Verdict(Grade.PROVEN), measured(area, 60), structure, (("prove", 0.5),), screening=screening)


def confirm(_: Candidate, evaluation: Evaluation) -> "Future[Evaluation]":
    done: Future[Evaluation] = Future()
    done.set_result(
        Evaluation(
            evaluation.candidate_id,
            evaluation.verdict,
            evaluation.measurements,
            evaluation.structure,
            (*evaluation.stage_seconds, ("bench", 2.0)),
            screening=evaluation.screening,
        )
    )
    return done


def settings(candidates: int = 200) -> Search:
    return Search(GOLDEN, BASELINE, parse_objective("area"), ("recipe",), seed=3, candidates=candidates)


class Killed(Exception):
    """Stands for kill -9: nothing of the search's memory survives."""


def story(database: ProgramDatabase) -> list[object]:
    """All that a run leaves behind, apart from times."""
    rows = [(r.position, r.candidate, r.arm, r.outcome, r.evaluation, r.confirmed) for r in database.rows()]
    return [rows, database.get("state"), database.counts(), {k: v[0] for k, v in database.stages().items()}]


def run(path: Path, workers: int, shuffle: int | None = None, kill_after: int | None = None) -> list[object]:
    """One run; with `shuffle`, workers finish at random times; with `kill_after`, killed after so many evaluations."""
    rng = random.Random(shuffle)
    left = [kill_after if kill_after is not None else 10**9]

    def slowly(task: Task) -> Evaluation:
        if shuffle is not None:
            time.sleep(rng.random() * 0.002)
        return evaluate(task)

    def stopped() -> str:
        if left[0] < 0:
            raise Killed
        left[0] -= 1
        return ""

    def progress(row: Row, evaluation: Evaluation, archive: Archive) -> None:
        assert evaluation.candidate_id == row.candidate.id

    database = ProgramDatabase.open(path) if path.exists() else ProgramDatabase.create(path)
    with ThreadPoolExecutor(workers) as pool:
        hands = Hands(lambda task: pool.submit(slowly, task), confirm, stopped, progress)
        try:
            ended = search(settings(), Mutator(), hands, database)
            assert ended == "candidates"
        except Killed:
            database.close()
            pool.shutdown(cancel_futures=True)
            return []
    result = story(database)
    database.close()
    return result


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> list[object]:
    return run(tmp_path_factory.mktemp("plain") / "run.sqlite", 1)


def test_it_finds_the_best_that_can_be_proven(tmp_path: Path) -> None:
    run(tmp_path / "run.sqlite", 1)
    database = ProgramDatabase.open(tmp_path / "run.sqlite")
    archive = Archive.restore(database.get("state"))
    assert archive.best.figures.area_um2 == pytest.approx(40 / 60)
    counts = database.counts()
    assert counts["pending"] == 0
    assert counts["proposed"] == database.size == sum(v for k, v in counts.items() if k not in ("proposed", "pending"))
    assert all(counts[k] for k in ("duplicate", "rejected", "different", "undecided", "unusable_reply", "proven"))
    best = database.row(archive.best.position)
    assert best.confirmed and best.evaluation is not None
    assert best.evaluation.stage_seconds[-1] == ("bench", 2.0)
    assert database.stages()["bench"][0] == sum(r.confirmed for r in database.rows())
    texts = [r.candidate.files for r in database.rows() if r.evaluation is not None]
    assert len(texts) == len(set(texts)) == 200


@pytest.mark.parametrize("workers", [1, 2, 7])
def test_workers_and_their_order_change_nothing(plain: list[object], tmp_path: Path, workers: int) -> None:
    assert run(tmp_path / "run.sqlite", workers, shuffle=workers) == plain


@pytest.mark.parametrize("seed", range(3))
def test_killed_and_resumed_many_times_equals_uninterrupted(plain: list[object], tmp_path: Path, seed: int) -> None:
    rng = random.Random(seed)
    path = tmp_path / "run.sqlite"
    result: list[object] = []
    kills = 0
    while not result:
        result = run(path, 3, shuffle=kills, kill_after=rng.randrange(5, 120))
        kills += 1
    assert kills > 4
    assert result == plain


def test_a_bench_that_disagrees_keeps_a_candidate_out(tmp_path: Path) -> None:
    def refuse(_: Candidate, evaluation: Evaluation) -> "Future[Evaluation]":
        done: Future[Evaluation] = Future()
        done.set_result(Evaluation(evaluation.candidate_id, Verdict(Grade.UNDECIDED, "bench"), evaluation.measurements))
        return done

    database = ProgramDatabase.create(tmp_path / "run.sqlite")

    def submit(task: Task) -> "Future[Evaluation]":
        done: Future[Evaluation] = Future()
        done.set_result(evaluate(task))
        return done

    search(settings(60), Mutator(), Hands(submit, refuse, lambda: "", lambda *_: None), database)
    archive = Archive.restore(database.get("state"))
    assert archive.best is not None and archive.best.position == -1
    assert [m.position for m in archive.front] == [-1]
    assert not any(m for population in archive.islands for m in population if m.scalar < 1)


def test_a_stop_keeps_what_has_finished(tmp_path: Path) -> None:
    database = ProgramDatabase.create(tmp_path / "run.sqlite")
    submitted: list[Future[Evaluation]] = []

    def submit(task: Task) -> "Future[Evaluation]":
        future: Future[Evaluation] = Future()
        if len(submitted) % 2:
            future.set_result(evaluate(task))
        submitted.append(future)
        return future

    hands = Hands(submit, confirm, lambda: "minutes" if len(submitted) >= 10 else "", lambda *_: None)
    assert search(settings(), Mutator(), hands, database) == "minutes"
    assert all(f.done() for f in submitted)
    finished = [r for r in database.rows() if r.evaluation is not None]
    assert len(finished) == 5


def test_what_has_started_is_taken_in_before_the_end(tmp_path: Path) -> None:
    database = ProgramDatabase.create(tmp_path / "run.sqlite")
    started: list[Future[Evaluation]] = []

    def submit(task: Task) -> "Future[Evaluation]":
        future: Future[Evaluation] = Future()
        if len(started) < 4:
            future.set_running_or_notify_cancel()
            future.set_result(evaluate(task))
        started.append(future)
        return future

    hands = Hands(submit, confirm, lambda: "minutes" if len(started) >= 10 else "", lambda *_: None, lambda: False)
    assert search(settings(), Mutator(), hands, database) == "minutes"
    assert Archive.restore(database.get("state")).results == 4


def test_it_ends_when_nothing_is_left_to_propose(tmp_path: Path) -> None:
    class Dry:
        name = "dry"

        def propose(self, request: Request) -> Proposal | None:
            return Proposal(candidate([20, 20, 13], "golden"), "once") if not request.database.size else None

    database = ProgramDatabase.create(tmp_path / "run.sqlite")
    with ThreadPoolExecutor(1) as pool:
        hands = Hands(lambda task: pool.submit(evaluate, task), confirm, lambda: "", lambda *_: None)
        assert search(settings(), Dry(), hands, database) == "exhausted"
    assert database.counts()["proven"] == 1


def test_proposers_that_only_repeat_end_the_run(tmp_path: Path) -> None:
    class Parrot:
        name = "parrot"

        def propose(self, request: Request) -> Proposal | None:
            return Proposal(candidate([20, 20, 13], "golden"), "again")

    database = ProgramDatabase.create(tmp_path / "run.sqlite")
    with ThreadPoolExecutor(1) as pool:
        hands = Hands(lambda task: pool.submit(evaluate, task), confirm, lambda: "", lambda *_: None)
        assert search(settings(), Parrot(), hands, database) == "exhausted"
    assert database.counts()["proven"] == 1
    assert database.counts()["duplicate"] == 40
