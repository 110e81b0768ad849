"""Golden delayed by a declared latency, to be compared with a candidate that is that much later."""

from rtl_evolve.rtl.aig import AigBuilder
from rtl_evolve.rtl.design import Reset
from rtl_evolve.verify.sequential.machine import Machine, State


def delayed(machine: Machine, cycles: int) -> Machine:
    """The machine with every output bit registered `cycles` times; these registers start unknown."""
    ports, old = len(machine.inputs), len(machine.states)
    added = len(machine.outputs) * cycles
    builder = AigBuilder(ports + old + added + machine.undefined)
    inputs = [builder.input(i) for i in range(ports + old)]
    inputs += [builder.input(ports + old + added + i) for i in range(machine.undefined)]
    copy = builder.copy(machine.aig, inputs)
    states = [State(s.name, copy[s.next >> 1] ^ (s.next & 1), s.init) for s in machine.states]
    outputs = []
    at = ports + old
    for port, bit, lit in machine.outputs:
        value = copy[lit >> 1] ^ (lit & 1)
        for stage in range(cycles):
            states.append(State(f"{port}[{bit}]$delay{stage + 1}", value, None))
            value = builder.input(at)
            at += 1
        outputs.append((port, bit, value))
    return Machine(
        builder.build(),
        machine.inputs,
        tuple(states),
        machine.undefined,
        tuple(outputs),
        {name: tuple(copy[b >> 1] ^ (b & 1) for b in bits) for name, bits in machine.signals.items()},
        tuple(copy[b >> 1] ^ (b & 1) for b in machine.registers),
    )


def held_inactive(machine: Machine, reset: Reset | None) -> Machine:
    """The machine with its reset tied to the inactive level: what "k cycles later" means with a reset between is
    nobody's guess."""
    if reset is None:
        return machine
    builder = AigBuilder(machine.aig.inputs)
    inputs = [builder.input(i) for i in range(machine.aig.inputs)]
    inputs[machine.inputs.index((reset.name, 0))] = 1 - reset.active
    copy = builder.copy(machine.aig, inputs)
    return Machine(
        builder.build(),
        machine.inputs,
        tuple(State(s.name, copy[s.next >> 1] ^ (s.next & 1), s.init) for s in machine.states),
        machine.undefined,
        tuple((port, bit, copy[lit >> 1] ^ (lit & 1)) for port, bit, lit in machine.outputs),
        {name: tuple(copy[b >> 1] ^ (b & 1) for b in bits) for name, bits in machine.signals.items()},
        tuple(copy[b >> 1] ^ (b & 1) for b in machine.registers),
    )
