"""Power of a mapped netlist from its switching activity, by OpenSTA's formulas.

Switching is half C V^2 a toggle at nets that cells drive, with C the larger of the rising and falling load. Internal
energy at an output comes from the tables of each related input, weighted by that input's toggles times the probability
that the output follows it; at inputs by the probability of `when`. Leakage is weighted by the probability of `when`.
Inputs of one cell count as independent. Nets that input ports drive are left out, as in OpenSTA.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from rtl_evolve.synth.activity import Activity
from rtl_evolve.synth.arcs import by_cell
from rtl_evolve.synth.liberty_tables import Floats, Indices
from rtl_evolve.synth.library import Cell, Energy, Pin
from rtl_evolve.synth.logic import columns, compile_function
from rtl_evolve.synth.mapped import Mapped
from rtl_evolve.synth.measurement import Power
from rtl_evolve.synth.timing import Timing


@dataclass(frozen=True)
class InstancePower:
    """Microwatts by instance."""

    switching_uw: Floats
    internal_uw: Floats
    leakage_uw: Floats

    def total(self) -> Power:
        """Summed over the design."""
        return Power(*(float(part.sum()) for part in (self.switching_uw, self.internal_uw, self.leakage_uw)))


def estimate_power(mapped: Mapped, timing: Timing, activity: Activity, period_ps: float) -> InstancePower:
    """Power by instance when a cycle of the activity takes `period_ps`."""
    count = len(mapped.instances)
    switching, internal, leakage = np.zeros(count), np.zeros(count), np.zeros(count)
    # 1 fJ in 1 ps is 1 mW
    rate_uw = activity.toggles / period_ps * 1e3
    load = np.maximum(timing.loads.rise_ff, timing.loads.fall_ff)
    net_uw = 0.5 * load * mapped.library.voltage_v**2 * rate_uw
    for name, members in by_cell(mapped).items():
        group = _Group(mapped, mapped.library.cells[name], np.array(members), timing, activity, rate_uw, load)
        for pin, nets in group.nets.items():
            if group.cell.pins[pin].direction == "output":
                switching[group.members] += net_uw[nets]
        internal[group.members] = group.internal()
        leakage[group.members] = group.leakage()
    return InstancePower(switching, internal, leakage)


class _Group:
    """All instances of one cell type that have the same pins connected; arrays run over them."""

    def __init__(
        self,
        mapped: Mapped,
        cell: Cell,
        members: Indices,
        timing: Timing,
        activity: Activity,
        rate_uw: Floats,
        load: Floats,
    ) -> None:
        self.cell = cell
        self.members = members
        self.tables = mapped.library.tables
        self.slew = timing.slew_ps
        self.activity = activity
        self.rate_uw = rate_uw
        self.load = load
        # an output that some instances leave open counts there as constant 0, which neither toggles nor has a load
        used = {pin for member in members for pin in mapped.instances[member].nets}
        self.nets = {
            pin: np.array([mapped.instances[member].nets.get(pin, 0) for member in members], dtype=np.int64)
            for pin in cell.pins
            if pin in used
        }

    def internal(self) -> Floats:
        """Internal power in uW."""
        total = np.zeros(len(self.members))
        for name, pin in self.cell.pins.items():
            if name in self.nets and pin.energies:
                total += self._at_output(pin) if pin.direction == "output" else self._at_input(pin)
        return total

    def _at_output(self, pin: Pin) -> Floats:
        weights, energies = np.zeros(len(self.members)), np.zeros(len(self.members))
        for energy in pin.energies:
            if energy.related not in self.nets:
                continue
            source = self.nets[energy.related]
            weight = self.rate_uw[source] * self._share(pin, energy)
            weights += weight
            inverts = _inverts(self.cell, energy.related, pin)
            energies += weight * self._energy(energy, source, self.load[self.nets[pin.name]], inverts=inverts)
        mean = np.divide(energies, weights, out=np.zeros(len(weights)), where=weights > 0)
        return mean * self.rate_uw[self.nets[pin.name]]

    def _share(self, pin: Pin, energy: Energy) -> Floats:
        """How often the output follows the related input."""
        function = pin.function
        if function is not None and energy.related in compile_function(function).pins:
            return self._probability(_difference(function, energy.related))
        if energy.when:
            return self._probability(_minterms(energy.when))
        return np.full(len(self.members), 0.5)

    def _at_input(self, pin: Pin) -> Floats:
        total = np.zeros(len(self.members))
        for energy in pin.energies:
            share = self._input_share(pin, energy)
            net = self.nets[pin.name]
            total += share * self._energy(energy, net, np.zeros(len(net)), inverts=False) * self.rate_uw[net]
        return total

    def _input_share(self, pin: Pin, energy: Energy) -> Floats:
        if not energy.when:
            return np.ones(len(self.members))
        for output in self.cell.outputs:
            if output.name in compile_function(energy.when).pins and output.function is not None:
                if pin.name in compile_function(output.function).pins:
                    return self._probability(_difference(output.function, pin.name))
                break
        return self._probability(_minterms(energy.when))

    def _energy(self, energy: Energy, net: Indices, load: Floats, *, inverts: bool) -> Floats:
        """Mean of the rising and the falling energy in fJ at the net's slews."""
        total = np.zeros(len(net))
        for table, edge in ((energy.rise, 0), (energy.fall, 1)):
            if table >= 0:
                slew = self.slew[2 * net + (1 - edge if inverts else edge)]
                total += self.tables.at(np.full(len(net), table), slew, load)
        return total / 2

    def _probability(self, rows: "_Rows") -> Floats:
        """Probability that the pins are in one of the rows."""
        mass = np.ones((1, len(self.members)))
        for pin in rows.pins:
            one = self._duty(pin)
            mass = np.concatenate([mass * (1 - one), mass * one])
        chosen: Floats = mass[list(rows.rows)].sum(axis=0)
        return chosen

    def _duty(self, pin: str) -> Floats:
        if pin in self.nets:
            return self.activity.duty[self.nets[pin]]
        flop = self.cell.flop
        wanted = self.cell.pins[pin].function if pin in self.cell.pins else pin
        if flop is not None and wanted in (flop.state, flop.inverse):
            for output in self.cell.outputs:
                if output.name in self.nets and output.function in (flop.state, flop.inverse):
                    duty = self.activity.duty[self.nets[output.name]]
                    return duty if output.function == wanted else 1 - duty
        return np.full(len(self.members), 0.5)

    def leakage(self) -> Floats:
        """Leakage in uW."""
        conditional = [leak for leak in self.cell.leakages if leak.when]
        if not conditional:
            always = [leak.nw for leak in self.cell.leakages] or [self.cell.leakage_nw or 0.0]
            return np.full(len(self.members), always[-1] * 1e-3)
        total, covered = np.zeros(len(self.members)), np.zeros(len(self.members))
        for leak in conditional:
            share = self._probability(_minterms(leak.when))
            total += share * leak.nw
            if leak.nw > 0:
                covered += share
        return (total + (self.cell.leakage_nw or 0.0) * (1 - covered)) * 1e-3


