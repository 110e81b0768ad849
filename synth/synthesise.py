"""An elaborated design to mapped netlists, one a recipe: fronts shared, limits kept, one failure loses one recipe.

What is measured is the circuit without initial values: a standard cell has none at power-up, so `init` attributes are
dropped for golden and candidates alike (the proof keeps them).
"""

import re
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rtl_evolve.rtl.process import Finished, Limits, start, workspace
from rtl_evolve.rtl.yosys import abc_program, yosys_command, yosys_error
from rtl_evolve.synth.library import Library
from rtl_evolve.synth.mapped import Mapped, Unusable, read_mapped
from rtl_evolve.synth.recipe import Recipe

_TOP = "dut"
_TINY = Path(__file__).with_name("recipes") / "tiny.genlib"
_POLL_SECONDS = 0.005
# dfflibmap would build latches from flip-flops with set and reset
_NO_LATCHES = "select -assert-none t:$_DLATCH* t:$_SR_*"
_LATCHES_FOUND = "Assertion failed: selection is not empty"


@dataclass(frozen=True)
class Job:
    """One netlist to make: a recipe at a clock target in ps (None: none)."""

    recipe: Recipe
    clock_ps: float | None = None


@dataclass(frozen=True)
class Synthesised:
    """What came of a job: the netlist or why there is none; `seconds` of wall time, a shared front counted once."""

    job: Job
    result: Mapped | Unusable
    seconds: float


def synthesise(
    rtlil: str, jobs: Sequence[Job], library: Library, limits: Limits | None = None
) -> tuple[Synthesised, ...]:
    """A netlist for each job, in order. `limits.seconds` is for one recipe; a job that exceeds it fails alone."""
    limits = limits or Limits(seconds=30)
    done: dict[Job, Synthesised] = {}
    while len(done) < len(jobs):
        waiting = [job for job in jobs if job not in done]
        with workspace() as folder:
            done |= _attempt(rtlil, waiting, library, limits, folder)
    return tuple(done[job] for job in jobs)


def _attempt(rtlil: str, jobs: Sequence[Job], library: Library, limits: Limits, folder: Path) -> dict[Job, Synthesised]:
    """Run the jobs in one child until one fails; that one and those before it are settled."""
    by_front: dict[str, list[Job]] = {}
    for job in jobs:
        by_front.setdefault(job.recipe.front_script, []).append(job)
    ordered = [job for group in by_front.values() for job in group]
    (folder / "word.il").write_text(rtlil)
    (folder / "script.ys").write_text(_script(list(by_front.values()), library, folder))
    finished, ends = _watch(len(ordered), folder, limits)
    settled: dict[Job, Synthesised] = {}
    before = 0.0
    for place, job in enumerate(ordered):
        end = ends[place] if place < len(ends) else finished.seconds
        if place == len(ends) and finished.ok:
            raise AssertionError("Yosys ended well without writing a netlist")
        result: Mapped | Unusable
        if place < len(ends):
            result = read_mapped((folder / f"{place}.json").read_text(), library, _TOP)
        else:
            result = Unusable(_reason(finished))
        settled[job] = Synthesised(job, result, end - before)
        before = end
        if place == len(ends):
            break
    return settled


def _reason(finished: Finished) -> str:
    error = yosys_error(finished)
    if error.startswith(_LATCHES_FOUND):
        return "it holds latches, which are not measured"
    flop = re.search(r"type (\S+)\) cannot be legalized: (.*)", error)
    return f"the library has no flip-flop for {flop[1]}: {flop[2]}" if flop else error


def _watch(count: int, folder: Path, limits: Limits) -> tuple[Finished, list[float]]:
    """Run the script, killing it when one recipe takes too long; the times at which recipes were finished."""
    whole = Limits(limits.seconds * count, limits.memory_mb, limits.file_mb, limits.processes)
    began = time.monotonic()
    running = start(yosys_command(folder / "script.ys"), folder, whole)
    ends: list[float] = []
    finished = None
    while finished is None:
        finished = running.poll()
        elapsed = time.monotonic() - began
        while len(ends) < count and (folder / f"{len(ends)}.done").exists():
            ends.append(elapsed)
        if finished is None and elapsed - (ends[-1] if ends else 0.0) > limits.seconds:
            killed = running.kill()
            finished = Finished(killed.command, killed.status, killed.stdout, killed.stderr, limits.seconds, True)
        time.sleep(_POLL_SECONDS)
    return finished, ends


def _script(groups: list[list[Job]], library: Library, folder: Path) -> str:
    """The Yosys script for all jobs; ABC's own script of each is written beside it."""
    lines = [
        "read_rtlil word.il",
        f"rename -top {_TOP}",
        "setattr -unset init w:*",
        "delete t:$scopeinfo",
        "design -save word",
    ]
    place = 0
    for group in groups:
        lines += ["design -load word", *group[0].recipe.front_script.replace("{top}", _TOP).splitlines()]
        lines += [_NO_LATCHES, f"dfflibmap -liberty {library.flop_library}", "opt", "design -save gates"]
        for job in group:
            (folder / f"{place}.abc").write_text(_abc_script(job, library))
            lines += [
                "design -load gates",
                f"abc -exe {abc_program()} -genlib {_TINY} -script {place}.abc",
                "opt_clean -purge",
                f"write_json {place}.json",
                f"tee -q -o {place}.done log done",
            ]
            place += 1
    return "\n".join(lines) + "\n"


def _abc_script(job: Job, library: Library) -> str:
    """`abc -liberty` would convert the library anew in every child, so ABC's cached form replaces a stand-in."""
    target = f"-D {job.clock_ps:g}" if job.clock_ps is not None else ""
    return f"read_scl {library.abc_library}\n" + job.recipe.map_script.replace("{D}", target)
