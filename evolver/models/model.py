"""What every language model looks like to the rest: one question, one answer, what it cost, or why there is none."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from rtl_evolve.rtl.errors import WorkbenchError


class Fault(StrEnum):
    """Why a request gave no answer, by what can be done about it."""

    KEY = "key"  # none, or refused: nothing to retry
    MODEL = "model"  # no such model at this endpoint
    REQUEST = "request"  # the endpoint refuses this very request (too long, bad option)
    QUOTA = "quota"  # used up for longer than a retry waits
    BUSY = "busy"  # 429, 5xx: worth a retry
    NETWORK = "network"  # no connection, or it broke: worth a retry
    NONSENSE = "nonsense"  # the endpoint doesn't speak the protocol


RETRIED = frozenset({Fault.BUSY, Fault.NETWORK})


@dataclass
class ModelError(WorkbenchError):
    """A request failed for good; `message` is one line for the user. `retry_after` is the endpoint's wish in seconds."""

    fault: Fault = Fault.NONSENSE
    retry_after: float | None = None
    exit_status = 4


@dataclass(frozen=True)
class Question:
    """`max_tokens` bounds the answer; `seed` is passed on where the endpoint takes one."""

    system: str
    prompt: str
    max_tokens: int = 8192
    temperature: float = 0.8
    seed: int | None = None


@dataclass(frozen=True)
class Answer:
    """`text` may be empty: then `finish` says why ("length", "safety", ...). Tokens are as billed, thinking included."""

    text: str
    model: str
    input_tokens: int
    output_tokens: int
    finish: str
    seconds: float


class Model(Protocol):
    """One model at one endpoint; `ask` blocks, may be called from several threads, and raises only `ModelError`."""

    @property
    def name(self) -> str: ...

    def ask(self, question: Question) -> Answer: ...


@dataclass(frozen=True)
class Patience:
    """How a request is retried: at most `attempts` in all, waiting as the endpoint asks, else 1, 2, 4 ... seconds.

    A wish beyond `longest_wait` seconds is a quota that is gone, not a moment's load.
    """

    attempts: int = 4
    first_wait: float = 1.0
    longest_wait: float = 60.0


def with_patience(
    request: Callable[[], Answer], patience: Patience, sleep: Callable[[float], None] = time.sleep
) -> Answer:
    """Make the request again while its fault is worth it."""
    wait = patience.first_wait
    for attempt in range(1, patience.attempts + 1):
        try:
            return request()
        except ModelError as error:
            if error.fault not in RETRIED or attempt == patience.attempts:
                raise
            pause = wait if error.retry_after is None else error.retry_after
            if pause > patience.longest_wait:
                raise ModelError(f"{error.message} (it asks to wait {pause:.0f} s)", Fault.QUOTA, pause) from error
            sleep(pause)
            wait *= 2
    raise AssertionError("unreachable: the last attempt returns or raises")
