"""A model's reply turned into changed files: SEARCH/REPLACE blocks, a unified diff, or whole modules.

Each way a reply can be no use is an outcome of its own (`Unusable` says which), so a parent is never scored again in
place of an edit that didn't apply. White space is the only thing the matching of SEARCH and diff context overlooks,
and a `note` says where it did.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from rtl_evolve.rtl.gate_text import Lexeme, lexemes

_BLOCK = re.compile(r"^<{5,9} ?SEARCH[^\n]*\n(.*?)^={5,9}[ \t]*\n(.*?)^>{5,9} ?REPLACE", re.MULTILINE | re.DOTALL)
_FENCE = re.compile(r"^[ \t]*```[ \t]*(\w*)[^\n]*\n(.*?)(?:^[ \t]*```|\Z)", re.MULTILINE | re.DOTALL)
_HUNK = re.compile(r"^@@[^\n]*@@[^\n]*\n((?:[ +\-\\][^\n]*\n?|\n)*)", re.MULTILINE)
_PATH = re.compile(r"[\w./\-]+\.s?vh?\b")


@dataclass(frozen=True)
class Usable:
    """Files whose text changed, whole; `how` names the shape of the reply, `notes` what was overlooked."""

    files: tuple[tuple[str, str], ...]
    how: str
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Unusable:
    """Why a reply gives no candidate, in one sentence that a repair prompt can quote."""

    reason: str


class _NoUseError(Exception):
    """Carries the reason out of the depths of one shape's reading."""


def read_reply(reply: str, files: Mapping[str, str]) -> Usable | Unusable:
    """What a reply makes of the parent's `files` (by path)."""
    try:
        if re.search(r"^<{5,9} ?SEARCH", reply, re.MULTILINE):
            usable = _search_replace(reply, files)
        elif re.search(r"^@@ ", reply, re.MULTILINE):
            usable = _diff(reply, files)
        else:
            usable = _modules(reply, files)
    except _NoUseError as problem:
        return Unusable(str(problem))
    if not usable.files:
        return Unusable("the reply leaves the text as it is")
    return usable


# --- SEARCH/REPLACE and diffs


def _search_replace(reply: str, files: Mapping[str, str]) -> Usable:
    blocks = list(_BLOCK.finditer(reply))
    begun = len(re.findall(r"^<{5,9} ?SEARCH", reply, re.MULTILINE))
    if len(blocks) < begun:
        raise _NoUseError(f"SEARCH/REPLACE block {len(blocks) + 1} of {begun} has no end (a reply cut short?)")
    edits = [(match[1], match[2], _named_path(reply[: match.start()], files)) for match in blocks]
    return _replaced(edits, files, "SEARCH/REPLACE", "SEARCH block")


def _diff(reply: str, files: Mapping[str, str]) -> Usable:
    edits = []
    for match in _HUNK.finditer(reply):
        lines = match[1].splitlines(keepends=True)
        old = "".join(line[1:] or line for line in lines if line[:1] in " -\n")
        new = "".join(line[1:] or line for line in lines if line[:1] in " +\n")
        header = re.findall(r"^\+\+\+ (\S+)", reply[: match.start()], re.MULTILINE)
        edits.append((old, new, _named_path(header[-1] if header else "", files)))
    return _replaced(edits, files, "unified diff", "hunk")


def _named_path(before: str, files: Mapping[str, str]) -> str | None:
    """The file that the last line before a block names, when it names one of ours."""
    last = before.rstrip().rsplit("\n", 1)[-1]
    named = _PATH.findall(last)
    return next((path for path in files if any(path == n or n.endswith("/" + path) for n in named)), None)


