"""Clocks and reset found by use: which input each register's clock follows, and which input forces registers to constants."""

import re
from collections import Counter
from collections.abc import Mapping
from typing import Literal

from rtl_evolve.rtl.aig import Aig
from rtl_evolve.rtl.design import Clock, Reset
from rtl_evolve.rtl.elaborate import Elaboration
from rtl_evolve.rtl.model import Model

_RESET_NAME = re.compile(r"rst|reset|(^|_)(a|s)?(clr|clear)", re.IGNORECASE)
_LOW_NAME = re.compile(r"(^n|n|_n|_ni|_l|_b)$|^n_?(rst|reset)", re.IGNORECASE)
_UNKNOWN = (True, True)  # (may be 0, may be 1)


def find_clocks(design: Elaboration) -> tuple[Clock, ...]:
    """Each input that a register's clock depends on, with the edges in use; in order of the ports."""
    model = design.model
    edges: dict[str, set[str]] = {}
    for register in model.registers:
        for variable in _inputs_below(model, register.clock >> 1):
            inverted = register.clock & 1 if register.clock >> 1 == variable else 0
            edge = "rising" if register.rising ^ bool(inverted) else "falling"
            edges.setdefault(model.inputs[variable - 1][0], set()).add(edge)
    order = list(dict.fromkeys(name for name, _ in model.inputs))
    return tuple(Clock(name, _edge(edges[name])) for name in order if name in edges)


def _edge(edges: set[str]) -> Literal["rising", "falling", "both"]:
    if len(edges) == 2:
        return "both"
    return "rising" if "rising" in edges else "falling"


def find_reset(design: Elaboration) -> Reset | None:
    """The reset: an input that loads constants without a clock edge, or else one whose level makes most next states constant.

    A synchronous reset has to look like one: named so, or deciding at least half of all state bits with one level and
    none with the other. None for a design without registers or without such an input.
    """
    model = design.model
    if not model.registers:
        return None
    return _asynchronous(model) or _synchronous(model)


def _asynchronous(model: Model) -> Reset | None:
    found: Counter[tuple[str, int]] = Counter()
    for register in model.registers:
        if register.load is not None and register.load_value in (0, 1):
            variable = register.load >> 1
            if 1 <= variable <= len(model.inputs):
                found[(model.inputs[variable - 1][0], 1 - (register.load & 1))] += 1
    if not found:
        return None
    (name, active), _ = max(found.items(), key=lambda item: (item[1], bool(_RESET_NAME.search(item[0][0]))))
    return Reset(name, active, asynchronous=True)


def _synchronous(model: Model) -> Reset | None:
    widths = Counter(name for name, _ in model.inputs)
    clocks = {r.clock >> 1 for r in model.registers}
    best: tuple[tuple[bool, int], Reset] | None = None
    for index, (name, _) in enumerate(model.inputs):
        if widths[name] != 1 or index + 1 in clocks:
            continue
        forced = [_forced(model, index + 1, level) for level in (0, 1)]
        named = bool(_RESET_NAME.search(name))
        usual = int(not _LOW_NAME.search(name))
        active = usual if named and forced[usual] else int(forced[1] > forced[0])
        plain = forced[1 - active] == 0 and 2 * forced[active] >= len(model.registers)
        if forced[active] and (named or plain):
            rank = (named, forced[active])
            if best is None or rank > best[0]:
                best = rank, Reset(name, active, asynchronous=False)
    return best[1] if best else None


def _forced(model: Model, variable: int, level: int) -> int:
    """State bits whose next value is constant when input `variable` has `level` and all else is unknown."""
    values = _ternary(model.aig, {variable: (level == 0, level == 1)})
    return sum(_literal(values, r.next) != _UNKNOWN for r in model.registers if r.next > 1)


def _ternary(aig: Aig, known: Mapping[int, tuple[bool, bool]]) -> list[tuple[bool, bool]]:
    """Three-valued evaluation: (may be 0, may be 1) of every variable."""
    values = [(True, False)] + [known.get(v, _UNKNOWN) for v in range(1, aig.inputs + 1)]
    for a, b in zip(aig.fanin0, aig.fanin1, strict=True):
        left, right = _literal(values, a), _literal(values, b)
        values.append((left[0] or right[0], left[1] and right[1]))
    return values


def _literal(values: list[tuple[bool, bool]], literal: int) -> tuple[bool, bool]:
    zero, one = values[literal >> 1]
    return (one, zero) if literal & 1 else (zero, one)


def _inputs_below(model: Model, variable: int) -> set[int]:
    """Port variables in the combinational cone of `variable`."""
    aig, seen, stack = model.aig, {0}, [variable]
    found: set[int] = set()
    while stack:
        node = stack.pop()
        if node in seen:
            continue
        seen.add(node)
        if node > aig.inputs:
            gate = node - aig.inputs - 1
            stack += [aig.fanin0[gate] >> 1, aig.fanin1[gate] >> 1]
        elif node <= len(model.inputs):
            found.add(node)
    return found
