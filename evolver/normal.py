"""Verilog text without what doesn't matter (comments, spacing), to recognise a candidate that was there before."""

import hashlib
import re

from rtl_evolve.rtl.candidate import Candidate
from rtl_evolve.rtl.design import Sources

_PIECE = re.compile(r'(?P<string>"(?:\\.|[^"\\\n])*")|//[^\n]*|/\*.*?\*/|(?P<escaped>\\\S+)|\s+', re.DOTALL)
_KEPT = "\x01"  # a space within a string


def normalise(text: str) -> str:
    """Comments out, each run of spaces one space (a line break where there was one); strings and names untouched.

    Spaces between a word and a sign go too, not those between two signs: `a & &b` is not `a && b`.
    """

    def piece(match: re.Match[str]) -> str:
        if match["string"] or match["escaped"]:
            return match[0].replace(" ", _KEPT)
        return "\n" if "\n" in match[0] else " "

    plain = _PIECE.sub(piece, text)
    plain = re.sub(r"[ \n]*\n[ \n]*", "\n", plain)
    if "`" not in plain:
        plain = plain.replace("\n", " ")
    plain = re.sub(r" +", " ", plain)
    if "\\" not in plain and '"' not in plain:
        plain = re.sub(r"(?<=\w) (?=[^\w\s])|(?<=[^\w\s]) (?=\w)", "", plain)
    return plain.strip()


def normal_hash(candidate: Candidate, golden: Sources) -> str:
    """Equal for candidates whose files say the same thing (32 hex digits)."""
    changed = dict(candidate.files)
    texts = [(f.path, normalise(changed.get(f.path, f.text))) for f in golden.files]
    return hashlib.sha256(repr(texts).encode()).hexdigest()[:32]
