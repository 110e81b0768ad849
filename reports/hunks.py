"""A unified diff taken apart into hunks and marked lines, for pages that show it."""

import re
from dataclasses import dataclass
from typing import Literal

Mark = Literal["same", "added", "removed", "note"]
_HEADER = re.compile(r"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
_MARKS: dict[str, Mark] = {" ": "same", "+": "added", "-": "removed", "\\": "note"}


@dataclass(frozen=True)
class Line:
    """One line with its number in the old and in the new file (None where it isn't there)."""

    mark: Mark
    old: int | None
    new: int | None
    text: str


@dataclass(frozen=True)
class Hunk:
    """A run of changed lines of one file with their context."""

    path: str
    header: str
    lines: tuple[Line, ...]


def parse_hunks(patch: str) -> tuple[Hunk, ...]:
    """The hunks of a unified diff, in order.

    A hunk ends after as many lines as its header announces: a removed line "-- x" looks like a file header.
    """
    lines = patch.split("\n")
    hunks: list[Hunk] = []
    path, at = "", 0
    while at < len(lines):
        match = _HEADER.match(lines[at])
        if match:
            hunk, at = _hunk(path, lines, at, match)
            hunks.append(hunk)
        else:
            if lines[at].startswith("+++ "):
                path = lines[at][4:].split("\t")[0].removeprefix("b/")
            at += 1
    return tuple(hunks)


def _hunk(path: str, lines: list[str], at: int, match: re.Match[str]) -> tuple[Hunk, int]:
    """The hunk whose header stands at line `at`, and the line after it."""
    header = lines[at]
    old, new = int(match[1]), int(match[3])
    old_end, new_end = old + int(match[2] or 1), new + int(match[4] or 1)
    shown: list[Line] = []
    at += 1
    while at < len(lines) and (old < old_end or new < new_end or lines[at].startswith("\\")):
        mark = _MARKS.get(lines[at][:1], "same")
        in_old, in_new = mark in ("same", "removed"), mark in ("same", "added")
        shown.append(Line(mark, old if in_old else None, new if in_new else None, lines[at][1:]))
        old, new, at = old + in_old, new + in_new, at + 1
    return Hunk(path, header, tuple(shown)), at
