"""What a run found, as plain values (`result.json`) and as files (`best/`)."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from rtl_evolve.evolver.archive import Archive, Member
from rtl_evolve.evolver.database import ProgramDatabase
from rtl_evolve.evolver.evaluation import Evaluation
from rtl_evolve.evolver.loop import Search
from rtl_evolve.evolver.objective import METRICS, Gain
from rtl_evolve.flows.config import Settings
from rtl_evolve.rtl.candidate import Candidate
from rtl_evolve.rtl.design import Design, Sources
from rtl_evolve.rtl.elaborate import write_sources
from rtl_evolve.rtl.textdiff import patch
from rtl_evolve.rtl.yosys import tool_versions
from rtl_evolve.synth.measurement import Measurement


def measurement_values(measurement: Measurement) -> dict[str, Any]:
    """One measurement as the command line's JSON shows it."""
    values = {k: v for k, v in asdict(measurement).items() if k not in ("power", "seconds", "library")}
    power = measurement.power
    shown = power and {
        "total": power.total_uw,
        "switching": power.switching_uw,
        "internal": power.internal_uw,
        "leakage": power.leakage_uw,
    }
    return {**values, "power_uw": shown}


def golden_candidate(baseline: Evaluation) -> Candidate:
    """Golden as a candidate that changes nothing."""
    return Candidate((), "golden", ("golden is kept: nothing better was proven",))


def entry(candidate: Candidate, evaluation: Evaluation, search: Search) -> dict[str, Any]:
    """One candidate with its grade, figures and gains."""
    found = search.score(evaluation)
    gain = found.gain if found else Gain(0.0, 0.0, 0.0)
    return {
        "id": evaluation.candidate_id,
        "verdict": evaluation.verdict.grade.value,
        "engine": evaluation.verdict.engine,
        "proposer": candidate.proposer,
        "rationale": list(candidate.rationale),
        "assumptions": list(evaluation.verdict.assumptions),
        "measurements": [measurement_values(m) for m in evaluation.measurements],
        "figures": dict(zip(METRICS, found.figures.values(), strict=True)) if found else None,
        "gain": asdict(gain),
        "scalar": found.scalar if found else None,
        "within_limits": bool(found and found.feasible),
    }


def evaluated(member: Member, search: Search, database: ProgramDatabase) -> tuple[Candidate, Evaluation]:
    """A member of the archive with its candidate and evaluation (golden's for golden)."""
    if member.position < 0:
        return golden_candidate(search.baseline), search.baseline
    row = database.row(member.position)
    assert row.evaluation is not None, "members have been evaluated"
    return row.candidate, row.evaluation


def result_of(
    settings: Settings, design: Design, search: Search, database: ProgramDatabase, seconds: float, ended: str
) -> dict[str, Any]:
    """The content of `result.json`."""
    archive = archive_of(search, database)
    best = entry(*evaluated(archive.best, search, database), search)
    counts = database.counts()
    return {
        "design": design_values(design, settings.design.files),
        "objective": {"minimise": str(search.objective), "max_delay": search.objective.max_delay},
        "library": settings.library,
        "baseline": entry(golden_candidate(search.baseline), search.baseline, search),
        "best": {**best, "is_baseline": archive.best.position < 0},
        "front": [entry(*evaluated(m, search, database), search) for m in archive.front],
        "counts": counts,
        "stages": {name: {"calls": c, "seconds": s} for name, (c, s) in database.stages().items()},
        "seconds": seconds,
        "ended": ended,
        "seed": settings.seed,
        "tool_versions": tool_versions(),
    }


def design_values(design: Design, files: tuple[Path, ...]) -> dict[str, Any]:
    """The design as JSON shows it."""
    return {
        "top": design.top,
        "files": [f.path for f in design.sources.files],
        "parameters": dict(design.sources.parameters),
        "ports": [asdict(p) for p in design.ports],
        "clocks": [asdict(c) for c in design.clocks],
        "reset": asdict(design.reset) if design.reset else None,
        "assumptions": list(design.assumptions),
        "latency": design.latency,
        "x_policy": design.x_policy,
    }


def archive_of(search: Search, database: ProgramDatabase) -> Archive:
    """The search's state as stored, or as it is before the first result."""
    state = database.get("state")
    return Archive.restore(state) if state else search.new_archive()


def write_result(folder: Path, result: dict[str, Any], best: Candidate, golden: Sources) -> None:
    """Write result.json, best/ (all sources with the best's changes) and best.patch."""
    write_sources(best.sources(golden), folder / "best")
    before = {f.path: f.text for f in golden.files}
    (folder / "best.patch").write_text(patch(before, best.files), encoding="utf-8", newline="")
    (folder / "result.json").write_text(json.dumps(result, indent=2) + "\n", encoding="utf-8")
