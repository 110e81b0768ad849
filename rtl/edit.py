"""Edits by character range: how every rule and every reply changes a user's text, leaving the rest byte for byte."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Edit:
    """Replace characters `start` to `end` (half open, offsets into golden's or a parent's text) of `path` by `text`."""

    path: str
    start: int
    end: int
    text: str


class OverlapError(ValueError):
    """Two edits of one proposal touch the same characters."""


def apply_edits(files: dict[str, str], edits: tuple[Edit, ...]) -> dict[str, str]:
    """The texts after all edits, each edit's range counted in the text before any of them.

    Insertions at one point keep their order. Raises `OverlapError` when ranges overlap.
    """
    result = dict(files)
    for path in {e.path for e in edits}:
        text = files[path]
        ordered = sorted((e for e in edits if e.path == path), key=lambda e: (e.start, e.end))
        pieces: list[str] = []
        at = 0
        for edit in ordered:
            if edit.start < at:
                raise OverlapError(f"{path}: edits overlap at character {edit.start}")
            pieces += [text[at : edit.start], edit.text]
            at = edit.end
        result[path] = "".join(pieces) + text[at:]
    return result
