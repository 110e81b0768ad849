"""A model as a synchronous machine: one step function over plain state bits, whatever its clocks and resets are.

With one clock, one edge and no asynchronous load, a step is a clock edge and the clock is left out. Asynchronous loads
that depend on inputs alone keep that form: a load acts at once, and input `$tick` says whether the step also has a
clock edge. Anything else (several clocks, both edges, a clock used as data, gated and divided clocks) gets a model in
which every step is an arbitrary instant: each register keeps the data it saw one instant ago, each clock its last
level, and an edge is a change between two instants (as Yosys's clk2fflogic does).
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from rtl_evolve.rtl.aig import FALSE, TRUE, Aig, AigBuilder
from rtl_evolve.rtl.model import Model, Register

TICK = ("$tick", 0)


@dataclass(frozen=True)
class Clocking:
    """How time is modelled, the same for both sides: `kind` "none", "edge", "load" or "instant".

    `clock` is the one clock port of kinds "edge" and "load"; with `ticks` a step need not have an edge.
    """

    kind: str
    clock: str = ""
    rising: bool = True
    ticks: bool = False


@dataclass(frozen=True)
class State:
    """A state bit: its next value as a literal, and its value at power-up where that is known."""

    name: str
    next: int
    init: int | None


@dataclass(frozen=True)
class Machine:
    """Variables of `aig`: the bits of `inputs`, then the `states`, then `undefined` free bits that stand for x.

    `registers` gives for each register of the model the literal of its visible value.
    """

    aig: Aig
    inputs: tuple[tuple[str, int], ...]
    states: tuple[State, ...]
    undefined: int
    outputs: tuple[tuple[str, int, int], ...]
    signals: Mapping[str, tuple[int, ...]]
    registers: tuple[int, ...]


class UnfaithfulClocks(Exception):
    """A clock or load condition depends on itself; no step function says what such a circuit does."""


def choose_clocking(models: Sequence[Model]) -> Clocking:
    """The simplest model of time that is faithful for all the given models at once."""
    registers = [(m, r) for m in models for r in m.registers]
    if not registers:
        return Clocking("none")
    clocks = {(_port_of(m, r.clock), r.rising ^ bool(r.clock & 1)) for m, r in registers}
    if len(clocks) != 1 or any(port is None for port, _ in clocks):
        return Clocking("instant")
    (port, rising) = next(iter(clocks))
    assert port is not None
    if any(_reads(m, _variable(m, port)) for m in models):
        return Clocking("instant")
    loads = [r.load for _, r in registers]
    if all(load is None for load in loads):
        return Clocking("edge", port[0], rising)
    if not all(_of_inputs_alone(m) for m in models):
        return Clocking("instant")
    return Clocking("load", port[0], rising, ticks=not _all_loads_alike(models))


def build_machine(model: Model, clocking: Clocking, inputs: Sequence[tuple[str, int]]) -> Machine:
    """The machine over the given input bits (golden's ports, and `$tick` where there are ticks)."""
    if clocking.kind == "instant":
        return _InstantMachine(model, inputs).machine()
    count = len(inputs) + len(model.registers) + len(model.undefined)
    builder = AigBuilder(count)
    where = {bit: builder.input(i) for i, bit in enumerate(inputs)}
    ports = [where[bit] for bit in model.inputs]
    states = [builder.input(len(inputs) + i) for i in range(len(model.registers))]
    free = [builder.input(len(inputs) + len(states) + i) for i in range(len(model.undefined))]
    literals = builder.copy(model.aig, [*ports, *states, *free])
    loads = [(_map(literals, r.load), _map(literals, r.load_value)) for r in model.registers]
    visible = [
        state if load is None or value is None else builder.mux(load, value, state)
        for state, (load, value) in zip(states, loads, strict=True)
    ]
    if visible != states:
        literals = builder.copy(model.aig, [*ports, *visible, *free])
    tick = where[TICK] if clocking.ticks else TRUE
    result = []
    for register, shown, (load, value) in zip(model.registers, visible, loads, strict=True):
        after = builder.mux(tick, literals[register.next >> 1] ^ (register.next & 1), shown)
        if load is not None and value is not None:
            after = builder.mux(load, value, after)
        result.append(State(register.name, after, register.init))
    return _finish(model, builder, inputs, result, literals, visible)


def _finish(
    model: Model,
    builder: AigBuilder,
    inputs: Sequence[tuple[str, int]],
    states: Sequence[State],
    literals: Sequence[int],
    visible: Sequence[int],
) -> Machine:
    outputs = tuple((port, bit, literals[lit >> 1] ^ (lit & 1)) for port, bit, lit in model.outputs)
    signals = {n: tuple(literals[lit >> 1] ^ (lit & 1) for lit in bits) for n, bits in model.signals.items()}
    return Machine(
        builder.build(), tuple(inputs), tuple(states), len(model.undefined), outputs, signals, tuple(visible)
    )


def _map(literals: Sequence[int], literal: int | None) -> int | None:
    return None if literal is None else literals[literal >> 1] ^ (literal & 1)


def _port_of(model: Model, literal: int) -> tuple[str, int] | None:
    """The input bit a literal is (inverted or not), if it is one."""
    variable = literal >> 1
    return model.inputs[variable - 1] if 1 <= variable <= len(model.inputs) else None


def _variable(model: Model, port: tuple[str, int]) -> int:
    return model.inputs.index(port) + 1


def _reads(model: Model, variable: int) -> bool:
    """Whether anything but a register's clock pin depends on the variable."""
    roots = [lit for _, _, lit in model.outputs]
    for register in model.registers:
        roots += [lit for lit in (register.next, register.load, register.load_value) if lit is not None]
    return variable in support(model.aig, roots)


def support(aig: Aig, roots: Iterable[int]) -> set[int]:
    """Input variables that the literals depend on by structure."""
    seen: set[int] = set()
    stack = [r >> 1 for r in roots]
    inputs = aig.inputs
    while stack:
        variable = stack.pop()
        if variable in seen:
            continue
        seen.add(variable)
        if variable > inputs:
            stack.append(aig.fanin0[variable - inputs - 1] >> 1)
            stack.append(aig.fanin1[variable - inputs - 1] >> 1)
    return {v for v in seen if 1 <= v <= inputs}


def _of_inputs_alone(model: Model) -> bool:
    roots = [lit for r in model.registers for lit in (r.load, r.load_value) if lit is not None]
    return all(v <= len(model.inputs) for v in support(model.aig, roots))


def _all_loads_alike(models: Sequence[Model]) -> bool:
    """Every register of every model loads under one condition that is a port bit, at the same level."""
    conditions = {(None if r.load is None else (_port_of(m, r.load), r.load & 1)) for m in models for r in m.registers}
    return len(conditions) == 1 and all(c is not None and c[0] is not None for c in conditions)


class _InstantMachine:
    """Builds the model in which every step is an arbitrary instant.

    States: each register's value, then each register's data of an instant ago, then the last level of each (clock,
    edge). At power-up the last level is such that the first instant has no edge.
    """

    def __init__(self, model: Model, inputs: Sequence[tuple[str, int]]) -> None:
        self._model = model
        self._inputs = inputs
        self._edges = sorted({(r.clock, r.rising) for r in model.registers})
        count = len(model.registers)
        self._builder = AigBuilder(len(inputs) + 2 * count + len(self._edges) + len(model.undefined))
        at = len(inputs)
        take = self._builder.input
        self._value = [take(at + i) for i in range(count)]
        self._data = [take(at + count + i) for i in range(count)]
        self._level = {edge: take(at + 2 * count + i) for i, edge in enumerate(self._edges)}
        at += 2 * count + len(self._edges)
        where = {bit: take(i) for i, bit in enumerate(inputs)}
        self._literal: dict[int, int] = {0: FALSE}
        self._literal.update((i + 1, where[bit]) for i, bit in enumerate(model.inputs))
        self._literal.update((u.variable, take(at + i)) for i, u in enumerate(model.undefined))
        self._register = {r.output: (i, r) for i, r in enumerate(model.registers)}
        self._under_way: set[int] = set()

    def machine(self) -> Machine:
        model, builder = self._model, self._builder
        for register in model.registers:
            self._visible(register.output)
        visible = [self._literal[r.output] for r in model.registers]
        order = [*range(1, len(model.inputs) + 1), *(r.output for r in model.registers)]
        order += [u.variable for u in model.undefined]
        literals = builder.copy(model.aig, [self._literal[v] for v in order])
        states = [State(r.name, lit, r.init) for r, lit in zip(model.registers, visible, strict=True)]
        for register in model.registers:
            data = literals[register.next >> 1] ^ (register.next & 1)
            states.append(State(f"{register.name}$data", data, 0))
        for clock, rising in self._edges:
            level = literals[clock >> 1] ^ (clock & 1)
            states.append(State(f"$level {clock}{'+' if rising else '-'}", level, int(rising)))
        return _finish(model, builder, self._inputs, states, literals, visible)

    def _visible(self, variable: int) -> int:
        """A register's value now: what it loads, or the data of an instant ago at its clock's edge, or its value."""
        if variable in self._literal:
            return self._literal[variable]
        if variable in self._under_way:
            raise UnfaithfulClocks(self._register[variable][1].name)
        self._under_way.add(variable)
        index, register = self._register[variable]
        builder = self._builder
        now, before = self._cone(register.clock), self._level[register.clock, register.rising]
        edge = builder.and_(now, before ^ 1) if register.rising else builder.and_(now ^ 1, before)
        value = builder.mux(edge, self._data[index], self._value[index])
        if register.load is not None and register.load_value is not None:
            value = builder.mux(self._cone(register.load), self._cone(register.load_value), value)
        self._literal[variable] = value
        return value

    def _cone(self, root: int) -> int:
        """A literal of the model in the new graph, registers being replaced by their visible values."""
        aig, literal = self._model.aig, self._literal
        stack = [root >> 1]
        while stack:
            variable = stack[-1]
            if variable in literal:
                stack.pop()
            elif variable <= aig.inputs:
                self._visible(variable)
                stack.pop()
            else:
                a, b = (f[variable - aig.inputs - 1] for f in (aig.fanin0, aig.fanin1))
                missing = [lit >> 1 for lit in (a, b) if lit >> 1 not in literal]
                if missing:
                    stack += missing
                else:
                    literal[variable] = self._builder.and_(literal[a >> 1] ^ (a & 1), literal[b >> 1] ^ (b & 1))
                    stack.pop()
        return literal[root >> 1] ^ (root & 1)


def clock_name(model: Model, register: Register) -> str:
    """How a register is clocked, for a reader: "posedge clk"."""
    port = _port_of(model, register.clock)
    rising = register.rising ^ bool(register.clock & 1)
    return f"{'posedge' if rising else 'negedge'} {port[0] if port else 'an internal clock'}"
