"""A difference found where golden itself is x: is that the only place, and which inputs are they?"""

from dataclasses import replace
from random import Random

from rtl_evolve.rtl.aig import FALSE, TRUE, AigBuilder
from rtl_evolve.verify.comparison import Comparison
from rtl_evolve.verify.portfolio import settle
from rtl_evolve.verify.problem import Pair, Problem, ProofLimits, literal, parse_literal
from rtl_evolve.verify.questions import dont_care_question, undefined_question
from rtl_evolve.verify.replay import confirm
from rtl_evolve.verify.simulate import find_trace
from rtl_evolve.verify.verdict import Counterexample, Grade, Verdict

_VECTORS = 4096
_LIMITS = ProofLimits(seconds=10)


def sharpen(comparison: Comparison, verdict: Verdict, seed: int) -> Verdict:
    """A "different" of a combinational design with x: a difference where golden is defined if there is one, else
    the same with a note that says on which inputs golden is x."""
    if not _applies(comparison, verdict):
        return verdict
    freed = replace(comparison, design=replace(comparison.design, x_policy="dont_care"))
    trace = find_trace(freed, Random(seed), _VECTORS)
    elsewhere = confirm(comparison, trace, verdict.engine) if trace else None
    if elsewhere is not None:
        return elsewhere
    settled = settle(dont_care_question(freed).product.problem(seed), _LIMITS, lambda problem: problem)
    proven = settled.verdict is not None and settled.verdict.grade is Grade.PROVEN
    condition = undefined_where(comparison, verdict, seed)
    note = "only where golden is x" if proven else "where golden is x"
    note += f": {condition}" if condition else ""
    assert verdict.counterexample is not None
    return replace(
        verdict,
        counterexample=Counterexample(verdict.counterexample.cycles, note),
        reasons=(f"differs {note}", *verdict.reasons),
    )


def _applies(comparison: Comparison, verdict: Verdict) -> bool:
    return (
        comparison.golden_x
        and not comparison.sequential
        and comparison.design.x_policy == "strict"
        and verdict.counterexample is not None
    )


def undefined_where(comparison: Comparison, verdict: Verdict, seed: int) -> str:
    """ "b == 0" when golden's outputs are x exactly where one input word has its value of the counterexample."""
    assert verdict.counterexample is not None
    shown = dict(verdict.counterexample.cycles[-1].inputs)
    product = undefined_question(comparison).product.problem(seed)
    builder = AigBuilder(product.aig.inputs)
    copy = builder.copy(product.aig, [builder.input(i) for i in range(product.aig.inputs)])
    somewhere = FALSE
    for pair in product.pairs:
        for g, c in zip(pair.golden, pair.candidate, strict=True):
            somewhere = builder.or_(somewhere, builder.xor(copy[g >> 1] ^ (g & 1), copy[c >> 1] ^ (c & 1)))
    for word in product.inputs:
        value = parse_literal(shown.get(word.name, "1'h0"))
        there = TRUE
        for i, lit in enumerate(word.literals):
            there = builder.and_(there, lit ^ (value >> i & 1) ^ 1)
        question = Problem(builder.build(), product.inputs, (Pair("x", (somewhere,), (there,)),), seed=seed)
        answer = settle(question, replace(_LIMITS, seconds=2), lambda problem: problem).verdict
        if answer is not None and answer.grade is Grade.PROVEN:
            return f"{word.name} == {value if value < 10 else literal(value, len(word.literals))}"
    return ""
