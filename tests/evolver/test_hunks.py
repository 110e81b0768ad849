"""Candidates as edits: they give the text back, and merging keeps what both changed."""

from hypothesis import given
from hypothesis import strategies as st
from rtl_evolve.evolver.hunks import genes_of, hunks, merge, overlap, texts
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
    base, more = ((e,) if (e := hunks({"f": golden}, [("f", t)])) else () for t in (one, other))
    merged, mirrored = merge(base, more), merge(more, base)
    assert (merged is None) == (mirrored is None)
    if merged is not None:
        assert texts({"f": golden}, [e for gene in merged for e in gene]) is not None
    forced = merge(base, more, prefer_more=True)
    assert forced is not None and set(more) <= set(forced)
    assert texts({"f": golden}, [e for gene in forced for e in gene]) is not None


def change(old: str, new: str) -> tuple[Edit, ...]:
    return hunks(GOLDEN, [("a.v", GOLDEN["a.v"].replace(old, new))])


def test_two_changes_in_one_file_go_together() -> None:
    merged = merge((change("p + q", "q + p"),), (change("p - q", "p + ~q + 1"),))
    assert merged is not None and len(merged) == 2
    made = texts(GOLDEN, [e for gene in merged for e in gene])
    assert made == (("a.v", GOLDEN["a.v"].replace("p + q", "q + p").replace("p - q", "p + ~q + 1")),)


def test_genes_are_told_apart_by_ancestry() -> None:
    one, other = change("p + q", "q + p"), change("p - q", "p + ~q + 1")
    both = (*one, *other)
    assert genes_of(both, ()) == (both,)
    assert genes_of(both, (one,)) == (one, other)
    assert genes_of(both, (one, other, one)) == (one, other)
    assert genes_of(other, (one,)) == (other,)


def test_edits_stay_small_within_a_line() -> None:
    edits = hunks(GOLDEN, [("a.v", GOLDEN["a.v"].replace("p + q", "p + r"))])
    assert [(e.text, GOLDEN["a.v"][e.start : e.end]) for e in edits] == [("r", "q")]


def test_changes_of_one_statement_are_one_edit() -> None:
    assert [e.text for e in change("p + q", "(q) + (r)")] == ["(q) + (r)"]
    both = hunks({"f": "x = a; y = b;"}, [("f", "x = c; y = d;")])
    assert [e.text for e in both] == ["c", "d"]


def test_conflicts_are_found_and_a_gene_is_dropped_whole() -> None:
    one, other = change("p + q", "p + r"), change("p + q", "p + s")
    whole = (*one, *change("p - q", "r"))
    assert merge((one,), (other,)) is None
    assert merge((one,), (one,)) == (one,)
    assert merge((whole,), (other,), prefer_more=True) == (other,)


def test_neighbours_and_insertions_at_one_point_do_not_overlap() -> None:
    assert not overlap(Edit("f", 0, 3, "x"), Edit("f", 3, 5, "y"))
    assert not overlap(Edit("f", 3, 3, "x"), Edit("f", 3, 3, "y"))
    assert not overlap(Edit("f", 3, 3, "x"), Edit("f", 3, 5, "y"))
    assert overlap(Edit("f", 4, 4, "x"), Edit("f", 3, 5, "y"))
    assert not overlap(Edit("f", 0, 9, "x"), Edit("g", 0, 9, "y"))
