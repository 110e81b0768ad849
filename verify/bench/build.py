"""From sources to an executable: Verilator, one compilation behind a precompiled header, a link.

Everything that doesn't depend on the design (Verilator's runtime, our main program, the precompiled header) is
compiled once for a machine and toolchain and kept in the user's cache.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from rtl_evolve.rtl.design import Design, Port, Sources
from rtl_evolve.rtl.elaborate import write_sources
from rtl_evolve.rtl.errors import ToolFailed
from rtl_evolve.rtl.process import Finished, Limits, run, start
from rtl_evolve.verify.bench.store import stored
from rtl_evolve.verify.bench.toolchain import RUNTIME_SOURCES, Toolchain

_HERE = Path(__file__).parent
_RUNTIME_LIMITS = Limits(seconds=600)
_TEMPLATES = Environment(loader=FileSystemLoader(_HERE), undefined=StrictUndefined, keep_trailing_newline=True)
_MOST_RUNTIMES = 2


@dataclass(frozen=True)
class Refused:
    """Why a side could not be built, in one line, and the end of the log."""

    reason: str
    log: str
    timed_out: bool = False


def runtime(tools: Toolchain, cache: Path, scratch: Path) -> Path:
    """The folder with everything that doesn't depend on a design; some 10 s of compiling the first time."""

    def make(folder: Path) -> None:
        for name in ("runtime.h", "main.cpp"):
            (folder / name).write_text((_HERE / name).read_text())
        header, sources = folder / "runtime.h", [folder / "main.cpp"]
        sources += [tools.include / f"{name}.cpp" for name in RUNTIME_SOURCES]
        commands = [tools.compile("-x", "c++-header", header, "-o", folder / "runtime.h.gch")]
        commands += [tools.compile("-c", source, "-o", folder / f"{source.stem}.o") for source in sources]
        for finished in _all(commands, scratch):
            if not finished.ok:
                reason = f"Verilator's runtime does not compile: {_first_error(finished)}"
                raise ToolFailed(reason, finished.command, finished.stderr)

    return stored(cache / "runtime" / tools.digest, scratch, _MOST_RUNTIMES, make)


def build_side(
    tools: Toolchain, runtime: Path, design: Design, sources: Sources, side: str, folder: Path, limits: Limits
) -> Path | Refused:
    """The object file of one side ("golden" or "candidate") behind a wrapper that has the design's ports."""
    text = wrapper_text(f"rtl_evolve_{side}", design.inputs, design.outputs, sources)
    (folder / "wrapper.sv").write_text(text)
    extra = ["-DSYNTHESIS=1"] if not any(name == "SYNTHESIS" for name, _ in sources.defines) else []
    options = ["--x-assign", "unique", "--x-initial", "unique", *extra, "wrapper.sv"]
    return _build(tools, runtime, sources, f"rtl_evolve_{side}", f"V{side}", options, folder, limits)


def build_top(tools: Toolchain, runtime: Path, sources: Sources, folder: Path, limits: Limits) -> Path | Refused:
    """The object file of a design as it stands, all its signals visible to a test."""
    options = ["--public-flat-rw", "--timescale", "1ns/1ps", *(f"-G{n}={v}" for n, v in sources.parameters)]
    return _build(tools, runtime, sources, sources.top, "Vtop", options, folder, limits)


def link(tools: Toolchain, runtime: Path, objects: Sequence[Path], folder: Path) -> Path:
    """The executable of the given sides."""
    program = folder / "simulation"
    libraries = tools.cocotb_libraries
    command = [tools.compiler, "-o", str(program), str(runtime / "main.o"), *map(str, objects)]
    command += [str(runtime / f"{name}.o") for name in RUNTIME_SOURCES]
    command += [f"-Wl,-rpath,{libraries}", f"-L{libraries}", "-lcocotbvpi_verilator", "-lpthread"]
    finished = run(command, folder, Limits(seconds=120))
    if not finished.ok:
        raise ToolFailed(f"a simulation does not link: {_first_error(finished)}", tuple(command), finished.stderr)
    return program


def _all(commands: Sequence[Sequence[str]], folder: Path) -> list[Finished]:
    """Run all at once and wait for all, whatever happens."""
    running = []
    try:
        for command in commands:
            running.append(start(command, folder, _RUNTIME_LIMITS))
        return [process.wait() for process in running]
    finally:
        for process in running:
            process.kill()


def _build(
    tools: Toolchain,
    runtime: Path,
    sources: Sources,
    top: str,
    prefix: str,
    options: Sequence[str],
    folder: Path,
    limits: Limits,
) -> Path | Refused:
    write_sources(sources, folder / "src")
    command = [str(tools.verilator), "--cc", "--vpi", "--no-timing", "-Wno-fatal", "-Wno-lint", "-Wno-style", "--quiet"]
    command += ["--prefix", prefix, "--Mdir", "generated", "--top-module", top]
    command += [f"-Isrc/{d}" for d in (*sources.include_dirs, ".")]
    command += [f"-D{name}={value}" for name, value in sources.defines]
    command += [*options, *(f"src/{f.path}" for f in sources.files)]
    verilated = run(command, folder, limits, env={"VERILATOR_ROOT": str(tools.include.parent)})
    if not verilated.ok:
        return _refused("Verilator", verilated)
    files = sorted(p.name for p in (folder / "generated").glob("*.cpp"))
    text = _TEMPLATES.get_template("side.cpp.j2").render(files=files, prefix=prefix)
    source, target = folder / "generated" / "side.cpp", folder / f"{prefix}.o"
    source.write_text(text)
    compiled = run(tools.compile(f"-I{runtime}", f"-I{source.parent}", "-c", source, "-o", target), folder, limits)
    return target if compiled.ok else _refused("the C++ compiler", compiled)


def wrapper_text(name: str, inputs: Sequence[Port], outputs: Sequence[Port], sources: Sources) -> str:
    """A top that joins all inputs to one word and all outputs to another, first port lowest."""
    connections = []
    widths = {}
    for word, ports in (("stimulus", inputs), ("response", outputs)):
        low = 0
        for port in ports:
            connections.append((_identifier(port.name), word, low, port.width))
            low += port.width
        widths[f"{word}_width"] = max(low, 1)
    return _TEMPLATES.get_template("wrapper.sv.j2").render(
        name=name, top=_identifier(sources.top), parameters=sources.parameters, connections=connections, **widths
    )


def _identifier(name: str) -> str:
    """As Verilog writes it: escaped when it isn't a plain word."""
    return name if re.fullmatch(r"[A-Za-z_][A-Za-z0-9_$]*", name) else f"\\{name.removeprefix(chr(92)).strip()} "


def _refused(tool: str, finished: Finished) -> Refused:
    if finished.timed_out:
        return Refused(f"{tool} reached its time limit ({finished.seconds:.0f} s)", tail(finished), timed_out=True)
    return Refused(f"{tool}: {_first_error(finished)}", tail(finished))


def _first_error(finished: Finished) -> str:
    for line in (finished.stderr + "\n" + finished.stdout).splitlines():
        match = re.search(r"(?:%Error[^:]*|\berror|undefined reference)\b: *(.*)", line)
        if match:
            return match[1].replace("src/", "")
    return f"status {finished.status}"


def tail(finished: Finished) -> str:
    """The last lines of what a program said."""
    lines = (finished.stdout + finished.stderr).replace("src/", "").splitlines()
    return "\n".join(lines[-30:])
