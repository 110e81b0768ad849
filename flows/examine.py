"""The cheap first part of judging a candidate, for searching and for `check` alike: gate, elaborate, simulate."""

from collections.abc import Collection
from dataclasses import dataclass
from functools import lru_cache

from rtl_evolve.flows.stages import Stages
from rtl_evolve.rtl.candidate import Candidate
from rtl_evolve.rtl.design import Design, Sources
from rtl_evolve.rtl.elaborate import Elaboration, Unelaborated, elaborate
from rtl_evolve.rtl.gate import gate, gate_elaborated
from rtl_evolve.rtl.load import elaborated
from rtl_evolve.verify.simulate import refute
from rtl_evolve.verify.verdict import Grade, Verdict

SEED = 1  # of the refuting vectors: part of what a verdict means, not of how a search goes


@dataclass(frozen=True)
class Examined:
    """`verdict` when it is settled (refused or different); `elaboration` when the candidate passed the gate."""

    verdict: Verdict | None
    elaboration: Elaboration | None = None


def examine(candidate: Candidate, design: Design, stages: Stages, known: Collection[str] = ()) -> Examined:
    """Look at a candidate until it is refused or found different; a structure that is `known` is not simulated."""
    passed = admit(candidate, design, stages)
    if passed.elaboration is None or passed.elaboration.structure in known:
        return passed
    with stages("simulate"):
        verdict = refute(golden_of(design.sources), passed.elaboration, design, SEED)
    return Examined(verdict, passed.elaboration)


def admit(candidate: Candidate, design: Design, stages: Stages) -> Examined:
    """The gate, before and after elaboration."""
    with stages("gate"):
        reasons = gate(candidate, design)
    if reasons:
        return Examined(refused("gate", *reasons))
    with stages("elaborate"):
        golden, elaboration = golden_of(design.sources), elaboration_of(candidate.sources(design.sources))
    if isinstance(elaboration, Unelaborated):
        return Examined(refused("elaborate", *(map(str, elaboration.diagnostics or (elaboration.message,)))))
    with stages("gate"):
        reasons = gate_elaborated(golden, elaboration)
    if reasons:
        return Examined(refused("gate", *reasons))
    return Examined(None, elaboration)


def refused(engine: str, *reasons: str) -> Verdict:
    """A rejection."""
    return Verdict(Grade.REJECTED, engine, reasons=reasons)


@lru_cache(maxsize=4)
def golden_of(sources: Sources) -> Elaboration:
    """Golden's elaboration, made once a process; `InputError` when it has none."""
    return elaborated(sources)


@lru_cache(maxsize=2)
def elaboration_of(sources: Sources) -> Elaboration | Unelaborated:
    """A candidate's elaboration, for the stages that follow one another in a process."""
    return elaborate(sources)
