"""Counters of ones and zeros are recognised, and every shape put in their place is equivalent."""

import pytest
from rtl_evolve.rtl.rewrites.count import Count
from rtl_evolve.verify.verdict import Grade


def loop(width: int, size: int, start: str, body: str) -> str:
    return (
        f"module top(input [{width - 1}:0] x, output reg [{size - 1}:0] n);\n  integer i;\n  always @* begin\n"
        f"    n = {start};\n    for (i = 0; i < {width}; i = i + 1) {body}\n  end\nendmodule\n"
    )


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        (loop(12, 4, "0", "n = n + x[i];"), "count.ones"),
        (loop(16, 5, "0", "n = n + x[i];"), "count.ones"),
        (loop(16, 5, "16", "if (x[i]) n = 15 - i;"), "count.zeros"),
        (loop(13, 4, "13", "if (x[i]) n = 12 - i;"), "count.zeros"),
        (loop(12, 4, "0", "if (x[i]) n = 11 - i;"), "count.zeros"),
        (loop(15, 4, "15", "if (x[14 - i]) n = 14 - i;"), "count.zeros"),
    ],
)
def test_every_shape_is_equal(lab, text, rule):
    unit = lab(text)
    rewrites = unit.proposals(Count(), rule)
    grades = [unit.proof(r).grade for r in rewrites]
    assert len(rewrites) >= 4
    if "n = 0;" in text and rule == "count.zeros":  # without the guard for a word of zeros it is another function
        assert grades.count(Grade.PROVEN) == len(grades) // 2
    else:
        assert set(grades) == {Grade.PROVEN}


def test_other_functions_are_left(lab):
    assert lab(loop(12, 4, "0", "n = n ^ x[i];")).proposals(Count()) == []
