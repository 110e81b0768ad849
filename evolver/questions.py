"""What language models were asked and replied, in the run's own file: a reply is stored the moment it arrives.

A question has its number before it is sent, so a run that was killed asks again only what was never answered.
"""

import sqlite3
import threading
from dataclasses import dataclass, replace
from importlib import resources
from pathlib import Path

from rtl_evolve.evolver.models.model import Answer, Question


@dataclass(frozen=True)
class Asked:
    """One question. `parent` is the position of what the reply's edits apply to (-1: golden), `repairs` that of the
    failed candidate it is about. `reserved` is what it can cost at most, in tokens.
    """

    proposer: str
    number: int
    asked_at: int
    kind: str
    parent: int
    repairs: int | None
    reserved: int
    question: Question
    answer: Answer | None = None
    dollars: float | None = None
    used_at: int | None = None


@dataclass(frozen=True)
class Spent:
    """What one proposer's model took so far; `dollars` None when its price is not known."""

    questions: int = 0
    replies: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    seconds: float = 0.0
    dollars: float | None = None

    @property
    def tokens(self) -> int:
        return self.input_tokens + self.output_tokens


class QuestionBook:
    """The table `question` of a run's file, through a connection of its own that threads share in turn."""

    def __init__(self, path: Path) -> None:
        self._sql = sqlite3.connect(path, timeout=30, check_same_thread=False)
        self._sql.row_factory = sqlite3.Row
        self._lock = threading.Lock()
        self._sql.executescript(resources.files(__package__).joinpath("questions.sql").read_text())
        self._sql.execute("PRAGMA synchronous = NORMAL")

    def close(self) -> None:
        with self._lock:
            self._sql.close()

    def ask(self, asked: Asked) -> None:
        """Write a question down before it is sent."""
        q = asked.question
        values = (
            *(asked.proposer, asked.number, asked.asked_at, asked.kind, asked.parent, asked.repairs),
            *(q.max_tokens, asked.reserved, q.seed, q.system, q.prompt),
        )
        with self._lock, self._sql:
            self._sql.execute(f"INSERT INTO question VALUES ({', '.join('?' * 11)}{', NULL' * 7})", values)

    def answer(self, asked: Asked, answer: Answer, dollars: float | None) -> None:
        """Write a reply down; called by the thread that got it."""
        values = (answer.text, answer.finish, answer.input_tokens, answer.output_tokens, answer.seconds, dollars)
        with self._lock, self._sql:
            self._sql.execute(
                "UPDATE question SET reply = ?, finish = ?, input_tokens = ?, output_tokens = ?, seconds = ?,"
                " dollars = ? WHERE proposer = ? AND number = ?",
                (*values, asked.proposer, asked.number),
            )

    def use(self, asked: Asked, position: int) -> None:
        """Say at which position a reply was used."""
        with self._lock, self._sql:
            self._sql.execute(
                "UPDATE question SET used_at = ? WHERE proposer = ? AND number = ?",
                (position, asked.proposer, asked.number),
            )

    def end(self, budget: str, amount: float) -> None:
        """Say that a budget of this amount ended the asking."""
        with self._lock, self._sql:
            self._sql.execute("INSERT OR REPLACE INTO budget_end VALUES (?, ?)", (budget, amount))

    def ended(self) -> dict[str, float]:
        """The budgets that ended the asking before, with their amounts then."""
        with self._lock:
            return dict(self._sql.execute("SELECT name, amount FROM budget_end").fetchall())

    def all(self, proposer: str) -> list[Asked]:
        """A proposer's questions in order."""
        with self._lock:
            rows = self._sql.execute("SELECT * FROM question WHERE proposer = ? ORDER BY number", (proposer,))
            return [_asked(row) for row in rows]

    def spent(self) -> dict[str, Spent]:
        """What each proposer's model took."""
        with self._lock:
            rows = self._sql.execute(
                "SELECT proposer, count(*), count(reply), coalesce(sum(input_tokens), 0),"
                " coalesce(sum(output_tokens), 0), coalesce(sum(seconds), 0.0), sum(dollars)"
                " FROM question GROUP BY proposer ORDER BY proposer"
            )
            return {row[0]: Spent(*row[1:]) for row in rows}


def _asked(row: sqlite3.Row) -> Asked:
    question = Question(row["system"], row["prompt"], row["max_tokens"], seed=row["seed"])
    asked = Asked(
        row["proposer"],
        row["number"],
        row["asked_at"],
        row["kind"],
        row["parent"],
        row["repairs"],
        row["reserved"],
        question,
        used_at=row["used_at"],
    )
    if row["reply"] is None:
        return asked
    figures = (row["input_tokens"], row["output_tokens"], row["finish"], row["seconds"])
    return replace(asked, answer=Answer(row["reply"], row["proposer"], *figures), dollars=row["dollars"])
