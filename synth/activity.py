"""Switching activity of a mapped netlist by bit-parallel simulation: every net's value in every cycle at once.

A net's values are one Python integer. Combinational designs hold one vector a bit; designs with flip-flops hold
`streams` independent runs side by side, one cycle after the other. Zero delay: a net toggles at most once a cycle.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from random import Random
from typing import Any

import numpy as np
from rtl_evolve.synth.arcs import clock_pin
from rtl_evolve.synth.liberty_tables import Floats
from rtl_evolve.synth.logic import compile_function
from rtl_evolve.synth.mapped import Mapped

# cycles before counting begins, after the reset pulse: pipelines fill and small state machines mix
_WARM_UP = 16
_RESET_CYCLES = 2
_CYCLES = 64


@dataclass(frozen=True)
class Workload:
    """What drives the inputs: uniformly random bits each cycle, a new value at each clock edge.

    `vectors` is the number of cycles counted, over all streams. `clocks` and `reset` (name, active level) name input
    ports of one bit; the reset is active in a first pulse that isn't counted. `held` gives ports a constant value.
    """

    vectors: int = 10_000
    seed: int = 1
    clocks: tuple[str, ...] = ()
    reset: tuple[str, int] | None = None
    held: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Waves:
    """Values by net: an integer of `streams * (cycles + 1)` bits, the values of a cycle side by side.

    `clock_nets` are the nets that carry a clock: they toggle twice a cycle whatever their value here.
    """

    values: tuple[int, ...]
    streams: int
    cycles: int
    clock_nets: frozenset[int]

    @cached_property
    def before(self) -> tuple[int, ...]:
        """Each net's settled value before every counted step."""
        mask = (1 << (self.streams * self.cycles)) - 1
        return tuple(value & mask for value in self.values)

    @cached_property
    def after(self) -> tuple[int, ...]:
        """Each net's settled value after every counted step."""
        return tuple(value >> self.streams for value in self.values)


@dataclass(frozen=True)
class Activity:
    """By net: toggles a cycle, and the share of time at 1."""

    toggles: Floats
    duty: Floats


def activity_of(waves: Waves) -> Activity:
    """Zero-delay activity."""
    steps = waves.streams * waves.cycles
    toggles = np.array([(a ^ b).bit_count() for a, b in zip(waves.before, waves.after, strict=True)]) / steps
    duty = np.array([value.bit_count() for value in waves.after]) / steps
    for net in waves.clock_nets:
        toggles[net], duty[net] = 2.0, 0.5
    return Activity(toggles, duty)


def simulate(mapped: Mapped, workload: Workload) -> Waves:
    """Run the workload; deterministic for a netlist and a workload."""
    clock_nets = frozenset(net for port in mapped.inputs if port.name in workload.clocks for net in port.nets)
    if not mapped.flops:
        drive = _random_inputs(mapped, workload, workload.vectors + 1, Random(workload.seed))
        values = _combinational(mapped)((1 << (workload.vectors + 1)) - 1, drive)
        return Waves(tuple(values), 1, workload.vectors, clock_nets)
    return _sequential(mapped, workload, clock_nets)


def _random_inputs(mapped: Mapped, workload: Workload, width: int, random: Random) -> dict[int, int]:
    """A value for each input net: `width` random bits, or what is held."""
    drive = {}
    for port in mapped.inputs:
        for place, net in enumerate(port.nets):
            if port.name in workload.clocks:
                drive[net] = 0
            elif port.name in workload.held:
                drive[net] = ((1 << width) - 1) * (workload.held[port.name] >> place & 1)
            else:
                drive[net] = random.getrandbits(width)
    return drive


