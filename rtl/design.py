"""The records that describe a design; frozen, made by `load.py`, passed between all packages."""

import hashlib
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal


@dataclass(frozen=True)
class SourceFile:
    """One file's text; `path` is relative to the design's root and is what diffs and messages show."""

    path: str
    text: str


@dataclass(frozen=True)
class Sources:
    """Everything that elaboration needs, and nothing else: equal sources elaborate to the same circuit.

    `headers` are files reached by `include` (they are written beside the sources under the same relative path);
    `include_dirs` are relative to the root too. `parameters` override the top's, as Verilog literals.
    """

    files: tuple[SourceFile, ...]
    top: str
    headers: tuple[SourceFile, ...] = ()
    include_dirs: tuple[str, ...] = ()
    defines: tuple[tuple[str, str], ...] = ()
    parameters: tuple[tuple[str, str], ...] = ()

    def digest(self) -> str:
        """Content hash (hex, 64 digits): the key under which anything derived from these sources is cached."""
        return hashlib.sha256(repr(self).encode()).hexdigest()

    def with_files(self, changed: dict[str, str]) -> "Sources":
        """The same sources with the texts of some files replaced."""
        files = tuple(replace(f, text=changed.get(f.path, f.text)) for f in self.files)
        return replace(self, files=files)


@dataclass(frozen=True)
class Port:
    """A port of the top; `width` in bits."""

    name: str
    direction: Literal["input", "output", "inout"]
    width: int
    signed: bool = False


@dataclass(frozen=True)
class Parameter:
    """A parameter of the top with its default value as elaborated text, and the value in use."""

    name: str
    default: str
    value: str


@dataclass(frozen=True)
class Clock:
    """A clock input and the edges registers use: "rising", "falling" or "both"."""

    name: str
    edge: Literal["rising", "falling", "both"]


@dataclass(frozen=True)
class Reset:
    """A reset input: its active level (0 or 1), and whether it acts without a clock edge."""

    name: str
    active: int
    asynchronous: bool


@dataclass(frozen=True)
class Region:
    """Characters `start` to `end` (half open) of a file that a candidate may change."""

    path: str
    start: int
    end: int


@dataclass(frozen=True)
class Design:
    """Golden: the sources, the interface they elaborate to, and what a candidate may change and assume.

    `regions` empty means every file may change anywhere. `assumptions` are expressions over the input ports.
    `latency` is the declared number of cycles a candidate may be later than golden. `x_policy`: "strict" asks
    for golden's elaborated value where golden is x, "dont_care" frees those inputs.
    """

    root: Path
    sources: Sources
    ports: tuple[Port, ...]
    parameters: tuple[Parameter, ...] = ()
    clocks: tuple[Clock, ...] = ()
    reset: Reset | None = None
    regions: tuple[Region, ...] = ()
    assumptions: tuple[str, ...] = ()
    latency: int = 0
    x_policy: Literal["strict", "dont_care"] = "strict"

    @property
    def top(self) -> str:
        return self.sources.top

    @property
    def inputs(self) -> tuple[Port, ...]:
        return tuple(p for p in self.ports if p.direction == "input")

    @property
    def outputs(self) -> tuple[Port, ...]:
        return tuple(p for p in self.ports if p.direction == "output")
