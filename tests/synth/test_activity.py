"""Zero-delay activity against simulation a cycle and a gate at a time."""

from collections.abc import Callable

import numpy as np
import pytest
from rtl_evolve.synth.activity import Workload, activity_of, simulate
from rtl_evolve.synth.library import Library
from rtl_evolve.synth.mapped import Mapped

Build = Callable[..., Mapped]


def net(mapped: Mapped, name: str) -> int:
    return mapped.names.index(name)


def test_combinational_values_are_the_functions(small: Library, netlist: Build) -> None:
    placed = [("NAND2", {"A": "a", "B": "b", "Y": "m"}), ("XOR2", {"A": "m", "B": "b", "Y": "y"})]
    mapped = netlist(small, ["a", "b"], ["y"], placed)
    waves = simulate(mapped, Workload(vectors=300))
    a, b, y = (waves.values[net(mapped, name)] for name in "aby")
    ones = (1 << 301) - 1
    assert y == ((a & b) ^ ones) ^ b
    assert a != b
    activity = activity_of(waves)
    flips = sum((a >> t ^ a >> t + 1) & 1 for t in range(300))
    assert activity.toggles[net(mapped, "a")] == flips / 300
    assert activity.duty[net(mapped, "a")] == sum(a >> t & 1 for t in range(1, 301)) / 300


def test_a_workload_is_repeatable_and_its_seed_matters(small: Library, netlist: Build) -> None:
    mapped = netlist(small, ["a"], ["y"], [("INV", {"A": "a", "Y": "y"})])
    assert simulate(mapped, Workload()).values == simulate(mapped, Workload()).values
    assert simulate(mapped, Workload()).values != simulate(mapped, Workload(seed=2)).values


def test_held_inputs(small: Library, netlist: Build) -> None:
    mapped = netlist(small, ["a", "b"], ["y"], [("NAND2", {"A": "a", "B": "b", "Y": "y"})])
    activity = activity_of(simulate(mapped, Workload(held={"b": 0})))
    assert activity.toggles[net(mapped, "y")] == 0
    assert activity.duty[net(mapped, "y")] == 1


def test_a_toggle_flip_flop(small: Library, netlist: Build) -> None:
    placed = [("DFFR", {"CK": "clk", "D": "d", "RN": "rn", "Q": "q"}), ("INV", {"A": "q", "Y": "d"})]
    mapped = netlist(small, ["clk", "rn"], ["q"], placed)
    workload = Workload(vectors=640, clocks=("clk",), reset=("rn", 0))
    activity = activity_of(simulate(mapped, workload))
    assert activity.toggles[net(mapped, "q")] == 1.0
    assert activity.duty[net(mapped, "q")] == 0.5
    assert activity.toggles[net(mapped, "clk")] == 2.0
    assert activity.toggles[net(mapped, "rn")] == 0.0
    # without the clock named, it is one more random input, and the register steps every cycle all the same
    assert activity_of(simulate(mapped, Workload(vectors=640, reset=("rn", 0)))).toggles[net(mapped, "q")] == 1.0


def test_a_shift_register_passes_values_on(small: Library, netlist: Build) -> None:
    placed = [("DFF", {"CK": "clk", "D": f"q{i}", "Q": f"q{i + 1}"}) for i in range(3)]
    mapped = netlist(small, ["clk", "q0"], ["q3"], placed)
    waves = simulate(mapped, Workload(vectors=1000, clocks=("clk",)))
    first, last = (waves.values[net(mapped, f"q{i}")] for i in (0, 3))
    cycles = (1 << waves.streams * (waves.cycles - 2)) - 1
    assert first & cycles == last >> 3 * waves.streams & cycles
    assert waves.streams * waves.cycles >= 1000


def test_a_flip_flop_with_an_enable_keeps_its_value(nangate: Library, netlist: Build) -> None:
    placed = [("DFF_X1", {"CK": "clk", "D": "d", "QN": "n"}), ("MUX2_X1", {"A": "q", "B": "a", "S": "en", "Z": "d"})]
    placed += [("INV_X1", {"A": "n", "ZN": "q"})]
    mapped = netlist(nangate, ["clk", "a", "en"], ["q"], placed)
    idle = activity_of(simulate(mapped, Workload(clocks=("clk",), held={"en": 0})))
    assert idle.toggles[net(mapped, "q")] == 0
    busy = activity_of(simulate(mapped, Workload(clocks=("clk",))))
    assert busy.toggles[net(mapped, "q")] == pytest.approx(0.25, abs=0.03)
    assert np.isclose(busy.duty[net(mapped, "q")] + busy.duty[net(mapped, "n")], 1)


def test_a_clock_toggles_behind_inverters_too(small: Library, netlist: Build) -> None:
    placed = [("INV", {"A": "clk", "Y": "nclk"}), ("DFF", {"CK": "nclk", "D": "a", "Q": "q"})]
    mapped = netlist(small, ["clk", "a"], ["q"], placed)
    activity = activity_of(simulate(mapped, Workload(clocks=("clk",))))
    assert activity.toggles[net(mapped, "nclk")] == 2
    assert activity.duty[net(mapped, "nclk")] == 0.5
