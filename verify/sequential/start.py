"""The states a comparison starts from, and what that assumes, said plainly.

Declared initial values count. A design with a reset starts from the states that holding it leads to. State that is
still unknown then is either flushed (nothing is compared that depends on it), or, when it would stay forever, starts
with corresponding values in both designs.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from rtl_evolve.rtl.aig import Aig
from rtl_evolve.rtl.design import Design
from rtl_evolve.verify.sequential.machine import TICK, Machine
from rtl_evolve.verify.sequential.matching import match_states

_LONGEST_RESET = 64  # cycles
_LONGEST_FLUSH = 64  # cycles


@dataclass(frozen=True)
class Start:
    """Start values of both sides' states: 0, 1, or None for either.

    `shared` are (golden state, candidate state, inverted) of unknown states that start with corresponding values.
    For cycle t < len(tainted), output bits in tainted[t] aren't compared: golden doesn't determine them yet.
    `reset_cycles` is how long the reset is held before cycle 0.
    """

    golden: tuple[int | None, ...]
    candidate: tuple[int | None, ...]
    shared: tuple[tuple[int, int, bool], ...] = ()
    tainted: tuple[frozenset[tuple[str, int]], ...] = ()
    reset_cycles: int = 0
    assumptions: tuple[str, ...] = ()


def find_start(golden: Machine, candidate: Machine, design: Design) -> Start:
    """The start states for comparing two machines over the same inputs."""
    first, cycles, notes = _after_reset(golden, design)
    second = _held(candidate, design, cycles)
    unknown = {i for i, v in enumerate(first) if v is None}
    if not unknown:
        return Start(first, second, reset_cycles=cycles, assumptions=notes)
    tainted = _flush(golden, unknown)
    shared: tuple[tuple[int, int, bool], ...] = ()
    if tainted is None:
        shared = match_states(golden, candidate, first, second, design)
        left = unknown - {g for g, _, _ in shared}
        tainted = _flush(golden, left) or ()
        notes += (_sharing_note(golden, shared),)
    if any(tainted):
        notes += (f"outputs that depend on state unknown at the start are compared from cycle {len(tainted)} on",)
    return Start(first, second, shared, tainted, cycles, notes)


def _sharing_note(golden: Machine, shared: Sequence[tuple[int, int, bool]]) -> str:
    names = list(dict.fromkeys(golden.states[g].name.rpartition("[")[0] or golden.states[g].name for g, _, _ in shared))
    if not names:
        return "state without reset or initial value starts with any values, independently in both designs"
    listed = ", ".join(names[:4]) + (" and others" if len(names) > 4 else "")
    return f"registers without reset or initial value ({listed}) start with the same values in both designs"


def _after_reset(machine: Machine, design: Design) -> tuple[tuple[int | None, ...], int, tuple[str, ...]]:
    """Golden's start values, how many cycles of reset led there, and what to say of it."""
    state = tuple(s.init for s in machine.states)
    declared = any(s.init is not None and "$" not in s.name for s in machine.states)
    if design.reset is None or all(v is not None for v in state):
        return state, 0, (("starts from the declared initial values",) if declared else ())
    state, cycles = _cycle(machine, state, design), 1
    while cycles < _LONGEST_RESET:
        after = _cycle(machine, state, design)
        if [v is None for v in after] == [v is None for v in state]:
            break
        state, cycles = after, cycles + 1
    text = f"starts after {cycles} cycle{'s' * (cycles > 1)} of {design.reset.name} = {design.reset.active}"
    return state, cycles, (text,)


def _instants(machine: Machine) -> bool:
    return any(s.name.startswith("$level") for s in machine.states)


def _held(machine: Machine, design: Design, cycles: int) -> tuple[int | None, ...]:
    state = tuple(s.init for s in machine.states)
    for _ in range(cycles):
        state = _cycle(machine, state, design)
    return state


def _cycle(machine: Machine, state: Sequence[int | None], design: Design) -> tuple[int | None, ...]:
    """A clock cycle with the reset active and the other inputs unknown; clocks go down and up where modelled."""
    if _instants(machine):
        return _step(machine, _step(machine, state, design, 0), design, 1)
    return _step(machine, state, design, 0)


def _step(machine: Machine, state: Sequence[int | None], design: Design, level: int) -> tuple[int | None, ...]:
    assert design.reset is not None
    clocks = {c.name for c in design.clocks} if _instants(machine) else set()
    inputs: list[int | None] = []
    for port in machine.inputs:
        if port == TICK:
            inputs.append(1)
        elif port[0] == design.reset.name:
            inputs.append(design.reset.active)
        else:
            inputs.append(level if port[0] in clocks else None)
    known = ternary(machine.aig, [*inputs, *state, *([0] * machine.undefined)])
    return tuple(_ternary_literal(known, s.next) for s in machine.states)


def _ternary_literal(known: Sequence[int | None], literal: int) -> int | None:
    value = known[literal >> 1]
    return None if value is None else value ^ (literal & 1)


def ternary(aig: Aig, inputs: Sequence[int | None]) -> list[int | None]:
    """Every variable's value where the inputs are 0, 1 or unknown."""
    values: list[int | None] = [0, *inputs]
    for a, b in zip(aig.fanin0, aig.fanin1, strict=True):
        x, y = _ternary_literal(values, a), _ternary_literal(values, b)
        values.append(0 if x == 0 or y == 0 else None if x is None or y is None else 1)
    return values


def _flush(machine: Machine, unknown: set[int]) -> tuple[frozenset[tuple[str, int]], ...] | None:
    """For each cycle, the output bits that structurally depend on unknown start values; None when it never ends."""
    reads = state_supports(machine)
    needs = [reads[s.next >> 1] for s in machine.states]
    left = sum(1 << i for i in unknown)
    tainted: list[frozenset[tuple[str, int]]] = []
    while left:
        if len(tainted) == _LONGEST_FLUSH:
            return None
        tainted.append(frozenset((port, bit) for port, bit, lit in machine.outputs if reads[lit >> 1] & left))
        after = sum(1 << i for i, need in enumerate(needs) if need & left)
        if after == left:
            return None if tainted[-1] else _trimmed(tainted)
        left = after
    return _trimmed(tainted)


def state_supports(machine: Machine) -> list[int]:
    """For each variable, the set of states it depends on by structure, as bits of an integer."""
    sets = [0] * (machine.aig.inputs + 1)
    for i in range(len(machine.states)):
        sets[1 + len(machine.inputs) + i] = 1 << i
    for a, b in zip(machine.aig.fanin0, machine.aig.fanin1, strict=True):
        sets.append(sets[a >> 1] | sets[b >> 1])
    return sets


def _trimmed(tainted: list[frozenset[tuple[str, int]]]) -> tuple[frozenset[tuple[str, int]], ...]:
    while tainted and not tainted[-1]:
        tainted.pop()
    return tuple(tainted)
