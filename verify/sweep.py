"""SAT sweeping: gates that simulate alike are proven equal one by one and merged, from the inputs up.

Two circuits that share intermediate results fold into one; what is left of the question is only where they truly go
different ways. Every merge is a proven fact (under the constraint), so the smaller question is the same question.
"""

from dataclasses import dataclass, replace
from random import Random

from rtl_evolve.rtl.aig import Aig, AigBuilder, value
from rtl_evolve.verify.cone import moved, needed_variables, open_bits, trimmed
from rtl_evolve.verify.problem import Problem
from rtl_evolve.verify.queries import Queries
from rtl_evolve.verify.stimulus import combinational_vectors

_VECTORS = 1024
_TRIES = 2  # members of a class that a gate is compared with before it is given up
_BOTH = 3
_NEIGHBOURS = 63  # vectors beside each counterexample, each with some inputs flipped


@dataclass(frozen=True)
class Swept:
    """The question with proven gates merged; `witness` (input bits) when the sweep met a difference of a pair.

    `literals` gives for each variable of the question the literal it was merged into: variables of equal literals
    are proven equal (the literals are of an inner graph, good for nothing else). `merged` is the number of gates merged by proof, `given_up` of comparisons that reached the effort.
    """

    problem: Problem
    literals: tuple[int, ...]
    witness: tuple[int, ...] | None = None
    merged: int = 0
    given_up: int = 0


def sweep(problem: Problem, conflicts: int = 100, most_given_up: int = 1000) -> Swept:
    """Merge what `conflicts` conflicts a comparison can prove equal; stop after `most_given_up` were given up."""
    return _Sweeper(problem, conflicts, most_given_up).run()


def _sides(problem: Problem) -> list[int]:
    """For each variable, 1 where golden's words depend on it, plus 2 where the candidate's do."""
    golden = needed_variables(problem.aig, [lit for p in problem.pairs for lit in p.golden])
    candidate = needed_variables(problem.aig, [lit for p in problem.pairs for lit in p.candidate])
    return [g + 2 * c for g, c in zip(golden, candidate, strict=True)]


def _by_level(aig: Aig) -> list[int]:
    """Gates from the inputs up, both sides' side by side: what is easy to prove then comes before what is hard."""
    levels = [0] * (aig.inputs + 1)
    for a, b in zip(aig.fanin0, aig.fanin1, strict=True):
        levels.append(1 + max(levels[a >> 1], levels[b >> 1]))
    return sorted(range(len(aig.fanin0)), key=lambda k: levels[aig.inputs + 1 + k])


