"""Texts that say the same thing are recognised, texts that don't are not."""

import pytest
from rtl_evolve.evolver.normal import normal_hash, normalise
from rtl_evolve.rtl.candidate import Candidate
from rtl_evolve.rtl.design import SourceFile, Sources

SAME = [
    ("assign a=b+c;", "assign  a = b\n + c ; // sum"),
    ("a /* x */ b", "a b"),
    ("a // x\nb", "a\n\n  b"),
    ("f(a,b)", "f( a , b )"),
    ("`define X 1\na", "`define X  1 // one\n\n a"),
]
OTHER = [
    ("a & &b", "a && b"),
    ("a + +b", "a ++ b"),
    ('x = "a  b";', 'x = "a b";'),
    ('x = "// a";', 'x = "";'),
    ("ab", "a b"),
    ("`define X 1\na", "`define X 1 a"),
    ("\\a+b c", "\\a+bc"),
    ("\\a //b", "\\a //b\nc"),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_same(one: str, other: str) -> None:
    assert normalise(one) == normalise(other)


@pytest.mark.parametrize(("one", "other"), OTHER)
def test_other(one: str, other: str) -> None:
    assert normalise(one) != normalise(other)


def test_the_hash_is_of_all_files() -> None:
    golden = Sources((SourceFile("a.v", "a b"), SourceFile("b.v", "c")), "a")
    assert normal_hash(Candidate(()), golden) == normal_hash(Candidate((("a.v", "a  b // x"),)), golden)
    assert normal_hash(Candidate((("a.v", "c"),)), golden) != normal_hash(Candidate((("b.v", "a b"),)), golden)
