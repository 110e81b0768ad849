"""Jobs for test_workers.py, in a file that worker processes can import."""

import os
import signal
import time
from collections.abc import Callable
from pathlib import Path


def work(job: str) -> str:
    what, _, value = job.partition(" ")
    if what == "die-once":
        marker = Path(value)
        if not marker.exists():
            marker.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return "alive"
    if what == "die":
        os.kill(os.getpid(), signal.SIGKILL)
    if what == "sleep":
        time.sleep(float(value))
    if what == "eat":
        return str(len(bytearray(int(value) << 20)))
    if what == "raise":
        raise KeyError(value)
    if what == "limit":
        return str(os.getppid())
    return job.upper()


def make() -> Callable[[str], str]:
    return work


def lost(job: str, why: str) -> str:
    return f"{job}: {why}"


def broken() -> Callable[[str], str]:
    raise ValueError("cannot start")


def stillborn() -> Callable[[str], str]:
    os._exit(3)
