"""Prompts: what is in them, what is left out when they are too long, and templates of the user's own."""

from pathlib import Path

import pytest
from rtl_evolve.evolver.prompt import DIRECTIONS, TEMPLATES, Evidence, Prompts, tokens_of
from rtl_evolve.rtl.errors import InputError

EVIDENCE = Evidence(
    top="unit",
    parameters=(("W", "8"),),
    interface=("input a: 8 bits", "output y: 8 bits, signed"),
    objective="Make small: area.",
    files=(("rtl/unit.v", "module unit;\n  // {{ not a placeholder }}\nendmodule\n"),),
    regions=True,
    direction="Choose freely.",
    parent_story=("sum: one tree",),
    parent_figures="abc: area 0.900",
    front=tuple(f"front {n} of many" for n in range(12)),
    costs=tuple(f"rtl/unit.v:{n} costs {n} um2" for n in range(20)),
    failed=tuple(f"failure {n}\nwith a second line {n}" for n in range(4)),
    tried=tuple(f"try {n} came to nothing" for n in range(30)),
    inspirations=tuple(f"inspiration {n}\n+ line" for n in range(2)),
    hints=tuple(f"hint {n}" for n in range(6)),
    broken="the broken rewrite",
)


def filled(kind: str = "improve", budget: int = 100_000, evidence: Evidence = EVIDENCE) -> str:
    text = Prompts().fill(kind, evidence, budget)
    assert text is not None
    return text


def test_everything_is_in_a_prompt_with_room() -> None:
    text = filled()
    for said in (
        "`unit`, with W = 8.",
        "signed",
        "area.",
        "file rtl/unit.v\n```verilog\nmodule unit;",
        "{{ not a",
        "EVOLVE",
    ):
        assert said in text
    for name in ("parent_story", "front", "costs", "failed", "tried", "inspirations", "hints"):
        for item in getattr(EVIDENCE, name):
            assert item in text
    assert text.endswith("Choose freely.\n") and "\n\n\n" not in text


def test_a_repair_shows_what_failed() -> None:
    text = filled("repair")
    assert "the broken rewrite" in text and "module unit;" in text and "hint 5" in text


@pytest.mark.parametrize("kind", ["improve", "repair"])
def test_within_any_budget_lines_stay_whole_and_the_important_ones_in(kind: str) -> None:
    lines = set(filled(kind).splitlines())
    least = tokens_of(filled(kind)) - 1
    kept: set[str] = lines
    while (text := Prompts().fill(kind, EVIDENCE, least)) is not None:
        assert tokens_of(text) <= least
        assert set(text.splitlines()) <= lines
        assert "module unit;" in text and "Make small: area." in text and "Your task" in text
        assert len(kept) >= len(set(text.splitlines()))
        kept = set(text.splitlines())
        least = min(least, tokens_of(text)) - 20
    assert not any("hint" in line or "try " in line for line in kept)


def test_what_was_tried_goes_before_what_failed() -> None:
    text = filled(budget=tokens_of(filled()) - 100)
    assert "try 0" in text and "try 29" not in text and "failure 3" in text and "inspiration 1" in text


def test_without_evidence_there_is_no_heading_of_it() -> None:
    bare = Evidence("unit", (), ("input a: 1 bit",), "Make small: area.", EVIDENCE.files, False, "Go.")
    text = filled(evidence=bare)
    for heading in ("failed", "came of it", "Other proven", "library", "EVOLVE", "trade-offs", "cost"):
        assert heading not in text


def test_a_template_of_the_users_own(tmp_path: Path) -> None:
    (tmp_path / "improve.j2").write_text("Only {{ top }}: {{ direction }}")
    (tmp_path / DIRECTIONS).write_text("- go left\n")
    prompts = Prompts(tmp_path)
    assert prompts.fill("improve", EVIDENCE, 100) == "Only unit: Choose freely.\n"
    assert prompts.directions == ("go left",) and prompts.system() == Prompts().system()
    assert len(Prompts().directions) > 5


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("improve.j2", "{% if x %}", "improve.j2:1: not a Jinja2 template"),
        ("improved.j2", "x", "improved.j2 is none of its templates; they are system.j2, improve.j2"),
        ("readme.txt", "x", "no template is in it"),
        (DIRECTIONS, "a: b", "must be a list of sentences"),
        (DIRECTIONS, "[", "not YAML"),
    ],
)
def test_a_wrong_template_is_named(tmp_path: Path, name: str, text: str, message: str) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(InputError) as caught:
        Prompts(tmp_path)
    assert message in str(caught.value) and str(tmp_path) in str(caught.value)


def test_an_unknown_name_in_a_template_is_named(tmp_path: Path) -> None:
    (tmp_path / "repair.j2").write_text("{{ area }}")
    with pytest.raises(InputError, match=r"repair.j2 cannot be filled in: 'area' is undefined"):
        Prompts(tmp_path).fill("repair", EVIDENCE, 1000)


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot read the prompts"):
        Prompts(tmp_path / "none")


def test_templates_are_all_shipped() -> None:
    assert set(TEMPLATES) == {"system.j2", "improve.j2", "repair.j2"}
    system = Prompts().system()
    assert "<<<<<<< SEARCH" in system and ">>>>>>> REPLACE" in system and "IDEA:" in system
