"""Evaluations as JSON and back, exactly: what the database and the evaluation cache store."""

import json
from dataclasses import asdict
from typing import Any

from rtl_evolve.evolver.evaluation import Evaluation
from rtl_evolve.synth.measurement import Measurement, Power
from rtl_evolve.verify.verdict import Counterexample, Cycle, Grade, Verdict


def measurement_from(data: dict[str, Any]) -> Measurement:
    """A measurement from the dictionary `dataclasses.asdict` makes of it."""
    power = data["power"]
    return Measurement(**{**data, "power": None if power is None else Power(**power)})


def _pairs(items: list[list[str]]) -> tuple[tuple[str, str], ...]:
    return tuple((a, b) for a, b in items)


def verdict_from(data: dict[str, Any]) -> Verdict:
    """A verdict from the dictionary `dataclasses.asdict` makes of it."""
    found = data["counterexample"]
    counterexample = None
    if found is not None:
        cycles = tuple(Cycle(*(_pairs(c[k]) for k in ("inputs", "golden", "candidate"))) for c in found["cycles"])
        counterexample = Counterexample(cycles, found["note"])
    return Verdict(
        Grade(data["grade"]),
        data["engine"],
        data["seconds"],
        tuple(data["reasons"]),
        counterexample,
        tuple(data["assumptions"]),
    )


def evaluation_from(data: dict[str, Any]) -> Evaluation:
    """An evaluation from the dictionary `dataclasses.asdict` makes of it."""
    return Evaluation(
        data["candidate_id"],
        verdict_from(data["verdict"]),
        tuple(measurement_from(m) for m in data["measurements"]),
        data["structure"],
        tuple((name, seconds) for name, seconds in data["stage_seconds"]),
        tuple(data["feedback"]),
        tuple(measurement_from(m) for m in data["screening"]),
        data["duplicate_of"],
    )


def dump(evaluation: Evaluation) -> str:
    """One line of JSON; floats keep every bit."""
    return json.dumps(asdict(evaluation), separators=(",", ":"))


def load(text: str) -> Evaluation:
    """What `dump` wrote."""
    return evaluation_from(json.loads(text))
