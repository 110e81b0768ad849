"""A candidate as a set of edits to golden's text, so that edits of several candidates can be put together."""

import difflib
import re
from collections.abc import Iterable, Iterator, Mapping

from rtl_evolve.rtl.edit import Edit, OverlapError, apply_edits

_TOKEN = re.compile(r"\w+|[^\w\n]|\n")
_FINE = 4000  # tokens: blocks of lines that changed and are longer than this are taken whole


def hunks(golden: Mapping[str, str], files: Iterable[tuple[str, str]]) -> tuple[Edit, ...]:
    """The edits, in golden's characters, that make golden's texts into these."""
    return tuple(edit for path, text in files if path in golden for edit in _file(path, golden[path], text))


def _file(path: str, before: str, after: str) -> Iterator[Edit]:
    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    for _, start, end, new_start, new_end in _changes(old, new):
        at = sum(map(len, old[:start]))
        yield from _fine(path, at, "".join(old[start:end]), "".join(new[new_start:new_end]))


def _fine(path: str, at: int, before: str, after: str) -> Iterator[Edit]:
    """A changed block of lines again, token by token."""
    old, new = _TOKEN.findall(before), _TOKEN.findall(after)
    if len(old) + len(new) > _FINE:
        yield Edit(path, at, at + len(before), after)
        return
    places = [0]
    for token in old:
        places.append(places[-1] + len(token))
    for _, start, end, new_start, new_end in _changes(old, new):
        yield Edit(path, at + places[start], at + places[end], "".join(new[new_start:new_end]))


def _changes(old: list[str], new: list[str]) -> Iterator[tuple[str, int, int, int, int]]:
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
    return (code for code in matcher.get_opcodes() if code[0] != "equal")


def overlap(one: Edit, other: Edit) -> bool:
    """Whether two edits touch the same characters (two insertions at one point do not, nor do neighbours)."""
    if one.path != other.path:
        return False
    if one.start == one.end or other.start == other.end:
        return one.start < other.end and other.start < one.end
    return one.start < other.end and other.start < one.end


def merge(base: tuple[Edit, ...], more: tuple[Edit, ...], *, prefer_more: bool = False) -> tuple[Edit, ...] | None:
    """All edits of both; None where they conflict, unless `prefer_more` drops those of `base` that do."""
    new = tuple(edit for edit in more if edit not in base)
    clashing = [edit for edit in base if any(overlap(edit, other) for other in new)]
    if clashing and not prefer_more:
        return None
    return (*(edit for edit in base if edit not in clashing), *new)


def texts(golden: Mapping[str, str], edits: tuple[Edit, ...]) -> tuple[tuple[str, str], ...] | None:
    """The changed files' texts after the edits; None when they overlap."""
    try:
        changed = apply_edits(dict(golden), edits)
    except OverlapError:
        return None
    return tuple((path, text) for path, text in changed.items() if text != golden[path])
