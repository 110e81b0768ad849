import pytest
from hypothesis import given
from hypothesis import strategies as st
from rtl_evolve.rtl.design import Region, SourceFile
from rtl_evolve.rtl.errors import InputError
from rtl_evolve.rtl.regions import find_regions, outside_edits

TEXT = """`define HEAD 1
module top(input a, b, output y, z);
  // EVOLVE-BLOCK-START
  assign y = a & b;
  // EVOLVE-BLOCK-END
  wire t = a;
  /* EVOLVE-BLOCK-START */
  assign z = t;
  /* EVOLVE-BLOCK-END */
endmodule
"""
REGIONS = find_regions([SourceFile("a.v", TEXT)])


def edits(candidate):
    return outside_edits("a.v", TEXT, candidate, REGIONS)


def test_blocks_are_whole_lines_between_the_markers():
    assert [TEXT[r.start : r.end] for r in REGIONS] == ["  assign y = a & b;\n", "  assign z = t;\n"]


def test_no_marker_no_region():
    assert find_regions([SourceFile("a.v", 'module m; initial $display("EVOLVE-BLOCK-START"); endmodule\n')]) == ()


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("\n// EVOLVE-BLOCK-START\n", 2, "without EVOLVE-BLOCK-END"),
        ("// EVOLVE-BLOCK-END\n", 1, "without EVOLVE-BLOCK-START"),
        ("// EVOLVE-BLOCK-START\n// EVOLVE-BLOCK-START\n// EVOLVE-BLOCK-END\n", 2, "inside"),
    ],
)
def test_markers_that_do_not_pair(text, line, words):
    with pytest.raises(InputError, match=words) as error:
        find_regions([SourceFile("a.v", text)])
    assert (error.value.file, error.value.line) == ("a.v", line)


@pytest.mark.parametrize(
    "candidate",
    [
        TEXT,
        TEXT.replace("a & b", "b & a").replace("= t", "= t ^ 1'b0"),
        TEXT.replace("  assign y = a & b;\n", ""),
        TEXT.replace("  // EVOLVE-BLOCK-START\n", "").replace("  wire t = a;", "  wire t=a; // why"),
        "module half(input p, output q); assign q = p; endmodule\n" + TEXT,
        TEXT + "module half(input p, output q); assign q = p; endmodule\n",
    ],
)
def test_edits_that_keep_to_the_blocks(candidate):
    assert edits(candidate) == ()


@pytest.mark.parametrize(
    ("candidate", "reason"),
    [
        (TEXT.replace("input a, b", "input b, a"), "a.v:2: edited outside the editable block"),
        (TEXT.replace("wire t = a", "wire t = b"), "edited outside the editable block"),
        (TEXT.replace("HEAD 1", "HEAD 2"), "a.v:1: edited outside the editable block"),
        (TEXT + "`define MORE\n", "a.v:11: edited outside the editable block"),
        (TEXT + "wire w;\n", "a.v:11: edited outside the editable block"),
        (TEXT.replace("a & b;", "a & b; /*"), "edited outside the editable block"),
        (TEXT.replace("a & b;", "a & b; endmodule module x;"), "the edited block has endmodule without its opening"),
        (TEXT.replace("a & b;", "a & b; function f;"), "the edited block leaves function open"),
        (TEXT.replace("a & b;", "a & b;\n`ifdef X\n"), "the edited block leaves an `ifdef open"),
        (TEXT.replace("a & b;", "a & b;\n`else\n"), "the edited block has `else without its `ifdef"),
    ],
)
def test_edits_that_leave_the_blocks(candidate, reason):
    assert [r for r in edits(candidate) if reason in r], edits(candidate)


def test_a_file_without_a_block_may_not_change():
    assert outside_edits("b.v", "wire a;", "wire b;", REGIONS) == (
        "b.v: edited, but no editable block is in this file",
    )


@given(st.text("abc ;()[]\n", max_size=30), st.text("abc ;()[]\n", max_size=30))
def test_any_plain_text_may_stand_in_the_blocks(first, second):
    (one, two) = REGIONS
    text = TEXT[: one.start] + first + TEXT[one.end : two.start] + second + TEXT[two.end :]
    assert edits(text) == ()


@given(st.integers(0, len(TEXT) - 1), st.sampled_from("qé0"))
def test_any_other_letter_outside_them_is_seen(place, letter):
    inside = any(r.start <= place < r.end for r in REGIONS)
    old = TEXT[place]
    line = TEXT[TEXT.rfind("\n", 0, place) + 1 : TEXT.find("\n", place)]
    if inside or old.isspace() or "EVOLVE" in line or old == letter:
        return
    assert edits(TEXT[:place] + letter + TEXT[place + 1 :]) != ()


def test_region_of_another_file():
    assert outside_edits("a.v", "wire a;", "wire b;", [Region("b.v", 0, 3)]) != ()
