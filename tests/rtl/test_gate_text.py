import pytest
from hypothesis import given
from hypothesis import strategies as st
from rtl_evolve.rtl.gate_text import lexemes


@given(st.text("ab0'\"\\/*()`$xzhd \n=!#.", max_size=40))
def test_nothing_but_white_space_is_left_out(text):
    items = list(lexemes(text))
    covered = [False] * len(text)
    for item in items:
        assert item.text == text[item.start : item.end]
        covered[item.start : item.end] = [True] * (item.end - item.start)
    assert all(c or text[i].isspace() for i, c in enumerate(covered))


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("a // b\nc", ["word", "comment", "word"]),
        ("a /* b\n */ c", ["word", "comment", "word"]),
        ('"a // b" c', ["string", "word"]),
        (r'"a \" b" c', ["string", "word"]),
        ("/* a", ["unterminated"]),
        ('"a\nb', ["unterminated", "word"]),
        ('"""a"""', ["unterminated", "word", "unterminated"]),
        ("`ifdef A", ["directive", "word"]),
        ("a``b", ["word", "paste", "word"]),
        (r"\a+b c", ["escaped", "word"]),
        ("$clog2(3)", ["system", "symbol", "number", "symbol"]),
        ("8'hx_x 'z 4 'b10 3.5e-1 10ns", ["number"] * 5),
        ("(* a, b = 1 *) c", ["attribute", "word"]),
        ("( * a *) c", ["attribute", "word"]),
        ("(* a", ["unterminated"]),
        ("@(*) a", ["symbol", "symbol", "symbol", "symbol", "word"]),
        ("@( * ) a", ["symbol", "symbol", "symbol", "symbol", "word"]),
        ("@(/* why */ *) a", ["symbol", "symbol", "comment", "symbol", "symbol", "word"]),
        ("a===b", ["word", "symbol", "word"]),
    ],
)
def test_kinds(text, kinds):
    assert [item.kind for item in lexemes(text)] == kinds
