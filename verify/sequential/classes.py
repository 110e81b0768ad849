"""Classes of states assumed to be alike: guessed from simulation, split by whatever shows them different."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from random import Random

from rtl_evolve.rtl.aig import value
from rtl_evolve.rtl.design import Design
from rtl_evolve.verify.problem import Word
from rtl_evolve.verify.questions import Question
from rtl_evolve.verify.stimulus import SequentialVectors

_STREAMS = 64
_CYCLES = 40


class Classes:
    """Each state stands for itself, for an earlier state, or for a constant, inverted or not.

    `alike()` gives it as literals: 0 or 1, or 2 * (state + 1) perhaps inverted, the class's first state its own.
    """

    def __init__(self, signatures: Mapping[int, int], full: int) -> None:
        self._classes: list[list[tuple[int, int]]] = []  # (state, inverted); a state of -1 is the constant 0
        groups: dict[int, list[tuple[int, int]]] = {0: [(-1, 0)]}
        for state, signature in signatures.items():
            inverted = signature & 1
            groups.setdefault(signature ^ full if inverted else signature, []).append((state, inverted))
        self._classes = list(groups.values())

    def alike(self) -> dict[int, int]:
        result = {}
        for members in self._classes:
            first, polarity = members[0]
            for state, inverted in members:
                if state >= 0:
                    result[state] = 2 * (first + 1) ^ polarity ^ inverted
        return result

    def followers(self) -> int:
        """How many states stand for another or a constant."""
        return sum(len(members) - 1 for members in self._classes)

    def split(self, values: Callable[[int], int], mask: int) -> bool:
        """Part what differs in some vector of `mask`; `values(state)` are a state's values in all vectors."""
        parted = False
        result: list[list[tuple[int, int]]] = []
        for members in self._classes:
            groups: dict[int, list[tuple[int, int]]] = {}
            for state, inverted in members:
                seen = 0 if state < 0 else values(state)
                groups.setdefault((~seen if inverted else seen) & mask, []).append((state, inverted))
            parted |= len(groups) > 1
            result += groups.values()
        self._classes = result
        return parted


def guess_classes(question: Question, states: Iterable[int], design: Design, seed: int) -> Classes:
    """States that agree in a simulation from the start."""
    signatures = dict.fromkeys(states, 0)
    for now in _run(question, design, Random(seed)):
        for state in signatures:
            signatures[state] = signatures[state] << _STREAMS | now[state]
    width = _STREAMS * (_CYCLES + 1)
    return Classes(signatures, (1 << width) - 1)


def _run(question: Question, design: Design, rng: Random) -> Iterable[Sequence[int]]:
    """Values of all states at the start of each cycle that counts."""
    product = question.product
    full = (1 << _STREAMS) - 1
    unknown = [0, *(rng.getrandbits(_STREAMS) for _ in range(question.unknowns))]
    state = [full * lit if lit < 2 else unknown[lit >> 1] ^ (full if lit & 1 else 0) for lit in question.start]
    words: tuple[Word, ...] = product.inputs
    vectors = SequentialVectors(words, design, _STREAMS, rng)
    skipped = len(question.tainted)
    for cycle in range(skipped + _CYCLES + 1):
        if cycle >= skipped:
            yield state
        values = product.aig.simulate([*vectors.next(), *state], _STREAMS)
        state = [value(values, s.next, _STREAMS) for s in product.all_states]
