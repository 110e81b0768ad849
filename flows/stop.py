"""When to end: the time budget, and Ctrl-C, which ends cleanly once and at once the second time."""

import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

INTERRUPTED = "interrupted"
_LAST_SECONDS, _LAST_PART = 20.0, 0.1


class Stop:
    """What a search asks between its steps: the last part of its time is for finishing what has been started."""

    def __init__(self) -> None:
        self._limit: float | None = None
        self._soft: float | None = None
        self._interrupted = False

    def within(self, seconds: float | None) -> None:
        """So much time is left from now on; None: no limit."""
        if seconds is not None:
            self._limit = time.monotonic() + seconds
            self._soft = self._limit - min(_LAST_SECONDS, _LAST_PART * seconds)

    def reason(self) -> str:
        """Why to start nothing more; empty to go on."""
        if self._interrupted:
            return INTERRUPTED
        return "minutes" if self._soft is not None and time.monotonic() > self._soft else ""

    def now(self) -> bool:
        """Whether to end at once."""
        return self._interrupted or (self._limit is not None and time.monotonic() > self._limit)

    @contextmanager
    def on_signals(self) -> Iterator[None]:
        """Take SIGINT and SIGTERM as a wish to end cleanly; a second one raises `KeyboardInterrupt`."""

        def handle(_: int, __: FrameType | None) -> None:
            if self._interrupted:
                raise KeyboardInterrupt
            self._interrupted = True

        before = {number: signal.signal(number, handle) for number in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)
