"""`status`, `report` and `diff`: what a run did and found, from its folder."""

import argparse
import sys
from pathlib import Path
from typing import Any

from rich.table import Table
from rtl_evolve.evolver.database import ProgramDatabase
from rtl_evolve.evolver.objective import METRICS
from rtl_evolve.flows.commands.common import Verbs, add_verb, console, existing_run, print_json
from rtl_evolve.flows.proposing import model_values
from rtl_evolve.flows.result import archive_of
from rtl_evolve.flows.run import story_of, write_all
from rtl_evolve.flows.tables import change, counts_line, model_lines, stages_line
from rtl_evolve.rtl.candidate import Candidate
from rtl_evolve.rtl.errors import InputError
from rtl_evolve.rtl.textdiff import patch


def add(verbs: Verbs) -> None:
    """Add the verbs."""
    for name, summary, run in (
        ("status", "show how far a run is: counts, front, where time and tries went", status),
        ("report", "write a run's report, patch and result again from its database", report),
        ("diff", "print the best rewrite (or another candidate) as a unified diff", diff),
    ):
        parser = add_verb(verbs, name, summary, f"rtl-evolve {name} mul16-run")
        parser.add_argument("folder", type=Path, metavar="DIR")
        if name == "diff":
            parser.add_argument("id", nargs="?", metavar="ID", help="a candidate's id or the start of it (the best)")
        parser.set_defaults(run=run)


def status(arguments: argparse.Namespace) -> int:
    """Works while the run goes on, and never scans its rows."""
    database = ProgramDatabase.open(existing_run(arguments.folder))
    values = {**status_values(database), "models": model_values(arguments.folder)}
    if arguments.json:
        print_json(values)
        return 0
    out = console()
    ended = values["ended"] or "running, or killed"
    out.print(
        f"{values['top']}: {ended}, {values['evaluated']} evaluated, diversity {values['diversity']:.2f}", markup=False
    )
    out.print(counts_line(values["counts"]), markup=False, soft_wrap=True)
    out.print(stages_line(values["stages"], values["seconds"]), markup=False, soft_wrap=True)
    for line in model_lines(values["models"]):
        out.print(line, markup=False, soft_wrap=True)
    table = Table(title="front (change against golden)")
    for column in ("id", *METRICS):
        table.add_column(column, justify="left" if column == "id" else "right")
    for member in values["front"]:
        table.add_row(member["id"], *(change(member["gain"][m]) for m in METRICS))
    out.print(table)
    table = Table(title="arms: what was tried, and what it won")
    for column in ("arm", "tries", "cost", "won", "won per cost"):
        table.add_column(column, justify="left" if column == "arm" else "right")
    for arm in values["arms"]:
        won = f"{arm['reward'] / arm['cost']:.4f}" if arm["cost"] else ""
        table.add_row(arm["name"], str(arm["tries"]), f"{arm['cost']:.1f}", f"{arm['reward']:.4f}", won)
    out.print(table)
    return 0


def status_values(database: ProgramDatabase) -> dict[str, Any]:
    """The status as JSON shows it."""
    story = story_of(database)
    archive = archive_of(story.search, database)
    front = [
        {
            "id": m.id,
            "scalar": m.scalar,
            "gain": dict(zip(METRICS, (1 - ratio for ratio in m.figures.values()), strict=True)),
        }
        for m in sorted(archive.front, key=lambda m: m.scalar)
    ]
    arms = sorted(archive.arms.items(), key=lambda a: -a[1].reward)
    return {
        "top": story.design.top,
        "ended": story.ended,
        "evaluated": archive.results,
        "seconds": story.seconds,
        "counts": database.counts(),
        "stages": {name: {"calls": c, "seconds": s} for name, (c, s) in database.stages().items()},
        "best": archive.best.id,
        "front": front,
        "diversity": archive.diversity(),
        "islands": [len(population) for population in archive.islands],
        "since_last_gain": archive.results - archive.last_gain,
        "arms": [{"name": n, "tries": a.tries, "cost": a.cost, "reward": a.reward} for n, a in arms],
    }


def report(arguments: argparse.Namespace) -> int:
    """Write all files again."""
    database = ProgramDatabase.open(existing_run(arguments.folder))
    result = write_all(database, arguments.folder)
    if arguments.json:
        print_json(result)
    else:
        print(f"wrote report.html, report.md, best.patch, best/ and result.json in {arguments.folder}")
    return 0


def diff(arguments: argparse.Namespace) -> int:
    """The diff against golden; nothing when golden is kept."""
    database = ProgramDatabase.open(existing_run(arguments.folder))
    story = story_of(database)
    candidate = _chosen(arguments.id, database)
    text = patch({f.path: f.text for f in story.design.sources.files}, candidate.files)
    if arguments.json:
        print_json({"id": candidate.id if candidate.files else "golden", "diff": text})
    else:
        sys.stdout.write(text)
    return 0


def _chosen(wanted: str | None, database: ProgramDatabase) -> Candidate:
    if wanted is not None:
        row = database.find(wanted)
        if row is None:
            raise InputError(f"no candidate's id starts with {wanted}: rtl-evolve status lists those on the front")
        return row.candidate
    best = archive_of(story_of(database).search, database).best
    return Candidate(()) if best.position < 0 else database.row(best.position).candidate
