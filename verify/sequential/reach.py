"""ABC on a question over all time: bounded search for a difference, then signal correspondence and reachability."""

import re
from dataclasses import dataclass
from pathlib import Path

from rtl_evolve.rtl.process import Limits, run, workspace
from rtl_evolve.rtl.yosys import abc_program
from rtl_evolve.verify.problem import ProofLimits
from rtl_evolve.verify.questions import Question
from rtl_evolve.verify.sequential.miter import Run, SequentialMiter, build_miter, read_witness

NAME = "ABC scorr, pdr"
SEARCH_NAME = "ABC bmc3"


@dataclass(frozen=True)
class Reached:
    """`proven`, or a `run` to a difference, or no difference within `frames` cycles; `engine` found it."""

    proven: bool = False
    run: Run | None = None
    frames: int = 0
    engine: str = ""


def by_reachability(question: Question, limits: ProofLimits) -> Reached:
    """A short bounded search, then proof with the time that is left."""
    miter = build_miter(question)
    with workspace() as folder:
        (folder / "miter.aig").write_bytes(miter.data)
        search = min(limits.seconds / 4, 10.0)
        found = _search(miter, folder, _within(limits, search))
        if found.run is not None:
            return found
        proof = _prove(miter, folder, _within(limits, limits.seconds - search))
        return proof if proof.proven or proof.run is not None else found


def _within(limits: ProofLimits, seconds: float) -> Limits:
    return Limits(seconds=seconds, memory_mb=limits.memory_mb)


def _search(miter: SequentialMiter, folder: Path, limits: Limits) -> Reached:
    """ABC is told to stop in time, so that it says how far it came."""
    seconds = max(int(limits.seconds * 0.8), 1)
    script = f"read_aiger miter.aig; bmc3 -T {seconds}; write_cex -a search.cex"
    finished = run([abc_program(), "-c", script], folder, limits)
    witness = _witness(miter, folder / "search.cex")
    if witness is not None:
        return Reached(run=witness, engine=SEARCH_NAME)
    frames = re.search(r"No output asserted in (\d+) frames", finished.stdout)
    return Reached(frames=int(frames[1]) if frames and finished.ok else 0, engine=SEARCH_NAME)


def _prove(miter: SequentialMiter, folder: Path, limits: Limits) -> Reached:
    script = (
        "read_aiger miter.aig; scorr -C 1000; dc2; scorr -C 1000 -F 2; dc2; scorr -C 2000 -F 4; "
        "write_aiger reduced.aig; pdr; write_cex -a proof.cex"
    )
    finished = run([abc_program(), "-c", script], folder, limits)
    witness = _witness(miter, folder / "proof.cex")
    if witness is not None:
        return Reached(run=witness, engine=NAME)
    reduced = folder / "reduced.aig"
    if reduced.exists() and _constant_false(reduced.read_bytes()):
        return Reached(proven=True, engine=NAME)
    proven = finished.ok and re.search(r"^Property proved\b", finished.stdout, re.MULTILINE)
    return Reached(proven=bool(proven), engine=NAME)


def _constant_false(data: bytes) -> bool:
    """Whether an AIGER file's only output is the constant false."""
    header, _, rest = data.partition(b"\n")
    words = header.split()
    if len(words) < 6 or words[4] != b"1":
        return False
    lines = rest.split(b"\n", int(words[3]) + 1)
    return lines[int(words[3])] == b"0"


def _witness(miter: SequentialMiter, path: Path) -> Run | None:
    return read_witness(miter, path.read_text()) if path.exists() else None
