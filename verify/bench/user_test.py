"""A user's own cocotb test module, run on a candidate as it would be on golden."""

import os
import time
from pathlib import Path
from xml.etree import ElementTree

from rtl_evolve.rtl.candidate import Candidate
from rtl_evolve.rtl.design import Design
from rtl_evolve.rtl.errors import InputError
from rtl_evolve.rtl.process import Finished, workspace
from rtl_evolve.verify.bench.build import Refused, build_top, link, runtime, tail
from rtl_evolve.verify.bench.result import BenchResult, BenchSettings, Outcome
from rtl_evolve.verify.bench.simulation import RESULTS, simulate
from rtl_evolve.verify.bench.toolchain import find_toolchain


def run_user_test(
    design: Design, candidate: Candidate, test_module: Path, settings: BenchSettings | None = None
) -> BenchResult:
    """Run every @cocotb.test of the module; its folder is on the import path, and its top is the design's.

    Raises `InputError` when the module doesn't exist, `ToolMissing` for a missing tool.
    """
    if not test_module.is_file() or test_module.suffix != ".py":
        raise InputError(f"no such cocotb test module: {test_module} (a Python file is expected)")
    began = time.monotonic()
    settings = settings or BenchSettings()
    tools = find_toolchain()
    with workspace() as folder:
        compiled = runtime(tools, settings.cache, folder)
        built = build_top(tools, compiled, candidate.sources(design.sources), folder, settings.limits)
        if isinstance(built, Refused):
            outcome = Outcome.TIMED_OUT if built.timed_out else Outcome.UNBUILDABLE
            return BenchResult(outcome, 0, time.monotonic() - began, settings.seed, built.reason, built.log)
        program = link(tools, compiled, [built], folder)
        path = os.pathsep.join([str(test_module.resolve().parent), tools.simulation_environment()["PYTHONPATH"]])
        finished = simulate(
            tools,
            program,
            design.top,
            test_module.stem,
            folder,
            settings.seed,
            settings.limits,
            {"PYTHONPATH": path},
        )
        outcome, why = _verdict(finished, folder / RESULTS)
        return BenchResult(outcome, 0, time.monotonic() - began, settings.seed, why, tail(finished))


def _verdict(finished: Finished, results: Path) -> tuple[Outcome, str]:
    if finished.timed_out:
        return Outcome.TIMED_OUT, f"the test reached its time limit ({finished.seconds:.0f} s)"
    if not results.is_file():
        return Outcome.FAILED, f"the simulation ended without results (status {finished.status})"
    cases = list(ElementTree.parse(results).iter("testcase"))
    if not any(case.find("skipped") is None for case in cases):
        return Outcome.FAILED, "the module ran no cocotb test"
    for case in cases:
        wrong = case.find("failure") if case.find("failure") is not None else case.find("error")
        if wrong is not None:
            text = (wrong.get("message") or wrong.text or "").strip()
            return Outcome.FAILED, f"{case.get('name')}: {text.splitlines()[0] if text else 'failed'}"
    return Outcome.PASSED, ""
