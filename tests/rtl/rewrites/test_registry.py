"""All families on random units: nothing crashes, edits apply, what stands outside of them stays as it was."""

import random

import pytest
from rtl_evolve.rtl.candidate import Candidate
from rtl_evolve.rtl.edit import Edit
from rtl_evolve.rtl.elaborate import Elaboration, elaborate
from rtl_evolve.rtl.rewrites.registry import FAMILIES, apply, propose_all
from rtl_evolve.rtl.rewrites.rule import Rewrite

QUICK, MANY = 12, 200


def outside(text: str, edits: tuple[Edit, ...]) -> list[str]:
    """The stretches of text between the edits."""
    pieces, at = [], 0
    for edit in sorted(edits, key=lambda e: (e.start, e.end)):
        pieces.append(text[at : edit.start])
        at = edit.end
    return [*pieces, text[at:]]


def check(lab, text: str, elaborated: bool) -> tuple[int, int]:
    """How many proposals there were, and how many of those tried elaborate."""
    unit = lab(text, clocked=True)
    rewrites = list(propose_all(unit.view, random.Random(1)))
    good = 0
    for rewrite in rewrites:
        assert rewrite.why and rewrite.rule.partition(".")[0] in {f.name for f in FAMILIES}
        after = unit.text(rewrite)
        at = 0
        for piece in outside(text, rewrite.edits):  # byte for byte and in order, comments among them
            found = after.find(piece, at)
            assert found >= 0, (rewrite, piece)
            at = found + len(piece)
        if elaborated:
            result = elaborate(Candidate((("unit.v", after),)).sources(unit.sources))
            good += isinstance(result, Elaboration)
    return len(rewrites), good


@pytest.mark.parametrize("seed", range(QUICK))
def test_random_units(lab, random_unit, seed):
    check(lab, random_unit(seed), elaborated=False)


@pytest.mark.slow
def test_many_random_units_and_most_rewrites_elaborate(lab, random_unit):
    proposed = good = 0
    for seed in range(MANY):
        elaborated = seed % 10 == 0
        count, fine = check(lab, random_unit(seed), elaborated)
        proposed, good = proposed + count * elaborated, good + fine
    assert good >= 0.9 * proposed > 0, (good, proposed)


def test_families_take_turns_and_nothing_comes_twice(lab, random_unit):
    class Fixed:
        def __init__(self, name: str, count: int) -> None:
            self.name, self.count = name, count

        def propose(self, view, rng):
            for index in range(self.count):
                yield Rewrite(f"{self.name}.x", (Edit("unit.v", index, index + 1, "y"),), "because")

    unit = lab(random_unit(1), clocked=True)
    found = list(propose_all(unit.view, random.Random(1), (Fixed("one", 2), Fixed("two", 3))))
    assert [(r.rule, r.edits[0].start) for r in found] == [("one.x", 0), ("two.x", 1), ("two.x", 2)]


def test_proposals_are_the_same_every_time(lab, random_unit):
    first, second = (list(propose_all(lab(random_unit(3), clocked=True).view, random.Random(5))) for _ in range(2))
    assert first == second


def test_edits_that_overlap_are_no_rewrite(lab):
    edits = (Edit("unit.v", 0, 5, "x"), Edit("unit.v", 3, 6, "y"))
    assert apply(Rewrite("a.b", edits, "why"), {"unit.v": "module top;"}) is None
