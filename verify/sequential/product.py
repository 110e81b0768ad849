"""Golden beside candidate in one graph: shared inputs, both sides' states, and the output words that must agree."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rtl_evolve.rtl.aig import FALSE, TRUE, Aig, AigBuilder
from rtl_evolve.rtl.design import Design, Port
from rtl_evolve.verify.assume import constrain
from rtl_evolve.verify.problem import Pair, Problem, Word
from rtl_evolve.verify.sequential.machine import TICK, Machine, State

FREE_X = "$x"  # the input word of the free bits that stand for x


@dataclass(frozen=True)
class Side:
    """A machine in a product and what its undefined bits are: all "zero", all "ones", or "free" inputs."""

    machine: Machine
    undefined: str = "zero"


@dataclass(frozen=True)
class Product:
    """Inputs of `aig`: the bits of `inputs` in order, then the states of every side in order.

    `states[s]` are side s's, with `next` a literal of this graph. Where `constraint` is false nothing is asked.
    Sides 0 and 1 are the ones compared.
    """

    aig: Aig
    inputs: tuple[Word, ...]
    states: tuple[tuple[State, ...], ...]
    pairs: tuple[Pair, ...]
    constraint: int
    signals: tuple[Mapping[str, tuple[int, ...]], ...]
    registers: tuple[tuple[int, ...], ...]

    @property
    def input_bits(self) -> int:
        return sum(len(w.literals) for w in self.inputs)

    @property
    def all_states(self) -> tuple[State, ...]:
        """The states of all sides, in the order of their variables."""
        return tuple(s for side in self.states for s in side)

    def problem(self, seed: int = 0) -> Problem:
        """The question itself, of a product without states."""
        assert not self.all_states
        return Problem(
            self.aig,
            self.inputs,
            self.pairs,
            self.constraint,
            seed=seed,
            golden_signals=self.signals[0],
            candidate_signals=self.signals[1],
        )


def build_product(sides: Sequence[Side], design: Design, masked: bool = False) -> Product:
    """Sides 0 and 1 compared; with `masked`, only on output bits where the last two sides agree."""
    ports = sides[0].machine.inputs
    free = sum(s.machine.undefined for s in sides if s.undefined == "free")
    count = len(ports) + free
    builder = AigBuilder(count + sum(len(s.machine.states) for s in sides))
    x_at, state_at = len(ports), count
    copies: list[list[int]] = []
    for side in sides:
        machine = side.machine
        inputs = [builder.input(i) for i in range(len(ports))]
        inputs += [builder.input(state_at + i) for i in range(len(machine.states))]
        state_at += len(machine.states)
        if side.undefined == "free":
            inputs += [builder.input(x_at + i) for i in range(machine.undefined)]
            x_at += machine.undefined
        else:
            inputs += [TRUE if side.undefined == "ones" else FALSE] * machine.undefined
        copies.append(builder.copy(machine.aig, inputs))
    words = _words(ports, free, {p.name: p for p in design.ports})
    constraint = constrain(builder, {w.name: w for w in words}, design.assumptions)
    pairs = _pairs(builder, sides, copies, {p.name: p for p in design.outputs}, masked)
    states = tuple(
        tuple(State(s.name, _at(copy, s.next), s.init) for s in side.machine.states)
        for side, copy in zip(sides, copies, strict=True)
    )
    signals = tuple(
        {name: tuple(_at(copy, lit) for lit in bits) for name, bits in side.machine.signals.items()}
        for side, copy in zip(sides, copies, strict=True)
    )
    registers = tuple(
        tuple(_at(copy, lit) for lit in side.machine.registers) for side, copy in zip(sides, copies, strict=True)
    )
    return Product(builder.build(), words, states, pairs, constraint, signals, registers)


def _at(copy: Sequence[int], literal: int) -> int:
    return copy[literal >> 1] ^ (literal & 1)


def _words(ports: Sequence[tuple[str, int]], free: int, declared: Mapping[str, Port]) -> tuple[Word, ...]:
    literals: dict[str, list[int]] = {}
    for index, (name, _) in enumerate(ports):
        literals.setdefault(name, []).append(2 * (index + 1))
    words = [Word(n, tuple(bits), n in declared and declared[n].signed) for n, bits in literals.items()]
    if free:
        words.append(Word(FREE_X, tuple(2 * (len(ports) + i + 1) for i in range(free))))
    return tuple(words)


def _pairs(
    builder: AigBuilder,
    sides: Sequence[Side],
    copies: Sequence[Sequence[int]],
    declared: Mapping[str, Port],
    masked: bool,
) -> tuple[Pair, ...]:
    values: list[dict[tuple[str, int], int]] = [
        {(port, bit): _at(copy, lit) for port, bit, lit in side.machine.outputs}
        for side, copy in zip(sides, copies, strict=True)
    ]
    words: dict[str, tuple[list[int], list[int]]] = {}
    for port, bit, _ in sides[0].machine.outputs:
        golden, candidate = values[0][port, bit], values[1][port, bit]
        if masked:
            defined = builder.xor(values[-1][port, bit], values[-2][port, bit]) ^ 1
            golden, candidate = builder.and_(golden, defined), builder.and_(candidate, defined)
        word = words.setdefault(port, ([], []))
        word[0].append(golden)
        word[1].append(candidate)
    return tuple(
        Pair(name, tuple(g), tuple(c), signed=name in declared and declared[name].signed)
        for name, (g, c) in words.items()
    )


def is_tick(word: Word) -> bool:
    """The word that says whether a step has a clock edge."""
    return word.name == TICK[0]
