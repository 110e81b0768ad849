"""Which characters a candidate may change: EVOLVE-BLOCK-START/END comment markers, and whether a candidate kept to them."""

from collections.abc import Iterable
from itertools import pairwise

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

    Comments and white space don't count, so a whole module without the markers is taken too. Whole new modules may stand
    before or after all else. With regions in other files only, this file may not change at all.
    """
    if golden == candidate:
        return ()
    here = sorted((r for r in regions if r.path == path), key=lambda r: r.start)
    if not here:
        return (f"{path}: edited, but no editable block is in this file",)
    cuts = [0, *(at for r in here for at in (r.start, r.end)), len(golden)]
    fixed = [_code(golden[a:b]) for a, b in zip(cuts[::2], cuts[1::2], strict=True)]
    written = _code(candidate)
    parts = _parts(written, [[i.text for i in part] for part in fixed])
    if parts is None:
        return (f"{path}:{_line(candidate, written, fixed[0])}: edited outside the editable block",)
    reasons = [_spill(written[start:end]) for (_, start), (end, _) in pairwise(parts)]
    found = [f"{path}: the edited block {r}" for r in reasons if r]
    for start, end in ((0, parts[0][0]), (parts[-1][1], len(written))):
        if not _whole_modules(written[start:end]):
            place = candidate.count("\n", 0, written[start].start) + 1
            found.append(f"{path}:{place}: edited outside the editable block")
    return tuple(found)


def _code(text: str) -> list[Lexeme]:
    return [item for item in lexemes(text) if item.kind != "comment"]


def _parts(written: list[Lexeme], fixed: list[list[str]]) -> list[tuple[int, int]] | None:
    """Where each fixed stretch is (half open): each as early as can be, the last so that whole modules are left."""
    words = [item.text for item in written]
    found: list[tuple[int, int]] = []
    at = 0
    for number, stretch in enumerate(fixed):
        size = len(stretch)
        starts = [i for i in range(at, len(words) - size + 1) if words[i : i + size] == stretch]
        if not starts:
            return None
        start = starts[0]
        if number == len(fixed) - 1:
            good = (i for i in starts if stretch and _whole_modules(written[i + size :]))
            start = next(good, starts[-1])
        at = start + size
        found.append((start, at))
    return found


def _line(text: str, written: list[Lexeme], head: list[Lexeme]) -> int:
    """The line where the text before the first block stops being golden's, or the last line."""
    pairs = zip(written, head, strict=False)
    place = next((w.start for w, h in pairs if w.text != h.text), len(text.rstrip()) - 1)
    return text.count("\n", 0, max(place, 0)) + 1


def _whole_modules(items: list[Lexeme]) -> bool:
    inside = False
    for item in items:
        if item.kind == "directive" or (not inside and item.text != "module"):
            return False
        if item.text == "module" and not inside:
            inside = True
        elif item.text == "endmodule":
            inside = False
    return not inside


def _spill(block: list[Lexeme]) -> str:
    """Why a block reaches beyond its end (an open conditional, string or module), or ""."""
    depth = 0
    open_: list[str] = []
    for item in block:
        if item.kind == "unterminated":
            return "ends inside a string or comment"
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
