"""What the bench is asked, and what it answers."""

from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from rtl_evolve.rtl.process import Limits
from rtl_evolve.verify.bench.store import bench_cache
from rtl_evolve.verify.verdict import Counterexample


@dataclass(frozen=True)
class BenchSettings:
    """About `cycles` cycles (input vectors, without registers) drawn from `seed`; `limits` is for each program started.

    `cache` holds what is compiled once; it may be deleted at any time.
    """

    cycles: int = 2000
    seed: int = 1
    limits: Limits = field(default_factory=lambda: Limits(seconds=120))
    cache: Path = field(default_factory=bench_cache)


class Outcome(StrEnum):
    """How a candidate fared."""

    PASSED = "passed"
    DIFFERENT = "different"  # from golden, at the cycle that `mismatch` names
    FAILED = "failed"  # the user's test failed, or the simulation ended early
    UNBUILDABLE = "unbuildable"  # Verilator or the C++ compiler refuses what our front end took
    TIMED_OUT = "timed out"


@dataclass(frozen=True)
class BenchResult:
    """`mismatch` says in one line what went wrong, with cycle and port values; empty when passed.

    `cycles` is the number of cycles compared (0 for a user's test). `counterexample` runs from the stream's first
    cycle to the first difference.
    """

    outcome: Outcome
    cycles: int
    seconds: float
    seed: int
    mismatch: str = ""
    log: str = ""
    counterexample: Counterexample | None = None

    @property
    def passed(self) -> bool:
        return self.outcome is Outcome.PASSED
