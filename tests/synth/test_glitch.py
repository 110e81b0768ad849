"""Timed activity against an event-driven simulation of one cycle at a time with the same delays."""

import heapq
from collections.abc import Callable
from random import Random

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from rtl_evolve.synth.activity import Workload, activity_of, simulate
from rtl_evolve.synth.glitch import count_toggles, net_delays, timed_activity, waveforms
from rtl_evolve.synth.library import Library
from rtl_evolve.synth.logic import compile_function
from rtl_evolve.synth.mapped import Mapped
from rtl_evolve.synth.timing import analyse

Build = Callable[..., Mapped]

CELLS = {
    "NAND2_X1": ("A1", "A2", "ZN"),
    "XOR2_X1": ("A", "B", "Z"),
    "NOR2_X1": ("A1", "A2", "ZN"),
    "OR2_X1": ("A1", "A2", "ZN"),
}


def event_driven(
    mapped: Mapped, delay: list[int], before: list[int], after: list[int], births: dict[int, int]
) -> list[int]:
    """Toggles of each net in one cycle: inputs step from `before` to `after` at their `births`; inertial delays.

    Each gate has at most one change under way; when its inputs stop asking for it, the change is cancelled.
    """
    value, toggles = list(before), [0] * len(before)
    under_way: dict[int, int] = {}
    readers: dict[int, list[tuple[int, str]]] = {}
    for index in mapped.order:
        instance = mapped.instances[index]
        for pin in instance.cell.inputs:
            readers.setdefault(instance.nets[pin.name], []).append((index, pin.name))
    queue = [(tick, 0, net, -1) for net, tick in births.items() if before[net] != after[net]]
    heapq.heapify(queue)
    serial = 0
    while queue:
        tick = queue[0][0]
        touched = set()
        while queue and queue[0][0] == tick:
            _, _, net, ticket = heapq.heappop(queue)
            if ticket >= 0 and under_way.get(net) != ticket:
                continue
            under_way.pop(net, None)
            value[net] ^= 1
            toggles[net] += 1
            touched |= {index for index, _ in readers.get(net, [])}
        for index in touched:
            instance = mapped.instances[index]
            (output,) = instance.cell.outputs
            function = compile_function(output.function or "")
            net = instance.nets[output.name]
            wanted = function.evaluate(1, *(value[instance.nets[name]] for name in function.pins))
            if (wanted != value[net]) == (net in under_way):
                continue
            if net in under_way:
                del under_way[net]
            else:
                serial += 1
                under_way[net] = serial
                heapq.heappush(queue, (tick + delay[net], 1, net, serial))
    assert value == after
    return toggles


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
    nangate: Library, netlist: Build, seed: int, gates: int, ticks: int
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
    tick = timing.delay_ps / 400
    assert [round(t * tick) for t, _ in found[q]] == [110]
    timed = timed_activity(mapped, timing, waves)
    # the two inputs of the gate change 110 ps apart and its delay is 65 ps: it follows both
    y, a = mapped.names.index("y"), mapped.names.index("a")
    assert timed.toggles[y] == timed.toggles[a] + timed.toggles[q]
    assert timed.toggles[mapped.names.index("clk")] == 2
