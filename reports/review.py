"""What a person reviews: golden and the best rewrite, what each costs, how sure we are, and how to do it again."""

from dataclasses import dataclass

from rtl_evolve.evolver.objective import Figures, Gain
from rtl_evolve.reports.hunks import Hunk
from rtl_evolve.synth.measurement import Measurement
from rtl_evolve.verify.verdict import Verdict


@dataclass(frozen=True)
class Entry:
    """One candidate as the report shows it; `rationale` has one sentence an edit."""

    id: str
    proposer: str
    verdict: Verdict
    measurements: tuple[Measurement, ...]
    figures: Figures
    gain: Gain
    rationale: tuple[str, ...] = ()


@dataclass(frozen=True)
class Review:
    """Everything a report is made from; `best` None means golden is kept, and `verdict_line` says why.

    `counts` are candidates by outcome, `stage_seconds` where the run's time went, `notes` what a reader must know
    before believing a figure (start state, x policy, contract, what was not measured).
    """

    title: str
    top: str
    files: tuple[str, ...]
    objective: str
    library: str
    baseline: tuple[Measurement, ...]
    baseline_figures: Figures
    best: Entry | None
    verdict_line: str
    front: tuple[Entry, ...]
    hunks: tuple[Hunk, ...]
    patch: str
    counts: tuple[tuple[str, int], ...]
    stage_seconds: tuple[tuple[str, float], ...]
    seconds: float
    tool_versions: tuple[tuple[str, str], ...]
    reproduce: tuple[str, ...]
    notes: tuple[str, ...] = ()
