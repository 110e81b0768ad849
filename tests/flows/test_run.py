"""Whole runs with the real tools on a small unit: what they find, and what they leave behind however they end."""

import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

UNIT = """module unit(input clk, input s, input [3:0] a, b, c, d, output reg [3:0] y, output reg [3:0] z);
  // two adders each where one would do
  always @(posedge clk) begin
    y <= s ? a + b : c + d;
    z <= s ? a - c : b - d;
  end
endmodule
"""
FLOW = """design: {files: unit.v}
max_delay: none
recipes: [area, quick]
power: {vectors: 500}
budget: {candidates: 4}
window: 3
workers: 2
"""
pytestmark = pytest.mark.slow


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "unit.v").write_text(UNIT)
    (tmp_path / "flow.yaml").write_text(FLOW)
    (tmp_path / "tmp").mkdir()
    return tmp_path


@pytest.fixture(autouse=True)
def nothing_left(tmp_path: Path) -> Iterator[None]:
    """No process of ours and no temporary folder outlives a test."""
    yield
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline and (list((tmp_path / "tmp").iterdir()) or processes(tmp_path)):
        time.sleep(0.1)
    assert list((tmp_path / "tmp").iterdir()) == []
    assert processes(tmp_path) == []


def processes(folder: Path) -> list[str]:
    """Command lines of processes whose environment has our temporary folder."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and int(entry.name) != os.getpid():
            try:
                if f"TMPDIR={folder / 'tmp'}" in (entry / "environ").read_text(errors="replace"):
                    found.append((entry / "cmdline").read_text(errors="replace").replace("\0", " "))
            except OSError:
                continue
    return [command for command in found if command]


def start(folder: Path, *arguments: str) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-m", "rtl_evolve.flows.cli", *arguments],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "TMPDIR": str(folder / "tmp"), "XDG_CACHE_HOME": str(folder / "cache")},
        start_new_session=True,
    )


def run(folder: Path, *arguments: str, status: int = 0) -> dict[str, Any]:
    with start(folder, *arguments, "--json") as process:
        out, err = process.communicate(timeout=600)
    assert process.returncode == status, err
    result: dict[str, Any] = json.loads(out)
    return result


def story(folder: Path) -> dict[str, Any]:
    """What a run decided, without anything that depends on the clock."""
    result = json.loads((folder / "result.json").read_text())
    with sqlite3.connect(f"file:{folder}/run.sqlite?mode=ro", uri=True) as connection:
        rows = connection.execute(
            "SELECT position, id, arm, coalesce(c.outcome, e.outcome), e.structure, e.scalar, e.confirmed"
            " FROM candidate c LEFT JOIN evaluation e USING (position) ORDER BY position"
        ).fetchall()
    connection.close()
    patch = (folder / "best.patch").read_text()
    return {"rows": rows, "patch": patch, **{k: result[k] for k in ("baseline", "best", "front", "counts", "ended")}}


def test_a_run_finds_a_proven_gain_and_writes_it_down(folder: Path) -> None:
    result = run(folder, "run", "flow.yaml", "--out", "out")
    assert result["best"]["verdict"] == "proven" and result["best"]["gain"]["area"] > 0.02
    assert not result["best"]["is_baseline"] and result["ended"] in ("candidates", "exhausted")
    counts = result["counts"]
    assert counts["pending"] == 0
    assert counts["proposed"] == sum(v for k, v in counts.items() if k not in ("proposed", "pending"))
    out = folder / "out"
    assert {p.name for p in out.iterdir()} >= {
        *("run.sqlite", "result.json", "best", "best.patch", "report.html", "report.md"),
    }
    assert json.loads((out / "result.json").read_text()) == result
    subprocess.run(["git", "apply", "--check", "out/best.patch"], cwd=folder, check=True)
    assert run(folder, "check", "unit.v", "out/best/unit.v")["verdict"] == "proven"
    status = run(folder, "status", "out")
    assert status["best"] == result["best"]["id"] and status["counts"] == counts
    assert run(folder, "diff", "out")["diff"] == (out / "best.patch").read_text()
    (out / "report.html").unlink()
    run(folder, "report", "out")
    assert (out / "report.html").is_file()
    run(folder, "resume", "out")
    assert json.loads((out / "result.json").read_text())["counts"] == counts


def test_workers_and_cache_change_nothing(folder: Path) -> None:
    run(folder, "run", "flow.yaml", "--out", "one", "--workers", "1", "--no-cache")
    run(folder, "run", "flow.yaml", "--out", "three", "--workers", "3")
    run(folder, "run", "flow.yaml", "--out", "again", "--workers", "2")
    assert story(folder / "one") == story(folder / "three") == story(folder / "again")
    stages = json.loads((folder / "again" / "result.json").read_text())["stages"]
    assert "prove" not in stages and stages["cache"]["calls"] > 0


def test_killed_at_random_moments_and_resumed_equals_uninterrupted(folder: Path) -> None:
    run(folder, "run", "flow.yaml", "--out", "whole", "--no-cache")
    rng = random.Random(1)
    with start(folder, "run", "flow.yaml", "--out", "killed", "--no-cache") as process:
        while not (folder / "killed" / "run.sqlite").exists() or not ready(folder / "killed"):
            time.sleep(0.05)
        time.sleep(rng.random() * 3)
        process.kill()
    for _ in range(4):
        with start(folder, "resume", "killed") as process:
            time.sleep(rng.random() * 6)
            process.kill()
    run(folder, "resume", "killed")
    assert story(folder / "killed") == story(folder / "whole")


def ready(folder: Path) -> bool:
    """Whether golden has been measured, so that there is something to resume."""
    try:
        with sqlite3.connect(f"file:{folder}/run.sqlite?mode=ro", uri=True) as connection:
            found = connection.execute("SELECT 1 FROM run WHERE key = 'ended'").fetchone()
        connection.close()
    except sqlite3.Error:
        return False
    return found is not None


def test_a_killed_worker_costs_nothing(folder: Path) -> None:
    with start(folder, "run", "flow.yaml", "--out", "out", "--json") as process:
        while not (folder / "out" / "run.sqlite").exists() or not ready(folder / "out"):
            time.sleep(0.05)
        killed = 0
        deadline = time.monotonic() + 20
        while not killed and time.monotonic() < deadline:
            for child in children(process.pid):
                if "spawn_main" in child[1] and not killed:
                    os.kill(child[0], signal.SIGKILL)
                    killed += 1
        out, err = process.communicate(timeout=600)
    assert killed and process.returncode == 0, err
    assert json.loads(out)["counts"]["undecided"] == 0
    assert json.loads(out)["best"]["verdict"] == "proven"


def children(parent: int) -> list[tuple[int, str]]:
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                if int((entry / "stat").read_text().rsplit(")")[-1].split()[1]) == parent:
                    found.append((int(entry.name), (entry / "cmdline").read_text()))
            except OSError:
                continue
    return found


def test_interrupted_it_ends_cleanly_with_a_report(folder: Path) -> None:
    with start(folder, "run", "flow.yaml", "--out", "out", "--json") as process:
        while not (folder / "out" / "run.sqlite").exists() or not ready(folder / "out"):
            time.sleep(0.05)
        time.sleep(1)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert process.returncode == 130, err
    assert json.loads(out)["ended"] == "interrupted"
    assert "Traceback" not in err and (folder / "out" / "report.html").is_file()
    whole = run(folder, "resume", "out")
    assert whole["ended"] in ("candidates", "exhausted") and whole["best"]["verdict"] == "proven"


def test_two_searches_in_one_folder_are_refused(folder: Path) -> None:
    with start(folder, "run", "flow.yaml", "--out", "out") as process:
        while not (folder / "out" / ".lock").exists():
            time.sleep(0.05)
        with start(folder, "resume", "out") as second:
            _, err = second.communicate(timeout=60)
        assert second.returncode == 2 and "another process is running in out" in err
        process.communicate(timeout=600)
