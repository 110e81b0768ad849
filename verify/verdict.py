"""What verification says of a candidate: the grades, and the counterexample that backs "different"."""

from dataclasses import dataclass
from enum import StrEnum


class Grade(StrEnum):
    """From best to worst; only `PROVEN` may win unless the user lowers the bar by name."""

    PROVEN = "proven"  # an engine proved it for all inputs, all time
    BOUNDED = "bounded"  # no difference within k cycles
    TESTED = "tested"  # only simulation
    UNDECIDED = "undecided"
    DIFFERENT = "different"  # with a counterexample replayed on both designs
    REJECTED = "rejected"  # the gate refused it before any engine


@dataclass(frozen=True)
class Cycle:
    """Port values of one cycle as sized Verilog literals (8'hff), by port name."""

    inputs: tuple[tuple[str, str], ...]
    golden: tuple[tuple[str, str], ...]
    candidate: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Counterexample:
    """A trace from the start state (or reset) to the first difference, the last cycle being where outputs differ.

    `note` says what a reader needs beside the values: "only where golden is x: b == 0", "one cycle early".
    """

    cycles: tuple[Cycle, ...]
    note: str = ""


@dataclass(frozen=True)
class Verdict:
    """`engine` names what decided; `reasons` are one sentence each, most important first."""

    grade: Grade
    engine: str = ""
    seconds: float = 0.0
    reasons: tuple[str, ...] = ()
    counterexample: Counterexample | None = None
    assumptions: tuple[str, ...] = ()  # what the proof rests on, said plainly: start state, x policy, contract
