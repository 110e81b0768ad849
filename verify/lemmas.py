"""Decomposition: arithmetic words inside both sides are found by simulation, proven by algebra, and merged.

A floating-point multiplier is a product among logic that no polynomial describes; an ALU is an adder behind a
selector. Each cluster of sums and products (`clusters.py`) is looked for among the gates of both sides. Where both
have it, each side's bits are proven to be that polynomial of the cluster's leaves, the leaves being cut to fresh
inputs; then the candidate's bits are golden's.
"""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random

from rtl_evolve.rtl.aig import AigBuilder
from rtl_evolve.verify.clusters import Cluster, find_clusters, rebuilt
from rtl_evolve.verify.cone import moved, needed_variables, trimmed, unsettled
from rtl_evolve.verify.engines import algebra_outside
from rtl_evolve.verify.problem import Pair, Problem, ProofLimits, Word
from rtl_evolve.verify.queries import Queries
from rtl_evolve.verify.stimulus import combinational_vectors
from rtl_evolve.verify.sweep import sweep
from rtl_evolve.verify.terms import Part, TermBuilder, evaluate
from rtl_evolve.verify.verdict import Grade

_VECTORS = 320  # computed on gates and on words: enough to tell apart what isn't the same by design
_CONFLICTS = 20
_GIVEN_UP = 24  # comparisons, before a sweep stops
_MANY = 3  # operands of a sum that sweeping may fail on
_LEAF_CONFLICTS = 1000
_SECONDS = 2.0  # for each attempt at one side of a lemma


@dataclass(frozen=True)
class Lemmas:
    """The problem with proven words merged, how many were, and how many were found but not proven in time."""

    problem: Problem
    proven: int
    open: int


def prove_lemmas(problem: Problem, merged: Sequence[int], limits: ProofLimits) -> Lemmas:
    """Merge every cluster both sides have, as far as time allows; needs the problem's terms.

    `merged` are a sweep's literals of this problem's variables. The problem itself must not be swept: merging gates
    of one adder into another's leaves neither an adder that algebra would know.
    """
    deadline = time.monotonic() + limits.seconds
    roots = [t for p in unsettled(problem) for t in (p.golden_term, p.candidate_term) if t is not None]
    proven = open_ = 0
    for cluster in find_clusters(problem.terms, roots):
        if cluster.products == 0 and len(cluster.leaves) < _MANY:
            continue  # a plain adder: sweeping is good at these
        if cluster.root in roots and not proven:
            continue  # the whole question is this cluster: the engines have it already
        found = _find(problem, cluster, merged)
        if found is None:
            continue
        left = min(_SECONDS, (deadline - time.monotonic()) / 4)
        if left <= 0.1:
            break
        if _holds(problem, cluster, found, replace(limits, seconds=left)):
            problem = _merge(problem, found)
            merged = sweep(problem, _CONFLICTS, _GIVEN_UP).literals
            proven += 1
        else:
            open_ += 1
    return Lemmas(problem, proven, open_)


@dataclass(frozen=True)
class _Found:
    """A cluster among the gates: both sides' literals of its low bits, and the literals of each leaf's bits."""

    golden: tuple[int, ...]
    candidate: tuple[int, ...]
    leaves: Mapping[int, tuple[int, ...]]
    also: Mapping[int, int]  # variables that are, by proof, a leaf's bit too: what literal they are


