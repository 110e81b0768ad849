"""Which characters a candidate may change: EVOLVE-BLOCK-START/END comment markers, and whether a candidate kept to them."""

import re
from collections.abc import Iterable

from rtl_evolve.rtl.design import Region, SourceFile
from rtl_evolve.rtl.errors import InputError
from rtl_evolve.rtl.gate_text import Lexeme, lexemes

START, END = "EVOLVE-BLOCK-START", "EVOLVE-BLOCK-END"
_OPENERS = {"module": "endmodule", "function": "endfunction", "task": "endtask", "package": "endpackage"}


def find_regions(files: Iterable[SourceFile]) -> tuple[Region, ...]:
    """The stretches between markers, from the line after START to the line of END; none means everything.

    Raises `InputError` (file and line) for markers that don't pair.
    """
    regions: list[Region] = []
    for file in files:
        started: tuple[int, int] | None = None
        for item in lexemes(file.text):
            if item.kind != "comment":
                continue
            line = file.text.count("\n", 0, item.start) + 1
            if START in item.text:
                if started is not None:
                    raise InputError(f"{START} inside the block that starts in line {started[1]}", file.path, line)
                started = (_next_line(file.text, item.end), line)
            elif END in item.text:
                if started is None:
                    raise InputError(f"{END} without {START} before it", file.path, line)
                begin = file.text.rfind("\n", 0, item.start) + 1
                regions.append(Region(file.path, started[0], max(begin, started[0])))
                started = None
        if started is not None:
            raise InputError(f"{START} without {END} after it", file.path, started[1])
    return tuple(regions)


def _next_line(text: str, at: int) -> int:
    newline = text.find("\n", at)
    return len(text) if newline < 0 else newline + 1


def outside_edits(path: str, golden: str, candidate: str, regions: Iterable[Region]) -> tuple[str, ...]:
    """What a candidate's text of one file changes outside the editable regions (all of the design's); empty if nothing.

    With regions in other files only, this file may not change at all.
    """
    here = sorted((r for r in regions if r.path == path), key=lambda r: r.start)
    if golden == candidate:
        return ()
    if not here:
        return (f"{path}: edited, but no editable block is in this file",)
    cuts = [0, *(at for r in here for at in (r.start, r.end)), len(golden)]
    fixed = [golden[a:b] for a, b in zip(cuts[::2], cuts[1::2], strict=True)]
    match = re.fullmatch("(.*?)".join(map(re.escape, fixed)), candidate, re.DOTALL)
    if match is None:
        return (f"{path}:{_first_difference(golden, candidate, fixed)}: edited outside the editable block",)
    reasons = (_spill(text) for text in match.groups())
    return tuple(f"{path}: the edited block {r}" for r in reasons if r)


def _first_difference(golden: str, candidate: str, fixed: list[str]) -> int:
    """Line of the candidate where the text before the first block stops matching, or where the rest does."""
    head = fixed[0]
    same = next((i for i, (a, b) in enumerate(zip(head, candidate, strict=False)) if a != b), min(len(head), len(candidate)))
    if same < len(head):
        return candidate.count("\n", 0, same) + 1
    tail = fixed[-1]
    back = next(
        (i for i, (a, b) in enumerate(zip(reversed(tail), reversed(candidate), strict=False)) if a != b),
        min(len(tail), len(candidate)),
    )
    return candidate.count("\n", 0, len(candidate) - back) + 1


def _spill(text: str) -> str:
    """Why a block's text reaches beyond its end (an open comment, conditional or module), or ""."""
    depth = 0
    open_: list[str] = []
    for item in lexemes(text):
        if item.kind == "unterminated":
            return f"ends inside a {'comment' if item.text.startswith('/*') else 'string'}"
        if item.kind == "directive":
            depth += {"`ifdef": 1, "`ifndef": 1, "`endif": -1}.get(item.text, 0)
            if depth < 0 or (depth == 0 and item.text in ("`else", "`elsif")):
                return f"has {item.text} without its `ifdef"
        reason = _scope(item, open_)
        if reason:
            return reason
    if depth:
        return "leaves an `ifdef open"
    return f"leaves {open_[-1]} open" if open_ else ""


def _scope(item: Lexeme, open_: list[str]) -> str:
    if item.kind != "word":
        return ""
    if item.text in _OPENERS:
        open_.append(item.text)
    elif item.text in _OPENERS.values():
        if not open_ or _OPENERS[open_[-1]] != item.text:
            return f"has {item.text} without its opening"
        open_.pop()
    return ""
