"""How long a candidate takes: 100 distinct rewrites of a 16x16 multiplier, each proven and measured, two workers.

    python benchmarks/throughput.py [--candidates 100] [--workers 2] [--json]

Nothing is spared: no cache, no screening out, every candidate through gate, simulation, proof and the measurements
the search goes by. Exit status 1 when a candidate takes more than 1.2 s of wall time on average.
"""

import argparse
import itertools
import json
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from rtl_evolve.evolver.evaluation import Evaluation
from rtl_evolve.evolver.loop import Task
from rtl_evolve.flows.baseline import measure_golden
from rtl_evolve.flows.config import for_target
from rtl_evolve.flows.jobs import Job, Work, lost
from rtl_evolve.flows.prepare import design_of, evaluate_settings, measure_settings
from rtl_evolve.flows.workers import Pool
from rtl_evolve.rtl.candidate import Candidate

LIMIT_SECONDS = 1.2
GOLDEN = "module mul(input [15:0] a, b, output [31:0] p);\n  assign p = a * b;\nendmodule\n"


def rewrites() -> Iterator[str]:
    """Sums of the products of `a` and three parts of `b`, cut at every pair of places."""
    for i, j in itertools.combinations(range(1, 16), 2):
        parts = ((i - 1, 0), (j - 1, i), (15, j))
        yield GOLDEN.replace("a * b", " + ".join(f"((a * b[{high}:{low}]) << {low})" for high, low in parts))


def measure_throughput(candidates: int, workers: int, folder: Path) -> dict[str, object]:
    """Evaluate that many candidates; seconds each, where they went, and how they ended."""
    (folder / "mul.v").write_text(GOLDEN)
    settings = for_target(folder / "mul.v")
    design = design_of(settings.design)
    baseline = measure_golden(design, measure_settings(settings, design), "")
    work = Work(design, evaluate_settings(settings, design, baseline), None, cached=False)
    texts = list(itertools.islice(rewrites(), candidates))
    with Pool[Job, Evaluation](workers, work, lost) as pool:
        for warm in [pool.submit(Task(Candidate((("mul.v", f"{GOLDEN}// {n}\n"),)), {}, ())) for n in range(workers)]:
            warm.result()
        began = time.monotonic()
        futures = [pool.submit(Task(Candidate((("mul.v", text),)), {}, ())) for text in texts]
        evaluations = [future.result() for future in futures]
        seconds = time.monotonic() - began
    stages: Counter[str] = Counter()
    for evaluation in evaluations:
        stages.update(dict(evaluation.stage_seconds))
    return {
        "candidates": len(texts),
        "distinct_structures": len({e.structure for e in evaluations}),
        "workers": workers,
        "seconds": seconds,
        "seconds_each": seconds / len(texts),
        "outcomes": dict(Counter(e.verdict.grade.value for e in evaluations)),
        "engines": dict(Counter(e.verdict.engine for e in evaluations)),
        "stage_seconds_each": {name: spent / len(texts) for name, spent in stages.most_common()},
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--candidates", type=int, default=100)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    with TemporaryDirectory() as folder:
        found = measure_throughput(arguments.candidates, arguments.workers, Path(folder))
    if arguments.json:
        print(json.dumps(found, indent=2))
    else:
        for name, value in found.items():
            print(f"{name}: {value}")
    return int(float(str(found["seconds_each"])) > LIMIT_SECONDS)


if __name__ == "__main__":
    sys.exit(main())
