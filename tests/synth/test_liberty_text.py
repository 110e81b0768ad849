"""Liberty's syntax: what is read, and what each kind of damage is called."""

import pytest
from rtl_evolve.rtl.errors import InputError
from rtl_evolve.synth.liberty_text import numbers, parse_liberty, split_arguments


def test_groups_attributes_and_arguments() -> None:
    library = parse_liberty(
        'library (l) { /* } */ a : "x; y"; b : 1.5 ; // c : 2;\n cell ("c 1", c2) { values ("1, 2", \\\n "3"); } d (e) ; }',
        "f",
    )
    assert library.name == "l"
    assert library.attributes == {"a": "x; y", "b": "1.5"}
    assert library.complex["d"] == ["e"]
    cell = library.first("cell")
    assert cell is not None
    assert cell.arguments == ("c 1", "c2")
    assert numbers(cell.complex["values"][0]) == [1, 2, 3]


def test_a_missing_semicolon_ends_at_the_line() -> None:
    assert parse_liberty("library (l) { a : 1\n b : 2; }", "f").attributes == {"a": "1", "b": "2"}


def test_arguments_may_hold_commas_in_quotes() -> None:
    assert split_arguments('1, "a, b", c') == ("1", "a, b", "c")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "f: the Liberty file is empty"),
        ("  \n ", "f: the Liberty file is empty"),
        ("library (l) {\n cell (INV) {\n area : 1;", "f: the file ends inside cell (INV): it is cut off"),
        ('library (l) {\n cell (INV) {\n values ("1, 2', "f: the file ends inside cell (INV): it is cut off"),
        ("library (l) { }\n}", "f:2: a closing brace with no group open"),
        ("module m;\n", "f:1: this is not Liberty: `module m;`"),
        ("library (l) {\n a : 1;\n %%% }", "f:3: this is not Liberty: `%%% }`"),
        ("a : 1;", "f: no `library` group: this is not a Liberty file"),
    ],
)
def test_damage_has_one_clear_line(text: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_liberty(text, "f")
    assert str(caught.value) == message