class _Sweeper:
    def __init__(self, problem: Problem, conflicts: int, most_given_up: int) -> None:
        self._problem, self._conflicts, self._most_given_up = problem, conflicts, most_given_up
        self._rng = Random(problem.seed)
        self._patterns = combinational_vectors(problem.inputs, _VECTORS, self._rng)
        self._width = _VECTORS
        self._first = problem.aig.inputs + 1
        self._builder = AigBuilder(problem.aig.inputs)
        self._fanins: list[tuple[int, int]] = []
        self._signatures = [0, *self._patterns]
        self._known: dict[int, int] = {
            v: 2 * v for v in range(self._first)
        }  # variable to the literal it is proven to be
        self._constraint = self._copied_constraint()
        self._queries = Queries(problem.aig.inputs, self._fanins, self._constraint)
        self._marks: dict[int, int] = {}
        self._merged = self._given_up = 0
        self._classes: dict[int, list[int]] = {}
        self._regroup()

    def _copied_constraint(self) -> int:
        """The constraint's own gates, never merged: under itself it would become true."""
        aig, root = self._problem.aig, self._problem.constraint
        needed = needed_variables(aig, [root])
        new = {v: 2 * v for v in range(self._first)}
        for k, (a, b) in enumerate(zip(aig.fanin0, aig.fanin1, strict=True)):
            if needed[self._first + k]:
                new[self._first + k] = self._and(new[a >> 1] ^ (a & 1), new[b >> 1] ^ (b & 1))
        return new[root >> 1] ^ (root & 1)

    def _and(self, a: int, b: int) -> int:
        """A gate of the new graph, with its signature."""
        literal = self._builder.and_(a, b)
        if literal >> 1 == len(self._signatures):
            full = (1 << self._width) - 1
            x, y = self._signatures[a >> 1], self._signatures[b >> 1]
            self._signatures.append((x ^ full if a & 1 else x) & (y ^ full if b & 1 else y))
            self._fanins.append((a, b))
        return literal

    def _regroup(self) -> None:
        """Classes of alike variables, by their values in the vectors the constraint allows."""
        self._allowed = value(self._signatures, self._constraint, self._width)
        self._polarity = self._allowed & -self._allowed
        self._classes = {}
        for variable, literal in sorted(self._known.items()):
            if literal == 2 * variable:
                self._classes.setdefault(self._key(variable)[0], []).append(variable)

    def _key(self, variable: int) -> tuple[int, int]:
        """The class of a variable, and whether it is in it inverted."""
        signature = self._signatures[variable]
        inverted = int(bool(signature & self._polarity))
        return (~signature if inverted else signature) & self._allowed, inverted

    def run(self) -> Swept:
        aig = self._problem.aig
        new = [2 * v for v in range(self._first)]
        if not self._allowed:
            return Swept(self._problem, tuple(2 * v for v in range(aig.variables)))
        new += [0] * len(aig.fanin0)
        sides = _sides(self._problem)
        for k in _by_level(aig):
            a, b = aig.fanin0[k], aig.fanin1[k]
            literal = self._and(new[a >> 1] ^ (a & 1), new[b >> 1] ^ (b & 1))
            variable = literal >> 1
            self._marks[variable] = self._marks.get(variable, 0) | sides[self._first + k]
            if variable not in self._known:
                self._settle(variable)
            new[self._first + k] = self._known[variable] ^ (literal & 1)
        self._queries.close()
        swept = moved(self._problem, self._builder.build(), new)
        swept = trimmed(replace(swept, constraint=self._constraint))
        return Swept(swept, tuple(new), self._witness(new), self._merged, self._given_up)

    def _settle(self, variable: int) -> None:
        """Merge a new gate into its class, or let it stand for itself."""
        tried: set[int] = set()
        while len(tried) < _TRIES and self._given_up < self._most_given_up:
            key, inverted = self._key(variable)
            other = next((m for m in self._classes.get(key, ()) if m not in tried and self._worth(m, variable)), None)
            if other is None:
                break
            tried.add(other)
            literal = 2 * other ^ inverted ^ self._key(other)[1]
            if self._equal(2 * variable, literal):
                self._known[variable] = literal
                self._merged += 1
                return
        self._known[variable] = 2 * variable
        self._classes.setdefault(self._key(variable)[0], []).append(variable)

    def _worth(self, a: int, b: int) -> bool:
        """Only what both sides have brings them together; constants and inputs simplify either."""
        return a < self._first or self._marks[a] | self._marks[b] == _BOTH

    def _equal(self, a: int, b: int) -> bool:
        for question in ([a, b ^ 1], [a ^ 1, b]):
            answer = self._queries.satisfiable(question, self._conflicts)
            if answer:
                self._learn(self._queries.model(self._problem.aig.inputs))
                return False
            if answer is None:
                self._given_up += 1
                return False
        return True

    def _learn(self, bits: list[int]) -> None:
        """Add a distinguishing vector and neighbours of it to every signature."""
        count = 1 + _NEIGHBOURS
        full = (1 << count) - 1
        block = []
        for bit in bits:
            flips = self._rng.getrandbits(count) & self._rng.getrandbits(count) & self._rng.getrandbits(count)
            block.append((full * bit) ^ (flips & ~1))
        values = [0, *block]
        for a, b in self._fanins:
            x, y = values[a >> 1], values[b >> 1]
            values.append((x ^ full if a & 1 else x) & (y ^ full if b & 1 else y))
        width = self._width
        self._signatures = [old | new << width for old, new in zip(self._signatures, values, strict=True)]
        self._patterns = [old | new << width for old, new in zip(self._patterns, block, strict=True)]
        self._width += count
        self._regroup()

    def _witness(self, new: list[int]) -> tuple[int, ...] | None:
        """Input bits at which a pair was seen to differ."""
        for golden, candidate in open_bits(self._problem):
            sides = [value(self._signatures, new[lit >> 1] ^ (lit & 1), self._width) for lit in (golden, candidate)]
            wrong = (sides[0] ^ sides[1]) & self._allowed
            if wrong:
                lane = (wrong & -wrong).bit_length() - 1
                return tuple(p >> lane & 1 for p in self._patterns)
        return None
