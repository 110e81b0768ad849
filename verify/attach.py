"""Gives a question its word-level view, after checking that view against the gates by simulation."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from random import Random

from rtl_evolve.rtl.aig import TRUE
from rtl_evolve.rtl.netlist import Netlist
from rtl_evolve.verify.assume import constraint_term
from rtl_evolve.verify.problem import Pair, Problem
from rtl_evolve.verify.stimulus import combinational_vectors
from rtl_evolve.verify.terms import Part, TermBuilder, evaluate
from rtl_evolve.verify.words import NoTerms, WordReader

_VECTORS = 64


def attach_ports(problem: Problem, golden: Netlist, candidate: Netlist, assumptions: tuple[str, ...]) -> Problem:
    """Terms for the output ports of two netlists without registers that matter."""
    builder = TermBuilder()
    words = {w.name: builder.input(w.name, len(w.literals)) for w in problem.inputs}

    def port(name: str, index: int, _: int) -> Part:
        return Part(words[name], index)

    def register(reader: WordReader, bit: int, time: int) -> Part:
        raise NoTerms("a register in a combinational question")

    sides = [
        _outputs(reader, netlist)
        for netlist in (golden, candidate)
        for reader in [WordReader(netlist, builder, port, register)]
    ]
    return attach(problem, builder, sides[0], sides[1], assumptions)


def _outputs(reader: WordReader, netlist: Netlist) -> dict[str, int]:
    """The terms of the output ports that have any."""
    terms = {}
    for port in netlist.ports:
        if port.direction == "output":
            with suppress(NoTerms):
                terms[port.name] = reader.word(port.bits)
    return terms


def attach(
    problem: Problem,
    builder: TermBuilder,
    golden: Mapping[str, int],
    candidate: Mapping[str, int],
    assumptions: tuple[str, ...],
) -> Problem:
    """The question with terms by pair name; a term that ever disagrees with its gates is left out."""
    constraint = None
    if problem.constraint != TRUE:
        constraint = constraint_term(builder, {w.name: w for w in problem.inputs}, assumptions)
    rng = Random(problem.seed)
    patterns = combinational_vectors(problem.inputs, _VECTORS, rng)
    values = problem.aig.simulate(patterns, _VECTORS)
    vectors = [problem.input_values([p >> v & 1 for p in patterns]) for v in range(_VECTORS)]
    wanted = sorted({t for side in (golden, candidate) for t in side.values()})
    computed = [dict(zip(wanted, evaluate(builder.terms, v, wanted), strict=True)) for v in vectors]

    def checked(term: int | None, literals: tuple[int, ...]) -> int | None:
        if term is None or builder.width(term) != len(literals):
            return None
        for v in range(_VECTORS):
            gates = sum((values[lit >> 1] >> v & 1 ^ lit & 1) << i for i, lit in enumerate(literals))
            if gates != computed[v][term]:
                return None
        return term

    def pair(p: Pair) -> Pair:
        terms = checked(golden.get(p.name), p.golden), checked(candidate.get(p.name), p.candidate)
        return replace(p, golden_term=terms[0], candidate_term=terms[1])

    pairs = tuple(pair(p) for p in problem.pairs)
    return replace(problem, pairs=pairs, terms=tuple(builder.terms), constraint_term=constraint)