def _replaced(edits: list[tuple[str, str, str | None]], files: Mapping[str, str], how: str, what: str) -> Usable:
    texts = dict(files)
    notes: list[str] = []
    for number, (old, new, named) in enumerate(edits, 1):
        if not old.strip():
            raise _NoUseError(f"{what} {number} is empty: there is no place to put its text")
        paths = [named] if named else list(texts)
        exact = [(path, at, at + len(old)) for path in paths for at in _places(texts[path], old)]
        loose = exact or [(p, a, b) for p in paths for a, b in _loose_places(texts[p], old)]
        if not loose:
            raise _NoUseError(f"{what} {number} is not in the text: {_first_line(old)}")
        if len(loose) > 1:
            raise _NoUseError(f"{what} {number} is in the text {len(loose)} times: {_first_line(old)}")
        path, start, end = loose[0]
        if not exact:
            notes.append(f"{what} {number} matched but for white space")
            new = new.rstrip("\n") if not texts[path][start:end].endswith("\n") else new
        texts[path] = texts[path][:start] + new + texts[path][end:]
    return Usable(_changed(texts, files), how, tuple(notes))


def _places(text: str, old: str) -> list[int]:
    found, at = [], text.find(old)
    while at >= 0:
        found.append(at)
        at = text.find(old, at + 1)
    return found


def _loose_places(text: str, old: str) -> list[tuple[int, int]]:
    """Where the characters of `old` stand in `text` with other white space between them."""
    places = [i for i, c in enumerate(text) if not c.isspace()]
    squeezed = "".join(text[i] for i in places)
    wanted = "".join(old.split())
    return [(places[at], places[at + len(wanted) - 1] + 1) for at in _places(squeezed, wanted)]


def _first_line(text: str) -> str:
    line = next(line.strip() for line in text.splitlines() if line.strip())
    return repr(line if len(line) <= 60 else line[:57] + "...")


def _changed(texts: Mapping[str, str], files: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    return tuple((path, text) for path, text in texts.items() if text != files[path])


# --- whole modules


def _modules(reply: str, files: Mapping[str, str]) -> Usable:
    """Every module of the reply's code takes the place of ours of that name, or is added beside the last one placed."""
    code = "\n".join(match[2] for match in _FENCE.finditer(reply)) or reply
    written = _module_texts(code)
    if not written:
        raise _NoUseError("the reply holds no Verilog module and no edit")
    homes = {name: path for path, text in files.items() for name, _, _ in _module_places(text)}
    placed = [homes[name] for name in written if name in homes]
    if not placed:
        raise _NoUseError(f"none of the design's modules is in the reply, only {', '.join(written)}")
    texts = dict(files)
    for name, text in written.items():
        path = homes.get(name, placed[-1])
        if name in homes:
            start, end = next((a, b) for n, a, b in _module_places(texts[path]) if n == name)
            texts[path] = texts[path][:start] + text + texts[path][end:]
        else:
            texts[path] = texts[path].rstrip("\n") + "\n\n" + text + "\n"
    added = [name for name in written if name not in homes]
    notes = (f"added module {', '.join(added)}",) if added else ()
    return Usable(_changed(texts, files), "module", notes)


def _module_texts(code: str) -> dict[str, str]:
    """Modules by name; of several with one name the last counts (a reply may quote the old one first)."""
    return {name: code[start:end] for name, start, end in _module_places(code)}


def _module_places(text: str) -> list[tuple[str, int, int]]:
    """Name, start and end of each module in a text; attributes before it are left to whatever is around it."""
    found: list[tuple[str, int, int]] = []
    opened: tuple[str, int] | None = None
    previous: Lexeme | None = None
    for item in lexemes(text):
        if item.kind == "comment":
            continue
        if item.kind in ("word", "escaped") and previous and previous.text in ("module", "macromodule"):
            opened = (item.text, previous.start)
        elif item.text == "endmodule" and opened:
            found.append((opened[0], opened[1], item.end))
            opened = None
        previous = item
    if opened:
        line = text.count("\n", opened[1]) + 1
        raise _NoUseError(f"syntax error: the text ends in line {line} of module {opened[0]}, before its endmodule")
    return found
