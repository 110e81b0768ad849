"""Words are written as the slices an engineer would write."""

import pytest
from rtl_evolve.rtl.generate.word import ONE, ZERO, Bit, Net, Word, constant_word, extend, text

A = Net("a", 7).word()
B = Net("b", 0).word()
C = Net("c", 12, 4).word()


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        (A, "a"),
        (A[2:5], "a[4:2]"),
        (A[3:4], "a[3]"),
        (B, "b"),
        (C, "c"),
        (C[:2], "c[5:4]"),
        (tuple(~bit for bit in A), "~a"),
        ((*A[:2], *B), "{b, a[1:0]}"),
        ((A[7], A[7], A[7]), "{{3{a[7]}}}"),
        ((*A, A[7], A[7]), "{{3{a[7]}}, a[6:0]}"),
        ((~A[1], A[2]), "{a[2], ~a[1]}"),
        ((A[1], A[0]), "{a[0], a[1]}"),
        (constant_word(5, 4), "4'b0101"),
        ((ZERO,) * 9, "9'd0"),
        ((A[0], ONE), "{1'b1, a[0]}"),
    ],
)
def test_text(word: Word, expected: str) -> None:
    assert text(word) == expected


def test_inversion_of_constants_and_bits() -> None:
    assert ~ZERO == ONE
    assert ~~A[0] == A[0]
    assert Bit(None, 1).constant == 1
    assert A[0].constant is None


def test_extension() -> None:
    assert extend(A, 10, signed=True)[8:] == (A[7], A[7])
    assert extend(A, 10, signed=False)[8:] == (ZERO, ZERO)
    assert extend(A, 3, signed=True) == A[:3]
