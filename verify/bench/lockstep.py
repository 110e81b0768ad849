"""Golden beside candidate in one Verilator simulation, driven by cocotb.

Verilator reads the sources itself: what our own front end may get wrong (or be talked into) shows here. Golden is
compiled and its stimulus planned once a design; a candidate costs its own compilation, a link and the run.
"""

import hashlib
import json
import time
from functools import lru_cache
from importlib import resources
from pathlib import Path

from rtl_evolve.rtl.candidate import Candidate
from rtl_evolve.rtl.design import Design, Port
from rtl_evolve.rtl.elaborate import Unelaborated, elaborate
from rtl_evolve.rtl.errors import ToolFailed
from rtl_evolve.rtl.process import Finished, workspace
from rtl_evolve.rtl.yosys import tool_versions
from rtl_evolve.verify.bench.build import Refused, build_side, link, runtime, tail
from rtl_evolve.verify.bench.events import Unsettled
from rtl_evolve.verify.bench.phases import Phase, read_phases, write_phases
from rtl_evolve.verify.bench.plan import make_plan
from rtl_evolve.verify.bench.result import BenchResult, BenchSettings, Outcome
from rtl_evolve.verify.bench.simulation import simulate
from rtl_evolve.verify.bench.store import stored
from rtl_evolve.verify.bench.toolchain import Toolchain, find_toolchain
from rtl_evolve.verify.problem import literal
from rtl_evolve.verify.verdict import Counterexample, Cycle

_MOST_GOLDENS = 64
_PHASES = "phases.json"
_OBJECT = "Vgolden.o"
_REMEDY = "turn the bench off in the flow to go on without it"


def lockstep(design: Design, candidate: Candidate, settings: BenchSettings | None = None) -> BenchResult:
    """Compare a candidate with golden, cycle by cycle, on every output bit that golden determines.

    Raises `ToolMissing` for a missing tool and `ToolFailed` when golden itself cannot be simulated, or when Verilator
    and our elaboration disagree about golden.
    """
    began = time.monotonic()
    settings = settings or BenchSettings()
    tools = find_toolchain()
    with workspace() as folder:
        compiled = runtime(tools, settings.cache, folder)
        golden = _golden(tools, compiled, design, settings, folder)
        phases = read_phases(golden / _PHASES)
        side = folder / "candidate"
        side.mkdir()
        sources = candidate.sources(design.sources)
        built = build_side(tools, compiled, design, sources, "candidate", side, settings.limits)
        if isinstance(built, Refused):
            outcome = Outcome.TIMED_OUT if built.timed_out else Outcome.UNBUILDABLE
            return BenchResult(outcome, 0, time.monotonic() - began, settings.seed, built.reason, built.log)
        program = link(tools, compiled, [golden / _OBJECT, built], folder)
        answer = folder / "answer.json"
        finished = simulate(
            tools,
            program,
            "rtl_evolve_golden",
            "rtl_evolve.verify.bench.in_simulator",
            folder,
            settings.seed,
            settings.limits,
            {
                "RTL_EVOLVE_PHASES": str(golden / _PHASES),
                "RTL_EVOLVE_RESULT": str(answer),
                "COCOTB_REWRITE_ASSERTION_FILES": "",  # the test has no assertion; rewriting costs a third of the run
            },
        )
        return _judge(design, phases, finished, answer, settings, time.monotonic() - began)


def _golden(tools: Toolchain, compiled: Path, design: Design, settings: BenchSettings, scratch: Path) -> Path:
    """The folder with golden's object and the phases."""

    def make(folder: Path) -> None:
        elaboration = elaborate(design.sources)
        if isinstance(elaboration, Unelaborated):
            raise ToolFailed(f"golden no longer elaborates: {elaboration.message}")
        try:
            phases = make_plan(elaboration.model, design, settings.cycles, settings.seed)
        except Unsettled as error:
            raise ToolFailed(f"the bench cannot simulate {design.top} as given ({error}); {_REMEDY}") from error
        write_phases(phases, folder / _PHASES)
        work = scratch / "golden"
        work.mkdir()
        built = build_side(tools, compiled, design, design.sources, "golden", work, settings.limits)
        if isinstance(built, Refused):
            raise ToolFailed(
                f"the bench cannot simulate {design.top} as given ({built.reason}); {_REMEDY}", log=built.log
            )
        built.rename(folder / _OBJECT)

    what = (
        tools.digest,
        _program(),
        design.sources,
        design.ports,
        design.clocks,
        design.reset,
        design.assumptions,
        design.latency,
    )
    name = hashlib.sha256(repr((what, settings.cycles, settings.seed)).encode()).hexdigest()[:32]
    return stored(settings.cache / "golden" / name, scratch, _MOST_GOLDENS, make)


