"""Switching activity of a mapped netlist by bit-parallel simulation: every net's value in every cycle at once.

A net's values are one Python integer. Combinational designs hold one vector a bit; designs with flip-flops hold
`streams` independent runs side by side, one cycle after the other. Zero delay: a net toggles at most once a cycle.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from random import Random

import numpy as np
from rtl_evolve.synth.clocks import clock_tree
from rtl_evolve.synth.liberty_tables import Floats
from rtl_evolve.synth.logic import Function, compile_function
from rtl_evolve.synth.mapped import Mapped

# cycles before counting begins, after the reset pulse: pipelines fill and small state machines mix
_WARM_UP = 16
_RESET_CYCLES = 2
_CYCLES = 32


@dataclass(frozen=True)
class Workload:
    """What drives the inputs: uniformly random bits each cycle, a new value at each clock edge.

    `vectors` is the number of cycles counted, over all streams. `clocks` and `reset` (name, active level) name input
    ports of one bit; the reset is active in a first pulse that isn't counted. `held` gives ports a constant value.
    """

    vectors: int = 2_000
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
    clocks = [net for port in mapped.inputs if port.name in workload.clocks for net in port.nets]
    clock_nets = frozenset(clock_tree(mapped, clocks))
    if not mapped.flops:
        drive = _random_inputs(mapped, workload, workload.vectors + 1, Random(workload.seed))
        values = _settle(mapped, gates_of(mapped), (1 << (workload.vectors + 1)) - 1, drive)
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
    streams = 8 * max(1, -(-workload.vectors // (8 * _CYCLES)))
    random = Random(workload.seed)
    ones = (1 << streams) - 1
    gates, registers = gates_of(mapped), _registers(mapped)
    state = {out.net: 0 if out.inputs == (-1,) else ones for register in registers for out in register.outputs}
    record: list[list[int]] = []
    for cycle in range(_RESET_CYCLES + _WARM_UP + _CYCLES + 1):
        drive = _random_inputs(mapped, workload, streams, random)
        if workload.reset is not None:
            active = workload.reset[1] if cycle < _RESET_CYCLES else 1 - workload.reset[1]
            for port in mapped.inputs:
                if port.name == workload.reset[0]:
                    drive |= dict.fromkeys(port.nets, ones * active)
        values = _settle(mapped, gates, ones, drive | state)
        if cycle >= _RESET_CYCLES + _WARM_UP:
            record.append(values)
        state = _clocked(registers, ones, values)
    return Waves(tuple(_joined(column, streams) for column in zip(*record, strict=True)), streams, _CYCLES, clock_nets)


def _joined(column: Sequence[int], streams: int) -> int:
    """Values of consecutive cycles put into one integer, the first lowest; `streams` is a multiple of 8."""
    return int.from_bytes(b"".join(value.to_bytes(streams // 8, "little") for value in column), "little")


@dataclass(frozen=True)
class Gate:
    """One output of a combinational instance: its function over the values of some nets."""

    net: int
    function: Function
    inputs: tuple[int, ...]


def gates_of(mapped: Mapped) -> tuple[Gate, ...]:
    """The combinational part, drivers first."""
    found = []
    for index in mapped.order:
        instance = mapped.instances[index]
        for pin in instance.cell.outputs:
            if pin.name in instance.nets and pin.function is not None:
                function = compile_function(pin.function)
                inputs = tuple(instance.nets.get(name, 0) for name in function.pins)
                found.append(Gate(instance.nets[pin.name], function, inputs))
    return tuple(found)


def settle(mapped: Mapped, ones: int, given: Mapping[int, int]) -> list[int]:
    """Every net's value when the nets of inputs and flip-flops' outputs have those given; `ones` is all bits set."""
    return _settle(mapped, gates_of(mapped), ones, given)


def _settle(mapped: Mapped, gates: Sequence[Gate], ones: int, given: Mapping[int, int]) -> list[int]:
    """Every net's value, from those of the inputs and the flip-flops' outputs."""
    values = [0] * len(mapped.names)
    values[1] = ones
    for net, value in given.items():
        values[net] = value
    for gate in gates:
        values[gate.net] = gate.function.evaluate(ones, *[values[net] for net in gate.inputs])
    return values


@dataclass(frozen=True)
class _Register:
    """A flip-flop: functions with the nets they read (-1 and -2 stand for its state and that inverted)."""

    outputs: tuple[Gate, ...]
    next_state: Gate
    clear: Gate | None
    preset: Gate | None
    state_net: int
    state_inverted: bool


def _registers(mapped: Mapped) -> tuple[_Register, ...]:
    found = []
    for index in mapped.flops:
        instance = mapped.instances[index]
        flop = instance.cell.flop
        assert flop is not None
        nets = {**instance.nets, flop.state: -1, flop.inverse: -2}
        outputs = [pin for pin in instance.cell.outputs if pin.name in instance.nets and pin.function is not None]
        readable = [pin for pin in outputs if pin.function in (flop.state, flop.inverse)]
        found.append(
            _Register(
                tuple(_over(str(pin.function), nets, instance.nets[pin.name]) for pin in outputs),
                _over(flop.next_state, nets),
                None if flop.clear is None else _over(flop.clear, nets),
                None if flop.preset is None else _over(flop.preset, nets),
                instance.nets[readable[0].name] if readable else 0,
                bool(readable) and readable[0].function == flop.inverse,
            )
        )
    return tuple(found)


def _over(function: str, nets: Mapping[str, int], output: int = 0) -> Gate:
    compiled = compile_function(function)
    return Gate(output, compiled, tuple(nets.get(pin, 0) for pin in compiled.pins))


def _clocked(registers: Sequence[_Register], ones: int, values: Sequence[int]) -> dict[int, int]:
    """The flip-flops' outputs after a clock edge; an active clear or preset wins over the data."""
    following: dict[int, int] = {}
    for register in registers:
        state = values[register.state_net] ^ (ones if register.state_inverted else 0)
        own = {-1: state, -2: state ^ ones}

        def of(gate: Gate, own: Mapping[int, int] = own) -> int:
            return int(gate.function.evaluate(ones, *[own[net] if net < 0 else values[net] for net in gate.inputs]))

        state = of(register.next_state)
        if register.clear is not None:
            state &= of(register.clear) ^ ones
        if register.preset is not None:
            state |= of(register.preset)
        own = {-1: state, -2: state ^ ones}
        for output in register.outputs:
            following[output.net] = of(output, own)
    return following
