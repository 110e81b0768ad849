"""What a prompt tells of the unit and of the search so far, taken from results that are in and nothing else.

An evaluation that has finished but was not taken in yet must not be looked at: when it finishes depends on the clock.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from rtl_evolve.evolver.archive import Archive, Member
from rtl_evolve.evolver.database import ProgramDatabase, Row, outcome_of
from rtl_evolve.evolver.objective import METRICS, Objective
from rtl_evolve.evolver.prompt import Evidence
from rtl_evolve.rtl.candidate import Candidate
from rtl_evolve.rtl.design import Design, Port
from rtl_evolve.rtl.textdiff import patch
from rtl_evolve.verify.verdict import Counterexample

LOOK_BACK = 60  # results that a prompt may tell of
MOST_FAILED, MOST_TRIED, MOST_FRONT, MOST_INSPIRATIONS = 4, 24, 8, 2
MOST_DIAGNOSTICS, MOST_CYCLES = 6, 4
LONGEST_LINE = 400  # characters of one diagnostic or reason


@dataclass(frozen=True)
class Brief:
    """What stays the same in all prompts of a run; `hints` say what things cost in the library."""

    design: Design
    objective: Objective
    hints: tuple[str, ...] = ()

    def files_of(self, candidate: Candidate) -> dict[str, str]:
        """All the design's files as the candidate has them."""
        return {f.path: f.text for f in candidate.sources(self.design.sources).files}

    def diff_of(self, candidate: Candidate) -> str:
        """The candidate against golden."""
        return patch({f.path: f.text for f in self.design.sources.files}, candidate.files).rstrip("\n")


@dataclass(frozen=True)
class Standing:
    """The search as it is when a question is asked."""

    archive: Archive
    database: ProgramDatabase

    def candidate(self, position: int) -> Candidate:
        """The candidate at a position, golden at -1."""
        return Candidate(()) if position < 0 else self.database.row(position).candidate

    def recent(self) -> Iterator[Row]:
        """Results taken in lately, the last one first; unusable replies and duplicates among them."""
        last = self.archive.applied
        for position in range(last, max(last - LOOK_BACK, -1), -1):
            yield self.database.row(position)


def improve_evidence(
    brief: Brief, standing: Standing, parent: Member, costs: tuple[str, ...], direction: str, rng: Random
) -> Evidence:
    """What a question for an improvement of `parent` tells."""
    candidate = standing.candidate(parent.position)
    recent = list(standing.recent())
    return _evidence(
        brief,
        candidate,
        direction=direction,
        parent_story=candidate.rationale,
        parent_figures=_ratios(parent),
        front=tuple(map(_ratios, sorted(standing.archive.front, key=lambda m: m.scalar)))[:MOST_FRONT],
        costs=costs,
        failed=tuple(_failures(brief, recent, parent)),
        tried=tuple(_tries(recent, standing)),
        inspirations=tuple(_inspirations(brief, standing, parent, rng)),
    )


def repair_evidence(brief: Brief, standing: Standing, failed: Row, parent: Candidate, reply: str | None) -> Evidence:
    """What a question tells that asks for a failed candidate (or a reply of no use) again, right."""
    what = f"```\n{reply.strip()}\n```" if reply is not None else f"```diff\n{brief.diff_of(failed.candidate)}\n```"
    return _evidence(brief, parent, direction="", broken=f"{what}\n\n{outcome_line(failed)}{_details(failed)}")


def _evidence(brief: Brief, parent: Candidate, **more: object) -> Evidence:
    design = brief.design
    return Evidence(
        top=design.top,
        parameters=tuple((p.name, p.value) for p in design.parameters),
        interface=tuple(interface_lines(design)),
        objective=objective_text(brief.objective),
        files=tuple(brief.files_of(parent).items()),
        regions=bool(design.regions),
        hints=brief.hints,
        **more,  # type: ignore[arg-type]
    )


# --- sentences


def interface_lines(design: Design) -> Iterator[str]:
    """The contract of a unit, a line each."""
    for port in design.ports:
        yield f"{port.direction} {port.name}: {_width(port)}"
    for clock in design.clocks:
        yield f"{clock.name} is a clock; registers use its {clock.edge} edge"
    if design.reset:
        kind = "asynchronous" if design.reset.asynchronous else "synchronous"
        yield f"{design.reset.name} is a reset, {kind}, active at {design.reset.active}"
    if not design.clocks:
        yield "it is combinational"
    for assumption in design.assumptions:
        yield f"its surroundings promise: {assumption}"
    if design.latency:
        yield f"outputs may come up to {design.latency} cycles later than the original's, all by the same number"
    if design.x_policy == "dont_care":
        yield "where the original's output is x, any value will do"


