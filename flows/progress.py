"""How a run shows what it is doing: a live line on a terminal, plain lines elsewhere; always on standard error."""

import sys
import time
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.status import Status
from rtl_evolve.evolver.archive import Archive
from rtl_evolve.evolver.database import Row
from rtl_evolve.evolver.evaluation import Evaluation
from rtl_evolve.evolver.objective import METRICS
from rtl_evolve.flows.tables import change

PLAIN_EVERY_SECONDS = 10.0


class Display:
    """A context manager; `quiet` shows nothing."""

    def __init__(self, limit: str, quiet: bool = False) -> None:
        self._console = Console(stderr=True, highlight=False, quiet=quiet)
        self._live = sys.stderr.isatty() and not quiet
        self._status: Status | None = None
        self._limit = limit
        self._began = self._shown = time.monotonic()
        self._proven = 0
        self._best: int | None = None

    def __enter__(self) -> Self:
        if self._live:
            self._status = self._console.status("reading the design")
            self._status.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        if self._status is not None:
            self._status.stop()

    def tell(self, text: str) -> None:
        """A line that stays."""
        self._console.print(f"{self._clock()} {text}", markup=False, soft_wrap=True)

    def result(self, row: Row, evaluation: Evaluation, archive: Archive) -> None:
        """One more result taken in."""
        self._proven += evaluation.verdict.grade.value == "proven" and not evaluation.duplicate_of
        best = archive.best.position
        if best != self._best and best == row.position:
            ratios = zip(METRICS, archive.best.figures.values(), strict=True)
            figures = ", ".join(f"{name} {change(1 - ratio)}" for name, ratio in ratios)
            why = row.candidate.rationale[-1] if row.candidate.rationale else row.arm
            self.tell(f"new best {archive.best.id}: {figures} ({row.arm}: {why[:90]})")
            self._best = best
        line = f"{archive.results} evaluated, {self._proven} proven, {len(archive.front)} on the front{self._limit}"
        if self._status is not None:
            self._status.update(f"{self._clock()} {line}")
        elif time.monotonic() - self._shown > PLAIN_EVERY_SECONDS:
            self._shown = time.monotonic()
            self.tell(line)

    def _clock(self) -> str:
        seconds = int(time.monotonic() - self._began)
        return f"[{seconds // 60}:{seconds % 60:02}]"
