"""Replies of every shape: each is applied exactly, or has an outcome of its own."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rtl_evolve.evolver.replies import Unusable, Usable, read_reply

GOLDEN = """// adds three numbers
module top(input [7:0] a, b, c, output [9:0] y);
  // EVOLVE-BLOCK-START
  wire [8:0] t = a + b;
  assign y = t + c;
  // EVOLVE-BLOCK-END
endmodule
"""
OTHER = "module other(input p, output q);\n  assign q = ~p;\nendmodule\n"
FILES = {"unit.v": GOLDEN}


def block(old: str, new: str) -> str:
    return f"<<<<<<< SEARCH\n{old}=======\n{new}>>>>>>> REPLACE\n"


def usable(reply: str, files: dict[str, str] = FILES) -> Usable:
    result = read_reply(reply, files)
    assert isinstance(result, Usable), result
    return result


def reason(reply: str, files: dict[str, str] = FILES) -> str:
    result = read_reply(reply, files)
    assert isinstance(result, Unusable), result
    return result.reason


def test_search_replace_changes_just_that():
    result = usable("Try this.\n" + block("  assign y = t + c;\n", "  assign y = c + t;\n"))
    assert result.files == (("unit.v", GOLDEN.replace("t + c", "c + t")),)
    assert result.notes == ()


def test_white_space_is_overlooked_and_noted():
    result = usable(block("wire [8:0]  t = a+b;\nassign y = t + c;\n", "wire [8:0] t = b + c;\nassign y = t + a;\n"))
    want = GOLDEN.replace("wire [8:0] t = a + b;\n  assign y = t + c;", "wire [8:0] t = b + c;\nassign y = t + a;")
    assert result.files == (("unit.v", want),)
    assert result.notes == ("SEARCH block 1 matched but for white space",)


def test_blocks_apply_one_after_the_other():
    first = block("  wire [8:0] t = a + b;\n", "  wire [8:0] t = b + a;\n")
    result = usable(first + block("  assign y = t + c;\n", "  assign y = c + t;\n"))
    assert dict(result.files)["unit.v"] == GOLDEN.replace("a + b", "b + a").replace("t + c", "c + t")


def test_a_named_file_is_searched_alone():
    files = {"a.v": OTHER, "b.v": OTHER.replace("other", "second")}
    reply = "b.v\n" + block("  assign q = ~p;\n", "  assign q = !p;\n")
    assert usable(reply, files).files == (("b.v", files["b.v"].replace("~p", "!p")),)
    assert "2 times" in reason(block("  assign q = ~p;\n", "  assign q = !p;\n"), files)


def test_unified_diff():
    reply = "```diff\n--- a/unit.v\n+++ b/unit.v\n@@ -4,2 +4,2 @@\n   wire [8:0] t = a + b;\n-  assign y = t + c;\n+  assign y = c + t;\n```\n"
    assert usable(reply).files == (("unit.v", GOLDEN.replace("t + c", "c + t")),)
    assert usable(reply).how == "unified diff"


def test_module_from_a_fence_keeps_the_header_comment():
    result = usable(
        "Here:\n```verilog\nmodule top(input [7:0] a, b, c, output [9:0] y);\n  assign y = a + b + c;\nendmodule\n```\nDone."
    )
    assert dict(result.files)["unit.v"] == (
        "// adds three numbers\nmodule top(input [7:0] a, b, c, output [9:0] y);\n  assign y = a + b + c;\nendmodule\n"
    )


def test_helper_modules_are_added():
    reply = (
        "```verilog\nmodule helper(input p, output q); assign q = p; endmodule\n"
        "module top(input [7:0] a, b, c, output [9:0] y);\n  assign y = a + b + c;\nendmodule\n```"
    )
    result = usable(reply)
    text = dict(result.files)["unit.v"]
    assert text.endswith("endmodule\n\nmodule helper(input p, output q); assign q = p; endmodule\n")
    assert result.notes == ("added module helper",)


def test_of_two_versions_the_last_counts():
    reply = f"Old:\n```\n{GOLDEN}```\nNew:\n```\n{GOLDEN.replace('a + b', 'b + a')}```\n"
    assert "b + a" in dict(usable(reply).files)["unit.v"]


@pytest.mark.parametrize(
    ("reply", "words"),
    [
        ("", "no Verilog module"),
        ("I could not find any improvement.", "no Verilog module"),
        (
            "```verilog\nmodule top(input [7:0] a, b, c, output [9:0] y);\n  wire [8:0] t = a + b;\n  assign y = t +\n",
            "syntax error: the text ends in line 4 of module top",
        ),
        ("```verilog\nmodule new_unit(input a); endmodule\n```", "none of the design's modules"),
        ("<<<<<<< SEARCH\n  assign y = t + c;\n=======\n  assign y = ", "block 1 of 1 has no end"),
        (block("  assign z = 1;\n", "  assign z = 0;\n"), "not in the text: 'assign z = 1;'"),
        (block("\n", "x\n"), "block 1 is empty"),
        (block("  assign y = t + c;\n", "  assign y = t + c;\n"), "as it is"),
        (f"```verilog\n{GOLDEN.split(chr(10), 1)[1]}```", "as it is"),
    ],
)
def test_no_use_has_its_reason(reply, words):
    assert words in reason(reply)


@given(st.text(alphabet="<>=@+- \nmodule`endSARCHpv0();", max_size=300))
def test_no_text_breaks_the_reader(reply):
    result = read_reply(reply, FILES)
    if isinstance(result, Usable):
        assert result.files and all(text != FILES[path] for path, text in result.files)


@given(st.integers(0, len(GOLDEN) - 1), st.integers(1, 60), st.text(alphabet="ab+ \n", max_size=20))
def test_an_exact_and_only_match_is_replaced_exactly(start, length, new):
    old = GOLDEN[start : start + length]
    if (
        GOLDEN.count(old) != 1
        or not old.strip()
        or old.endswith("\n") is False
        or new == old
        or (new and not new.endswith("\n"))
    ):
        return
    result = read_reply(block(old, new), FILES)
    want = GOLDEN.replace(old, new)
    assert isinstance(result, Usable) and dict(result.files)["unit.v"] == want
