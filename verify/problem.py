"""The question every proof engine answers: do two lists of words agree for all values of the inputs?

Sequential questions are brought to this form (`sequential/`), so that one set of engines serves all. Every engine is a
module in `engines/` with

    try_prove(problem: Problem, limits: ProofLimits) -> Verdict | None

that returns `proven(...)` only when it ran to its end, `different(...)` with values of the input words, or None when
it cannot say. It never raises for a hard problem, only for a broken workbench.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from rtl_evolve.rtl.aig import TRUE, Aig
from rtl_evolve.verify.terms import Term
from rtl_evolve.verify.verdict import Counterexample, Cycle, Grade, Verdict


@dataclass(frozen=True)
class ProofLimits:
    """What a proof may use: wall-clock seconds, processes at once, MiB of memory for each."""

    seconds: float = 60.0
    workers: int = 1
    memory_mb: int = 4096


@dataclass(frozen=True)
class Word:
    """An input word: its name and the literals of its bits in the problem's graph, least significant first.

    Each literal is a graph input, not inverted. `signed` is how the port is declared (a hint, no more).
    """

    name: str
    literals: tuple[int, ...]
    signed: bool = False


@dataclass(frozen=True)
class Pair:
    """Two words that must agree: literals in the problem's graph, and the terms that compute them where known."""

    name: str
    golden: tuple[int, ...]
    candidate: tuple[int, ...]
    golden_term: int | None = None
    candidate_term: int | None = None
    signed: bool = False


@dataclass(frozen=True)
class Problem:
    """Do all `pairs` agree for all values of `inputs` under which literal `constraint` is true?

    `aig` holds both sides, equal gates shared; its inputs are exactly the bits of `inputs`, in order. `terms` is the
    word-level view (`terms.py`) over the same input words, empty when there is none; `constraint_term` is a term one
    bit wide, None when there is no constraint or no such view. `seed` feeds whatever is random in an engine.
    """

    aig: Aig
    inputs: tuple[Word, ...]
    pairs: tuple[Pair, ...]
    constraint: int = TRUE
    terms: tuple[Term, ...] = ()
    constraint_term: int | None = None
    seed: int = 0
    golden_signals: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    candidate_signals: Mapping[str, tuple[int, ...]] = field(default_factory=dict)

    @property
    def settled(self) -> bool:
        """Both sides are the same literals everywhere: nothing is left to prove."""
        return all(p.golden == p.candidate for p in self.pairs)

    def with_pairs(self, pairs: Sequence[Pair]) -> "Problem":
        """The same question about other (fewer) words."""
        return replace(self, pairs=tuple(pairs))

    def input_bits(self, values: Mapping[str, int]) -> list[int]:
        """One 0 or 1 a graph input, from a value for each input word."""
        return [values[w.name] >> i & 1 for w in self.inputs for i in range(len(w.literals))]

    def input_values(self, bits: Sequence[int]) -> dict[str, int]:
        """The value of each input word, from one 0 or 1 a graph input."""
        return {w.name: sum(bits[(lit >> 1) - 1] << i for i, lit in enumerate(w.literals)) for w in self.inputs}


def proven(engine: str, seconds: float = 0.0, reasons: tuple[str, ...] = ()) -> Verdict:
    """An engine ran to its end and found all pairs equal."""
    return Verdict(Grade.PROVEN, engine, seconds, reasons)


def different(problem: Problem, values: Mapping[str, int], engine: str, seconds: float = 0.0) -> Verdict:
    """An engine found input values; the pairs that disagree are shown. Whoever asked replays it on the designs."""
    bits = problem.input_bits(values)
    graph = problem.aig.simulate(bits, 1)
    shown: list[tuple[str, str, str]] = []
    for pair in problem.pairs:
        sides = [
            sum((graph[lit >> 1] ^ (lit & 1)) << i for i, lit in enumerate(s)) for s in (pair.golden, pair.candidate)
        ]
        if sides[0] != sides[1]:
            width = len(pair.golden)
            shown.append((pair.name, literal(sides[0], width), literal(sides[1], width)))
    cycle = Cycle(
        tuple((w.name, literal(values[w.name], len(w.literals))) for w in problem.inputs),
        tuple((name, golden) for name, golden, _ in shown),
        tuple((name, candidate) for name, _, candidate in shown),
    )
    return Verdict(Grade.DIFFERENT, engine, seconds, counterexample=Counterexample((cycle,)))


def witness_values(verdict: Verdict) -> dict[str, int]:
    """The input words' values of an engine's "different"."""
    assert verdict.counterexample is not None
    return {name: parse_literal(text) for name, text in verdict.counterexample.cycles[0].inputs}


def literal(value: int, width: int) -> str:
    """A sized Verilog literal, 8'hff."""
    return f"{width}'h{value & ((1 << width) - 1):x}"


def parse_literal(text: str) -> int:
    """The value of what `literal` writes."""
    return int(text.partition("'h")[2], 16)
