"""Attacks on the gate: a table of candidates, each with what must become of it (`gate_attacks.yaml`)."""

from functools import cache
from pathlib import Path

import pytest
import yaml
from rtl_evolve.rtl.candidate import Candidate
from rtl_evolve.rtl.design import Design
from rtl_evolve.rtl.elaborate import Elaboration, Unelaborated, elaborate
from rtl_evolve.rtl.gate import gate, gate_elaborated
from rtl_evolve.rtl.load import load_design

TABLE = yaml.safe_load(Path(__file__).with_name("gate_attacks.yaml").read_text())
HEAD = "module top(input clk, input [7:0] a, b, output [7:0] y);"
ROWS = [(f"{group}: {row['name']}", row) for group, rows in TABLE.items() for row in rows]


def whole(body: str) -> str:
    return f"{HEAD} {body}\nendmodule\n"


@cache
def golden(text: str, folder: Path) -> tuple[Design, Elaboration]:
    path = folder / "golden.v"
    path.write_text(text)
    design = load_design([path], "top")
    elaboration = elaborate(design.sources)
    assert isinstance(elaboration, Elaboration)
    return design, elaboration


@pytest.fixture(scope="session")
def folder(tmp_path_factory) -> Path:
    return tmp_path_factory.mktemp("attacks")


def text_of(row: dict) -> str:
    if "nested" in row:
        return whole(f"assign y = {'(' * row['nested']} a + b {')' * row['nested']};")
    if "repeated" in row:
        return whole(row["repeated"] * 300_000)
    return row["text"] if "text" in row else whole(row["body"])


@pytest.mark.parametrize(
    "row",
    [pytest.param(row, id=name, marks=[pytest.mark.slow] if row.get("slow") else []) for name, row in ROWS],
)
def test_attack(row, folder):
    before = row.get("golden_text", whole(row.get("golden", "assign y = a + b;")))
    design, elaboration = golden(before, folder)
    candidate = Candidate((("golden.v", text_of(row)),))
    reasons = gate(candidate, design)
    if not reasons:
        result = elaborate(candidate.sources(design.sources))
        reasons = (result.message,) if isinstance(result, Unelaborated) else gate_elaborated(elaboration, result)
    text = "\n".join(reasons)
    if "refused" in row:
        assert reasons, "passed the gate"
        assert [word for word in row["refused"] if word not in text] == [], text
    else:
        assert not reasons, text


def test_there_are_many_of_them():
    assert len({name for name, _ in ROWS}) == len(ROWS) >= 25