def _find(problem: Problem, cluster: Cluster, merged: Sequence[int]) -> _Found | None:
    """None when a side lacks the word, a leaf can't be found, or the word is merged already.

    Top bits that the candidate doesn't have (it may have optimised them away) are left out. Lower ones are taken from
    golden: what is proven of the word with them still gives the bits it has.
    """
    index = _Index(problem, [cluster.root, *cluster.leaves])
    golden, found = index.word(cluster.root, 0), index.word(cluster.root, 1)
    width = max((i + 1 for i, c in enumerate(found) if c is not None), default=0)
    golden, found = golden[:width], found[:width]
    kept = [g for g in golden if g is not None]
    candidate = tuple(g if c is None else c for g, c in zip(golden, found, strict=True) if g is not None)
    if len(kept) < len(golden) or sum(g != c for g, c in zip(golden, candidate, strict=True)) * 3 < len(kept):
        return None
    leaves: dict[int, tuple[int, ...]] = {}
    also: dict[int, int] = {}
    for leaf in cluster.leaves:
        if problem.terms[leaf].op == "input":
            continue
        bits = []
        for g, c in zip(index.word(leaf, 0), index.word(leaf, 1), strict=True):
            if g is None or (c is not None and not _same(problem, merged, g, c)):
                return None
            if c is not None and c != g:
                also[c >> 1] = g ^ (c & 1)
            bits.append(g)
        leaves[leaf] = tuple(bits)
    return _Found(tuple(kept), tuple(c for c in candidate if c is not None), leaves, also)


def _same(problem: Problem, merged: Sequence[int], a: int, b: int) -> bool:
    """Whether two literals are proven equal, by the sweep or right here."""
    if merged[a >> 1] ^ (a & 1) == merged[b >> 1] ^ (b & 1):
        return True
    queries = Queries(
        problem.aig.inputs, list(zip(problem.aig.fanin0, problem.aig.fanin1, strict=True)), problem.constraint
    )
    try:
        return all(queries.satisfiable(q, _LEAF_CONFLICTS) is False for q in ([a, b ^ 1], [a ^ 1, b]))
    finally:
        queries.close()


class _Index:
    """Finds the literals that carry given terms' bits, on either side, by their values in many vectors."""

    def __init__(self, problem: Problem, terms: Sequence[int]) -> None:
        patterns = combinational_vectors(problem.inputs, _VECTORS, Random(problem.seed))
        values = problem.aig.simulate(patterns, _VECTORS)
        mask = (1 << _VECTORS) - 1
        pairs = unsettled(problem)
        self._sides = []
        for side in ([lit for p in pairs for lit in p.golden], [lit for p in pairs for lit in p.candidate]):
            needed = needed_variables(problem.aig, side)
            known: dict[int, int] = {}
            for variable, v in enumerate(values):
                if needed[variable] or not variable:
                    known.setdefault(v, 2 * variable)
                    known.setdefault(v ^ mask, 2 * variable + 1)
            self._sides.append(known)
        self._bits: dict[int, list[int]] = {t: [0] * problem.terms[t].width for t in terms}
        for vector in range(_VECTORS):
            inputs = problem.input_values([p >> vector & 1 for p in patterns])
            for term, v in zip(terms, evaluate(problem.terms, inputs, terms), strict=True):
                for i in range(problem.terms[term].width):
                    self._bits[term][i] |= (v >> i & 1) << vector

    def word(self, term: int, side: int) -> tuple[int | None, ...]:
        """The literals of the term's bits, None for those that aren't found."""
        return tuple(self._sides[side].get(bits) for bits in self._bits[term])


def _holds(problem: Problem, cluster: Cluster, found: _Found, limits: ProofLimits) -> bool:
    """Both sides' bits are the cluster's polynomial of its leaves, for all values of the leaves."""
    question = _cut(problem, cluster, found)
    if not _plausible(question):
        return False
    for pair in question.pairs:
        if pair.golden == pair.candidate:
            continue
        one = trimmed(question.with_pairs([pair]))
        if not _proven(one, limits) and not _proven(sweep(one, _CONFLICTS, _GIVEN_UP).problem, limits):
            return False
    return True


def _proven(question: Problem, limits: ProofLimits) -> bool:
    verdict = algebra_outside.try_prove(question, limits)
    return verdict is not None and verdict.grade is Grade.PROVEN


