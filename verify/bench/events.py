"""Golden's bit-level model stepped as a simulator would: any input may change, edges and asynchronous loads follow.

It says which output bits golden determines: everything unknown (state at power-up, x) is filled in several ways, and
bits that don't depend on the filling are determined. It knows nothing of Verilator, so agreement means something.
"""

from collections.abc import Sequence
from random import Random

from rtl_evolve.rtl.aig import value
from rtl_evolve.rtl.model import Model

_MOST_ROUNDS = 64  # of edges that cause edges; more is an oscillation


class Unsettled(Exception):
    """A change of the inputs never comes to rest: an asynchronous loop."""


class EventRun:
    """The model under `streams` input streams, each with `fillings` ways to fill in what is unknown.

    Vector v belongs to stream v % streams and filling v // streams; in filling 0, x is what elaboration gives.
    """

    def __init__(self, model: Model, streams: int, fillings: int, rng: Random, *, forget_start: bool) -> None:
        self._model, self._streams, self._fillings, self._rng = model, streams, fillings, rng
        self._width = streams * fillings
        self._full = (1 << self._width) - 1
        self._state = [
            rng.getrandbits(self._width) if r.init is None or forget_start else self._full * r.init
            for r in model.registers
        ]
        # the bench's simulator starts with all inputs low
        values = model.aig.simulate([*(0 for _ in model.inputs), *self._state, *self._undefined()], self._width)
        self._clocks = self._levels(values)

    def drive(self, inputs: Sequence[int], *, powering_up: bool = False) -> list[tuple[int, int]]:
        """Apply input bits (bit s of each integer is stream s) and settle.

        Gives for each output bit its expected value and whether it is determined, a bit a stream. Raises `Unsettled`.
        While powering up, an asynchronous load acts at clock edges only: a simulator sees no change that starts it.
        """
        repeated = [self._repeat(bits) for bits in inputs]
        undefined = self._undefined()
        for _ in range(_MOST_ROUNDS):
            values = self._model.aig.simulate([*repeated, *self._state, *undefined], self._width)
            if not self._update(values, powering_up):
                return [self._outcome(value(values, lit, self._width)) for _, _, lit in self._model.outputs]
        raise Unsettled("its registers never come to rest: an asynchronous loop")

    def _levels(self, values: Sequence[int]) -> list[int]:
        return [value(values, r.clock, self._width) for r in self._model.registers]

    def _update(self, values: Sequence[int], powering_up: bool) -> bool:
        """Take edges and loads; whether any state changed."""
        clocks = self._levels(values)
        after = []
        for register, old, now, state in zip(self._model.registers, self._clocks, clocks, self._state, strict=True):
            edge = (now & ~old if register.rising else old & ~now) & self._full
            if edge:
                state = (state & ~edge) | (value(values, register.next, self._width) & edge)
            if register.load is not None and register.load_value is not None:
                load = value(values, register.load, self._width) & (edge if powering_up else self._full)
                state = (state & ~load) | (value(values, register.load_value, self._width) & load)
            after.append(state)
        changed = after != self._state
        self._state, self._clocks = after, clocks
        return changed

    def _repeat(self, bits: int) -> int:
        return sum(bits << filling * self._streams for filling in range(self._fillings))

    def _undefined(self) -> list[int]:
        """Free bits for x: 0 in the first filling, 1 in the second, random in the others."""
        zeros, ones = (1 << self._streams) - 1, ((1 << self._streams) - 1) << self._streams
        return [self._rng.getrandbits(self._width) & ~zeros | ones & self._full for _ in self._model.undefined]

    def _outcome(self, column: int) -> tuple[int, int]:
        mask = (1 << self._streams) - 1
        expected = column & mask
        loose = 0
        for filling in range(1, self._fillings):
            loose |= (column >> filling * self._streams & mask) ^ expected
        return expected, loose ^ mask
