"""A run's database as the review that `reports` makes pages of."""

from rtl_evolve.evolver.archive import Member
from rtl_evolve.evolver.database import ProgramDatabase
from rtl_evolve.evolver.evaluation import Evaluation
from rtl_evolve.evolver.loop import Search
from rtl_evolve.evolver.objective import Figures, score
from rtl_evolve.flows.config import Settings
from rtl_evolve.flows.result import archive_of, evaluated
from rtl_evolve.reports.hunks import parse_hunks
from rtl_evolve.reports.review import Entry, Review
from rtl_evolve.rtl.candidate import Candidate
from rtl_evolve.rtl.design import Design
from rtl_evolve.rtl.textdiff import patch
from rtl_evolve.rtl.yosys import tool_versions
from rtl_evolve.verify.verdict import Grade

MOST_FRONT = 40


def review_of(settings: Settings, design: Design, search: Search, database: ProgramDatabase, seconds: float) -> Review:
    """Everything a report shows of this run so far."""
    archive = archive_of(search, database)
    kept = archive.best.position < 0
    candidate, evaluation = evaluated(archive.best, search, database)
    best = None if kept else _entry(candidate, evaluation, search)
    text = patch({f.path: f.text for f in design.sources.files}, candidate.files)
    front: list[Member] = sorted(archive.front, key=lambda m: (m.scalar, m.position))[:MOST_FRONT]
    return Review(
        title=f"{design.top}: {search.objective}",
        top=design.top,
        files=tuple(f.path for f in design.sources.files),
        objective=f"{search.objective}, max delay {search.objective.max_delay}",
        library=settings.library,
        baseline=search.baseline.measurements,
        baseline_figures=_baseline_figures(search),
        best=best,
        verdict_line=verdict_line(best, database.counts()),
        front=tuple(_entry(*evaluated(m, search, database), search) for m in front if m.position >= 0),
        hunks=parse_hunks(text),
        patch=text,
        counts=tuple(database.counts().items()),
        stage_seconds=tuple((name, s) for name, (_, s) in database.stages().items()),
        seconds=seconds,
        tool_versions=tuple(tool_versions().items()),
        reproduce=(f"rtl-evolve run {settings.origin} --seed {settings.seed}",),
        notes=_notes(design, evaluation),
    )


def verdict_line(best: Entry | None, counts: dict[str, int]) -> str:
    """How sure we are of the best, or why golden is kept, in one line."""
    if best is not None:
        return f"{best.verdict.grade.value} by {best.verdict.engine}"
    undecided = f", {counts['undecided']} could not be decided" if counts["undecided"] else ""
    return f"golden is kept: of {counts['proposed']} candidates none was both proven and better{undecided}"


def _entry(candidate: Candidate, evaluation: Evaluation, search: Search) -> Entry:
    found = search.score(evaluation)
    assert found is not None, "members have been measured"
    return Entry(
        evaluation.candidate_id,
        candidate.proposer,
        evaluation.verdict,
        evaluation.measurements,
        found.figures,
        found.gain,
        candidate.rationale,
    )


def _baseline_figures(search: Search) -> Figures:
    found = score(search.baseline.measurements, search.baseline.measurements, search.objective)
    assert found is not None, "golden has been measured"
    return found.figures


def _notes(design: Design, evaluation: Evaluation) -> tuple[str, ...]:
    notes = list(evaluation.verdict.assumptions)
    if evaluation.verdict.grade is not Grade.PROVEN:
        notes.append(f"the best is only {evaluation.verdict.grade.value}: the bar was lowered by `accept`")
    notes += [f"input contract: {a}" for a in design.assumptions]
    if design.x_policy == "dont_care":
        notes.append("where golden is x, a candidate may give anything (x_policy: dont_care)")
    if design.latency:
        notes.append(f"a candidate may be {design.latency} cycles later than golden")
    return tuple(dict.fromkeys(notes))
