"""A question over all time as one AIGER machine with latches that start at 0 and an output that must stay false."""

from dataclasses import dataclass

from rtl_evolve.rtl.aig import FALSE, TRUE, AigBuilder
from rtl_evolve.verify.aiger import aiger
from rtl_evolve.verify.questions import Question


@dataclass(frozen=True)
class SequentialMiter:
    """`data` is the AIGER file. Its inputs are the unknown start values (read in the first cycle only), then the
    question's input bits."""

    data: bytes
    unknowns: int
    input_bits: int


def build_miter(question: Question) -> SequentialMiter:
    """Latches: the states (stored inverted where they start at 1), "started", "the contract was broken", and one for
    each cycle in which some outputs aren't compared."""
    product = question.product
    bits, states, unknowns = product.input_bits, product.all_states, question.unknowns
    waits = len(question.tainted)
    builder = AigBuilder(unknowns + bits + len(states) + 2 + waits)
    latch = [builder.input(unknowns + bits + i) for i in range(len(states) + 2 + waits)]
    started, broken, phases = latch[len(states)], latch[len(states) + 1], latch[len(states) + 2 :]
    first = started ^ 1
    now = []
    for held, start in zip(latch, question.start, strict=False):
        unknown = builder.input((start >> 1) - 1) ^ (start & 1) if start > 1 else 0
        now.append(held ^ start if start < 2 else builder.mux(first, unknown, held))
    copy = builder.copy(product.aig, [*(builder.input(unknowns + i) for i in range(bits)), *now])

    def literal(old: int) -> int:
        return copy[old >> 1] ^ (old & 1)

    allowed = builder.and_(literal(product.constraint), broken ^ 1)
    cycle = [first, *phases][:waits]
    bad = FALSE
    for pair in product.pairs:
        for i, (g, c) in enumerate(zip(pair.golden, pair.candidate, strict=True)):
            compared = TRUE
            for at, skipped in zip(cycle, question.tainted, strict=True):
                if (pair.name, i) in skipped:
                    compared = builder.and_(compared, at ^ 1)
            bad = builder.or_(bad, builder.and_(builder.xor(literal(g), literal(c)), compared))
    bad = builder.and_(bad, allowed)
    after = [literal(s.next) ^ (start if start < 2 else 0) for s, start in zip(states, question.start, strict=True)]
    after += [TRUE, allowed ^ 1, *([first, *phases][:waits])]
    data = aiger(builder.build(), [bad], after, [0] * len(after))
    return SequentialMiter(data, unknowns, bits)


@dataclass(frozen=True)
class Run:
    """A run from the start: the unknown start values, and the input bits of each cycle."""

    unknowns: tuple[int, ...]
    inputs: tuple[tuple[int, ...], ...]


def read_witness(miter: SequentialMiter, text: str) -> Run | None:
    """A run from an AIGER witness: a line of latch values, then one line of inputs a cycle."""
    lines = [line.strip() for line in text.splitlines()[1:]]
    width = miter.unknowns + miter.input_bits
    rows = [line for line in lines if len(line) == width and set(line) <= set("01x")]
    if not rows or not width:
        return None
    values = [[int(ch == "1") for ch in row] for row in rows]
    return Run(tuple(values[0][: miter.unknowns]), tuple(tuple(row[miter.unknowns :]) for row in values))
