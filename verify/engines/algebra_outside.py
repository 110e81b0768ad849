"""The algebraic engine in a child of its own, where its time and memory are bounded."""

import pickle
from pathlib import Path

from rtl_evolve.rtl.process import Finished, Running
from rtl_evolve.verify.cone import trimmed, unsettled
from rtl_evolve.verify.engines import algebra
from rtl_evolve.verify.engines.outside import run_alone, start_python
from rtl_evolve.verify.problem import Problem, ProofLimits
from rtl_evolve.verify.verdict import Verdict

NAME = algebra.NAME
_CHILD = Path(__file__).with_name("algebra_child.py")


def begin(problem: Problem, folder: Path, limits: ProofLimits) -> Running | None:
    """The open pairs alone, without gates they don't need."""
    small = trimmed(problem.with_pairs(unsettled(problem)))
    (folder / "problem.pickle").write_bytes(pickle.dumps((small, limits)))
    return start_python(_CHILD, ["problem.pickle"], folder, limits)


def conclude(problem: Problem, finished: Finished) -> Verdict | None:
    """The verdict the child left behind, if it came to one."""
    if not finished.ok:
        return None
    verdict = pickle.loads(bytes.fromhex(finished.stdout.strip()))
    return verdict if isinstance(verdict, Verdict) else None


def try_prove(problem: Problem, limits: ProofLimits) -> Verdict | None:
    """See `outside.py`."""
    return run_alone(begin, conclude, problem, limits)
