"""The program database: one SQLite file (WAL) a run, from which everything about the run can be told or resumed.

A candidate is a row the moment it is known; its evaluation is attached in one transaction with the tallies; the
search's own state is stored in one transaction with the last result it has taken in. Killed at any moment, the file
holds every finished evaluation once.
"""

import json
import sqlite3
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

from rtl_evolve.evolver import records
from rtl_evolve.evolver.evaluation import Evaluation
from rtl_evolve.evolver.objective import Figures
from rtl_evolve.rtl.candidate import Candidate
from rtl_evolve.rtl.errors import InputError

VERSION = 1
COUNTED = ("duplicate", "rejected", "different", "undecided", "tested", "bounded", "proven", "unusable_reply")


def outcome_of(evaluation: Evaluation) -> str:
    """Under which name of `COUNTED` an evaluation counts."""
    return "duplicate" if evaluation.duplicate_of else evaluation.verdict.grade.value


@dataclass(frozen=True)
class Context:
    """What a candidate's evaluation may rest on: results up to position `seen`, and the front's screening figures."""

    seen: int = -1
    bar: tuple[Figures, ...] = ()


@dataclass(frozen=True)
class Row:
    """A candidate as stored; `outcome` is None until its evaluation is there."""

    position: int
    candidate: Candidate
    arm: str
    island: int
    outcome: str | None
    note: str = ""
    context: Context = Context()
    evaluation: Evaluation | None = None
    confirmed: bool = False


_COLUMNS = (
    "c.position, c.id, c.proposer, c.arm, c.island, coalesce(c.outcome, e.outcome) AS outcome, c.note, c.parents,"
    " c.rationale, c.context, c.files, e.record, e.confirmed"
)
_ROWS = f"SELECT {_COLUMNS} FROM candidate c LEFT JOIN evaluation e USING (position)"


