"""Which unknown registers of two designs correspond: by how they behave, then by name."""

from collections.abc import Sequence
from random import Random

from rtl_evolve.rtl.aig import value
from rtl_evolve.rtl.design import Design
from rtl_evolve.verify.problem import Word
from rtl_evolve.verify.sequential.machine import Machine
from rtl_evolve.verify.stimulus import SequentialVectors

_STREAMS = 256
_CYCLES = 48
_WATCHED = 12  # cycles at the end whose values must agree


def match_states(
    golden: Machine,
    candidate: Machine,
    golden_start: Sequence[int | None],
    candidate_start: Sequence[int | None],
    design: Design,
) -> tuple[tuple[int, int, bool], ...]:
    """Pairs (golden state, candidate state, inverted) of states unknown at the start that may start alike.

    Both machines run from independent random starts under the same inputs; states that come to agree correspond.
    Those that don't (seldom written, or held) are matched by name. What is then proven holds from starts in which
    matched states agree, and the verdict says so; a wrong match only makes a proof fail.
    """
    first = _signatures(golden, golden_start, design, Random(1))
    second = _signatures(candidate, candidate_start, design, Random(2))
    full = (1 << _STREAMS * _WATCHED) - 1
    unknown = [i for i, v in enumerate(golden_start) if v is None]
    by_signature: dict[int, list[int]] = {}
    for i in unknown:
        by_signature.setdefault(first[i], []).append(i)
    by_name = {golden.states[i].name: i for i in unknown}
    found: dict[int, tuple[int, bool]] = {}
    for j, start in enumerate(candidate_start):
        if start is not None:
            continue
        named = by_name.get(candidate.states[j].name)
        for signature, inverted in ((second[j], False), (second[j] ^ full, True)):
            alike = by_signature.get(signature, []) if 0 < signature < full else []
            if alike:
                found[j] = (named if named in alike else alike[0], inverted)
                break
    partnered = {i for i, _ in found.values()}
    for j, start in enumerate(candidate_start):
        named = by_name.get(candidate.states[j].name)
        if start is None and named is not None and named not in partnered:
            found[j] = (named, False)
    return tuple((i, j, inverted) for j, (i, inverted) in sorted(found.items()))


def _signatures(machine: Machine, start: Sequence[int | None], design: Design, own: Random) -> list[int]:
    """Each state's values in all streams over the last cycles; `own` draws the unknown start values and x."""
    grouped: dict[str, list[int]] = {}
    for i, (port, _) in enumerate(machine.inputs):
        grouped.setdefault(port, []).append(2 * (i + 1))
    words = [Word(name, tuple(bits)) for name, bits in grouped.items()]
    vectors = SequentialVectors(words, design, _STREAMS, Random(0), lively=True)
    full = (1 << _STREAMS) - 1
    state = [own.getrandbits(_STREAMS) if v is None else full * v for v in start]
    signatures = [0] * len(state)
    for cycle in range(_CYCLES):
        values = machine.aig.simulate([*vectors.next(), *state, *([0] * machine.undefined)], _STREAMS)
        state = [value(values, s.next, _STREAMS) for s in machine.states]
        if cycle >= _CYCLES - _WATCHED:
            signatures = [old << _STREAMS | now for old, now in zip(signatures, state, strict=True)]
    return signatures
