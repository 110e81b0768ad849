"""ABC's combinational equivalence checker `&cec`: simulation, SAT sweeping and rewriting."""

import re
from pathlib import Path

from rtl_evolve.rtl.aig import TRUE, AigBuilder
from rtl_evolve.rtl.process import Finished, Running, start
from rtl_evolve.rtl.yosys import abc_program
from rtl_evolve.verify.aiger import aiger
from rtl_evolve.verify.cone import open_bits, trimmed
from rtl_evolve.verify.engines.outside import process_limits, run_alone
from rtl_evolve.verify.problem import Problem, ProofLimits, different, proven
from rtl_evolve.verify.verdict import Verdict

NAME = "ABC cec"


def begin(problem: Problem, folder: Path, limits: ProofLimits) -> Running | None:
    """Golden's and the candidate's open output bits as two AIGER files; the constraint masks both."""
    small = trimmed(problem)
    aig, sides = small.aig, list(zip(*open_bits(small), strict=True))
    if not sides:
        return None
    if small.constraint != TRUE:
        builder = AigBuilder(aig.inputs)
        copy = builder.copy(aig, [builder.input(i) for i in range(aig.inputs)])
        allowed = copy[small.constraint >> 1] ^ (small.constraint & 1)
        sides = [tuple(builder.and_(copy[lit >> 1] ^ (lit & 1), allowed) for lit in side) for side in sides]
        aig = builder.build()
    for name, side in zip(("golden.aig", "candidate.aig"), sides, strict=True):
        (folder / name).write_bytes(aiger(aig, side))
    script = "&r golden.aig; &cec -C 1000000 candidate.aig"
    return start([abc_program(), "-c", script], folder, process_limits(limits))


def conclude(problem: Problem, finished: Finished) -> Verdict | None:
    """Equal counts only when ABC ran to its end and said so."""
    if not finished.ok:
        return None
    if re.search(r"^Networks are equivalent\b", finished.stdout, re.MULTILINE):
        return proven(NAME, finished.seconds)
    inputs = re.search(r"^INPUT: (.*?)\.  OUTPUT:", finished.stdout, re.MULTILINE)
    if "NOT EQUIVALENT" not in finished.stdout or not inputs:
        return None
    bits: list[int] = []
    for width, digits in re.findall(r"= (\d+)'h([0-9A-Fa-f]+)", inputs[1]):
        bits += [int(digits, 16) >> i & 1 for i in range(int(width))]
    if len(bits) != problem.aig.inputs:
        return None
    return different(problem, problem.input_values(bits), NAME, finished.seconds)


def try_prove(problem: Problem, limits: ProofLimits) -> Verdict | None:
    """See `outside.py`."""
    return run_alone(begin, conclude, problem, limits)
