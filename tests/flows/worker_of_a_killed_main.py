"""Run by test_workers.py: a pool whose worker starts a long child; prints both process numbers."""

import os
import time
from collections.abc import Callable
from pathlib import Path

from rtl_evolve.flows.workers import Pool
from rtl_evolve.rtl.process import start, workspace


def work(pipe: int) -> None:
    with workspace() as folder:
        running = start(["sh", "-c", "echo $$ > pid; exec sleep 300"], folder)
        while not (folder / "pid").exists() or not (folder / "pid").read_text().strip():
            time.sleep(0.01)
        Path(os.environ["TMPDIR"], "child").write_text((folder / "pid").read_text())
        running.wait()


def make() -> Callable[[int], None]:
    return work


if __name__ == "__main__":
    with Pool(1, make, lambda job, why: None) as pool:
        future = pool.submit(0)
        mark = Path(os.environ["TMPDIR"], "child")
        while not mark.exists() or not mark.read_text().strip():
            time.sleep(0.01)
        child = mark.read_text().strip()
        mark.unlink()
        print(pool.pids[0], flush=True)
        print(child, flush=True)
        future.result()
