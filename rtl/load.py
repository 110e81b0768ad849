"""Reads a user's files into a `Design`: sources, top, interface, clocks, reset and editable regions."""

import difflib
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from rtl_evolve.rtl.clocks import find_clocks, find_reset
from rtl_evolve.rtl.design import Clock, Design, Reset, SourceFile, Sources
from rtl_evolve.rtl.elaborate import Diagnostic, Elaboration, Unelaborated, elaborate
from rtl_evolve.rtl.errors import InputError
from rtl_evolve.rtl.gate_netlist import unsupported
from rtl_evolve.rtl.interface import Unsupported, ports_of
from rtl_evolve.rtl.regions import find_regions
from rtl_evolve.rtl.slang import Reading, SlangTop, read_files, read_sources


def load_design(
    files: Sequence[Path],
    top: str | None = None,
    *,
    include_dirs: Sequence[Path] = (),
    defines: Sequence[tuple[str, str]] = (),
    parameters: Sequence[tuple[str, str]] = (),
    clocks: Sequence[Clock] = (),
    reset: Reset | None = None,
    assumptions: Sequence[str] = (),
    latency: int = 0,
    x_policy: Literal["strict", "dont_care"] = "strict",
) -> Design:
    """Load and check golden; `clocks` and `reset` override what is found by use. Raises `InputError`."""
    paths = [_existing(p) for p in files]
    folders = [_existing_folder(p) for p in include_dirs]
    first = read_files(paths, folders, defines, parameters, top or "")
    if top is not None and top not in first.modules:
        first = read_files(paths, folders, defines)  # what else is wrong matters more than the unknown top
    _refuse_errors(first)
    name = _top_name(first, top)
    root, sources = _sources(paths, folders, first.includes, name, tuple(defines), tuple(parameters))
    reading = read_sources(sources)
    _refuse_errors(reading)
    golden = reading.top(name)
    if golden is None:
        raise InputError(f"module {name} cannot be a top: slang did not elaborate it", sources.files[0].path)
    _check_parameters(golden, parameters)
    try:
        ports = ports_of(golden)
    except Unsupported as error:
        raise InputError(str(error)) from error
    elaboration = elaborated(sources)
    return Design(
        root,
        sources,
        ports,
        golden.parameters,
        tuple(clocks) or find_clocks(elaboration),
        reset or find_reset(elaboration),
        find_regions(sources.files),
        tuple(assumptions),
        latency,
        x_policy,
    )


def assignment(text: str, default: str | None = None) -> tuple[str, str]:
    """Split "NAME=VALUE"; without "=", the value is `default`, and with no default that is an `InputError`."""
    name, equals, value = text.partition("=")
    if not name or (not equals and default is None):
        raise InputError(f"{text!r} is not NAME=VALUE")
    return name.strip(), value.strip() if equals else str(default)


def elaborated(sources: Sources) -> Elaboration:
    """Golden's elaboration; `InputError` when it doesn't elaborate or is a circuit we cannot take."""
    result = elaborate(sources)
    if isinstance(result, Unelaborated):
        raise InputError(result.message)
    reasons = unsupported(result)
    if reasons:
        raise InputError(f"{sources.top}: {reasons[0]}")
    return result


def _existing(path: Path) -> Path:
    resolved = path.resolve()
    if resolved.is_dir():
        raise InputError(f"{path} is a folder; name the Verilog files in it")
    if not resolved.is_file():
        near = difflib.get_close_matches(path.name, os.listdir(resolved.parent) if resolved.parent.is_dir() else [], 1)
        raise InputError(f"no such file: {path}" + (f" (did you mean {near[0]}?)" if near else ""))
    return resolved


def _existing_folder(path: Path) -> Path:
    resolved = path.resolve()
    if not resolved.is_dir():
        raise InputError(f"no such include folder: {path}")
    return resolved


def _text(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8")
    except UnicodeDecodeError as error:
        line = path.read_bytes()[: error.start].count(b"\n") + 1
        raise InputError("not UTF-8 text; convert the file (iconv -f latin1 -t utf-8)", str(path), line) from error
    except OSError as error:
        raise InputError(f"cannot read the file: {error.strerror}", str(path)) from error


def _refuse_errors(reading: Reading) -> None:
    if reading.errors:
        first: Diagnostic = reading.errors[0]
        message = f"{first.message}"
        if first.message.startswith("unknown module"):
            message += " (give the file that defines it too)"
        place = f"{first.path}:{first.line}" if first.line else first.path
        raise InputError(message, f"{place}:{first.column}" if first.column else place)


def _top_name(reading: Reading, wanted: str | None) -> str:
    names = [t.name for t in reading.tops]
    if wanted is not None:
        if wanted not in reading.modules:
            near = difflib.get_close_matches(wanted, reading.modules, 1)
            hint = f"did you mean {near[0]}?" if near else f"the modules are {', '.join(reading.modules) or 'none'}"
            raise InputError(f"no module is called {wanted}; {hint}")
        return wanted
    if len(names) == 1:
        return names[0]
    if not reading.modules:
        raise InputError("the files define no module")
    if not names:
        raise InputError(f"no top found: every module is instantiated by another ({', '.join(reading.modules)})")
    raise InputError(f"several modules could be the top: {', '.join(sorted(names))}; choose one with --top")


def _sources(
    paths: Sequence[Path],
    include_dirs: Sequence[Path],
    includes: Sequence[str],
    top: str,
    defines: tuple[tuple[str, str], ...],
    parameters: tuple[tuple[str, str], ...],
) -> tuple[Path, Sources]:
    """The root (the folder that holds all files and headers) and the sources with paths relative to it."""
    headers = [Path(p) for p in includes]
    root = Path(os.path.commonpath([p.parent for p in (*paths, *headers)]))
    dirs = []
    for folder in include_dirs:
        if folder.is_relative_to(root):  # no header came from the others
            dirs.append(folder.relative_to(root).as_posix())
    return root, Sources(
        tuple(SourceFile(p.relative_to(root).as_posix(), _text(p)) for p in paths),
        top,
        tuple(SourceFile(p.relative_to(root).as_posix(), _text(p)) for p in headers),
        tuple(dict.fromkeys(dirs)),
        defines,
        parameters,
    )


def _check_parameters(top: SlangTop, overrides: Sequence[tuple[str, str]]) -> None:
    known = [p.name for p in top.parameters]
    for name, _ in overrides:
        if name in top.local_parameters:
            raise InputError(f"{name} is a localparam of {top.name} and cannot be overridden")
        if name not in known:
            near = difflib.get_close_matches(name, known, 1)
            hint = f"did you mean {near[0]}?" if near else f"its parameters are {', '.join(known) or 'none'}"
            raise InputError(f"{top.name} has no parameter {name}; {hint}")
