"""Results of earlier evaluations, found again by content: sources, settings, tool versions and our own code.

One SQLite file in the user's cache folder, shared by all runs and workers. It may be deleted at any time; whatever
goes wrong with it (full disk, no permission, damage) only costs the saving.
"""

import hashlib
import json
import sqlite3
import zlib
from functools import lru_cache
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path

from rtl_evolve.evolver import records
from rtl_evolve.evolver.evaluation import Evaluation
from rtl_evolve.rtl.user_cache import user_cache
from rtl_evolve.rtl.yosys import tool_versions

_MOST_ENTRIES = 200_000
_OURS = ("rtl", "verify", "synth")


def _contents(folder: Traversable) -> list[tuple[str, bytes]]:
    found = []
    for entry in sorted(folder.iterdir(), key=lambda e: e.name):
        if entry.is_dir() and entry.name not in ("units", "__pycache__"):
            found += _contents(entry)
        elif entry.is_file() and not entry.name.endswith(".pyc"):
            found.append((entry.name, entry.read_bytes()))
    return found


@lru_cache(maxsize=1)
def program_digest() -> str:
    """Changes with any tool's version and any file of ours that a result may depend on."""
    digest = hashlib.sha256(json.dumps(tool_versions(), sort_keys=True).encode())
    for layer in _OURS:
        for name, data in _contents(resources.files(f"rtl_evolve.{layer}")):
            digest.update(name.encode() + b"\0" + hashlib.sha256(data).digest())
    return digest.hexdigest()


def key(*parts: object) -> str:
    """A key under which a result that depends on these values and on the program may be kept."""
    return hashlib.sha256(repr((program_digest(), parts)).encode()).hexdigest()


class EvaluationCache:
    """Evaluations by key; made anew in each process."""

    def __init__(self, path: Path) -> None:
        self._sql: sqlite3.Connection | None = None
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._sql = sqlite3.connect(path, timeout=5, isolation_level=None)
            self._sql.execute("PRAGMA journal_mode = WAL")
            self._sql.execute("PRAGMA synchronous = OFF")
            self._sql.execute(
                "CREATE TABLE IF NOT EXISTS entry (number INTEGER PRIMARY KEY, key TEXT UNIQUE, value BLOB)"
            )
        except (sqlite3.Error, OSError):
            self._sql = None

    def get(self, key: str) -> Evaluation | None:
        """What was put under this key, None when nothing (readable) was."""
        try:
            found = self._sql and self._sql.execute("SELECT value FROM entry WHERE key = ?", (key,)).fetchone()
            return records.load(zlib.decompress(found[0]).decode()) if found else None
        except (sqlite3.Error, zlib.error, ValueError, TypeError):
            return None

    def put(self, key: str, evaluation: Evaluation) -> None:
        """Keep an evaluation; the oldest make room when there are too many."""
        if self._sql is None:
            return
        try:
            value = zlib.compress(records.dump(evaluation).encode(), 1)
            row = self._sql.execute("INSERT OR IGNORE INTO entry (key, value) VALUES (?, ?)", (key, value)).lastrowid
            if row is not None and row % 1000 == 0:
                self._sql.execute("DELETE FROM entry WHERE number <= ?", (row - _MOST_ENTRIES,))
        except sqlite3.Error:
            return


def clear_cache() -> int:
    """Forget all evaluations; the bytes freed."""
    freed = 0
    for path in user_cache().glob("evaluations.sqlite*"):
        freed += path.stat().st_size
        path.unlink()
    return freed


def open_cache() -> EvaluationCache:
    """The user's cache."""
    return EvaluationCache(user_cache() / "evaluations.sqlite")
