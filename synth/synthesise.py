"""An elaborated design to mapped netlists, one a recipe: fronts shared, limits kept, one failure loses one recipe.

One Yosys child runs the fronts; each mapping is an ABC process of its own on the front's gates in canonical order, so
that a result depends on nothing but the design and its recipe. What is measured is the circuit without initial values:
a standard cell has none at power-up, so `init` attributes are dropped for golden and candidates alike (the proof keeps
them).
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from rtl_evolve.rtl.process import Limits, workspace
from rtl_evolve.rtl.yosys import run_yosys, yosys_error
from rtl_evolve.synth.abc_map import map_gates
from rtl_evolve.synth.canonical import canonical
from rtl_evolve.synth.gates import Gates, read_gates
from rtl_evolve.synth.library import Library
from rtl_evolve.synth.mapped import Mapped, Unusable
from rtl_evolve.synth.recipe import Recipe

_TOP = "dut"
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
    """What came of a job: the netlist or why there is none; `seconds` of wall time, shared work split evenly."""

    job: Job
    result: Mapped | Unusable
    seconds: float


def synthesise(
    rtlil: str, jobs: Sequence[Job], library: Library, limits: Limits | None = None, order_seed: int = 0
) -> tuple[Synthesised, ...]:
    """A netlist for each job, in order. `limits.seconds` is for one front or one mapping; each fails alone.

    `order_seed` is for measuring noise: the mapper meets the same gates in another order (`canonical`).
    """
    limits = limits or Limits(seconds=30)
    fronts = list(dict.fromkeys(job.recipe.front_script for job in jobs))
    with workspace() as folder:
        (folder / "word.il").write_text(rtlil)
        gates, seconds = _run_fronts(fronts, library, folder, limits, order_seed)
        done: list[_Mapping] = []
        for place, job in enumerate(jobs):
            mapping = _Mapping(gates[job.recipe.front_script], _map_script(job))
            # fronts often agree (a Booth front where nothing is multiplied): map what is equal once
            known = next((other for other in done if other.same_as(mapping)), None)
            done.append(known or mapping.run(library, folder / str(place), limits))
    return tuple(
        Synthesised(job, mapping.result, seconds / len(jobs) + mapping.seconds / done.count(mapping))
        for job, mapping in zip(jobs, done, strict=True)
    )


def _map_script(job: Job) -> str:
    target = f"-D {job.clock_ps:g}" if job.clock_ps is not None else ""
    return job.recipe.map_script.replace("{D}", target)


@dataclass(frozen=True, eq=False)
class _Mapping:
    """Gates and the ABC script to map them by; what came of it once it is run."""

    gates: Gates | Unusable
    script: str
    result: Mapped | Unusable = field(default_factory=lambda: Unusable("not run"))
    seconds: float = 0.0

    def same_as(self, other: "_Mapping") -> bool:
        return self.script == other.script and self.gates == other.gates

    def run(self, library: Library, folder: Path, limits: Limits) -> "_Mapping":
        if isinstance(self.gates, Unusable):
            return replace(self, result=self.gates)
        folder.mkdir()
        result, seconds = map_gates(self.gates, self.script, library, folder, limits)
        return replace(self, result=result, seconds=seconds)


def _run_fronts(
    fronts: Sequence[str], library: Library, folder: Path, limits: Limits, order_seed: int
) -> tuple[dict[str, Gates | Unusable], float]:
    """Gates by front script, and the seconds it took; after a failure the fronts left are run in another child."""
    done: dict[str, Gates | Unusable] = {}
    seconds = 0.0
    while len(done) < len(fronts):
        waiting = [front for front in fronts if front not in done]
        whole = Limits(limits.seconds * len(waiting), limits.memory_mb, limits.file_mb, limits.processes)
        finished = run_yosys(_script(waiting, library), folder, whole)
        seconds += finished.seconds
        for place, front in enumerate(waiting):
            output = folder / f"{place}.json"
            if not (folder / f"{place}.done").exists():
                done[front] = Unusable(_reason(yosys_error(finished), library))
                break
            gates = read_gates(output.read_text(), library, _TOP)
            done[front] = canonical(gates, order_seed) if isinstance(gates, Gates) else gates
        for leftover in (*folder.glob("*.json"), *folder.glob("*.done")):
            leftover.unlink()
    return done, seconds


def _reason(error: str, library: Library) -> str:
    if error.startswith(_LATCHES_FOUND):
        return "it holds latches, which are not measured"
    flop = re.search(r"type (\S+)\) cannot be legalized: (.*)", error)
    if flop and not library.flops:
        return f"library {library.name} has no flip-flop"
    return f"the library has no flip-flop for {flop[1]}: {flop[2]}" if flop else error


def _script(fronts: Sequence[str], library: Library) -> str:
    lines = [
        "read_rtlil word.il",
        f"rename -top {_TOP}",
        "setattr -unset init w:*",
        "delete t:$scopeinfo",
        "design -save word",
    ]
    for place, front in enumerate(fronts):
        lines += ["design -load word", *front.replace("{top}", _TOP).splitlines()]
        lines += [_NO_LATCHES, f"dfflibmap -liberty {library.flop_library}", "opt", "opt_clean -purge"]
        lines += [f"write_json {place}.json", f"tee -q -o {place}.done log done"]
    return "\n".join(lines) + "\n"
