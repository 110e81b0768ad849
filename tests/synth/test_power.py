"""Power by hand on a small library."""

from collections.abc import Callable

import numpy as np
import pytest
from rtl_evolve.synth.activity import Activity, Workload, activity_of, simulate
from rtl_evolve.synth.library import Library
from rtl_evolve.synth.mapped import Mapped
from rtl_evolve.synth.power import estimate_power
from rtl_evolve.synth.timing import analyse

Build = Callable[..., Mapped]


def activity(mapped: Mapped, **nets: tuple[float, float]) -> Activity:
    """(toggles a cycle, duty) by signal."""
    toggles, duty = np.zeros(len(mapped.names)), np.zeros(len(mapped.names))
    duty[1] = 1
    for name, values in nets.items():
        toggles[mapped.names.index(name)], duty[mapped.names.index(name)] = values
    return Activity(toggles, duty)


def test_an_inverter(small: Library, netlist: Build) -> None:
    chain = [("INV", {"A": "a", "Y": "m"}), ("INV", {"A": "m", "Y": "y"})]
    mapped = netlist(small, ["a"], ["y"], chain)
    power = estimate_power(mapped, analyse(mapped), activity(mapped, a=(0.5, 0.5), m=(0.5, 0.5), y=(0.5, 0.5)), 1000.0)
    # half of 2 fF (the larger edge) at 2 V, every other nanosecond; what the input port and the output drive is no one's
    assert power.switching_uw.tolist() == pytest.approx([0.5 * 2 * 4 * 0.5, 0])
    # mean of 1 and 3 fJ at no slew; the second stage sees slews of 18 and 24 ps, turned round: 1 + 0.24 and 3 + 0.18
    assert power.internal_uw.tolist() == pytest.approx([2 * 0.5, (1.24 + 3.18) / 2 * 0.5])
    assert power.leakage_uw.tolist() == pytest.approx([3e-6, 3e-6])
    total = power.total()
    assert total.total_uw == pytest.approx(2 + 1 + 1.105 + 6e-6)


def test_leakage_by_state(small: Library, netlist: Build) -> None:
    mapped = netlist(small, ["a", "b"], ["y"], [("NAND2", {"A": "a", "B": "b", "Y": "y"})])
    power = estimate_power(mapped, analyse(mapped), activity(mapped, a=(0, 0.25), b=(0, 0.5), y=(0, 0.875)), 1000.0)
    # 8 pW while both are 1, 4 pW otherwise
    assert power.leakage_uw.tolist() == pytest.approx([(0.125 * 8 + 0.875 * 4) * 1e-6])


def test_power_is_proportional_to_the_clock_but_for_leakage(nangate: Library, netlist: Build) -> None:
    placed = [("XOR2_X1", {"A": "a", "B": "b", "Z": "m"}), ("DFF_X1", {"CK": "clk", "D": "m", "Q": "q"})]
    mapped = netlist(nangate, ["clk", "a", "b"], ["q"], placed)
    found = activity_of(simulate(mapped, Workload(clocks=("clk",))))
    fast, slow = (estimate_power(mapped, analyse(mapped), found, period).total() for period in (1000.0, 4000.0))
    assert fast.switching_uw == pytest.approx(4 * slow.switching_uw)
    assert fast.internal_uw == pytest.approx(4 * slow.internal_uw)
    assert fast.leakage_uw == slow.leakage_uw > 0


def test_a_clocked_register_burns_power_though_its_data_rest(nangate: Library, netlist: Build) -> None:
    mapped = netlist(nangate, ["clk", "a"], ["q"], [("DFF_X1", {"CK": "clk", "D": "a", "Q": "q"})])
    rest = Workload(clocks=("clk",), held={"a": 0})
    found = activity_of(simulate(mapped, rest))
    power = estimate_power(mapped, analyse(mapped), found, 1000.0).total()
    assert power.switching_uw == 0
    assert power.internal_uw > 1
