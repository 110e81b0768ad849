"""Golden and candidate simulated side by side from their start, many input streams at once.

Bit v of every integer belongs to stream v. A difference is judged as the verdict will be: only output bits that
golden determines by then, only streams that kept the contract so far, x as the policy says.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from rtl_evolve.rtl.aig import value
from rtl_evolve.verify.comparison import Comparison
from rtl_evolve.verify.sequential.machine import Machine

_X_TRIES = 4  # values tried for golden's undefined bits to see where an output depends on them
OutputValues = dict[tuple[str, int], int]


@dataclass(frozen=True)
class Seen:
    """One cycle of all streams. `wrong`: streams whose outputs differ; `unknown`: streams where the candidate's
    outputs depend on its x; `where_x`: streams in which every difference is where golden is x."""

    wrong: int
    unknown: int
    where_x: int
    golden: OutputValues
    candidate: OutputValues
    candidate_x: OutputValues


class Lanes:
    """Both machines in `width` streams; `golden` and `candidate` are the start values, one integer a state."""

    def __init__(
        self, comparison: Comparison, width: int, golden: Sequence[int], candidate: Sequence[int], rng: Random
    ) -> None:
        self._c, self._width, self._rng = comparison, width, rng
        self._full = (1 << width) - 1
        first, second = comparison.machines
        self._golden = _Runner(first, width, golden)
        self._candidate = _Runner(second, width, candidate)
        self._with_x = _Runner(second, width, candidate) if comparison.candidate_x else None
        tries = _X_TRIES if comparison.golden_x else 0
        self._golden_x = [_Runner(first, width, golden) for _ in range(tries)]
        self._kept = self._full
        self._cycle = 0

    def step(self, inputs: Sequence[int], free: Sequence[int]) -> Seen:
        """The next cycle under these inputs, `free` being the candidate's undefined bits."""
        c, full = self._c, self._full
        allowed = c.contract.simulate(inputs, self._width)
        self._kept &= value(allowed, c.allowed, self._width)
        tainted = c.start.tainted[self._cycle] if self._cycle < len(c.start.tainted) else frozenset()
        self._cycle += 1
        undefined = c.machines[0].undefined
        golden = self._golden.step(inputs, [0] * undefined)
        candidate = self._candidate.step(inputs, [0] * len(free))
        with_x = self._with_x.step(inputs, free) if self._with_x else candidate
        others = []
        for index, runner in enumerate(self._golden_x):
            drawn = [full] * undefined if not index else [self._rng.getrandbits(self._width) for _ in range(undefined)]
            others.append(runner.step(inputs, drawn))
        dont_care = c.design.x_policy == "dont_care"
        wrong = unknown = outside = 0
        for bit, expected in golden.items():
            if bit in tainted:
                continue
            loose = 0
            for other in others:
                loose |= other[bit] ^ expected
            error = candidate[bit] ^ expected
            outside |= error & ~loose
            wrong |= error & ~loose if dont_care else error
            unknown |= (with_x[bit] ^ candidate[bit]) & ~loose
        kept = self._kept
        return Seen(wrong & kept, unknown & kept, wrong & kept & ~outside, golden, candidate, with_x)


class _Runner:
    """One machine's state in all streams."""

    def __init__(self, machine: Machine, width: int, state: Sequence[int]) -> None:
        self._machine, self._width = machine, width
        self._state = list(state)

    def step(self, inputs: Sequence[int], free: Sequence[int]) -> OutputValues:
        machine, width = self._machine, self._width
        full = (1 << width) - 1
        values = machine.aig.simulate([*inputs, *self._state, *free], width)
        self._state = [values[s.next >> 1] ^ (full if s.next & 1 else 0) for s in machine.states]
        return {(port, bit): values[lit >> 1] ^ (full if lit & 1 else 0) for port, bit, lit in machine.outputs}


def start_lanes(comparison: Comparison, width: int, rng: Random) -> tuple[list[int], list[int]]:
    """Start values for `width` streams: what the start fixes, corresponding values where shared, random otherwise."""
    full = (1 << width) - 1
    start = comparison.start
    golden = [rng.getrandbits(width) if v is None else full * v for v in start.golden]
    candidate = [rng.getrandbits(width) if v is None else full * v for v in start.candidate]
    for g, c, inverted in start.shared:
        candidate[c] = golden[g] ^ (full if inverted else 0)
    return golden, candidate
