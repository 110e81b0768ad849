"""A whole run: golden measured, the search with its workers, and what it leaves in its folder."""

import fcntl
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from rtl_evolve.evolver import records
from rtl_evolve.evolver.archive import Archive
from rtl_evolve.evolver.database import ProgramDatabase, Row
from rtl_evolve.evolver.evaluation import Evaluation
from rtl_evolve.evolver.loop import Hands, Search, search
from rtl_evolve.flows.baseline import measure_as_searched, measure_golden, search_recipes
from rtl_evolve.flows.cache import open_cache
from rtl_evolve.flows.config import Settings
from rtl_evolve.flows.jobs import Confirmation, Job, Trial, Work, lost
from rtl_evolve.flows.prepare import bench_of, design_of, evaluate_settings, measure_settings, stamp_of
from rtl_evolve.flows.proposing import check_proposers, model_values, team_of
from rtl_evolve.flows.reporting import review_of
from rtl_evolve.flows.result import archive_of, evaluated, result_of, write_result
from rtl_evolve.flows.stop import Stop
from rtl_evolve.flows.workers import Pool
from rtl_evolve.reports.write import write_reports
from rtl_evolve.rtl.design import Design
from rtl_evolve.rtl.errors import InputError

Progress = Callable[[Row, Evaluation, Archive], None]


@dataclass(frozen=True)
class Story:
    """A run as stored in its folder: what `resume`, `report` and `status` start from."""

    settings: Settings
    design: Design
    baseline: Evaluation
    seconds: float
    ended: str

    @property
    def search(self) -> Search:
        s = self.settings
        screened_by, _ = search_recipes(self.baseline.measurements, s.objective)
        return Search(
            self.design.sources,
            self.baseline,
            s.objective,
            screened_by,
            s.seed,
            s.candidates,
            s.window,
            s.islands,
            s.grades,
        )


def begin(settings: Settings, folder: Path, tell: Callable[[str], None]) -> ProgramDatabase:
    """Read and measure golden, and make the run's folder; `InputError` for anything wrong with either."""
    began = time.monotonic()
    check_proposers(settings)
    design = design_of(settings.design)
    tell(f"read {design.top}: {len(design.inputs)} inputs, {len(design.outputs)} outputs")
    if (folder / "run.sqlite").exists():
        raise InputError(f"{folder} holds a run already: rtl-evolve resume {folder}, or give another --out")
    kept, stamp = open_cache() if settings.cache else None, stamp_of(settings)
    _make_folder(folder)
    tell("measuring it by all recipes")
    baseline = measure_golden(design, measure_settings(settings, design), stamp, kept)
    if not baseline.measurements:
        raise InputError(f"{design.top} could not be measured: {'; '.join(baseline.feedback) or 'no recipe worked'}")
    evaluating = evaluate_settings(settings, design, baseline)
    baseline = measure_as_searched(baseline, design, evaluating.screening, evaluating.completing)
    database = ProgramDatabase.create(folder / "run.sqlite")
    for name, record in (("settings", settings), ("design", design), ("baseline", baseline)):
        database.set(name, records.encode(record))
    database.set("seconds", time.monotonic() - began)
    database.set("ended", "")
    return database


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe = folder / f".probe-{os.getpid()}"
        probe.touch()
        probe.unlink()
    except OSError as error:
        raise InputError(f"cannot write to {folder}: {error.strerror}; give another --out") from error


def story_of(database: ProgramDatabase) -> Story:
    """What was stored about the run; `InputError` when it was killed before it began."""
    if database.get("ended") is None:
        raise InputError("the run was ended before golden was measured: start it anew in another folder")
    return Story(
        records.decode(Settings, database.get("settings")),
        records.decode(Design, database.get("design")),
        records.decode(Evaluation, database.get("baseline")),
        database.get("seconds"),
        database.get("ended"),
    )


def change_budget(database: ProgramDatabase, changes: dict[str, Any]) -> Settings:
    """Store other limits or workers for what follows; the settings as they are then."""
    settings = replace(story_of(database).settings, **changes)
    database.set("settings", records.encode(settings))
    return settings


@contextmanager
def only_one(folder: Path) -> Iterator[None]:
    """Two processes must not search in one folder."""
    with (folder / ".lock").open("w") as stream:
        try:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise InputError(f"another process is running in {folder}") from error
        yield


def go_on(
    database: ProgramDatabase, folder: Path, stop: Stop, progress: Progress, tell: Callable[[str], None]
) -> dict[str, Any]:
    """Search from what is stored until a budget is spent, then write everything; the content of `result.json`."""
    began = time.monotonic()
    story = story_of(database)
    design, settings = story.design, story.settings
    work = Work(design, evaluate_settings(settings, design, story.baseline), bench_of(settings), settings.cache)

    def spent() -> float:
        return story.seconds + time.monotonic() - began

    def note(row: Row, evaluation: Evaluation, archive: Archive) -> None:
        database.set("seconds", spent())
        progress(row, evaluation, archive)

    with (
        only_one(folder),
        team_of(settings, design, work.evaluating.screening, folder, tell) as team,
        Pool[Job, Evaluation](
            settings.workers, work, lost, memory_mb=settings.memory_mb, seconds=settings.evaluation_seconds
        ) as pool,
    ):
        trial = pool.submit(Trial(), urgent=True)

        def stopped() -> str:
            if trial.done():
                trial.result()
            return stop.reason()

        stop.within(None if settings.minutes is None else settings.minutes * 60 - spent())
        hands = Hands(
            pool.submit,
            lambda candidate, evaluation: pool.submit(Confirmation(candidate, evaluation), urgent=True),
            stopped,
            note,
            stop.now,
        )
        ended = search(story.search, team.proposer, hands, database)
        ended = team.ended() if ended == "exhausted" and team.ended() else ended
    database.set("seconds", spent())
    database.set("ended", ended)
    database.set("problems", team.problems())
    return write_all(database, folder)


def write_all(database: ProgramDatabase, folder: Path) -> dict[str, Any]:
    """Write result.json, best/, best.patch and the reports from the database; the content of result.json."""
    story = story_of(database)
    best, _ = evaluated(archive_of(story.search, database).best, story.search, database)
    result = result_of(story.settings, story.design, story.search, database, story.seconds, story.ended)
    result |= {"models": model_values(folder), "problems": database.get("problems") or []}
    try:
        write_result(folder, result, best, story.design.sources)
        write_reports(review_of(story.settings, story.design, story.search, database, story.seconds), folder)
    except OSError as error:
        raise InputError(f"cannot write to {folder}: {error.strerror}") from error
    return result
