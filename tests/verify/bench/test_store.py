"""Kept folders: whole or not at all, made once, the oldest dropped."""

import os
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from rtl_evolve.verify.bench.store import bench_cache, stored


def make(folder: Path) -> None:
    (folder / "made").write_text("whole")


def never(_: Path) -> None:
    raise AssertionError("made although it is there")


def scratch(tmp_path: Path, name: str = "scratch") -> Path:
    folder = tmp_path / name
    folder.mkdir(exist_ok=True)
    return folder


def test_made_once(tmp_path: Path) -> None:
    kept = tmp_path / "cache" / "entry"
    assert stored(kept, scratch(tmp_path), 5, make) == kept
    assert stored(kept, scratch(tmp_path, "other"), 5, never) == kept
    assert (kept / "made").read_text() == "whole"


def test_a_failure_leaves_nothing(tmp_path: Path) -> None:
    kept = tmp_path / "cache" / "entry"
    with pytest.raises(AssertionError):
        stored(kept, scratch(tmp_path), 5, never)
    assert not kept.exists()
    assert stored(kept, scratch(tmp_path, "other"), 5, make) == kept


def test_what_a_killed_process_left_is_cleared(tmp_path: Path) -> None:
    kept = tmp_path / "cache" / "entry"
    left = kept.with_name(".new-entry")
    left.mkdir(parents=True)
    (left / "half").write_text("")
    assert stored(kept, scratch(tmp_path), 5, make) == kept
    assert sorted(p.name for p in kept.parent.iterdir()) == [".lock", "entry"]


def test_where_nothing_can_be_kept(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    folder = stored(blocked / "cache" / "entry", scratch(tmp_path), 5, make)
    assert folder == tmp_path / "scratch" / "entry" and (folder / "made").exists()


def test_the_oldest_go(tmp_path: Path) -> None:
    for number in range(4):
        kept = stored(tmp_path / "cache" / f"entry{number}", scratch(tmp_path, f"s{number}"), 2, make)
        then = time.time() - 10_000 + number
        os.utime(kept, (then, then))
    assert {p.name for p in (tmp_path / "cache").iterdir()} == {".lock", "entry2", "entry3"}
    stored(tmp_path / "cache" / "entry2", scratch(tmp_path, "again"), 2, never)
    stored(tmp_path / "cache" / "entry4", scratch(tmp_path, "last"), 2, make)
    assert {p.name for p in (tmp_path / "cache").iterdir()} == {".lock", "entry2", "entry4"}, "use counts, not age"


def test_made_once_by_two_at_a_time(tmp_path: Path) -> None:
    made = []

    def slow(folder: Path) -> None:
        made.append(folder)
        time.sleep(0.3)
        make(folder)

    folders = [scratch(tmp_path, name) for name in ("one", "two")]
    with ThreadPoolExecutor(2) as pool:
        kept = list(pool.map(lambda folder: stored(tmp_path / "cache" / "entry", folder, 5, slow), folders))
    assert kept == [tmp_path / "cache" / "entry"] * 2 and len(made) == 1


def test_the_users_cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert bench_cache() == tmp_path / "rtl-evolve" / "bench"
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    assert bench_cache() == Path.home() / ".cache" / "rtl-evolve" / "bench"