class ProgramDatabase:
    """All reads and writes of one run's file; used by one thread."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._sql = connection

    @classmethod
    def create(cls, path: Path) -> "ProgramDatabase":
        """A new file; `InputError` when there is one already."""
        if path.exists():
            raise InputError(f"{path} is there already: resume it, or give another --out")
        connection = _connect(path)
        with connection:
            connection.executescript(resources.files(__package__).joinpath("schema.sql").read_text())
            connection.execute(f"PRAGMA user_version = {VERSION}")
        return cls(connection)

    @classmethod
    def open(cls, path: Path) -> "ProgramDatabase":
        """An existing file of this version; `InputError` otherwise."""
        if not path.is_file():
            raise InputError(f"{path} is not there: is {path.parent} the folder of a run?")
        try:
            connection = _connect(path)
            version = connection.execute("PRAGMA user_version").fetchone()[0]
        except sqlite3.DatabaseError as error:
            raise InputError(f"{path} is not a run's database ({error})") from error
        if version != VERSION:
            connection.close()
            raise InputError(f"{path} has schema version {version}, this program reads {VERSION}: start a new run")
        return cls(connection)

    def close(self) -> None:
        self._sql.close()

    # --- the run as a whole

    def set(self, key: str, value: Any) -> None:
        """Store a JSON value about the run."""
        with self._sql:
            self._put(key, value)

    def get(self, key: str) -> Any:
        """A JSON value about the run, None when not stored."""
        found = self._sql.execute("SELECT value FROM run WHERE key = ?", (key,)).fetchone()
        return None if found is None else json.loads(found[0])

    def _put(self, key: str, value: Any) -> None:
        self._sql.execute("INSERT OR REPLACE INTO run VALUES (?, ?)", (key, json.dumps(value, separators=(",", ":"))))

    # --- writing

    def add(self, row: Row, normal: str) -> None:
        """A new candidate's row, at `size`; its outcome only for what will not be evaluated."""
        candidate = row.candidate
        packed = zlib.compress(json.dumps(candidate.files).encode())
        bar = [f.values() for f in row.context.bar]
        texts = (json.dumps(v) for v in (candidate.parents, candidate.rationale, (row.context.seen, bar)))
        with self._sql:
            self._sql.execute(
                f"INSERT INTO candidate VALUES ({', '.join('?' * 12)})",
                (
                    row.position,
                    candidate.id,
                    normal,
                    candidate.proposer,
                    row.arm,
                    row.island,
                    row.outcome,
                    row.note,
                    *texts,
                    packed,
                ),
            )
            if row.outcome is not None:
                self._count(row.outcome, 1)

    def finish(self, position: int, evaluation: Evaluation, scalar: float | None) -> None:
        """Attach a candidate's evaluation; a second one for the same position changes nothing."""
        outcome = outcome_of(evaluation)
        seconds = sum(s for _, s in evaluation.stage_seconds)
        with self._sql:
            done = self._sql.execute(
                "INSERT OR IGNORE INTO evaluation VALUES (?, ?, ?, ?, ?, 0, ?)",
                (position, outcome, evaluation.structure, scalar, seconds, records.dump(evaluation)),
            )
            if done.rowcount:
                self._count(outcome, 1)
                self._spend(evaluation.stage_seconds)

    def apply(
        self, state: Any, position: int, confirmed: Evaluation | None = None, scalar: float | None = None
    ) -> None:
        """Store the search's state, and the evaluation as confirming left it when that was done, in one transaction."""
        with self._sql:
            if confirmed is not None:
                self._confirm(position, confirmed, scalar)
            self._put("state", state)

    def _confirm(self, position: int, evaluation: Evaluation, scalar: float | None) -> None:
        before = self._sql.execute("SELECT outcome, record FROM evaluation WHERE position = ?", (position,)).fetchone()
        outcome = outcome_of(evaluation)
        self._count(before["outcome"], -1)
        self._count(outcome, 1)
        self._spend(evaluation.stage_seconds[len(records.load(before["record"]).stage_seconds) :])
        self._sql.execute(
            "UPDATE evaluation SET confirmed = 1, outcome = ?, record = ?, scalar = ?, seconds = ? WHERE position = ?",
            (outcome, records.dump(evaluation), scalar, sum(s for _, s in evaluation.stage_seconds), position),
        )

    def spend(self, stage: str, seconds: float) -> None:
        """Time the search itself took, beside that of its evaluations."""
        with self._sql:
            self._spend(((stage, seconds),))

    def _count(self, outcome: str, amount: int) -> None:
        self._sql.execute(
            "INSERT INTO tally VALUES (?, ?) ON CONFLICT (outcome) DO UPDATE SET amount = amount + excluded.amount",
            (outcome, amount),
        )

    def _spend(self, stages: tuple[tuple[str, float], ...]) -> None:
        self._sql.executemany(
            "INSERT INTO stage VALUES (?, 1, ?) ON CONFLICT (name)"
            " DO UPDATE SET calls = calls + 1, seconds = seconds + excluded.seconds",
            stages,
        )

    # --- reading

    @property
    def size(self) -> int:
        """How many candidates are known: the next position."""
        last = self._sql.execute("SELECT max(position) FROM candidate").fetchone()[0]
        return 0 if last is None else int(last) + 1

    def __contains__(self, candidate_id: str) -> bool:
        return self._sql.execute("SELECT 1 FROM candidate WHERE id = ?", (candidate_id,)).fetchone() is not None

    def same_text(self, normal: str) -> str | None:
        """The first candidate with this normalised text."""
        found = self._sql.execute(
            "SELECT id FROM candidate WHERE normal = ? ORDER BY position LIMIT 1", (normal,)
        ).fetchone()
        return None if found is None else str(found[0])

    def row(self, position: int) -> Row:
        """The candidate at a position."""
        return self._row(self._sql.execute(f"{_ROWS} WHERE c.position = ?", (position,)).fetchone())

    def find(self, candidate_id: str) -> Row | None:
        """The first candidate whose id starts so; `InputError` when several different ones do."""
        high = candidate_id + "\x7f"
        found = self._sql.execute(
            f"{_ROWS} WHERE c.id >= ? AND c.id < ? ORDER BY c.position LIMIT 20", (candidate_id, high)
        ).fetchall()
        ids = sorted({f["id"] for f in found})
        if len(ids) > 1:
            raise InputError(f"{candidate_id} is short for several candidates: {', '.join(ids)}")
        return self._row(found[0]) if found else None

    def scalar(self, candidate_id: str) -> float | None:
        """The scalar of a measured candidate."""
        found = self._sql.execute(
            "SELECT e.scalar FROM candidate c JOIN evaluation e USING (position) WHERE c.id = ? AND e.scalar NOT NULL",
            (candidate_id,),
        ).fetchone()
        return None if found is None else float(found[0])

    def unapplied(self, after: int) -> list[Row]:
        """Candidates past a position that are or will be evaluated, in order."""
        rows = self._sql.execute(
            f"{_ROWS} WHERE c.position > ? AND c.outcome IS NULL ORDER BY c.position", (after,)
        ).fetchall()
        return [self._row(r) for r in rows]

    def fruitless(self, seen: int) -> int:
        """How many of the last candidates in a row, all proposed after result `seen`, are never to be evaluated."""
        count = 0
        for outcome, context in self._sql.execute("SELECT outcome, context FROM candidate ORDER BY position DESC"):
            if outcome is None or json.loads(context)[0] != seen:
                break
            count += 1
        return count

    def structures(self, after: int, until: int) -> list[tuple[str, str]]:
        """(structure, candidate id) of evaluations at positions in (after, until], duplicates left out."""
        return [
            (r[0], r[1])
            for r in self._sql.execute(
                "SELECT e.structure, c.id FROM evaluation e JOIN candidate c USING (position) WHERE e.position > ?"
                " AND e.position <= ? AND e.structure IS NOT NULL AND e.outcome != 'duplicate'",
                (after, until),
            )
        ]

    def rows(self, outcome: str | None = None) -> Iterator[Row]:
        """All candidates in order, or those of one outcome."""
        where, values = ("", ()) if outcome is None else (" WHERE coalesce(c.outcome, e.outcome) = ?", (outcome,))
        for row in self._sql.execute(f"{_ROWS}{where} ORDER BY c.position", values):
            yield self._row(row)

    def counts(self) -> dict[str, int]:
        """How many were proposed, and how many came to each outcome; the rest is pending."""
        found = dict.fromkeys(COUNTED, 0)
        found.update({r[0]: r[1] for r in self._sql.execute("SELECT outcome, amount FROM tally")})
        return {"proposed": self.size, **found, "pending": self.size - sum(found.values())}

    def stages(self) -> dict[str, tuple[int, float]]:
        """Per stage: how often it ran and the seconds it took in all."""
        return {r[0]: (r[1], r[2]) for r in self._sql.execute("SELECT name, calls, seconds FROM stage")}

    def _row(self, r: sqlite3.Row) -> Row:
        files = tuple((path, text) for path, text in json.loads(zlib.decompress(r["files"])))
        candidate = Candidate(files, r["proposer"], tuple(json.loads(r["rationale"])), tuple(json.loads(r["parents"])))
        seen, bar = json.loads(r["context"])
        context = Context(seen, tuple(Figures(*values) for values in bar))
        evaluation = None if r["record"] is None else records.load(r["record"])
        return Row(
            r["position"],
            candidate,
            r["arm"],
            r["island"],
            r["outcome"],
            r["note"],
            context,
            evaluation,
            bool(r["confirmed"]),
        )


def _connect(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, timeout=30)
    connection.row_factory = sqlite3.Row
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = NORMAL")
    connection.execute("PRAGMA cache_size = -64000")
    return connection
