"""The first cycles of a question, as combinational questions over the inputs of all cycles so far."""

from dataclasses import dataclass

from rtl_evolve.rtl.aig import TRUE, AigBuilder
from rtl_evolve.verify.problem import Pair, Problem, Word
from rtl_evolve.verify.questions import Question
from rtl_evolve.verify.sequential.timed import TimedCopy

START = "$start"  # the input word of start values that are unknown


@dataclass(frozen=True)
class Unrolled:
    """Cycle `cycle` of a question: `outputs` the compared output words, `states` each state's literal, then."""

    problem: Problem
    cycle: int
    states: tuple[int, ...]


def unroll(question: Question, cycle: int, seed: int) -> Unrolled:
    """Cycle `cycle` from the start, over input words "a@0" to "a@<cycle>" and "$start"; raises `TooManyGates`."""
    product = question.product
    bits = product.input_bits
    builder = AigBuilder(question.unknowns + bits * (cycle + 1))
    states = product.all_states

    def resolve(variable: int, time: int) -> int | tuple[int, int]:
        if variable <= bits:
            return builder.input(question.unknowns + time * bits + variable - 1)
        if time == 0:
            return question.start[variable - bits - 1]
        return states[variable - bits - 1].next, time - 1

    copy = TimedCopy(product.aig, builder, resolve)
    allowed = TRUE
    for time in range(cycle + 1):
        allowed = builder.and_(allowed, copy.literal(product.constraint, time))
    tainted = question.tainted[cycle] if cycle < len(question.tainted) else frozenset()
    pairs = []
    for pair in product.pairs:
        kept = [i for i in range(len(pair.golden)) if (pair.name, i) not in tainted]
        golden, candidate = (
            tuple(copy.literal(side[i], cycle) for i in kept) for side in (pair.golden, pair.candidate)
        )
        if kept:
            pairs.append(Pair(pair.name, golden, candidate, signed=pair.signed))
    now = tuple(copy.literal(2 * (bits + 1 + i), cycle) for i in range(len(states)))
    words = [Word(START, tuple(builder.input(i) for i in range(question.unknowns)))] if question.unknowns else []
    for time in range(cycle + 1):
        shift = 2 * (question.unknowns + time * bits)
        for word in product.inputs:
            words.append(Word(f"{word.name}@{time}", tuple(lit + shift for lit in word.literals), word.signed))
    return Unrolled(Problem(builder.build(), tuple(words), tuple(pairs), allowed, seed=seed), cycle, now)
