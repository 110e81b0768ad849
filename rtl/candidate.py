"""A candidate: changed files, where they came from, and why they should be better."""

import hashlib
from dataclasses import dataclass

from rtl_evolve.rtl.design import Sources


@dataclass(frozen=True)
class Candidate:
    """`files` are (path, whole new text) of the files that differ from golden; unchanged files are left out."""

    files: tuple[tuple[str, str], ...]
    proposer: str = "user"
    rationale: tuple[str, ...] = ()
    parents: tuple[str, ...] = ()

    @property
    def id(self) -> str:
        """Hash of the content alone (12 hex digits): two proposers with the same text made the same candidate."""
        return hashlib.sha256(repr(sorted(self.files)).encode()).hexdigest()[:12]

    def sources(self, golden: Sources) -> Sources:
        """Golden's sources with this candidate's files in place."""
        return golden.with_files(dict(self.files))