@lru_cache(maxsize=1)
def _program() -> str:
    """Changes with whatever golden's phases depend on beside the design: our own code and the front end."""
    digest = hashlib.sha256(json.dumps(tool_versions()).encode())
    layers = [Path(str(resources.files(f"rtl_evolve.{layer}"))) for layer in ("rtl", "verify")]
    for path in sorted(path for layer in layers for path in layer.rglob("*") if path.suffix in (".py", ".ys", ".j2")):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def _judge(
    design: Design, phases: tuple[Phase, ...], finished: Finished, answer: Path, settings: BenchSettings, seconds: float
) -> BenchResult:
    log = tail(finished)
    if not answer.is_file():
        if finished.timed_out:
            why = f"the simulation reached its time limit ({finished.seconds:.0f} s)"
            return BenchResult(Outcome.TIMED_OUT, 0, seconds, settings.seed, why, log)
        why = f"the simulation ended before all cycles were compared (status {finished.status})"
        return BenchResult(Outcome.FAILED, 0, seconds, settings.seed, why, log)
    result = json.loads(answer.read_text())
    answers = result["answers"]
    cycles = sum(p.change == phases[0].change and p.reference is not None for p in phases[: len(answers)])
    if result["differs"] is None:
        return BenchResult(Outcome.PASSED, cycles, seconds, settings.seed, log=log)
    index = result["differs"]
    if result["against"] == "elaboration":
        raise ToolFailed(
            f"Verilator and our elaboration disagree about {design.top} itself: "
            + _difference(design, phases[index], phases[index].expected, answers[index][0], "Verilator"),
            finished.command,
            log,
        )
    reference = phases[index].reference
    assert reference is not None
    text = _difference(design, phases[index], answers[reference][0], answers[index][1], "the candidate")
    example = _counterexample(design, phases, answers, index)
    return BenchResult(Outcome.DIFFERENT, cycles, seconds, settings.seed, text, log, example)


def _difference(design: Design, phase: Phase, golden: int, other: int, who: str) -> str:
    """One line: where, under which inputs, and the ports that differ."""
    inputs = ", ".join(f"{n} = {v}" for n, v in _values(design.inputs, phase.stimulus))
    pairs = zip(_values(design.outputs, golden), _values(design.outputs, other), strict=True)
    outputs = ", ".join(f"{n} is {b} in {who}, {a} in golden" for (n, a), (_, b) in pairs if a != b)
    return f"cycle {phase.cycle}, after {phase.change} to {inputs}: {outputs}"


def _counterexample(
    design: Design, phases: tuple[Phase, ...], answers: list[tuple[int, int]], last: int
) -> Counterexample:
    """A row a cycle, with the outputs before the clock's edge; the last row is where they differ."""
    first = phases[last].start
    rows = [i for i in range(first, last + 1) if i in (last, first) or phases[i].cycle != phases[i - 1].cycle]
    if len(rows) > 1 and phases[rows[-1]].cycle == phases[rows[-2]].cycle:
        del rows[-2]
    cycles = tuple(
        Cycle(
            _values(design.inputs, phases[i].stimulus),
            _values(design.outputs, answers[i][0]),
            _values(design.outputs, answers[i][1]),
        )
        for i in rows
    )
    note = f"found by the bench after {phases[last].change}"
    if design.latency:
        note += f"; the candidate answers {design.latency} cycles later"
    return Counterexample(cycles, note)


def _values(ports: tuple[Port, ...], word: int) -> tuple[tuple[str, str], ...]:
    """The ports' values in a word that holds them in order."""
    values = []
    for port in ports:
        values.append((port.name, literal(word & ((1 << port.width) - 1), port.width)))
        word >>= port.width
    return tuple(values)
