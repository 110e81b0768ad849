"""Runs a linked simulation with one cocotb test module in it."""

from collections.abc import Mapping
from pathlib import Path

from rtl_evolve.rtl.process import Finished, Limits, run
from rtl_evolve.verify.bench.toolchain import Toolchain

RESULTS = "results.xml"


def simulate(
    tools: Toolchain,
    program: Path,
    top: str,
    module: str,
    folder: Path,
    seed: int,
    limits: Limits,
    environment: Mapping[str, str],
) -> Finished:
    """Run all tests of `module` on the root called `top`; `RESULTS` in `folder` says how each went.

    What the design leaves undefined at power-up starts with random values drawn from `seed`.
    """
    settings = {
        **tools.simulation_environment(),
        "COCOTB_TOPLEVEL": top,
        "COCOTB_TEST_MODULES": module,
        "COCOTB_RANDOM_SEED": str(seed),
        "COCOTB_RESULTS_FILE": str(folder / RESULTS),
        **environment,
    }
    # Verilator takes seeds from 1 to 2^31 - 1
    command = [str(program), "+verilator+rand+reset+2", f"+verilator+seed+{seed % 0x7FFFFFFF + 1}"]
    return run(command, folder, limits, env=settings)
