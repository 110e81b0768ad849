"""What worker processes are asked to do, and how they do it; everything here can be pickled."""

import traceback
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

from rtl_evolve.evolver.evaluation import Evaluation
from rtl_evolve.evolver.loop import Task
from rtl_evolve.flows.cache import EvaluationCache, open_cache
from rtl_evolve.flows.confirm import Bench, confirm, try_bench
from rtl_evolve.flows.evaluate import EvaluateSettings, evaluate
from rtl_evolve.rtl.candidate import Candidate
from rtl_evolve.rtl.design import Design
from rtl_evolve.rtl.errors import InputError, ToolMissing
from rtl_evolve.verify.verdict import Grade, Verdict


@dataclass(frozen=True)
class Confirmation:
    """See `confirm`: for a candidate that would enter the front."""

    candidate: Candidate
    evaluation: Evaluation


@dataclass(frozen=True)
class Trial:
    """See `try_bench`: builds once, beside the first evaluations, what later confirmations need of golden."""

    candidate: Candidate = field(default_factory=lambda: Candidate((), "golden"))


Job = Task | Confirmation | Trial


@dataclass(frozen=True)
class Work:
    """What a worker knows from the start; called once in it, it gives the worker's function."""

    design: Design
    evaluating: EvaluateSettings
    bench: Bench | None
    cached: bool

    def __call__(self) -> Callable[[Job], Evaluation]:
        return partial(_handle, self, open_cache() if self.cached else None)


def _handle(work: Work, kept: EvaluationCache | None, job: Job) -> Evaluation:
    """One job; a fault of ours on one candidate costs that candidate, a missing tool ends the run."""
    if isinstance(job, Confirmation):
        return confirm(job.candidate, job.evaluation, work.design, work.evaluating, work.bench, kept)
    if isinstance(job, Trial):
        if work.bench is not None:
            try_bench(work.design, work.bench)
        return Evaluation(job.candidate.id, Verdict(Grade.TESTED, "bench"))
    try:
        return evaluate(job, work.design, work.evaluating, kept)
    except (ToolMissing, InputError, MemoryError):
        raise
    except Exception as error:  # noqa: BLE001 - the run goes on; the row says what happened, with the traceback
        return lost(job, f"internal error: {type(error).__name__}: {error}", traceback.format_exc())


def lost(job: Job, why: str, *details: str) -> Evaluation:
    """The evaluation of a candidate whose job gave none."""
    verdict = Verdict(Grade.UNDECIDED, "worker", reasons=(f"not evaluated: {why}",))
    return Evaluation(job.candidate.id, verdict, feedback=details)
