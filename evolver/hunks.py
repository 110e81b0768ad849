"""A candidate as edits to golden's text, so that edits of several candidates can be put together.

A gene is what came in by one step (one rewrite, one reply): edits that belong together and are kept or dropped whole.
"""

import difflib
import re
from collections.abc import Iterable, Iterator, Mapping

from rtl_evolve.rtl.edit import Edit, OverlapError, apply_edits

Gene = tuple[Edit, ...]
Genes = tuple[Gene, ...]

_TOKEN = re.compile(r"\w+|[^\w\n]|\n")
_BREAK = frozenset(";\n")
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
    last: list[int] = []
    for _, *change in _changes(old, new):
        if last and not _BREAK.intersection(old[last[1] : change[0]]):
            last = [last[0], change[1], last[2], change[3]]  # one statement's changes belong together
            continue
        if last:
            yield Edit(path, at + places[last[0]], at + places[last[1]], "".join(new[last[2] : last[3]]))
        last = change
    if last:
        yield Edit(path, at + places[last[0]], at + places[last[1]], "".join(new[last[2] : last[3]]))


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


def conflict(one: Gene, other: Gene) -> bool:
    """Whether two genes change the same characters differently."""
    return any(overlap(a, b) and a != b for a in one for b in other)


def merge(base: Genes, more: Genes, *, prefer_more: bool = False) -> Genes | None:
    """All genes of both; None where two conflict, unless `prefer_more` drops those of `base` that do."""
    new = tuple(gene for gene in more if gene not in base)
    kept = tuple(gene for gene in base if not any(conflict(gene, other) for other in new))
    if len(kept) < len(base) and not prefer_more:
        return None
    return (*kept, *new)


def genes_of(edits: tuple[Edit, ...], inherited: Iterable[Gene]) -> Genes:
    """Edits as genes: those of the parents that are whole in them, and one of what is new."""
    here = set(edits)
    old = tuple(dict.fromkeys(gene for gene in inherited if here.issuperset(gene)))
    new = tuple(edit for edit in edits if not any(edit in gene for gene in old))
    return (*old, new) if new else old


def texts(golden: Mapping[str, str], edits: Iterable[Edit]) -> tuple[tuple[str, str], ...] | None:
    """The changed files' texts after the edits, equal ones once; None when they overlap."""
    try:
        changed = apply_edits(dict(golden), tuple(dict.fromkeys(edits)))
    except OverlapError:
        return None
    return tuple((path, text) for path, text in changed.items() if text != golden[path])
