"""Candidates as edits: they give the text back, and merging keeps what both changed."""

from hypothesis import given
from hypothesis import strategies as st
from rtl_evolve.evolver.hunks import hunks, merge, overlap, texts
from rtl_evolve.rtl.edit import Edit

text = st.text(alphabet="ab (+)\n;", max_size=60)
GOLDEN = {"a.v": "module a;\n  assign x = p + q;\n  assign y = p - q;\nendmodule\n"}


@given(text, text)
def test_edits_make_the_text_again(before: str, after: str) -> None:
    edits = hunks({"f": before}, [("f", after)])
    made = texts({"f": before}, edits)
    assert made == ((("f", after),) if after != before else ())


@given(text, text, text)
def test_a_merge_is_conflict_free_and_symmetric_in_what_it_refuses(golden: str, one: str, other: str) -> None:
    base, more = hunks({"f": golden}, [("f", one)]), hunks({"f": golden}, [("f", other)])
    merged, mirrored = merge(base, more), merge(more, base)
    assert (merged is None) == (mirrored is None)
    if merged is not None:
        assert texts({"f": golden}, merged) is not None
    forced = merge(base, more, prefer_more=True)
    assert forced is not None and set(more) <= set(forced)
    assert texts({"f": golden}, forced) is not None


def test_two_changes_in_one_file_go_together() -> None:
    one = GOLDEN["a.v"].replace("p + q", "q + p")
    other = GOLDEN["a.v"].replace("p - q", "p + ~q + 1")
    merged = merge(hunks(GOLDEN, [("a.v", one)]), hunks(GOLDEN, [("a.v", other)]))
    assert merged is not None
    assert texts(GOLDEN, merged) == (("a.v", one.replace("p - q", "p + ~q + 1")),)


def test_edits_stay_small_within_a_line() -> None:
    edits = hunks(GOLDEN, [("a.v", GOLDEN["a.v"].replace("p + q", "p + r"))])
    assert [(e.text, GOLDEN["a.v"][e.start : e.end]) for e in edits] == [("r", "q")]


def test_conflicts_are_found() -> None:
    one = hunks(GOLDEN, [("a.v", GOLDEN["a.v"].replace("p + q", "p + r"))])
    other = hunks(GOLDEN, [("a.v", GOLDEN["a.v"].replace("p + q", "p + s"))])
    assert merge(one, other) is None
    assert merge(one, one) == one
    assert merge(one, other, prefer_more=True) == other


def test_neighbours_and_insertions_at_one_point_do_not_overlap() -> None:
    assert not overlap(Edit("f", 0, 3, "x"), Edit("f", 3, 5, "y"))
    assert not overlap(Edit("f", 3, 3, "x"), Edit("f", 3, 3, "y"))
    assert not overlap(Edit("f", 3, 3, "x"), Edit("f", 3, 5, "y"))
    assert overlap(Edit("f", 4, 4, "x"), Edit("f", 3, 5, "y"))
    assert not overlap(Edit("f", 0, 9, "x"), Edit("g", 0, 9, "y"))
