"""Modules that a proof of the top says nothing about: those outside its hierarchy, and what they use too."""

from collections.abc import Iterable, Iterator, Mapping

from rtl_evolve.rtl.gate_text import lexemes
from rtl_evolve.rtl.slang import Reading


def unproven_changes(golden: Reading, candidate: Reading, top: str) -> Iterator[str]:
    """Changes to modules, packages or declarations that something outside the top uses."""
    before, after = dict(golden.units), dict(candidate.units)
    for name in _used_outside(before, top):
        what = f"{name} is used outside {top}" if name else f"a declaration outside modules is used outside {top} too"
        if after.get(name) != before[name]:
            yield f"{what}: no proof covers a change there"


def _used_outside(units: Mapping[str, str], top: str) -> list[str]:
    """Units that aren't below the top, and those below it that the others mention without going through the top."""
    mentions = {name: _mentioned(text, units) for name, text in units.items()}
    outside = set(units) - _closure([top], mentions) - {""}
    if not outside:
        return []
    rest = {name: below for name, below in mentions.items() if name != top}
    return sorted((_closure(outside, rest) | {""}) - {top})


def _mentioned(text: str, units: Mapping[str, str]) -> frozenset[str]:
    return frozenset(item.text for item in lexemes(text) if item.text in units)


def _closure(start: Iterable[str], mentions: Mapping[str, frozenset[str]]) -> set[str]:
    found: set[str] = set()
    stack = list(start)
    while stack:
        name = stack.pop()
        if name not in found:
            found.add(name)
            stack += mentions.get(name, ())
    return found
