"""The changes that the bench drives and what it compares after each; imports nothing, as the simulation loads it too."""

import json
from collections.abc import Sequence
from dataclasses import astuple, dataclass
from pathlib import Path


@dataclass(frozen=True)
class Phase:
    """One change of the inputs. Words hold the ports in order, the first in the lowest bits.

    `determined` are the output bits that golden determines, `expected` their values by our elaboration. The candidate
    now must equal golden in phase `reference` (None: nothing is compared). `start` is the stream's first phase.
    """

    cycle: int
    change: str
    stimulus: int
    expected: int
    determined: int
    reference: int | None
    start: int


def write_phases(phases: Sequence[Phase], path: Path) -> None:
    """As JSON, to be read by `read_phases`."""
    path.write_text(json.dumps([astuple(p) for p in phases], separators=(",", ":")))


def read_phases(path: Path) -> tuple[Phase, ...]:
    """What `write_phases` wrote."""
    return tuple(Phase(*fields) for fields in json.loads(path.read_text()))
