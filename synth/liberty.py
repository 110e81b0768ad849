"""Liberty files to a `Library`: units from the file, NLDM tables, functions, flip-flops, power."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rtl_evolve.rtl.errors import InputError
from rtl_evolve.synth.liberty_tables import TableCollector
from rtl_evolve.synth.liberty_text import Group, numbers, parse_liberty, split_arguments
from rtl_evolve.synth.library import Arc, Cell, Energy, Flop, Leakage, Library, Pin, Sense, Setup
from rtl_evolve.synth.logic import compile_function, unateness

_SCALE = {"f": 1e-15, "p": 1e-12, "n": 1e-9, "u": 1e-6, "m": 1e-3, "": 1.0}
# pin directions as Liberty writes them; anything else (a bus's, a power pin's) is of no use here
_DIRECTIONS = ("input", "output", "inout", "internal")


@dataclass(frozen=True)
class _Units:
    """What one unit of the file is in ps, fF, fJ and nW."""

    time: float
    load: float
    energy: float
    leakage: float


@dataclass(frozen=True)
class _Axes:
    """A table template: which variable each axis stands for, and its default points."""

    variables: tuple[str, ...]
    points: tuple[tuple[float, ...], ...]


@dataclass
class _Reader:
    """What reading a cell needs from its library."""

    units: _Units
    templates: dict[str, _Axes]
    tables: TableCollector
    default_input_ff: float


def read_liberty(files: Sequence[tuple[str, str]], name: str = "", digest: str = "") -> Library:
    """One library from (path, text) of one or several files; the first gives the name, corner and voltage.

    Raises InputError when a file is broken, holds no cell, no delay table, or disagrees in voltage with the first.
    """
    tables = TableCollector()
    cells: dict[str, Cell] = {}
    groups = [parse_liberty(text, path) for path, text in files]
    for (path, _), group in zip(files, groups, strict=True):
        try:
            reader = _reader(group, tables)
            read = {cell.name: _read_cell(cell, reader) for cell in group.all("cell")}
        except (ValueError, KeyError, IndexError) as error:
            raise InputError(f"cannot make sense of library {group.name}: {error}", file=path) from error
        twice = cells.keys() & read.keys()
        if twice:
            raise InputError(f"cell {min(twice)} is in another of the libraries too", file=path)
        cells |= read
    head, path = groups[0], files[0][0]
    if not cells:
        raise InputError(f"library {head.name} holds no cell", file=path)
    if not any(arc.rise_delay >= 0 for cell in cells.values() for pin in cell.pins.values() for arc in pin.arcs):
        raise InputError(
            f"library {head.name} has no NLDM delay table (cell_rise, cell_fall): choose another", file=path
        )
    return Library(
        name=name or head.name,
        files=tuple(path for path, _ in files),
        digest=digest,
        corner=_corner(head),
        voltage_v=_voltage(head),
        units=_unit_names(head),
        cells=cells,
        tables=tables.tables(),
    )


def _corner(library: Group) -> str:
    process = library.attributes.get("default_operating_conditions") or "unnamed"
    celsius = library.attributes.get("nom_temperature", "?")
    return f"{process}, {_voltage(library):g} V, {float(celsius) if celsius != '?' else 0:g} C"


def _voltage(library: Group) -> float:
    return float(library.attributes.get("nom_voltage", 1.0))


def _unit_names(library: Group) -> tuple[tuple[str, str], ...]:
    load = split_arguments(library.complex.get("capacitive_load_unit", ["1, pf"])[0])
    return (
        ("time", library.attributes.get("time_unit", "1ns")),
        ("capacitance", f"{float(load[0]):g}{load[1]}"),
        ("leakage", library.attributes.get("leakage_power_unit", "1nW")),
        ("voltage", library.attributes.get("voltage_unit", "1V")),
    )


def _si(text: str, unit: str) -> float:
    """`"10ps"` in seconds."""
    match = re.fullmatch(rf"\s*([\d.eE+-]*?)\s*([fpnum]?){unit}\s*", text, re.IGNORECASE)
    if match is None:
        raise ValueError(f"unit `{text}` is not understood")
    return float(match[1] or 1) * _SCALE[match[2].lower()]


def _reader(library: Group, tables: TableCollector) -> _Reader:
    names = dict(_unit_names(library))
    load = _si(names["capacitance"], "f") * 1e15
    volt = _si(names["voltage"], "V")
    units = _Units(
        time=_si(names["time"], "s") * 1e12,
        load=load,
        energy=load * volt * volt,
        leakage=_si(names["leakage"], "W") * 1e9,
    )
    templates = {}
    for group in library.groups:
        if group.kind in ("lu_table_template", "power_lut_template"):
            keys = [k for k in ("variable_1", "variable_2", "variable_3") if k in group.attributes]
            points = [group.complex.get(f"index_{k[-1]}", [""])[0] for k in keys]
            templates[group.name] = _Axes(
                tuple(group.attributes[k] for k in keys), tuple(tuple(numbers(p)) for p in points)
            )
    return _Reader(units, templates, tables, float(library.attributes.get("default_input_pin_cap", 0)) * load)


def _read_cell(group: Group, reader: _Reader) -> Cell:
    ground = {g.name for g in group.all("pg_pin") if g.attributes.get("pg_type", "primary_power") != "primary_power"}
    flop = group.first("ff")
    pins = {}
    for pin in group.all("pin"):
        for name in pin.arguments:
            if pin.attributes.get("direction") in _DIRECTIONS:
                pins[name] = _read_pin(pin, name, reader, ground)
    leakage = group.attributes.get("cell_leakage_power")
    return Cell(
        name=group.name,
        area_um2=float(group.attributes.get("area", 0)),
        pins=pins,
        flop=_read_flop(flop) if flop else None,
        latch=any(group.first(kind) is not None for kind in ("latch", "statetable", "ff_bank", "latch_bank")),
        dont_use=group.attributes.get("dont_use") == "true",
        leakage_nw=None if leakage is None else float(leakage) * reader.units.leakage,
        leakages=tuple(
            Leakage(_when(g), float(g.attributes["value"]) * reader.units.leakage)
            for g in group.all("leakage_power")
            if g.attributes.get("related_pg_pin") not in ground
        ),
    )


def _read_flop(group: Group) -> Flop:
    attributes = group.attributes
    return Flop(
        state=group.arguments[0],
        inverse=group.arguments[1] if len(group.arguments) > 1 else "",
        clocked_on=attributes["clocked_on"],
        next_state=attributes["next_state"],
        clear=attributes.get("clear"),
        preset=attributes.get("preset"),
    )


def _when(group: Group) -> str:
    when = group.attributes.get("when", "")
    if when:
        compile_function(when)
    return when


def _read_pin(group: Group, name: str, reader: _Reader, ground: set[str]) -> Pin:
    attributes = group.attributes
    direction = attributes["direction"]
    default = reader.default_input_ff if direction == "input" else 0.0
    load = reader.units.load
    both = float(attributes["capacitance"]) * load if "capacitance" in attributes else default
    function = attributes.get("function")
    if function is not None:
        compile_function(function)
    return Pin(
        name=name,
        direction=direction,  # type: ignore[arg-type]  # checked against _DIRECTIONS by the caller
        rise_ff=float(attributes["rise_capacitance"]) * load if "rise_capacitance" in attributes else both,
        fall_ff=float(attributes["fall_capacitance"]) * load if "fall_capacitance" in attributes else both,
        function=function,
        three_state="three_state" in attributes,
        arcs=tuple(arc for timing in group.all("timing") for arc in _read_arcs(timing, function, reader)),
        energies=tuple(
            energy
            for power in group.all("internal_power")
            if power.attributes.get("related_pg_pin") not in ground
            for energy in _read_energies(power, reader)
        ),
        setups=tuple(setup for timing in group.all("timing") for setup in _read_setups(timing, reader)),
    )


def _read_arcs(timing: Group, function: str | None, reader: _Reader) -> Iterator[Arc]:
    """Asynchronous set and clear and three-state arcs are left out, as OpenSTA does by default."""
    kind = timing.attributes.get("timing_type", "combinational")
    if kind not in ("combinational", "combinational_rise", "combinational_fall", "rising_edge", "falling_edge"):
        return
    time = reader.units.time
    tables = [
        _table(timing.first(what), reader, time)
        for what in ("cell_rise", "cell_fall", "rise_transition", "fall_transition")
    ]
    if kind == "combinational_rise":
        tables[1] = tables[3] = -1
    elif kind == "combinational_fall":
        tables[0] = tables[2] = -1
    if tables[0] < 0 and tables[1] < 0:
        return
    for related in timing.attributes["related_pin"].split():
        sense: str = kind
        if kind.startswith("combinational"):
            given = timing.attributes.get("timing_sense")
            sense = given or (unateness(function, related) if function else "non_unate")
        yield Arc(related, _sense(sense), timing.attributes.get("when", ""), *tables)


def _sense(text: str) -> Sense:
    if text not in ("positive_unate", "negative_unate", "non_unate", "rising_edge", "falling_edge"):
        raise ValueError(f"timing_sense `{text}` is not understood")
    return text  # type: ignore[return-value]  # narrowed by the line above


def _read_setups(timing: Group, reader: _Reader) -> Iterator[Setup]:
    kind = timing.attributes.get("timing_type", "")
    if kind not in ("setup_rising", "setup_falling"):
        return
    rise, fall = (
        _table(timing.first(what), reader, reader.units.time) for what in ("rise_constraint", "fall_constraint")
    )
    for related in timing.attributes["related_pin"].split():
        yield Setup(related, kind == "setup_rising", rise, fall)


def _read_energies(power: Group, reader: _Reader) -> Iterator[Energy]:
    both = power.first("power")
    rise, fall = (
        _table(power.first(what) or both, reader, reader.units.energy) for what in ("rise_power", "fall_power")
    )
    for related in power.attributes.get("related_pin", "").split() or [""]:
        yield Energy(related, _when(power), rise, fall)


def _table(group: Group | None, reader: _Reader, scale: float) -> int:
    """The number of a table with axes put in the order slew, load (or clock slew, data slew); -1 when there is none."""
    if group is None or "values" not in group.complex:
        return -1
    template = reader.templates.get(group.name, _Axes((), ()))
    values = [number * scale for number in numbers(", ".join(group.complex["values"]))]
    axes: list[tuple[bool, tuple[float, ...]]] = []
    for place, variable in enumerate(template.variables):
        own = group.complex.get(f"index_{place + 1}")
        points = tuple(numbers(own[0])) if own else template.points[place]
        is_load = "capacitance" in variable
        unit = reader.units.load if is_load else reader.units.time
        axes.append((is_load or "constrained" in variable, tuple(point * unit for point in points)))
    if len(axes) > 2:
        raise ValueError(f"table {group.kind} ({group.name}) has three axes, which is not supported")
    size = 1
    for _, points in axes:
        size *= len(points)
    if size != len(values):
        raise ValueError(f"table {group.kind} ({group.name}) has {len(values)} values where its axes want {size}")
    return _ordered(axes, values, reader.tables)


def _ordered(axes: list[tuple[bool, tuple[float, ...]]], values: list[float], tables: TableCollector) -> int:
    if len(axes) == 2 and axes[0][0]:
        columns = len(axes[1][1])
        values = [value for column in range(columns) for value in values[column::columns]]
        axes = axes[::-1]
    first = next((points for second, points in axes if not second), ())
    second = next((points for second, points in axes if second), ())
    return tables.add(first, second, values)
