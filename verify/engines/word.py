"""bitwuzla on the words: truncation, factoring and the like fall to rewriting, at any width."""

import re
from pathlib import Path

from rtl_evolve.rtl.aig import TRUE
from rtl_evolve.rtl.process import Finished, Running
from rtl_evolve.verify.cone import unsettled
from rtl_evolve.verify.engines.outside import run_alone, start_python
from rtl_evolve.verify.problem import Problem, ProofLimits, different, proven
from rtl_evolve.verify.smtlib import miter_script
from rtl_evolve.verify.verdict import Verdict

NAME = "bitwuzla"
_CHILD = Path(__file__).with_name("word_child.py")


def begin(problem: Problem, folder: Path, limits: ProofLimits) -> Running | None:
    """An SMT-LIB script; nothing to say when an open pair has no terms."""
    pairs = [(p.golden_term, p.candidate_term) for p in unsettled(problem)]
    known = [(g, c) for g, c in pairs if g is not None and c is not None]
    if not known or len(known) < len(pairs) or (problem.constraint != TRUE and problem.constraint_term is None):
        return None
    inputs = [(w.name, len(w.literals)) for w in problem.inputs]
    script = miter_script(problem.terms, inputs, known, problem.constraint_term)
    (folder / "miter.smt2").write_text(script)
    return start_python(_CHILD, ["miter.smt2"], folder, limits)


def conclude(problem: Problem, finished: Finished) -> Verdict | None:
    """ "unsat" as the first line of a run that ended well is a proof."""
    lines = finished.stdout.split("\n")
    if not finished.ok:
        return None
    if lines[0] == "unsat":
        return proven(NAME, finished.seconds)
    if lines[0] != "sat":
        return None
    found = {int(i): int(v, 2) for i, v in re.findall(r"^\(\(i(\d+) #b([01]+)\)\)$", finished.stdout, re.MULTILINE)}
    values = {w.name: found[i] for i, w in enumerate(problem.inputs)}
    return different(problem, values, NAME, finished.seconds)


def try_prove(problem: Problem, limits: ProofLimits) -> Verdict | None:
    """See `outside.py`."""
    return run_alone(begin, conclude, problem, limits)
