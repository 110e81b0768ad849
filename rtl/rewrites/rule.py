"""What every rewrite family looks like, and what it yields.

A family is a module with a class whose one instance stands in `registry.FAMILIES`. Its docstring says what the
family does, when it pays, and where the idea comes from. `propose` reads a `View` and yields `Rewrite`s, the most
promising first. A rewrite needn't be sound (the proof decides) but should be mostly right: everything it costs to
evaluate is paid by the search. It must never raise on a legal design, and draw chance only from the `rng` handed in.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Protocol

from rtl_evolve.rtl.edit import Edit

if TYPE_CHECKING:
    from rtl_evolve.rtl.rewrites.view import View


@dataclass(frozen=True)
class Rewrite:
    """One proposal: `edits` to the view's texts, small and not overlapping.

    `rule` is "family.what" ("width.narrow"); `why` is one plain sentence that names the signals and bits and says
    why the result is equal and what it saves.
    """

    rule: str
    edits: tuple[Edit, ...]
    why: str


class Family(Protocol):
    """One group of rewrite rules."""

    @property
    def name(self) -> str:
        """The first half of its rules' names."""
        ...

    def propose(self, view: "View", rng: Random) -> Iterator[Rewrite]:
        """Proposals for this design, the most promising first."""
        ...