def _width(port: Port) -> str:
    return f"{port.width} bit{'s' if port.width > 1 else ''}{', signed' if port.signed else ''}"


def objective_text(objective: Objective) -> str:
    """The objective in words."""
    said = {
        "keep": "No slower than the original is where it is at its best: a slower circuit does not count.",
        "none": "Delay may grow without a limit where it is not part of that.",
    }
    limit = said.get(str(objective.max_delay), f"The delay must stay below {objective.max_delay} ps.")
    loss = f"Of the rest (area, power) at most {100 * objective.max_loss:g} % may be lost."
    return f"Make small: {str(objective).replace('*', ' times ')}. {limit} {loss}"


def _ratios(member: Member) -> str:
    pairs = zip(METRICS, member.figures.values(), strict=True)
    name = "the original" if member.position < 0 else member.id
    return f"{name}: {', '.join(f'{metric} {value:.3f}' for metric, value in pairs)}"


def outcome_line(row: Row) -> str:
    """What came of a candidate, in one sentence."""
    if row.evaluation is None:
        return f"{(row.outcome or 'pending').replace('_', ' ')}: {_short(row.note)}"
    verdict = row.evaluation.verdict
    said = {
        "rejected": "refused before any proof",
        "different": "not equivalent to the original",
        "undecided": "equivalence could not be decided in time",
        "tested": "no better than what was there already",
        "proven": "proven equivalent",
    }
    outcome = outcome_of(row.evaluation)
    reason = f": {_short(verdict.reasons[0])}" if verdict.reasons and outcome not in ("proven", "tested") else ""
    return f"{said.get(outcome, outcome)}{reason}"


def _details(row: Row) -> str:
    """The rest of what is known of a failure: diagnostics, the counterexample."""
    if row.evaluation is None:
        return ""
    verdict = row.evaluation.verdict
    lines = [f"\n- {_short(reason)}" for reason in verdict.reasons[1 : MOST_DIAGNOSTICS + 1]]
    if verdict.counterexample is not None:
        lines += [f"\n- {line}" for line in counterexample_lines(verdict.counterexample)]
    return "".join(lines)


def counterexample_lines(example: Counterexample) -> Iterator[str]:
    """The last cycles of a counterexample, a line each."""
    first = len(example.cycles) - MOST_CYCLES
    for number, cycle in enumerate(example.cycles):
        if number < first:
            continue
        given, right, wrong = (_values(v) for v in (cycle.inputs, cycle.golden, cycle.candidate))
        yield f"cycle {number}: with {given} the original gives {right}, the rewrite {wrong}"
    if example.note:
        yield example.note


def _values(values: tuple[tuple[str, str], ...]) -> str:
    return ", ".join(f"{name}={value}" for name, value in values)


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= LONGEST_LINE else f"{line[: LONGEST_LINE - 3]}..."


# --- relatives


def _failures(brief: Brief, recent: list[Row], parent: Member) -> Iterator[str]:
    """Failed candidates with their diffs and what was wrong, those of this parent first."""
    failed = [row for row in recent if row.evaluation and outcome_of(row.evaluation) in ("rejected", "different")]
    failed.sort(key=lambda row: parent.id not in (row.candidate.parents or (parent.id,)))
    for row in failed[:MOST_FAILED]:
        yield f"```diff\n{brief.diff_of(row.candidate)}\n```\n{outcome_line(row)}{_details(row)}"


def _tries(recent: list[Row], standing: Standing) -> Iterator[str]:
    """One line each: the idea, and what came of it."""
    seen: set[str] = set()
    for row in recent:
        idea = _short(row.candidate.rationale[-1]) if row.candidate.rationale else ""
        if not idea or idea in seen:
            continue
        seen.add(idea)
        step = standing.database.scalar(row.candidate.id)
        figure = f", {step:.3f} of the original" if step is not None else ""
        yield f"{idea} -> {outcome_line(row)}{figure}"
        if len(seen) == MOST_TRIED:
            return


def _inspirations(brief: Brief, standing: Standing, parent: Member, rng: Random) -> Iterator[str]:
    """Proven rewrites other than the parent: one good, one from another island."""
    pool = [*standing.archive.front, *standing.archive.donors[:20]]
    pool += [population[0] for population in standing.archive.islands if population]
    others = list({m.id: m for m in pool if m.position >= 0 and m.id != parent.id}.values())
    rng.shuffle(others)
    for member in others[:MOST_INSPIRATIONS]:
        candidate = standing.candidate(member.position)
        story = "; ".join(candidate.rationale)
        yield f"{_ratios(member)}. {_short(story)}\n```diff\n{brief.diff_of(candidate)}\n```"
