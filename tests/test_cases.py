"""Whole inputs with their right outcomes: each folder of tests/cases holds golden.v, candidates and expected.yaml."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest
import yaml
from rtl_evolve.evolver.replies import Unusable, read_reply
from rtl_evolve.flows.check import check
from rtl_evolve.rtl.candidate import Candidate
from rtl_evolve.rtl.design import Design
from rtl_evolve.rtl.elaborate import Elaboration, Unelaborated, elaborate
from rtl_evolve.rtl.errors import InputError
from rtl_evolve.rtl.gate import gate, gate_elaborated
from rtl_evolve.rtl.load import load_design
from rtl_evolve.verify.problem import ProofLimits

CASES = Path(__file__).parent / "cases"
FOLDERS = sorted(p.parent for p in CASES.glob("*/expected.yaml"))


@dataclass(frozen=True)
class Case:
    folder: Path
    file: str
    verdicts: tuple[str, ...]
    says: tuple[str, ...]
    parameters: tuple[tuple[str, str], ...]
    seconds: float  # for the proof

    def __str__(self) -> str:
        return "-".join((self.folder.name, self.file, *(f"{n}={v}" for n, v in self.parameters)))


def expected(folder: Path) -> dict:
    return yaml.safe_load((folder / "expected.yaml").read_text())


def cases() -> Iterator[Case]:
    for folder in FOLDERS:
        for row in expected(folder)["candidates"]:
            parameters = tuple(row.get("parameters", {}).items())
            yield Case(
                folder,
                row["file"],
                tuple(row["verdict"]),
                tuple(row.get("says", ())),
                parameters,
                row.get("seconds", 60.0),
            )


@cache
def golden(folder: Path, parameters: tuple[tuple[str, str], ...]) -> tuple[Design, Elaboration]:
    design = load_design([folder / "golden.v"], expected(folder)["top"], parameters=parameters)
    elaboration = elaborate(design.sources)
    assert isinstance(elaboration, Elaboration)
    return design, elaboration


def refusal(case: Case) -> tuple[str, ...]:
    """Why the gate refuses a candidate, before, during or after elaboration; empty when it passes."""
    design, elaboration = golden(case.folder, case.parameters)
    candidate = Candidate((("golden.v", (case.folder / case.file).read_text()),))
    reasons = gate(candidate, design)
    if reasons:
        return reasons
    result = elaborate(candidate.sources(design.sources))
    return (result.message,) if isinstance(result, Unelaborated) else gate_elaborated(elaboration, result)


@pytest.mark.parametrize("case", list(cases()), ids=str)
def test_the_gate_refuses_what_it_must_and_nothing_else(case):
    reasons = refusal(case)
    if case.verdicts == ("rejected",):
        assert reasons, "passed the gate"
        text = "\n".join(reasons)
        assert [word for word in case.says if word not in text] == [], text
    elif "rejected" not in case.verdicts:
        assert reasons == ()


@pytest.mark.slow
@pytest.mark.parametrize("case", list(cases()), ids=str)
def test_the_whole_check_gives_the_right_outcome(case):
    design, _ = golden(case.folder, case.parameters)
    candidate = Candidate((("golden.v", (case.folder / case.file).read_text()),))
    checked = check(candidate, design, ProofLimits(case.seconds))
    counterexample = checked.verdict.counterexample
    note = counterexample.note if counterexample else ""
    text = "\n".join((*checked.verdict.reasons, note, *checked.notes))
    assert checked.verdict.grade.value in case.verdicts, text
    if checked.verdict.grade.value != "proven":
        assert [word for word in case.says if word not in text] == [], text


def replies() -> list[tuple[Path, dict]]:
    return [(folder, row) for folder in FOLDERS for row in expected(folder).get("replies", ())]


@pytest.mark.parametrize(("folder", "row"), replies(), ids=lambda v: v["file"] if isinstance(v, dict) else v.name)
def test_a_models_reply_gives_the_right_outcome(folder, row):
    design, _ = golden(folder, ())
    text = design.sources.files[0].text
    reply = read_reply((folder / row["file"]).read_text(), {"golden.v": text})
    if isinstance(reply, Unusable):
        outcome, says = "unusable", reply.reason
    else:
        assert dict(reply.files)["golden.v"] != text, "the parent again"
        checked = check(Candidate(reply.files), design, ProofLimits(30.0))
        outcome, says = checked.verdict.grade.value, "\n".join(checked.verdict.reasons)
    assert outcome in row["outcome"], says
    assert [word for word in row.get("says", ()) if word not in says] == [], says


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda p: p.name)
def test_golden_passes_its_own_gate(folder):
    design, elaboration = golden(folder, ())
    assert gate(Candidate((("golden.v", design.sources.files[0].text),)), design) == ()
    assert gate_elaborated(elaboration, elaboration) == ()


@pytest.mark.parametrize("folder", [f for f in FOLDERS if "inputs" in expected(f)], ids=lambda p: p.name)
def test_bad_input_is_one_clear_line(folder):
    for row in expected(folder)["inputs"]:
        with pytest.raises(InputError) as error:
            load_design([folder / row["file"]])
        text = str(error.value)
        assert "\n" not in text and all(word in text for word in row["error"])


def test_every_file_is_used():
    for folder in FOLDERS:
        rows = expected(folder)
        named = {r["file"] for key in ("candidates", "inputs", "replies") for r in rows.get(key, ())}
        unused = {p.name for p in folder.iterdir()} - named - {"golden.v", "expected.yaml"}
        assert {n for n in unused if n.endswith(".v")} == set()
