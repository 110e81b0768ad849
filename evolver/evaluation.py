"""The record of one candidate's way through the cascade."""

from dataclasses import dataclass

from rtl_evolve.synth.measurement import Measurement
from rtl_evolve.verify.verdict import Verdict


@dataclass(frozen=True)
class Evaluation:
    """`structure` is the hash of the elaborated circuit (None when it didn't elaborate).

    `stage_seconds` says where time went, by stage name (gate, elaborate, simulate, prove, synthesise, power, bench).
    `feedback` is what the next prompt may use: diagnostics, the counterexample in words, what each line costs.
    `screening` are the few measurements the search goes by; `measurements`, by all recipes, are made of golden and of
    what would enter the front. `duplicate_of` is the candidate that elaborates to the same circuit (empty: none
    known), in which case nothing further was done.
    """

    candidate_id: str
    verdict: Verdict
    measurements: tuple[Measurement, ...] = ()
    structure: str | None = None
    stage_seconds: tuple[tuple[str, float], ...] = ()
    feedback: tuple[str, ...] = ()
    screening: tuple[Measurement, ...] = ()
    duplicate_of: str = ""
