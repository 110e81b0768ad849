"""CaDiCaL on the miter, output bit by output bit from the cheapest: each proven bit helps the next."""

import json
from pathlib import Path

from rtl_evolve.rtl.aig import AigBuilder
from rtl_evolve.rtl.process import Finished, Running
from rtl_evolve.verify.cone import open_bits, trimmed
from rtl_evolve.verify.engines.outside import run_alone, start_python
from rtl_evolve.verify.problem import Problem, ProofLimits, different, proven
from rtl_evolve.verify.verdict import Verdict

NAME = "CaDiCaL"
_CHILD = Path(__file__).with_name("sat_child.py")


def begin(problem: Problem, folder: Path, limits: ProofLimits) -> Running | None:
    """The miter as clauses, with one literal an output bit that is true where the sides differ."""
    small = trimmed(problem)
    builder = AigBuilder(small.aig.inputs)
    copy = builder.copy(small.aig, [builder.input(i) for i in range(small.aig.inputs)])

    def literal(old: int) -> int:
        return copy[old >> 1] ^ (old & 1)

    wrong = [builder.xor(literal(g), literal(c)) for g, c in open_bits(small)]
    if not wrong:
        return None
    allowed = literal(small.constraint)
    aig = builder.build()
    gates = list(zip(aig.fanin0, aig.fanin1, strict=True))
    question = {"inputs": aig.inputs, "gates": gates, "constraint": allowed, "wrong": wrong}
    (folder / "miter.json").write_text(json.dumps(question))
    return start_python(_CHILD, ["miter.json"], folder, limits)


def conclude(problem: Problem, finished: Finished) -> Verdict | None:
    """The last line says how it ended."""
    lines = finished.stdout.split("\n")
    if finished.timed_out or finished.status != 0 or len(lines) < 2:
        return None
    word, _, rest = lines[-2].partition(" ")
    if word == "equal":
        return proven(NAME, finished.seconds)
    if word == "different":
        bits = [int(b) for b in rest]
        return different(problem, problem.input_values(bits), NAME, finished.seconds)
    return None


def try_prove(problem: Problem, limits: ProofLimits) -> Verdict | None:
    """See `outside.py`."""
    return run_alone(begin, conclude, problem, limits)
