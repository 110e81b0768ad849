"""What the bench drives and compares, phase by phase: made from golden alone, the same for every candidate.

Within a cycle the inputs change while every clock is low, then each clock is pulsed on its own; outputs are compared
after each change. Sequential designs run several streams of different character, each begun by a reset sequence.
"""

from collections.abc import Sequence
from random import Random

from rtl_evolve.rtl.aig import TRUE, AigBuilder, value
from rtl_evolve.rtl.design import Design
from rtl_evolve.rtl.model import Model
from rtl_evolve.verify.assume import constrain
from rtl_evolve.verify.bench.events import EventRun
from rtl_evolve.verify.bench.phases import Phase
from rtl_evolve.verify.problem import Word
from rtl_evolve.verify.stimulus import SequentialVectors, combinational_vectors

_STREAMS = 16
_FILLINGS = 8
_RESET_CYCLES = 4
_LONGEST_STREAM = 1000  # cycles of a design that cannot be reset
_MOST_GATES = 50_000_000  # evaluated to make a plan, about 10 s; larger designs get fewer cycles
_REDRAWS = 20  # until inputs keep to the contract


def make_plan(model: Model, design: Design, cycles: int, seed: int) -> tuple[Phase, ...]:
    """About `cycles` cycles (input vectors, without registers); fewer where inputs cannot be made to keep the contract.

    Raises `InputError` for a contract that isn't understood, `Unsettled` for an asynchronous loop.
    """
    return _Planner(model, design, Random(seed)).plan(cycles)


