"""Case splits: the bits that select between computations set to each of their values, one question a case."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from rtl_evolve.rtl.aig import AigBuilder
from rtl_evolve.verify.clusters import rebuilt
from rtl_evolve.verify.cone import moved, trimmed, unsettled
from rtl_evolve.verify.problem import Problem
from rtl_evolve.verify.terms import Part, Term, TermBuilder

_MOST_BITS = 4
_NARROWEST = 4  # bits a selected word must have
_WIDEST = 6  # input bits a condition may depend on to be a selection and not a computation

Bit = tuple[str, int]


@dataclass(frozen=True)
class Case:
    """Some input bits fixed, and the question that is left."""

    fixed: Mapping[Bit, int]
    problem: Problem

    def whole(self, values: Mapping[str, int]) -> dict[str, int]:
        """Input values of the case with its fixed bits in place."""
        result = dict(values)
        for (name, index), value in self.fixed.items():
            result[name] = result[name] & ~(1 << index) | value << index
        return result


def selecting_bits(problem: Problem) -> list[Bit]:
    """The input bits most used to select, at most four."""
    terms = problem.terms
    wanted = {t for p in unsettled(problem) for t in (p.golden_term, p.candidate_term) if t is not None}
    for index in range(len(terms) - 1, -1, -1):
        if index in wanted:
            wanted.update(terms[index].args)
    counts: Counter[Bit] = Counter()
    supports = _supports(terms)
    for index in wanted:
        if terms[index].op == "ite" and terms[index].width >= _NARROWEST:
            bits = supports[terms[index].args[0]]
            if bits is not None and len(bits) <= _WIDEST:
                counts.update({bit: terms[index].width for bit in bits})
    return [bit for bit, _ in sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:_MOST_BITS]]


def _supports(terms: Sequence[Term]) -> list[frozenset[Bit] | None]:
    """The input bits each term depends on; None for more than a few."""
    found: list[frozenset[Bit] | None] = []
    for term in terms:
        if term.op == "input":
            bits = frozenset((term.name, i) for i in range(term.width))
        elif term.op == "slice" and terms[term.args[0]].op == "input":
            bits = frozenset((terms[term.args[0]].name, term.value + i) for i in range(term.width))
        else:
            parts = [found[a] for a in term.args]
            bits = frozenset().union(*(p for p in parts if p is not None))
            if None in parts:
                found.append(None)
                continue
        found.append(bits if len(bits) <= _WIDEST else None)
    return found


def split(problem: Problem, bits: Sequence[Bit]) -> Iterator[Case]:
    """All cases of the given bits."""
    for number in range(1 << len(bits)):
        fixed = {bit: number >> i & 1 for i, bit in enumerate(bits)}
        yield Case(fixed, _fixed(problem, fixed))


def _fixed(problem: Problem, fixed: Mapping[Bit, int]) -> Problem:
    aig = problem.aig
    builder = AigBuilder(aig.inputs)
    inputs = [builder.input(i) for i in range(aig.inputs)]
    for word in problem.inputs:
        for i, lit in enumerate(word.literals):
            if (word.name, i) in fixed:
                inputs[(lit >> 1) - 1] = fixed[word.name, i]
    new = builder.copy(aig, inputs)
    terms = TermBuilder()
    leaves = {}
    for index, term in enumerate(problem.terms):
        if term.op == "input":
            whole = terms.input(term.name, term.width)
            parts = [
                Part(terms.const(fixed[term.name, i], 1), 0) if (term.name, i) in fixed else Part(whole, i)
                for i in range(term.width)
            ]
            leaves[index] = terms.join(parts)

    def again(index: int | None) -> int | None:
        return None if index is None else rebuilt(terms, problem.terms, index, leaves)

    pairs = [
        replace(p, golden_term=again(p.golden_term), candidate_term=again(p.candidate_term)) for p in problem.pairs
    ]
    constraint = again(problem.constraint_term)
    whole_problem = replace(problem, pairs=tuple(pairs), constraint_term=constraint)
    return trimmed(replace(moved(whole_problem, builder.build(), new), terms=tuple(terms.terms)))
