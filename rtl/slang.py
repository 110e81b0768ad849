"""What slang sees in Verilog sources: diagnostics with their places, modules, the top's interface, active text.

Slang reads in a child process with limits. Positions and interface come from here; the circuit comes from
`elaborate.py`, whose `read_slang` is the same front end.
"""

import json
import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

from rtl_evolve.rtl.design import Parameter, Sources
from rtl_evolve.rtl.elaborate import Diagnostic, write_sources
from rtl_evolve.rtl.process import Finished, Limits, run, workspace

_CHILD = Path(__file__).with_name("slang_child.py")
LIMITS = Limits(seconds=20.0, memory_mb=2048)


@dataclass(frozen=True)
class SlangPort:
    """A port of the top; `kind` is "port", or says what we cannot take ("an interface port")."""

    kind: str
    name: str
    direction: str = ""
    width: int = 0
    signed: bool = False
    default: str = ""


@dataclass(frozen=True)
class SlangTop:
    """One module nothing instantiates, elaborated with the parameters in use."""

    name: str
    ports: tuple[SlangPort, ...]
    parameters: tuple[Parameter, ...]
    local_parameters: tuple[str, ...]


@dataclass(frozen=True)
class Finding:
    """What simulators and synthesisers disagree about: `kind` from `slang_processes.py`, the signal, and where."""

    kind: Literal["sensitivity", "race", "order", "initial"]
    signal: str
    path: str
    line: int
    column: int


@dataclass(frozen=True)
class Reading:
    """`expanded` is the active text after preprocessing; `inactive` what conditional compilation left out.

    `units` are (name, active text) of each module, package and interface; under "" all that stands outside them.

    `includes` are absolute paths of the headers that were read.
    """

    diagnostics: tuple[Diagnostic, ...] = ()
    modules: tuple[str, ...] = ()
    tops: tuple[SlangTop, ...] = ()
    includes: tuple[str, ...] = ()
    expanded: str = ""
    inactive: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()
    units: tuple[tuple[str, str], ...] = ()

    @property
    def errors(self) -> tuple[Diagnostic, ...]:
        return tuple(d for d in self.diagnostics if d.severity == "error")

    def top(self, name: str) -> SlangTop | None:
        """The top of that name, if it elaborated."""
        return next((t for t in self.tops if t.name == name), None)


@lru_cache(maxsize=64)
def read_sources(sources: Sources, limits: Limits = LIMITS) -> Reading:
    """Read sources with their top; paths in diagnostics are relative to the design's root. Never raises for bad text."""
    with workspace() as folder:
        root = folder / "src"
        write_sources(sources, root)
        return _read(
            root,
            [f.path for f in sources.files],
            (*sources.include_dirs, "."),
            sources.defines,
            sources.parameters,
            sources.top,
            folder,
            limits,
        )


def read_files(
    files: Sequence[Path],
    include_dirs: Sequence[Path] = (),
    defines: Sequence[tuple[str, str]] = (),
    parameters: Sequence[tuple[str, str]] = (),
    top: str = "",
) -> Reading:
    """Read a user's files where they are; without `top`, every module that nothing instantiates is a top."""
    with workspace() as folder:
        here = Path.cwd()
        names = [str(p.absolute()) for p in files]
        dirs = [str(p.absolute()) for p in include_dirs]
        return _read(here, names, dirs, defines, parameters, top, folder, LIMITS)


def _read(
    root: Path,
    files: Sequence[str],
    include_dirs: Sequence[str],
    defines: Sequence[tuple[str, str]],
    parameters: Sequence[tuple[str, str]],
    top: str,
    folder: Path,
    limits: Limits,
) -> Reading:
    request = {
        "folder": str(root),
        "files": list(files),
        "include_dirs": list(include_dirs),
        "defines": list(defines),
        "parameters": list(parameters),
        "top": top,
    }
    command = [sys.executable, "-P", str(_CHILD)]
    finished = run(command, folder, limits, stdin=json.dumps(request))
    if not finished.ok:
        return Reading((Diagnostic(files[0], 0, 0, "error", _failure(finished)),))
    return _reading(json.loads((folder / "answer.json").read_text()), root)


def _failure(finished: Finished) -> str:
    if finished.timed_out:
        return f"reading took more than {finished.seconds:.0f} s: the text expands to too much"
    lines = finished.stderr.strip().splitlines()
    if "MemoryError" in finished.stderr or "bad_alloc" in finished.stderr:
        return "reading ran out of memory: the text expands to too much"
    return f"slang ended with status {finished.status}" + (f" ({lines[-1]})" if lines else "")


def _reading(answer: Mapping[str, Any], root: Path) -> Reading:
    return Reading(
        tuple(_diagnostic(row, root) for row in answer["diagnostics"]),
        tuple(answer["modules"]),
        tuple(_top(top, answer["defaults"].get(top["name"])) for top in answer["tops"]),
        tuple(answer["includes"]),
        answer["expanded"],
        tuple(answer["inactive"]),
        tuple(Finding(row[0], row[1], _relative(row[2], root), row[3], row[4]) for row in answer["findings"]),
        tuple((name, text) for name, text in answer["units"]),
    )


def _diagnostic(row: Mapping[str, Any], root: Path) -> Diagnostic:
    return Diagnostic(_relative(row["path"], root), row["line"], row["column"], row["severity"], row["message"])


def _relative(path: str, root: Path) -> str:
    return os.path.relpath(root / path, root) if path else ""


def _top(top: Mapping[str, Any], defaults: Sequence[tuple[str, str]] | None) -> SlangTop:
    values = top["parameters"]
    before = dict(defaults if defaults is not None else values)
    return SlangTop(
        top["name"],
        tuple(SlangPort(**port) for port in top["ports"]),
        tuple(Parameter(name, before.get(name, ""), value) for name, value in values),
        tuple(top["local_parameters"]),
    )
