"""The worker pool: killed, stuck, greedy and failing workers, and what is left behind."""

import importlib
import os
import subprocess
import sys
import time
from pathlib import Path
from types import ModuleType

import pytest
from rtl_evolve.flows.workers import Pool


@pytest.fixture
def jobs(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """Worker processes inherit the module path."""
    monkeypatch.syspath_prepend(str(Path(__file__).parent))
    return importlib.import_module("pool_jobs")


def test_results_come_back_whatever_happens_to_workers(tmp_path: Path, jobs: ModuleType) -> None:
    with Pool(2, jobs.make, jobs.lost, memory_mb=2048, seconds=2) as pool:
        names = ["a", "die", f"die-once {tmp_path / 'mark'}", "eat 4000", "sleep 30", "b", "raise x", "c"]
        futures = [pool.submit(name) for name in names]
        with pytest.raises(KeyError):
            futures[6].result(timeout=60)
        assert [f.result(timeout=60) for i, f in enumerate(futures) if i != 6] == [
            "A",
            "die: its worker was killed",
            "alive",
            "eat 4000: it needed more than 2048 MiB of memory",
            "sleep 30: it took more than 2 s",
            "B",
            "C",
        ]
        pids = pool.pids
    assert len(pids) == 2
    assert not any(Path(f"/proc/{pid}").exists() for pid in pids)


def test_urgent_jobs_overtake_and_waiting_ones_can_be_cancelled(jobs: ModuleType) -> None:
    done: list[str] = []
    with Pool(1, jobs.make, jobs.lost) as pool:
        first = pool.submit("sleep 0.5")
        while not first.running():
            time.sleep(0.01)
        futures = {name: pool.submit(name, urgent=name == "urgent") for name in ("a", "b", "urgent")}
        for future in futures.values():
            future.add_done_callback(lambda f: done.append("-" if f.cancelled() else f.result()))
        assert futures["a"].cancel()
        futures["b"].result(timeout=60)
    assert done == ["-", "URGENT", "B"]


@pytest.mark.parametrize("kind", ["broken", "stillborn"])
def test_workers_that_cannot_start_fail_every_job(jobs: ModuleType, kind: str) -> None:
    with Pool(2, getattr(jobs, kind), jobs.lost) as pool:
        futures = [pool.submit("a") for _ in range(3)]
        for future in futures:
            with pytest.raises((ValueError, RuntimeError)):
                future.result(timeout=60)


def test_workers_die_with_us_and_leave_nothing(tmp_path: Path) -> None:
    """Main is killed with no chance to clean up while its worker runs a child in a private folder."""
    script = Path(__file__).with_name("worker_of_a_killed_main.py")
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    with subprocess.Popen([sys.executable, str(script)], stdout=subprocess.PIPE, text=True, env=environment) as main:
        assert main.stdout is not None
        pids = [int(main.stdout.readline()) for _ in range(2)]
        assert all(Path(f"/proc/{pid}").exists() for pid in pids)
        assert list(tmp_path.iterdir())
        main.kill()
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline and (any(map(_alive, pids)) or list(tmp_path.iterdir())):
        time.sleep(0.05)
    assert not any(map(_alive, pids))
    assert not list(tmp_path.iterdir())


def _alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().split(")")[1].split()[0] != "Z"
    except OSError:
        return False
