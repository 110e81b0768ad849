"""What a prompt says of costs: what cells cost in the library, and what each line of a candidate's source does."""

from dataclasses import replace
from itertools import permutations

from rtl_evolve.rtl.candidate import Candidate
from rtl_evolve.rtl.design import Design
from rtl_evolve.rtl.elaborate import Unelaborated, elaborate
from rtl_evolve.synth.attribution import attribute
from rtl_evolve.synth.libraries import find_library
from rtl_evolve.synth.library import Cell
from rtl_evolve.synth.logic import compile_function
from rtl_evolve.synth.measure import MeasureSettings, measure_in_detail

MOST_LINES = 16
LEAST_SHARE = 0.01  # of the area: lines below it are not worth telling
_KNOWN = {
    ("!a",): "inverter",
    ("!(a&b)",): "NAND of 2",
    ("a&b",): "AND of 2",
    ("a^b",): "XOR of 2",
    ("(a&!s)|(b&s)",): "multiplexer of 2",
    ("!((a&b)|c)",): "AND-OR-invert of 2 and 1",
    ("a^b", "a&b"): "half adder",
    ("a^b^c", "(a&b)|(a&c)|(b&c)"): "full adder",
}


def library_hints(library: str, dont_use: tuple[str, ...]) -> tuple[str, ...]:
    """The smallest cell of each common kind with its area, smallest first."""
    kinds = {_shape(functions): name for functions, name in _KNOWN.items()}
    best: dict[str, Cell] = {}
    for cell in find_library(library, dont_use).cells.values():
        name = _kind(cell, kinds)
        if name and not cell.dont_use and (name not in best or cell.area_um2 < best[name].area_um2):
            best[name] = cell
    by_area = sorted(best.items(), key=lambda item: item[1].area_um2)
    return tuple(f"{name}: {cell.area_um2:.3g} um2 ({cell.name})" for name, cell in by_area)


def _kind(cell: Cell, kinds: dict[frozenset[tuple[int, ...]], str]) -> str:
    if cell.flop:
        return "flip-flop"
    functions = tuple(pin.function for pin in cell.outputs if pin.function)
    if cell.latch or len(functions) != len(cell.outputs) or len(cell.inputs) > 3:
        return ""
    return kinds.get(_shape(functions), "")


def _shape(functions: tuple[str, ...]) -> frozenset[tuple[int, ...]]:
    """The truth tables of a cell's outputs, the same whatever its inputs are called."""
    return frozenset(_canonical(function) for function in functions)


def _canonical(function: str) -> tuple[int, ...]:
    table = compile_function(function).truth_table()
    count = len(table).bit_length() - 1
    return min(
        tuple(table[sum((row >> pin & 1) << place for place, pin in enumerate(order))] for row in range(len(table)))
        for order in permutations(range(count))
    )


class LineCosts:
    """What a candidate's source lines cost by one recipe, each candidate measured once."""

    def __init__(self, design: Design, screening: MeasureSettings) -> None:
        self._design = design
        self._settings = replace(screening, recipes=screening.recipes[:1], clock_ps=(), power=False)
        self._known: dict[str, tuple[str, ...]] = {}

    def __call__(self, candidate: Candidate) -> tuple[str, ...]:
        """A line each, greatest area first; empty when it cannot be measured."""
        if candidate.id not in self._known:
            self._known[candidate.id] = self._measure(candidate)
        return self._known[candidate.id]

    def _measure(self, candidate: Candidate) -> tuple[str, ...]:
        sources = candidate.sources(self._design.sources)
        elaboration = elaborate(sources)
        if isinstance(elaboration, Unelaborated):
            return ()
        measured = measure_in_detail(elaboration, self._settings)
        if not measured.netlists:
            return ()
        netlist = measured.netlists[0]
        texts = {f.path: f.text.splitlines() for f in sources.files}
        told = []
        for found in attribute(elaboration, netlist.mapped, netlist.timing).lines[:MOST_LINES]:
            lines = texts.get(found.path, [])
            share = found.cost.area_um2 / netlist.mapped.area_um2
            if share < LEAST_SHARE or not 0 < found.line <= len(lines):
                continue
            path = f", {found.cost.path_ps:.0f} ps of the critical path" if found.cost.path_ps >= 1 else ""
            said = " ".join(lines[found.line - 1].split())[:100]
            told.append(f"{found.path}:{found.line}: {100 * share:.0f} % of the area{path}: `{said}`")
        if told:
            total = f"all: {netlist.mapped.area_um2:.4g} um2, critical path {netlist.timing.delay_ps:.0f} ps"
            told.insert(0, f"{total} (recipe {netlist.measurement.recipe})")
        return tuple(told)
