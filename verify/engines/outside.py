"""What engines that run in a process of their own have in common.

Such an engine is a module with NAME and

    begin(problem, folder, limits) -> Running | None      None when it has nothing to say about this problem
    conclude(problem, finished) -> Verdict | None          reads what it left in its folder and on standard output

so that the portfolio can have several under way and stop them all at the first answer.
"""

import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from rtl_evolve.rtl.process import Finished, Limits, Running, start, workspace
from rtl_evolve.verify.problem import Problem, ProofLimits
from rtl_evolve.verify.verdict import Verdict

Begin = Callable[[Problem, Path, ProofLimits], Running | None]
Conclude = Callable[[Problem, Finished], Verdict | None]


class OutsideEngine(Protocol):
    """The shape of such a module."""

    NAME: str

    def begin(self, problem: Problem, folder: Path, limits: ProofLimits) -> Running | None: ...

    def conclude(self, problem: Problem, finished: Finished) -> Verdict | None: ...


def run_alone(begin: Begin, conclude: Conclude, problem: Problem, limits: ProofLimits) -> Verdict | None:
    """One such engine by itself."""
    with workspace() as folder:
        running = begin(problem, folder, limits)
        return None if running is None else conclude(problem, running.wait())


def process_limits(limits: ProofLimits) -> Limits:
    return Limits(seconds=limits.seconds, memory_mb=limits.memory_mb)


def start_python(script: Path, arguments: Sequence[str], folder: Path, limits: ProofLimits) -> Running:
    """Start one of our own small scripts."""
    return start([sys.executable, "-P", str(script), *arguments], folder, process_limits(limits))


@dataclass(frozen=True)
class Slot:
    """An engine's turn: the question in the form it likes, and for how many seconds at most."""

    engine: OutsideEngine
    problem: Problem
    seconds: float


def race(slots: Sequence[Slot], limits: ProofLimits) -> Verdict | None:
    """The first answer of several engines, `limits.workers` at a time, in order.

    All others are stopped at the first answer, which is a proof or a difference, and all when the limits' time is up.
    """
    deadline = time.monotonic() + limits.seconds
    waiting = list(slots)
    running: list[tuple[Slot, Running]] = []
    with workspace() as folder:
        try:
            while waiting or running:
                while waiting and len(running) < max(limits.workers, 1):
                    slot = waiting.pop(0)
                    left = deadline - time.monotonic()
                    if left <= 0:
                        return None
                    own = folder / f"{len(slots) - len(waiting)}"
                    own.mkdir()
                    given = ProofLimits(min(slot.seconds, left), 1, limits.memory_mb)
                    begun = slot.engine.begin(slot.problem, own, given)
                    if begun is not None:
                        running.append((slot, begun))
                for slot, process in list(running):
                    finished = process.poll()
                    if finished is not None:
                        running.remove((slot, process))
                        verdict = slot.engine.conclude(slot.problem, finished)
                        if verdict is not None:
                            return verdict
                time.sleep(0.002)
        finally:
            for _, process in running:
                process.kill()
    return None