def _plausible(question: Problem) -> bool:
    """Whether the gates agree with each other and with the words in more vectors, the leaves being free."""
    patterns = combinational_vectors(question.inputs, _VECTORS, Random(question.seed + 1))
    values = question.aig.simulate(patterns, _VECTORS)
    full = (1 << _VECTORS) - 1
    sides = [[values[lit >> 1] ^ (full if lit & 1 else 0) for lit in pair.candidate] for pair in question.pairs]
    if sides[0] != sides[1]:
        return False
    term = question.pairs[0].golden_term
    assert term is not None
    for vector in range(0, _VECTORS, 8):
        inputs = question.input_values([p >> vector & 1 for p in patterns])
        expected = evaluate(question.terms, inputs, [term])[0]
        if sum((bit >> vector & 1) << i for i, bit in enumerate(sides[0])) != expected:
            return False
    return True


def _cut(problem: Problem, cluster: Cluster, found: _Found) -> Problem:
    """The lemma over the problem's inputs and the leaves' bits as inputs of their own.

    Each side is asked about by itself, against the polynomial: the literals were matched by simulation only, so
    neither may be taken for the term.
    """
    variables = sorted({lit >> 1 for word in found.leaves.values() for lit in word if lit > 1})
    variables = [v for v in variables if v > problem.aig.inputs]
    old_inputs = problem.aig.inputs
    builder = AigBuilder(old_inputs + len(variables))
    fresh = {v: builder.input(old_inputs + i) for i, v in enumerate(variables)}
    new = [2 * v for v in range(old_inputs + 1)]
    for k, (a, b) in enumerate(zip(problem.aig.fanin0, problem.aig.fanin1, strict=True)):
        variable = old_inputs + 1 + k
        gate = fresh.get(variable)
        if gate is None and variable in found.also:
            same = found.also[variable]
            gate = fresh.get(same >> 1, 2 * (same >> 1)) ^ (same & 1)
        if gate is None:
            gate = builder.and_(new[a >> 1] ^ (a & 1), new[b >> 1] ^ (b & 1))
        new.append(gate)
    words = [*problem.inputs]
    if variables:
        words.append(Word("$cut", tuple(fresh[v] for v in variables)))
    terms = TermBuilder()
    place = {v: (terms.input("$cut", len(variables)), i) for i, v in enumerate(variables)} if variables else {}
    for word in problem.inputs:
        whole = terms.input(word.name, len(word.literals))
        place.update((lit >> 1, (whole, i)) for i, lit in enumerate(word.literals))
    leaves = {leaf: terms.join([_part(terms, place, lit) for lit in word]) for leaf, word in found.leaves.items()}
    width = len(found.golden)
    root = terms.slice(rebuilt(terms, problem.terms, cluster.root, leaves), 0, width)
    sides = [tuple(new[lit >> 1] ^ (lit & 1) for lit in side) for side in (found.golden, found.candidate)]
    pairs = (
        Pair("golden", sides[1], sides[0], golden_term=root),
        Pair("candidate", sides[0], sides[1], golden_term=root),
    )
    return Problem(builder.build(), tuple(words), pairs, terms=tuple(terms.terms), seed=problem.seed)


def _part(terms: TermBuilder, place: Mapping[int, tuple[int, int]], literal: int) -> Part:
    if literal < 2:
        return Part(terms.const(literal, 1), 0)
    term, index = place[literal >> 1]
    return Part(term, index, 1, bool(literal & 1))


def _merge(problem: Problem, found: _Found) -> Problem:
    """Of each pair of proven literals, the one later in the graph becomes the earlier one."""
    stands: dict[int, int] = {}
    for golden, candidate in zip(found.golden, found.candidate, strict=True):
        late, early = max(golden, candidate), min(golden, candidate)
        if late >> 1 != early >> 1:
            stands[late >> 1] = early ^ (late & 1)
    aig = problem.aig
    builder = AigBuilder(aig.inputs)
    new = [2 * v for v in range(aig.inputs + 1)]
    for k, (a, b) in enumerate(zip(aig.fanin0, aig.fanin1, strict=True)):
        stand = stands.get(aig.inputs + 1 + k)
        if stand is not None:
            new.append(new[stand >> 1] ^ (stand & 1))
        else:
            new.append(builder.and_(new[a >> 1] ^ (a & 1), new[b >> 1] ^ (b & 1)))
    return trimmed(moved(problem, builder.build(), new))
