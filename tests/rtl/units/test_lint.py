"""The shipped units are clean for two more readers: Verilator's linter, and whoever opens the file."""

import re
from pathlib import Path

import pytest
from rtl_evolve.rtl.process import run, workspace
from rtl_evolve.verify.bench.toolchain import find_toolchain

UNITS = sorted((Path(__file__).parents[3] / "rtl" / "units").glob("*.v"))


def test_all_are_here() -> None:
    assert len(UNITS) == 15
    assert sum("posedge clk" in unit.read_text() for unit in UNITS) >= 5


@pytest.mark.parametrize("unit", UNITS, ids=lambda path: path.stem)
def test_header_and_lint(unit: Path) -> None:
    text = unit.read_text()
    header = text[: text.index("module")]
    assert re.search(r"^// Latency: ", header, re.MULTILINE)
    assert re.search(r"Clock: clk, rising edge|Clock, reset: none", header)
    assert re.search(rf"^module {unit.stem} \(", text, re.MULTILINE)
    assert max(map(len, text.splitlines())) <= 120

    tools = find_toolchain()
    with workspace() as folder:
        command = [str(tools.verilator), "--lint-only", "-Wall", "--language", "1364-2005", str(unit)]
        finished = run(command, folder, env={"VERILATOR_ROOT": str(tools.include.parent)})
    assert finished.ok, finished.stderr
