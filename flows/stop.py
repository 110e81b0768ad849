"""When to end: the time budget, and Ctrl-C, which ends cleanly once and at once the second time."""

import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

INTERRUPTED = "interrupted"


class Stop:
    """`limit` is a time of `time.monotonic`; `reason` is what a search asks between its steps."""

    def __init__(self) -> None:
        self.limit: float | None = None
        self._interrupted = False

    def reason(self) -> str:
        """Why to end now; empty to go on."""
        if self._interrupted:
            return INTERRUPTED
        return "minutes" if self.limit is not None and time.monotonic() > self.limit else ""

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
