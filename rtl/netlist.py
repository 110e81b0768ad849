"""The word-level netlist of an elaborated design, as Yosys writes it in JSON."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

Bit = int | str  # a net's number, or a constant "0", "1", "x", "z"


@dataclass(frozen=True)
class Cell:
    """A word-level cell ($add, $mux, $dff, ...): port bits least significant first; `src` is "file:line.col-line.col"."""

    name: str
    type: str
    parameters: Mapping[str, int | str]
    ports: Mapping[str, tuple[Bit, ...]]
    directions: Mapping[str, str]
    src: str = ""


@dataclass(frozen=True)
class NetlistPort:
    """A port of the top with its bits, least significant first."""

    name: str
    direction: str
    bits: tuple[Bit, ...]


@dataclass(frozen=True)
class Netlist:
    """`names` maps the user's hierarchical signal names ("u.sum") to bits; `inits` net numbers to initial values."""

    top: str
    ports: tuple[NetlistPort, ...]
    cells: tuple[Cell, ...]
    names: Mapping[str, tuple[Bit, ...]]
    inits: Mapping[int, int]
    hidden: Mapping[str, tuple[Bit, ...]]


def read_netlist(text: str, top: str) -> Netlist:
    """Parse `write_json` output (already flattened: the top module is all there is)."""
    modules = json.loads(text)["modules"]
    module = modules[top] if top in modules else next(iter(modules.values()))
    ports = tuple(NetlistPort(n, p["direction"], tuple(p["bits"])) for n, p in module["ports"].items())
    cells = tuple(_cell(n, c) for n, c in module["cells"].items() if c["type"] != "$scopeinfo")
    names: dict[str, tuple[Bit, ...]] = {}
    hidden: dict[str, tuple[Bit, ...]] = {}
    inits: dict[int, int] = {}
    for name, net in module["netnames"].items():
        bits = tuple(net["bits"])
        (hidden if net["hide_name"] else names)[name] = bits
        for bit, initial in zip(bits, reversed(str(net["attributes"].get("init", ""))), strict=False):
            if isinstance(bit, int) and initial in "01":
                inits[bit] = int(initial)
    return Netlist(top, ports, cells, names, inits, hidden)


def _cell(name: str, cell: dict[str, Any]) -> Cell:
    return Cell(
        name,
        cell["type"],
        {k: _parameter(v) for k, v in cell["parameters"].items()},
        {k: tuple(v) for k, v in cell["connections"].items()},
        dict(cell.get("port_directions", {})),
        cell["attributes"].get("src", ""),
    )


def _parameter(value: str | int) -> int | str:
    """Yosys writes numbers as binary digits; a text parameter, or one with x, stays as it is."""
    if isinstance(value, str) and value and set(value) <= {"0", "1"}:
        return int(value, 2)
    return value