@dataclass(frozen=True)
class _Rows:
    """Rows of a truth table over some pins, pin 0 the lowest bit."""

    pins: tuple[str, ...]
    rows: tuple[int, ...]


@lru_cache(maxsize=4096)
def _minterms(function: str) -> _Rows:
    """The rows where a function is 1."""
    compiled = compile_function(function)
    return _Rows(compiled.pins, tuple(row for row, value in enumerate(compiled.truth_table()) if value))


@lru_cache(maxsize=4096)
def _difference(function: str, pin: str) -> _Rows:
    """The rows over the other pins where the function depends on `pin`."""
    compiled = compile_function(function)
    others = tuple(name for name in compiled.pins if name != pin)
    ones = (1 << (1 << len(others))) - 1
    values: Mapping[str, int] = dict(zip(others, columns(len(others)), strict=True))
    low, high = (
        compiled.evaluate(ones, *(constant if name == pin else values[name] for name in compiled.pins))
        for constant in (0, ones)
    )
    return _Rows(others, tuple(row for row in range(1 << len(others)) if (low ^ high) >> row & 1))


def _inverts(cell: Cell, related: str, pin: Pin) -> bool:
    """Whether the first arc between the pins turns edges round (a `non_unate` one doesn't)."""
    first = next((arc for arc in cell.pins[pin.name].arcs if arc.related == related), None)
    return first is not None and first.sense not in ("positive_unate", "non_unate")
