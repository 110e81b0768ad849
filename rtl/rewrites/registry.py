"""All families of rewrite rules, and their proposals mixed so that the first few differ in kind."""

from collections.abc import Iterator
from random import Random

from rtl_evolve.rtl.edit import OverlapError, apply_edits
from rtl_evolve.rtl.rewrites.absorb import Absorb
from rtl_evolve.rtl.rewrites.adders import Adders
from rtl_evolve.rtl.rewrites.combine import Combine
from rtl_evolve.rtl.rewrites.common import Common
from rtl_evolve.rtl.rewrites.constant import Constant
from rtl_evolve.rtl.rewrites.count import Count
from rtl_evolve.rtl.rewrites.decode import Decode
from rtl_evolve.rtl.rewrites.divide import Divide
from rtl_evolve.rtl.rewrites.multiplier import Multiplier
from rtl_evolve.rtl.rewrites.recognise import Recognise
from rtl_evolve.rtl.rewrites.rule import Family, Rewrite
from rtl_evolve.rtl.rewrites.share import Share
from rtl_evolve.rtl.rewrites.shift import Shift
from rtl_evolve.rtl.rewrites.sort import Sort
from rtl_evolve.rtl.rewrites.sum import Sum
from rtl_evolve.rtl.rewrites.view import View
from rtl_evolve.rtl.rewrites.width import Width

FAMILIES: tuple[Family, ...] = (
    Recognise(),
    Sum(),
    Multiplier(),
    Constant(),
    Width(),
    Share(),
    Shift(),
    Sort(),
    Absorb(),
    Count(),
    Decode(),
    Common(),
    Combine(),
    Adders(),
    Divide(),
)


def propose_all(view: View, rng: Random, families: tuple[Family, ...] = FAMILIES) -> Iterator[Rewrite]:
    """Proposals of all families, one of each in turn, each family's best first; none that repeats another's edits."""
    streams = [family.propose(view, Random(rng.getrandbits(64))) for family in families]
    seen: set[frozenset[object]] = set()
    while streams:
        alive = []
        for stream in streams:
            rewrite = _next_new(stream, seen)
            if rewrite is not None:
                alive.append(stream)
                yield rewrite
        streams = alive


def _next_new(stream: Iterator[Rewrite], seen: set[frozenset[object]]) -> Rewrite | None:
    for rewrite in stream:
        key: frozenset[object] = frozenset(rewrite.edits)
        if key not in seen:
            seen.add(key)
            return rewrite
    return None


def apply(rewrite: Rewrite, files: dict[str, str]) -> dict[str, str] | None:
    """The texts after a rewrite; None when its edits overlap."""
    try:
        return apply_edits(files, rewrite.edits)
    except OverlapError:
        return None
