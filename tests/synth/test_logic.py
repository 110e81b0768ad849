"""Liberty's Boolean expressions."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rtl_evolve.rtl.errors import InputError
from rtl_evolve.synth.logic import columns, compile_function, unateness


@pytest.mark.parametrize(
    ("text", "pins", "table"),
    [
        ("A", ("A",), (0, 1)),
        ("A'", ("A",), (1, 0)),
        ("!A", ("A",), (1, 0)),
        ("(A B)'", ("A", "B"), (1, 1, 1, 0)),
        ("A*B+C", ("A", "B", "C"), (0, 0, 0, 1, 1, 1, 1, 1)),
        ("A | B & C", ("A", "B", "C"), (0, 1, 0, 1, 0, 1, 1, 1)),
        ("A&B^C", ("A", "B", "C"), (0, 0, 0, 1, 0, 1, 0, 0)),
        ("!A B", ("A", "B"), (0, 0, 1, 0)),
        ("A B'", ("A", "B"), (0, 1, 0, 0)),
        ("A !B", ("A", "B"), (0, 1, 0, 0)),
        ("1", (), (1,)),
        ("0", (), (0,)),
        ("Q[1]", ("Q[1]",), (0, 1)),
    ],
)
def test_truth_tables(text: str, pins: tuple[str, ...], table: tuple[int, ...]) -> None:
    function = compile_function(text)
    assert function.pins == pins
    assert function.truth_table() == table


@pytest.mark.parametrize("text", ["A &", "(A", "A)", "", "A $ B", "& A"])
def test_malformed_functions_are_refused(text: str) -> None:
    with pytest.raises(InputError, match="cell library"):
        compile_function(text)


@pytest.mark.parametrize(
    ("text", "pin", "expected"),
    [
        ("A & B", "A", "positive_unate"),
        ("!(A & B)", "B", "negative_unate"),
        ("A ^ B", "A", "non_unate"),
        ("A & B", "C", "non_unate"),
        ("(A & C) | (B & !C)", "A", "positive_unate"),
        ("(A & C) | (B & !C)", "C", "non_unate"),
    ],
)
def test_unateness(text: str, pin: str, expected: str) -> None:
    assert unateness(text, pin) == expected


expressions = st.recursive(
    st.sampled_from(["A", "B", "C", "D"]),
    lambda inner: st.one_of(
        inner.map(lambda a: f"!{a}" if len(a) == 1 else f"!({a})"),
        st.tuples(inner, st.sampled_from(["&", "|", "^"]), inner).map(lambda t: f"({t[0]} {t[1]} {t[2]})"),
    ),
    max_leaves=12,
)


@given(expressions)
def test_bitwise_evaluation_is_the_expression(text: str) -> None:
    function = compile_function(text)
    width = 1 << len(function.pins)
    ones = (1 << width) - 1
    word = function.evaluate(ones, *columns(len(function.pins)))
    for row in range(width):
        scope = {pin: row >> place & 1 for place, pin in enumerate(function.pins)}
        expected = eval(text.replace("!", "1-"), scope)  # minus binds tighter than & ^ |
        assert word >> row & 1 == expected
