"""Yosys's gates read into a graph: each gate's function, and what makes a design unfit to map."""

import json
from typing import Any

import pytest
from rtl_evolve.rtl.aig import value
from rtl_evolve.synth.gates import Gates, read_gates
from rtl_evolve.synth.library import Library
from rtl_evolve.synth.mapped import Unusable


def module(cells: dict[str, Any], output: list[int | str]) -> str:
    """Yosys JSON of a top with input bits 2 to 5."""
    ports = {"a": {"direction": "input", "bits": [2, 3, 4, 5]}, "y": {"direction": "output", "bits": output}}
    names = {"state": {"hide_name": 0, "bits": [7, 8]}, "$x": {"hide_name": 1, "bits": [9]}}
    return json.dumps({"modules": {"top": {"ports": ports, "cells": cells, "netnames": names}}})


def cell(kind: str, **pins: int | str) -> dict[str, Any]:
    return {"type": kind, "attributes": {"src": "f.v:1"}, "connections": {pin: [bit] for pin, bit in pins.items()}}


@pytest.mark.parametrize(
    ("kind", "function"),
    [
        ("$_BUF_", lambda a, b, c, d: a),
        ("$_NOT_", lambda a, b, c, d: not a),
        ("$_AND_", lambda a, b, c, d: a and b),
        ("$_NAND_", lambda a, b, c, d: not (a and b)),
        ("$_OR_", lambda a, b, c, d: a or b),
        ("$_NOR_", lambda a, b, c, d: not (a or b)),
        ("$_XOR_", lambda a, b, c, d: a != b),
        ("$_XNOR_", lambda a, b, c, d: a == b),
        ("$_ANDNOT_", lambda a, b, c, d: a and not b),
        ("$_ORNOT_", lambda a, b, c, d: a or not b),
        ("$_MUX_", lambda a, b, c, d: b if c else a),
        ("$_NMUX_", lambda a, b, c, d: not (b if c else a)),
        ("$_AOI3_", lambda a, b, c, d: not ((a and b) or c)),
        ("$_OAI3_", lambda a, b, c, d: not ((a or b) and c)),
        ("$_AOI4_", lambda a, b, c, d: not ((a and b) or (c and d))),
        ("$_OAI4_", lambda a, b, c, d: not ((a or b) and (c or d))),
    ],
)
def test_every_gate(small: Library, kind: str, function: Any) -> None:
    third = "S" if "MUX" in kind else "C"
    pins = {"A": 2, "B": 3, third: 4, "D": 5, "Y": 6}
    gates = read_gates(module({"g": cell(kind, **pins)}, [6]), small, "top")
    assert isinstance(gates, Gates)
    patterns = [sum(1 << row for row in range(16) if row >> pin & 1) for pin in range(4)]
    found = value(gates.aig.simulate(patterns, 16), gates.ports[1].literals[0], 16)
    for row in range(16):
        assert found >> row & 1 == function(*(bool(row >> pin & 1) for pin in range(4))), (kind, row)


def test_flip_flops_bound_the_graph(small: Library) -> None:
    cells = {"q": cell("DFF", CK=2, D=6, Q=7), "g": cell("$_NAND_", A=7, B=3, Y=6)}
    gates = read_gates(module(cells, [7, "1", "x"]), small, "top")
    assert isinstance(gates, Gates)
    (flop,) = gates.flops
    assert (flop.cell.name, flop.state, flop.src) == ("DFF", "state[0]", "f.v:1")
    assert flop.outputs == (("Q", 5),)
    assert gates.ports[1].literals == (10, 1, 0)
    assert dict(flop.inputs)["CK"] == 2
    assert len(gates.aig.fanin0) == 1


def reason(library: Library, cells: dict[str, Any], outputs: list[int | str]) -> str:
    result = read_gates(module(cells, outputs), library, "top")
    assert isinstance(result, Unusable)
    return result.reason


def test_what_cannot_be_mapped(small: Library) -> None:
    assert (
        reason(small, {"g": cell("$_DLATCH_P_", D=2, E=3, Q=6)}, [6]) == "the library has no cell for $_DLATCH_P_ (1)"
    )
    assert reason(small, {"g": cell("box", A=2, Y=6)}, [6]) == "these cells are not in the library: box (1)"
    loop = {"g": cell("$_NOT_", A=7, Y=6), "h": cell("$_AND_", A=6, B=2, Y=7)}
    assert reason(small, loop, [7]) == "there is a combinational loop"
    twice = {"g": cell("$_NOT_", A=2, Y=6), "h": cell("$_NOT_", A=3, Y=6)}
    assert reason(small, twice, [6]) == "a signal has several drivers"
    assert reason(small, {"g": cell("$_NOT_", A=3, Y=2)}, [2]) == "a signal has several drivers"
    assert reason(small, {}, [9]) == "output y[0] is not driven"
