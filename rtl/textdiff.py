"""Unified diffs of a candidate against golden that `git apply` takes, byte for byte."""

import difflib
from collections.abc import Iterable, Iterator, Mapping

CONTEXT_LINES = 3
_PLAIN = frozenset(range(0x20, 0x7F)) - {ord('"'), ord("\\")}


def patch(golden: Mapping[str, str], changed: Iterable[tuple[str, str]]) -> str:
    """One patch of all files that differ; paths as given (relative to the design's root), in their order."""
    return "".join(file_diff(path, golden[path], text) for path, text in changed)


def file_diff(path: str, before: str, after: str) -> str:
    """The unified diff of one file, with a/ and b/ prefixes; "" when nothing changed. Line ends stay as they are."""
    if before == after:
        return ""
    old, new = (_quoted(f"{side}/{path}") for side in "ab")
    tab = "\t" if " " in path and not old.startswith('"') else ""
    lines = list(difflib.unified_diff(_lines(before), _lines(after), n=CONTEXT_LINES))[2:]
    body = "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)
    return f"diff --git {old} {new}\n--- {old}{tab}\n+++ {new}{tab}\n{body}"


def _lines(text: str) -> list[str]:
    """Lines with their ends, split at newlines only (`splitlines` splits at form feeds and others too)."""
    return list(_split(text))


def _split(text: str) -> Iterator[str]:
    start = 0
    while start < len(text):
        end = text.find("\n", start) + 1 or len(text)
        yield text[start:end]
        start = end


def _quoted(path: str) -> str:
    """A path as Git writes it: in quotes with octal escapes when it holds quotes, control or non-ASCII bytes."""
    data = path.encode()
    if all(byte in _PLAIN for byte in data):
        return path
    return '"' + "".join(chr(b) if b in _PLAIN else f"\\{b:03o}" for b in data) + '"'
