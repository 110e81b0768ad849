"""Is a candidate the same circuit as golden? The same stages as in a search, for two sets of files."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from rtl_evolve.flows.config import DesignSettings
from rtl_evolve.flows.examine import admit, golden_of
from rtl_evolve.flows.prepare import design_of
from rtl_evolve.flows.stages import Stages
from rtl_evolve.rtl.candidate import Candidate
from rtl_evolve.rtl.design import Design
from rtl_evolve.rtl.errors import InputError
from rtl_evolve.rtl.gate_notes import gate_notes
from rtl_evolve.verify.problem import ProofLimits
from rtl_evolve.verify.prove import prove
from rtl_evolve.verify.verdict import Grade, Verdict


@dataclass(frozen=True)
class Checked:
    """The verdict, what a reviewer should know beside it, and seconds by stage."""

    verdict: Verdict
    notes: tuple[str, ...]
    stage_seconds: tuple[tuple[str, float], ...]


def check_pair(
    golden: Sequence[Path],
    candidate: Sequence[Path],
    top: str | None = None,
    *,
    include_dirs: Sequence[Path] = (),
    defines: Sequence[tuple[str, str]] = (),
    parameters: Sequence[tuple[str, str]] = (),
    assume: Sequence[str] = (),
    latency: int = 0,
    x_policy: Literal["strict", "dont_care"] = "strict",
    seconds: float = 60.0,
) -> Checked:
    """Compare files with files; `InputError` when golden itself is no good, a verdict for whatever the candidate is.

    One candidate file replaces one golden file whatever they are called; several replace those of the same name.
    """
    settings = DesignSettings(
        tuple(golden),
        top,
        tuple(include_dirs),
        tuple(defines),
        tuple(parameters),
        assume=tuple(assume),
        latency=latency,
        x_policy=x_policy,
    )
    design = design_of(settings)
    return check(candidate_of(golden, candidate, design), design, ProofLimits(seconds))


def check(candidate: Candidate, design: Design, limits: ProofLimits) -> Checked:
    """A verdict on one candidate, without measuring it."""
    stages = Stages()
    admitted = admit(candidate, design, stages)
    verdict = admitted.verdict
    if admitted.elaboration is not None:
        with stages("prove"):
            verdict = prove(golden_of(design.sources), admitted.elaboration, design, limits)
    assert verdict is not None, "a candidate that passed has been tried to prove"
    beside = () if verdict.grade is Grade.REJECTED else gate_notes(candidate, design)
    return Checked(replace(verdict, seconds=stages.total), beside, stages.seconds)


def candidate_of(golden: Sequence[Path], changed: Sequence[Path], design: Design) -> Candidate:
    """The files as changes to golden's; `InputError` when one cannot be read or replaces none."""
    paths = [f.path for f in design.sources.files]
    by_name = {Path(path).name: path for path in paths}
    files = []
    for file in changed:
        target = paths[0] if len(paths) == len(changed) == 1 else by_name.get(file.name)
        if target is None:
            names = ", ".join(p.name for p in golden)
            raise InputError(f"{file} replaces none of golden's files ({names}): give it the same name")
        try:
            files.append((target, file.read_bytes().decode("utf-8")))
        except OSError as error:
            raise InputError(f"cannot read it: {error.strerror}", str(file)) from error
        except UnicodeDecodeError as error:
            raise InputError("not UTF-8 text", str(file)) from error
    return Candidate(tuple(files))
