"""Timed activity against an event-driven simulation of one cycle at a time with the same delays."""

from collections.abc import Callable
from dataclasses import replace
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rtl_evolve.rtl.elaborate import Elaboration
from rtl_evolve.synth.activity import Activity, Workload, activity_of, simulate
from rtl_evolve.synth.glitch import TICKS, count_toggles, net_delays, timed_activity, waveforms
from rtl_evolve.synth.library import Library
from rtl_evolve.synth.mapped import Mapped
from rtl_evolve.synth.power import estimate_power
from rtl_evolve.synth.recipe import load_recipes
from rtl_evolve.synth.synthesise import Job, synthesise
from rtl_evolve.synth.timing import Timing, analyse

Build = Callable[..., Mapped]
EventDriven = Callable[[Mapped, list[int], list[int], list[int], dict[int, int]], list[int]]

CELLS = {
    "NAND2_X1": ("A1", "A2", "ZN"),
    "XOR2_X1": ("A", "B", "Z"),
    "NOR2_X1": ("A1", "A2", "ZN"),
    "OR2_X1": ("A1", "A2", "ZN"),
}


def random_netlist(build: Build, library: Library, random: Random, gates: int) -> Mapped:
    signals = ["a", "b", "c", "d"]
    placed = []
    for number in range(gates):
        cell, (one, two, out) = random.choice(sorted(CELLS.items()))
        pins = {one: random.choice(signals), two: random.choice(signals), out: f"n{number}"}
        placed.append((cell, pins))
        signals.append(f"n{number}")
    return build(library, ["a", "b", "c", "d"], [f"n{gates - 1}"], placed)


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 10**6), gates=st.integers(1, 25), ticks=st.sampled_from([7, 40, 400]))
def test_toggles_are_those_of_an_event_driven_simulation(
    nangate: Library, netlist: Build, event_driven: EventDriven, seed: int, gates: int, ticks: int
) -> None:
    mapped = random_netlist(netlist, nangate, Random(seed), gates)
    timing = analyse(mapped)
    waves = simulate(mapped, Workload(vectors=12, seed=seed))
    delay = (
        np.maximum(np.rint(net_delays(mapped, timing) / (max(timing.delay_ps, 1.0) / ticks)), 1).astype(int).tolist()
    )
    births = {net: 0 for port in mapped.inputs for net in port.nets}
    expected = [0] * len(mapped.names)
    for step in range(12):
        before, after = ([v >> step & 1 for v in values] for values in (waves.before, waves.after))
        expected = [
            sum(pair) for pair in zip(expected, event_driven(mapped, delay, before, after, births), strict=True)
        ]
    found = waveforms(mapped, timing, waves, ticks)
    assert [count_toggles(found.get(net, [])) for net in range(len(mapped.names))] == expected


def test_a_hazard_is_counted_and_a_short_pulse_is_not(small: Library, netlist: Build) -> None:
    # y = !(a & late(!a)): rests at 1; a pulse of three gates' length follows each rise of a
    chain = [("INV", {"A": "a", "Y": "b"}), ("INV", {"A": "b", "Y": "c"}), ("INV", {"A": "c", "Y": "d"})]
    long = netlist(small, ["a"], ["y"], [*chain, ("NAND2", {"A": "a", "B": "d", "Y": "y"})])
    short = netlist(small, ["a"], ["y"], [chain[0], ("NAND2", {"A": "a", "B": "b", "Y": "y"})])
    toggles = {}
    for name, mapped in (("long", long), ("short", short)):
        waves = simulate(mapped, Workload(vectors=500))
        settled, timed = activity_of(waves), timed_activity(mapped, analyse(mapped), waves)
        y, a = mapped.names.index("y"), mapped.names.index("a")
        assert settled.toggles[y] == 0
        toggles[name] = timed.toggles[y] / timed.toggles[a]
    assert 0.9 < toggles["long"] <= 1.1
    assert toggles["short"] == 0


def test_registers_change_their_clock_to_output_delay_after_inputs(small: Library, netlist: Build) -> None:
    placed = [("DFF", {"CK": "clk", "D": "a", "Q": "q"}), ("XOR2", {"A": "a", "B": "q", "Y": "y"})]
    mapped = netlist(small, ["clk", "a"], ["y"], placed)
    waves = simulate(mapped, Workload(vectors=2000, clocks=("clk",)))
    timing = analyse(mapped)
    found = waveforms(mapped, timing, waves)
    q = mapped.names.index("q")
    tick = timing.delay_ps / TICKS
    assert [round(t * tick) for t, _ in found[q]] == [110]
    timed = timed_activity(mapped, timing, waves)
    # the two inputs of the gate change 110 ps apart and its delay is 65 ps: it follows both
    y, a = mapped.names.index("y"), mapped.names.index("a")
    assert timed.toggles[y] == timed.toggles[a] + timed.toggles[q]
    assert timed.toggles[mapped.names.index("clk")] == 2


@pytest.mark.slow
def test_architectures_rank_as_in_an_event_driven_simulation(
    nangate: Library, elaborated: Callable[[str], Elaboration], event_driven: EventDriven
) -> None:
    array = """module top(input [15:0] a, b, output reg [31:0] p); integer i;
      always @* begin p = 0; for (i = 0; i < 16; i = i + 1) if (b[i]) p = p + ({16'd0, a} << i); end endmodule"""
    product = "module top(input [15:0] a, b, output [31:0] p); assign p = a * b; endmodule"
    cases = {"array": (array, "stock"), "tree": (product, "stock"), "booth": (product, "booth")}
    settled, timed, events = {}, {}, {}
    for name, (text, recipe) in cases.items():
        (done,) = synthesise(elaborated(text).rtlil, [Job(load_recipes().recipes[recipe])], nangate)
        assert isinstance(done.result, Mapped)
        mapped, timing = done.result, analyse(done.result)
        waves = simulate(mapped, Workload(vectors=150))

        def switching(activity: Activity, mapped: Mapped = mapped, timing: Timing = timing) -> float:
            return estimate_power(mapped, timing, activity, 10_000.0).total().switching_uw

        # the other simulation knows no ticks but femtoseconds
        delay = [max(1, round(1000 * ps)) for ps in net_delays(mapped, timing).tolist()]
        births = {net: 0 for port in mapped.inputs for net in port.nets}
        counts = np.zeros(len(mapped.names))
        for step in range(150):
            before, after = ([v >> step & 1 for v in values] for values in (waves.before, waves.after))
            counts += event_driven(mapped, delay, before, after, births)
        zero = activity_of(waves)
        settled[name] = switching(zero)
        timed[name] = switching(timed_activity(mapped, timing, waves))
        events[name] = switching(replace(zero, toggles=counts / 150))
    assert timed["array"] > 1.5 * timed["booth"] > 1.5 * timed["tree"]
    for name in cases:
        assert timed[name] == pytest.approx(events[name], rel=0.03), (settled, timed, events)
    # zero delay sees less than half of what the array really loses
    assert timed["array"] / timed["tree"] > 4
    assert settled["array"] / settled["tree"] < 2.5
