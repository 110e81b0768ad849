"""What makes a mapped netlist unusable, and how it is put in order."""

import json
from typing import Any

from rtl_evolve.synth.library import Library
from rtl_evolve.synth.mapped import Mapped, MappedPort, Unusable, assemble, read_mapped


def module(cells: dict[str, Any], outputs: list[int | str]) -> str:
    """Yosys JSON of a top with input bits 2 and 3."""
    ports = {
        "a": {"direction": "input", "bits": [2]},
        "b": {"direction": "input", "bits": [3]},
        "y": {"direction": "output", "bits": outputs},
    }
    names = {
        "a": {"hide_name": 0, "bits": [2]},
        "word": {"hide_name": 0, "bits": [4, 5]},
        "$x": {"hide_name": 1, "bits": [3]},
    }
    return json.dumps({"modules": {"top": {"ports": ports, "cells": cells, "netnames": names}}})


def cell(kind: str, **pins: int | str) -> dict[str, Any]:
    return {"type": kind, "attributes": {"src": "f.v:1"}, "connections": {pin: [bit] for pin, bit in pins.items()}}


def test_reading(small: Library) -> None:
    cells = {"g2": cell("INV", A=4, Y=5), "g1": cell("NAND2", A=2, B="1", Y=4)}
    mapped = read_mapped(module(cells, [5, "0"]), small, "top")
    assert isinstance(mapped, Mapped)
    assert [mapped.instances[i].name for i in mapped.order] == ["g1", "g2"]
    assert mapped.area_um2 == 3.5
    assert mapped.instances[0].src == "f.v:1"
    (output,) = mapped.outputs
    assert [mapped.place(net) for net in output.nets] == ["word[1]", "1'b0"]
    assert mapped.instances[1].nets["B"] == 1


def reason(library: Library, cells: dict[str, Any], outputs: list[int | str]) -> str:
    result = read_mapped(module(cells, outputs), library, "top")
    assert isinstance(result, Unusable)
    return result.reason


def test_unusable_netlists(small: Library, nangate: Library) -> None:
    assert (
        reason(small, {"g": cell("$_DLATCH_P_", D=2, E=3, Q=4)}, [4]) == "the library has no cell for $_DLATCH_P_ (1)"
    )
    assert reason(small, {"g": cell("box", A=2, Y=4)}, [4]) == "these cells are not in the library: box (1)"
    assert reason(nangate, {"g": cell("DLH_X1", D=2, G=3, Q=4)}, [4]) == "it became latches: DLH_X1"
    loop = {"g": cell("INV", A=5, Y=4), "h": cell("NAND2", A=4, B=2, Y=5)}
    assert reason(small, loop, [5]) == "there is a combinational loop"
    twice = {"g": cell("INV", A=2, Y=4), "h": cell("INV", A=3, Y=4)}
    assert reason(small, twice, [4]) == "word[0] has several drivers"
    assert reason(small, {}, [9]) == "output y[0] is not driven"


def test_wires_alone_cost_nothing(small: Library) -> None:
    mapped = read_mapped(module({}, [2, "1", "x"]), small, "top")
    assert isinstance(mapped, Mapped)
    assert mapped.area_um2 == 0


def test_a_loop_through_a_flip_flop_is_none(small: Library) -> None:
    cells = {"q": cell("DFF", CK=3, D=4, Q=5), "g": cell("NAND2", A=5, B=2, Y=4)}
    mapped = read_mapped(module(cells, [5]), small, "top")
    assert isinstance(mapped, Mapped)
    assert len(mapped.flops) == 1


def test_assembling_needs_no_names(small: Library) -> None:
    assert isinstance(assemble(small, [MappedPort("y", "output", (0,))], [], ["", "", ""]), Mapped)
