"""A stopwatch for the stages of one evaluation."""

import time
from collections.abc import Iterator
from contextlib import contextmanager


class Stages:
    """Seconds by stage, in the order stages first ran; `before` is what was spent already."""

    def __init__(self, before: tuple[tuple[str, float], ...] = ()) -> None:
        self._seconds = dict(before)

    @contextmanager
    def __call__(self, name: str) -> Iterator[None]:
        """Time a block of code as (more of) a stage."""
        began = time.monotonic()
        try:
            yield
        finally:
            self._seconds[name] = self._seconds.get(name, 0.0) + time.monotonic() - began

    @property
    def seconds(self) -> tuple[tuple[str, float], ...]:
        return tuple(self._seconds.items())

    @property
    def total(self) -> float:
        return sum(self._seconds.values())
