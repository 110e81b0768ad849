"""Cutting graphs down to what a question needs."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from rtl_evolve.rtl.aig import Aig, AigBuilder
from rtl_evolve.verify.problem import Pair, Problem


def needed_variables(aig: Aig, roots: Iterable[int]) -> bytearray:
    """One byte a variable: 1 where the literals depend on it by structure."""
    needed = bytearray(aig.variables)
    for root in roots:
        needed[root >> 1] = 1
    first = aig.inputs + 1
    f0, f1 = aig.fanin0, aig.fanin1
    for variable in range(aig.variables - 1, first - 1, -1):
        if needed[variable]:
            needed[f0[variable - first] >> 1] = 1
            needed[f1[variable - first] >> 1] = 1
    return needed


def trimmed(problem: Problem) -> Problem:
    """The same question with no gate that it doesn't need; its inputs stay all."""
    roots = [lit for p in problem.pairs for lit in (*p.golden, *p.candidate)] + [problem.constraint]
    needed = needed_variables(problem.aig, roots)
    builder = AigBuilder(problem.aig.inputs)
    new: dict[int, int] = {v: 2 * v for v in range(problem.aig.inputs + 1)}
    first = problem.aig.inputs + 1
    for k, (a, b) in enumerate(zip(problem.aig.fanin0, problem.aig.fanin1, strict=True)):
        if needed[first + k]:
            new[first + k] = builder.and_(new[a >> 1] ^ (a & 1), new[b >> 1] ^ (b & 1))
    return moved(problem, builder.build(), new)


def moved(problem: Problem, aig: Aig, new: Mapping[int, int] | Sequence[int]) -> Problem:
    """The question in another graph; `new` gives the literal that stands for each old variable it needs."""

    def word(literals: Sequence[int]) -> tuple[int, ...]:
        return tuple(new[lit >> 1] ^ (lit & 1) for lit in literals)

    def known(signals: Mapping[str, tuple[int, ...]]) -> dict[str, tuple[int, ...]]:
        if not isinstance(new, Mapping):
            return {n: word(s) for n, s in signals.items()}
        return {n: word(s) for n, s in signals.items() if all(lit >> 1 in new for lit in s)}

    pairs = [replace(p, golden=word(p.golden), candidate=word(p.candidate)) for p in problem.pairs]
    return replace(
        problem,
        aig=aig,
        pairs=tuple(pairs),
        constraint=word([problem.constraint])[0],
        golden_signals=known(problem.golden_signals),
        candidate_signals=known(problem.candidate_signals),
    )


def unsettled(problem: Problem) -> tuple[Pair, ...]:
    """The pairs whose literals aren't the same already."""
    return tuple(p for p in problem.pairs if p.golden != p.candidate)


def open_bits(problem: Problem) -> list[tuple[int, int]]:
    """The distinct pairs of literals still to be proven equal, cheapest first (by position in the graph)."""
    bits = {(g, c) for p in problem.pairs for g, c in zip(p.golden, p.candidate, strict=True) if g != c}
    return sorted(bits, key=lambda pair: (max(pair), pair))
