"""What a cell library says, as records in fixed units: ps, fF, fJ, nW, um2, volts."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from rtl_evolve.synth.liberty_tables import Tables

Sense = Literal["positive_unate", "negative_unate", "non_unate", "rising_edge", "falling_edge"]


@dataclass(frozen=True)
class Arc:
    """Delay from pin `related` to the pin that holds this: numbers of tables (slew ps, load fF) to ps; -1 is none.

    `sense` names the active clock edge for clock-to-output arcs.
    """

    related: str
    sense: Sense
    when: str
    rise_delay: int
    fall_delay: int
    rise_slew: int
    fall_slew: int


@dataclass(frozen=True)
class Energy:
    """Energy of one transition inside the cell: tables (slew ps, load fF) to fJ, -1 is none; `related` "" is none."""

    related: str
    when: str
    rise: int
    fall: int


@dataclass(frozen=True)
class Setup:
    """Setup time before an edge of the clock pin `related`: tables (clock slew ps, data slew ps) to ps; -1 is none."""

    related: str
    rising: bool
    rise: int
    fall: int


@dataclass(frozen=True)
class Pin:
    """A pin: capacitances in fF for its two edges, its function over the cell's pins (and a flip-flop's state)."""

    name: str
    direction: Literal["input", "output", "inout", "internal"]
    rise_ff: float
    fall_ff: float
    function: str | None = None
    three_state: bool = False
    arcs: tuple[Arc, ...] = ()
    energies: tuple[Energy, ...] = ()
    setups: tuple[Setup, ...] = ()


@dataclass(frozen=True)
class Flop:
    """A flip-flop's equations over the cell's pins; `state` and `inverse` are the names its outputs use."""

    state: str
    inverse: str
    clocked_on: str
    next_state: str
    clear: str | None = None
    preset: str | None = None


@dataclass(frozen=True)
class Leakage:
    """Leakage power in nW while `when` holds ("": always)."""

    when: str
    nw: float


@dataclass(frozen=True)
class Cell:
    """One library cell. `latch` also marks cells with a state that is no simple flip-flop (clock gates)."""

    name: str
    area_um2: float
    pins: Mapping[str, Pin]
    flop: Flop | None = None
    latch: bool = False
    dont_use: bool = False
    leakage_nw: float | None = None
    leakages: tuple[Leakage, ...] = ()

    @property
    def inputs(self) -> tuple[Pin, ...]:
        return tuple(pin for pin in self.pins.values() if pin.direction == "input")

    @property
    def outputs(self) -> tuple[Pin, ...]:
        return tuple(pin for pin in self.pins.values() if pin.direction == "output")


@dataclass(frozen=True)
class Library:
    """A cell library, read and ready; `digest` is its files' content hash and `dont_use` patterns of cell names.

    `abc_library` and `flop_library` are cached files for ABC (its binary form) and for Yosys's `dfflibmap` (the
    sequential cells alone); `find_library` sees to it that they exist.
    """

    name: str
    files: tuple[str, ...]
    digest: str
    corner: str
    voltage_v: float
    units: tuple[tuple[str, str], ...]
    cells: Mapping[str, Cell] = field(repr=False)
    tables: Tables = field(repr=False)
    dont_use: tuple[str, ...] = ()
    abc_library: str = ""
    flop_library: str = ""

    @property
    def flops(self) -> tuple[Cell, ...]:
        """The cells with a flip-flop."""
        return tuple(cell for cell in self.cells.values() if cell.flop)
