"""Verilog text to a word-level netlist, its RTLIL text and a bit-level model: one front end for every side.

`read_slang` does the reading, in a child process with limits. A candidate that doesn't elaborate is a value
(`Unelaborated`), never an exception.
"""

import re
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from rtl_evolve.rtl.design import Sources
from rtl_evolve.rtl.model import Model
from rtl_evolve.rtl.model_reader import read_model
from rtl_evolve.rtl.netlist import Netlist, read_netlist
from rtl_evolve.rtl.process import Limits, workspace
from rtl_evolve.rtl.structure import structure_hash
from rtl_evolve.rtl.undefined import settle_undefined
from rtl_evolve.rtl.yosys import run_yosys, yosys_error

_HERE = Path(__file__).parent
_SOURCE_FOLDER = "src"
LOOP_NOTE = "combinational loop through "


@dataclass(frozen=True)
class Diagnostic:
    """One message of a front end; `column` is 0 when unknown, `severity` "error" or "warning"."""

    path: str
    line: int
    column: int
    severity: str
    message: str

    def __str__(self) -> str:
        place = f"{self.path}:{self.line}" + (f":{self.column}" if self.column else "")
        return f"{place}: {self.severity}: {self.message}"


@dataclass(frozen=True)
class Elaboration:
    """What one set of sources elaborates to; `structure` identifies the circuit whatever its signals are called.

    `notes` are the front end's warnings, and loops that are written but feed nothing (from `LOOP_NOTE` on).
    """

    sources: Sources
    rtlil: str
    netlist: Netlist
    model: Model
    structure: str
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Unelaborated:
    """Why sources don't elaborate; `message` is one line even when there is no diagnostic with a place."""

    diagnostics: tuple[Diagnostic, ...]
    message: str


def elaborate(sources: Sources, limits: Limits | None = None) -> Elaboration | Unelaborated:
    """Elaborate in a child process (default limits: 30 s, 4 GiB)."""
    limits = limits or Limits(seconds=30)
    with workspace() as folder:
        write_sources(sources, folder / _SOURCE_FOLDER)
        finished = run_yosys(elaboration_script(sources), folder, limits)
        notes = _diagnostics(finished.stderr + "\n" + finished.stdout)
        if not finished.ok:
            errors = tuple(d for d in notes if d.severity == "error")
            return Unelaborated(errors, str(errors[0]) if errors else _strip(yosys_error(finished)))
        checked = (folder / "check.txt").read_text()
        fought_over = _several_drivers(checked)
        if fought_over:
            return Unelaborated((), f"{', '.join(fought_over)} has several drivers")
        netlist = read_netlist(_strip((folder / "word.json").read_text()), sources.top)
        model = settle_undefined(read_model(_strip((folder / "bits.json").read_text()), sources.top))
        rtlil = _strip((folder / "word.il").read_text())
    said = (*map(str, notes), *_loops(checked))
    return Elaboration(sources, rtlil, netlist, model, structure_hash(netlist), said)


def write_sources(sources: Sources, folder: Path) -> None:
    """Write the files and headers under `folder`, at their paths relative to the design's root."""
    for file in (*sources.files, *sources.headers):
        path = folder / file.path
        if ".." in PurePosixPath(file.path).parts or PurePosixPath(file.path).is_absolute():
            raise ValueError(f"{file.path} leaves the design's root")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(file.text, encoding="utf-8", newline="")


def elaboration_script(sources: Sources) -> str:
    """The Yosys script, with options quoted for Yosys's command parser."""
    options = ["--top", sources.top, "--ignore-timing", "--single-unit"]
    options += [f"-I{_quote(f'{_SOURCE_FOLDER}/{d}')}" for d in (*sources.include_dirs, ".")]
    options += [f"-D{_quote(f'{name}={value}')}" for name, value in sources.defines]
    for name, value in sources.parameters:
        options += ["-G", _quote(f"{name}={value}")]
    options += [_quote(f"{_SOURCE_FOLDER}/{f.path}") for f in sources.files]
    text = (_HERE / "elaborate.ys").read_text()
    return text.format(
        options=" ".join(options),
        top=sources.top,
        wrap=_quote(str(_HERE / "techmap" / "division_wrap.v")),
        unwrap=_quote(str(_HERE / "techmap" / "division_unwrap.v")),
    )


def _quote(word: str) -> str:
    return f'"{word}"' if re.search(r"[\s;#]", word) else word


def _strip(text: str) -> str:
    """The user's paths in place of those in our private folder."""
    return text.replace(f"{_SOURCE_FOLDER}/", "")


def _several_drivers(log: str) -> tuple[str, ...]:
    """Signals that the `check` right after reading finds driven twice: later passes would merge the two drivers."""
    found = re.findall(r"^Warning: multiple conflicting drivers for [^.\n]*\.(.*):$", log, re.MULTILINE)
    return tuple(dict.fromkeys(name.replace("\\", "").partition(" ")[0] for name in found))


def _loops(log: str) -> tuple[str, ...]:
    """Loops as written, even those that feed nothing (later passes drop them, but they hang a simulation)."""
    loops: list[set[str]] = []
    for part in log.split("found logic loop")[1:]:
        names = set(re.findall(r"^    wire \\?([^$\s]\S*)", part, re.MULTILINE))
        loops = [g for g in loops if not g & names] + [names.union(*(g for g in loops if g & names))]
    return tuple(f"{LOOP_NOTE}{', '.join(sorted(g))}" for g in loops)


def _diagnostics(log: str) -> tuple[Diagnostic, ...]:
    found = []
    for match in re.finditer(r"^(\S.*?):(\d+)(?::(\d+))?: (ERROR|Warning|WARNING): (.*)$", log, re.MULTILINE):
        path, line, column, severity, message = match.groups()
        severity = "error" if severity == "ERROR" else "warning"
        found.append(Diagnostic(_strip(path), int(line), int(column or 0), severity, message.strip()))
    return tuple(found)
