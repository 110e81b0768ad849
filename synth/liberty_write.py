"""A Liberty file with a library's flip-flops alone: Yosys's `dfflibmap` needs no tables and reads it in no time."""

from collections.abc import Iterator

from rtl_evolve.synth.library import Cell, Library


def flop_liberty(library: Library) -> str:
    """Every flip-flop that may be used, with its area, equations and pin directions."""
    usable = (cell for cell in library.flops if not cell.latch and cell.name not in library.dont_use)
    lines = ["library (flops) {", *(line for cell in usable for line in _cell(cell)), "}", ""]
    return "\n".join(lines)


def _cell(cell: Cell) -> Iterator[str]:
    flop = cell.flop
    assert flop is not None
    yield f'cell ("{cell.name}") {{ area : {cell.area_um2!r};'
    equations = {
        "clocked_on": flop.clocked_on,
        "next_state": flop.next_state,
        "clear": flop.clear,
        "preset": flop.preset,
    }
    body = " ".join(f'{key} : "{value}";' for key, value in equations.items() if value is not None)
    yield f'ff ("{flop.state}", "{flop.inverse}") {{ {body} }}'
    for pin in cell.pins.values():
        function = f' function : "{pin.function}";' if pin.function is not None else ""
        yield f"pin ({pin.name}) {{ direction : {pin.direction};{function} }}"
    yield "}"