def _sequential(mapped: Mapped, workload: Workload, clock_nets: frozenset[int]) -> Waves:
    streams = max(1, -(-workload.vectors // _CYCLES))
    random = Random(workload.seed)
    ones = (1 << streams) - 1
    settle, step = _combinational(mapped), _next_states(mapped)
    state: dict[int, int] = {}
    for index in mapped.flops:
        state |= _outputs(mapped, index, 0, ones)
    record: list[list[int]] = []
    for cycle in range(_RESET_CYCLES + _WARM_UP + _CYCLES + 1):
        drive = _random_inputs(mapped, workload, streams, random)
        if workload.reset is not None:
            active = workload.reset[1] if cycle < _RESET_CYCLES else 1 - workload.reset[1]
            for port in mapped.inputs:
                if port.name == workload.reset[0]:
                    drive |= dict.fromkeys(port.nets, ones * active)
        values = settle(ones, drive | state)
        if cycle >= _RESET_CYCLES + _WARM_UP:
            record.append(values)
        state = step(ones, values)
    return Waves(tuple(_joined(column, streams) for column in zip(*record, strict=True)), streams, _CYCLES, clock_nets)


def _joined(column: Sequence[int], streams: int) -> int:
    """Values of consecutive cycles put into one integer, the first lowest."""
    if streams % 8 == 0:
        size = streams // 8
        return int.from_bytes(b"".join(value.to_bytes(size, "little") for value in column), "little")
    return sum(value << (place * streams) for place, value in enumerate(column))


def _combinational(mapped: Mapped) -> Callable[[int, Mapping[int, int]], list[int]]:
    """The combinational part as one compiled function: (ones, value by input or state net) to value by net."""
    given = [net for port in mapped.inputs for net in port.nets]
    given += [net for index in mapped.flops for net in _output_nets(mapped, index)]
    lines = [f"n{net} = given.get({net}, 0)" for net in dict.fromkeys(given)]
    known = {0, 1, 2, *given}
    for index in mapped.order:
        for net, source in _assignments(mapped, index):
            lines.append(f"n{net} = {source}")
            known.add(net)
    result = ", ".join(f"n{net}" if net in known else "0" for net in range(len(mapped.names)))
    body = "\n    ".join(["n0 = n2 = 0", "n1 = ones", *lines, f"return [{result}]"])
    evaluate: Callable[[int, Mapping[int, int]], list[int]] = _compiled(f"def evaluate(ones, given):\n    {body}\n")
    return evaluate


def _compiled(source: str) -> Any:
    """The function `evaluate` that a text of ours defines: it holds net numbers and Boolean operators alone."""
    scope: dict[str, Any] = {"__builtins__": {}}
    exec(source, scope)  # noqa: S102  # interpreting a gate at a time is twenty times slower
    return scope["evaluate"]


def _assignments(mapped: Mapped, index: int) -> Iterator[tuple[int, str]]:
    """(net, expression over n<net> and `ones`) for each connected output of a combinational instance."""
    instance = mapped.instances[index]
    for pin in instance.cell.outputs:
        if pin.name in instance.nets and pin.function is not None:
            yield instance.nets[pin.name], _expression(pin.function, instance.nets)


def _expression(function: str, nets: Mapping[str, int]) -> str:
    compiled = compile_function(function)
    return compiled.source_with([f"n{nets.get(pin, 0)}" for pin in compiled.pins])


def _output_nets(mapped: Mapped, index: int) -> list[int]:
    instance = mapped.instances[index]
    return [instance.nets[pin.name] for pin in instance.cell.outputs if pin.name in instance.nets]


def _outputs(mapped: Mapped, index: int, state: int, ones: int) -> dict[int, int]:
    """A flip-flop's output nets when it holds `state`."""
    instance = mapped.instances[index]
    flop = instance.cell.flop
    assert flop is not None
    found = {}
    for pin in instance.cell.outputs:
        if pin.name in instance.nets and pin.function is not None:
            function = compile_function(pin.function)
            values = {flop.state: state, flop.inverse: state ^ ones}
            found[instance.nets[pin.name]] = function.evaluate(ones, *(values.get(name, 0) for name in function.pins))
    return found


def _next_states(mapped: Mapped) -> Callable[[int, Sequence[int]], dict[int, int]]:
    """One clock edge for all flip-flops at once: (ones, value by net) to value by output net."""
    lines = []
    for index in mapped.flops:
        instance = mapped.instances[index]
        flop = instance.cell.flop
        assert flop is not None
        clock_pin(flop.clocked_on)
        state = _state_source(mapped, index)
        nets = {pin: f"v[{net}]" for pin, net in instance.nets.items()} | {flop.state: state}
        nets[flop.inverse] = f"({state} ^ ones)"
        following = _over(flop.next_state, nets)
        if flop.clear is not None:
            following = f"({following} & ({_over(flop.clear, nets)} ^ ones))"
        if flop.preset is not None:
            following = f"({following} | {_over(flop.preset, nets)})"
        lines.append(f"q = {following}")
        for pin in instance.cell.outputs:
            if pin.name in instance.nets and pin.function is not None:
                output = _over(pin.function, {flop.state: "q", flop.inverse: "(q ^ ones)"})
                lines.append(f"s[{instance.nets[pin.name]}] = {output}")
    body = "\n    ".join(["s = {}", *lines, "return s"])
    evaluate: Callable[[int, Sequence[int]], dict[int, int]] = _compiled(f"def evaluate(ones, v):\n    {body}\n")
    return evaluate


def _over(function: str, sources: Mapping[str, str]) -> str:
    compiled = compile_function(function)
    return compiled.source_with([sources.get(pin, "0") for pin in compiled.pins])


def _state_source(mapped: Mapped, index: int) -> str:
    """The present state, read back from whichever output is connected."""
    instance = mapped.instances[index]
    flop = instance.cell.flop
    assert flop is not None
    for pin in instance.cell.outputs:
        if pin.name in instance.nets and pin.function in (flop.state, flop.inverse):
            value = f"v[{instance.nets[pin.name]}]"
            return value if pin.function == flop.state else f"({value} ^ ones)"
    return "0"
