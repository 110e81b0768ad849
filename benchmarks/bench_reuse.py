"""What the lock-step bench costs: the first candidate of a design and the next ones, with a warm and an empty cache.

    python benchmarks/bench_reuse.py [UNIT ...]

Prints seconds of wall time and of processor time; asserts nothing.
"""

import resource
import sys
import tempfile
import time
from pathlib import Path

from rtl_evolve.rtl.candidate import Candidate
from rtl_evolve.rtl.design import Design
from rtl_evolve.rtl.load import load_design
from rtl_evolve.verify.bench.lockstep import lockstep
from rtl_evolve.verify.bench.result import BenchSettings

UNITS = Path(__file__).parents[1] / "rtl" / "units"
DEFAULT = ("csel_adder32", "mul16", "fp16_add", "bf16_pe", "dot4x8")


def processor_seconds() -> float:
    """Used so far by us and by all programs that have ended."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(u.ru_utime + u.ru_stime for u in used)


def timed(design: Design, number: int, settings: BenchSettings) -> str:
    """Wall and processor seconds of one candidate: golden with another comment, so equal and yet another text."""
    (file,) = design.sources.files
    candidate = Candidate(((file.path, f"{file.text}\n// candidate {number}\n"),))
    began, used = time.monotonic(), processor_seconds()
    result = lockstep(design, candidate, settings)
    assert result.passed, result.mismatch
    return f"{time.monotonic() - began:6.2f} ({processor_seconds() - used:5.2f})"


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        settings = BenchSettings(cache=Path(folder))
        print("seconds of wall (processor) time: first candidate, then the next three; the first row compiles it all")
        for name in sys.argv[1:] or DEFAULT:
            design = load_design([UNITS / f"{name}.v"])
            print(f"{name:14}", *(timed(design, number, settings) for number in range(4)), flush=True)


if __name__ == "__main__":
    main()