class _Planner:
    def __init__(self, model: Model, design: Design, rng: Random) -> None:
        self._model, self._design, self._rng = model, design, rng
        words: dict[str, list[int]] = {}
        for index, (port, _) in enumerate(model.inputs):
            words.setdefault(port, []).append(2 * (index + 1))
        signed = {p.name: p.signed for p in design.ports}
        self._words = [Word(name, tuple(bits), signed[name]) for name, bits in words.items()]
        self._clocks = [c.name for c in design.clocks]
        builder = AigBuilder(len(model.inputs))
        self._allowed = constrain(builder, {w.name: w for w in self._words}, design.assumptions)
        self._contract = builder.build()
        self._place = {
            (p, i): at for at, (p, i) in enumerate((p.name, i) for p in design.inputs for i in range(p.width))
        }

    def plan(self, cycles: int) -> tuple[Phase, ...]:
        if not self._model.registers:
            return self._combinational(cycles)
        streams = _STREAMS if self._design.reset is not None else 1
        changes = 1 + 2 * len(self._clocks)
        affordable = _MOST_GATES // (changes * (len(self._model.aig.fanin0) + 1))
        length = max(1, min(cycles // streams, _LONGEST_STREAM, affordable))
        return self._sequential(streams, length)

    def _combinational(self, count: int) -> tuple[Phase, ...]:
        inputs = combinational_vectors(self._words, count, self._rng)
        for _ in range(_REDRAWS):
            bad = ~self._keeps(inputs, count) & (1 << count) - 1
            if not bad:
                break
            fresh = combinational_vectors(self._words, count, self._rng)
            inputs = [(old & ~bad) | (new & bad) for old, new in zip(inputs, fresh, strict=True)]
        fillings = _FILLINGS if self._model.undefined else 1
        run = EventRun(self._model, count, fillings, self._rng, forget_start=False)
        columns = self._transposed(inputs, run.drive(inputs), count)
        kept = self._keeps(inputs, count)
        good = [column for vector, column in enumerate(columns) if kept >> vector & 1]
        return tuple(Phase(i, "the inputs change", *words, i, i) for i, words in enumerate(good))

    def _sequential(self, streams: int, length: int) -> tuple[Phase, ...]:
        """Streams are simulated side by side and then driven one after the other; so none may rely on its start."""
        unknown = self._model.undefined or streams > 1 or any(r.init is None for r in self._model.registers)
        run = EventRun(self._model, streams, _FILLINGS if unknown else 1, self._rng, forget_start=streams > 1)
        source = SequentialVectors(self._words, self._design, streams, self._rng)
        steps: list[list[tuple[str, list[tuple[int, int, int]]]]] = []
        alive: list[int] = []
        kept = (1 << streams) - 1
        for cycle in range(1 + _RESET_CYCLES + length):
            inputs = self._cycle_inputs(source, cycle, streams)
            kept &= self._keeps(inputs, streams)
            alive.append(kept)
            changes = []
            for change, bits in self._pulses(inputs, streams):
                outcome = run.drive(bits, powering_up=cycle == 0)
                changes.append((change, self._transposed(bits, outcome, streams)))
            steps.append(changes)
        return self._in_sequence(steps, alive, streams)

    def _cycle_inputs(self, source: SequentialVectors, cycle: int, streams: int) -> list[int]:
        """Inputs with all clocks low: reset inactive at first (so that its edge comes), active for a while, then free."""
        full = (1 << streams) - 1
        inputs: list[int] = []
        for _ in range(_REDRAWS):
            fresh = self._forced(source.next(), cycle, full)
            if not inputs:
                inputs = fresh
            bad = ~self._keeps(inputs, streams) & full
            if not bad:
                break
            inputs = [(old & ~bad) | (new & bad) for old, new in zip(inputs, fresh, strict=True)]
        return inputs

    def _forced(self, inputs: list[int], cycle: int, full: int) -> list[int]:
        reset = self._design.reset
        result = []
        for (port, _), bits in zip(self._model.inputs, inputs, strict=True):
            if port in self._clocks:
                bits = 0
            elif reset is not None and port == reset.name and cycle <= _RESET_CYCLES:
                bits = full * (reset.active if cycle else 1 - reset.active)
            elif reset is not None and port == reset.name and self._design.latency:
                bits = full * (1 - reset.active)
            result.append(bits)
        return result

    def _pulses(self, inputs: list[int], streams: int) -> list[tuple[str, list[int]]]:
        """The changes of one cycle; with several clocks, each stream pulses each clock in three of four cycles."""
        changes = [("the inputs change", inputs)]
        for clock in self._clocks:
            high = (1 << streams) - 1
            if len(self._clocks) > 1:
                high &= self._rng.getrandbits(streams) | self._rng.getrandbits(streams)
            raised = [high if port == clock else b for (port, _), b in zip(self._model.inputs, inputs, strict=True)]
            changes += [(f"{clock} rises", raised), (f"{clock} falls", inputs)]
        return changes

    def _in_sequence(
        self, steps: Sequence[Sequence[tuple[str, list[tuple[int, int, int]]]]], alive: Sequence[int], streams: int
    ) -> tuple[Phase, ...]:
        """Stream after stream; the first cycles, in which the start is still felt, are driven but not compared."""
        phases: list[Phase] = []
        latency = self._design.latency
        for stream in range(streams):
            start = len(phases)
            for cycle, changes in enumerate(steps):
                if not alive[cycle] >> stream & 1:
                    break
                for number, (change, columns) in enumerate(changes):
                    here = len(phases)
                    reference = here - latency * len(changes) if cycle > _RESET_CYCLES + latency else None
                    if latency and number:
                        reference = None
                    phases.append(Phase(cycle, change, *columns[stream], reference, start))
        return tuple(phases)

    def _keeps(self, inputs: Sequence[int], width: int) -> int:
        if self._allowed == TRUE:
            return (1 << width) - 1
        return value(self._contract.simulate(inputs, width), self._allowed, width)

    def _transposed(
        self, inputs: Sequence[int], outcomes: Sequence[tuple[int, int]], width: int
    ) -> list[tuple[int, int, int]]:
        """(stimulus, expected, determined) words of each vector."""
        ins = [self._place[bit] for bit in self._model.inputs]
        at = {(p, i): k for k, (p, i) in enumerate((p.name, i) for p in self._design.outputs for i in range(p.width))}
        outs = [at[port, bit] for port, bit, _ in self._model.outputs]
        stimulus = _words(inputs, ins, width)
        expected = _words([e for e, _ in outcomes], outs, width)
        determined = _words([d for _, d in outcomes], outs, width)
        return list(zip(stimulus, expected, determined, strict=True))


def _words(columns: Sequence[int], places: Sequence[int], width: int) -> list[int]:
    """Bit v of column k becomes bit `places[k]` of word v."""
    words = [0] * width
    for column, place in zip(columns, places, strict=True):
        while column:
            low = column & -column
            words[low.bit_length() - 1] |= 1 << place
            column ^= low
    return words
