"""Why a candidate with registers may differ, in words: clocks, edges, resets, initial values, a cycle early or late."""

from collections.abc import Mapping
from random import Random

from rtl_evolve.rtl.model import Model, Register
from rtl_evolve.verify.comparison import Comparison
from rtl_evolve.verify.lanes import Lanes, OutputValues, start_lanes
from rtl_evolve.verify.sequential.machine import clock_name
from rtl_evolve.verify.stimulus import SequentialVectors

_STREAMS = 64
_CYCLES = 24
_FARTHEST = 4  # cycles early or late that are recognised


def clock_reasons(comparison: Comparison) -> list[str]:
    """Registers of one name with another clock or reset kind, and clocks only one side uses."""
    golden, candidate = comparison.golden.model, comparison.candidate.model
    found: list[str] = []
    for bit, old, new in _same_names(golden, candidate):
        name = word_of(bit)
        before, after = clock_name(golden, old), clock_name(candidate, new)
        if before != after:
            found.append(f"{name} is clocked by {after}, in golden by {before}")
        elif (old.load is None) != (new.load is None):
            kinds = ("has no asynchronous reset", "has an asynchronous reset")
            found.append(f"{name} {kinds[new.load is not None]}, golden's {kinds[old.load is not None]}")
    if not found and golden.registers:
        used = [{clock_name(m, r) for r in m.registers} for m in (golden, candidate)]
        found += [f"the candidate uses {c}, which golden doesn't" for c in sorted(used[1] - used[0])]
        found += [f"the candidate doesn't use {c}, which golden does" for c in sorted(used[0] - used[1])]
    return list(dict.fromkeys(found))[:4]


def start_reasons(comparison: Comparison) -> list[str]:
    """Registers of one name with another initial value."""
    found = []
    for name, old, new in _same_names(comparison.golden.model, comparison.candidate.model):
        if old.init is not None and old.init != new.init:
            kept = "has no initial value" if new.init is None else "starts at another value"
            found.append(f"{word_of(name)} {kept} in the candidate; golden declares one")
    return list(dict.fromkeys(found))[:4]


def changed_before_reset(comparison: Comparison) -> tuple[str, ...]:
    """Initial values that the candidate changed although the comparison starts after a reset, which hides them."""
    return tuple(start_reasons(comparison)) if comparison.start.reset_cycles else ()


def word_of(bit: str) -> str:
    """The register that a bit "u.q[3]" belongs to; a register named by an array index keeps it."""
    return bit.rpartition("[")[0] or bit


def _same_names(golden: Model, candidate: Model) -> list[tuple[str, Register, Register]]:
    other = {r.name: r for r in candidate.registers}
    return [(r.name, r, other[r.name]) for r in golden.registers if r.name in other]


def earliness(comparison: Comparison) -> str:
    """ "one cycle early" and the like, when the candidate is golden shifted in time; else nothing."""
    rng = Random(0)
    golden, candidate = start_lanes(comparison, _STREAMS, rng)
    lanes = Lanes(comparison, _STREAMS, golden, candidate, rng)
    vectors = SequentialVectors(comparison.words, comparison.design, _STREAMS, rng)
    undefined = comparison.machines[1].undefined
    quiet = _quiet_reset(comparison)
    seen = []
    for _ in range(_CYCLES):
        seen.append(
            lanes.step([v if q is None else q for v, q in zip(vectors.next(), quiet, strict=True)], [0] * undefined)
        )
    settled = _CYCLES // 2
    for shift in range(1, _FARTHEST + 1):
        for late, word in ((shift, "late"), (-shift, "early")):
            pairs = [(seen[t].golden, seen[t + late].candidate) for t in range(settled, _CYCLES - _FARTHEST)]
            if all(_agree(a, b) for a, b in pairs) and _varies([a for a, _ in pairs]):
                return f"the candidate is {shift} cycle{'s' * (shift > 1)} {word}"
    return ""


def _quiet_reset(comparison: Comparison) -> list[int | None]:
    reset = comparison.design.reset
    full = (1 << _STREAMS) - 1
    return [
        None if reset is None or port != reset.name else full * (1 - reset.active)
        for port, _ in comparison.machines[0].inputs
    ]


def _agree(a: Mapping[tuple[str, int], int], b: Mapping[tuple[str, int], int]) -> bool:
    return all(a[key] == b[key] for key in a)


def _varies(values: list[OutputValues]) -> bool:
    return any(v != values[0] for v in values)
