"""Sorters are recognised, and a merge network put in their place is equivalent."""

import itertools

import pytest
from rtl_evolve.rtl.rewrites.sort import Sort, merge_exchange
from rtl_evolve.verify.verdict import Grade


@pytest.mark.parametrize(("count", "comparators"), [(2, 1), (3, 3), (4, 5), (5, 9), (6, 12), (7, 16), (8, 19)])
def test_networks_sort_with_as_few_comparators_as_is_known(count, comparators):
    network = list(merge_exchange(count))
    assert len(network) == comparators
    for bits in itertools.product((0, 1), repeat=count):  # the 0-1 principle
        lane = list(bits)
        for i, j in network:
            lane[i], lane[j] = min(lane[i], lane[j]), max(lane[i], lane[j])
        assert lane == sorted(lane)


BUBBLE = """module top(input [11:0] x, output reg [2:0] p, q, r, s);
  reg [2:0] swap;
  always @* begin
    p = x[2:0]; q = x[5:3]; r = x[8:6]; s = x[11:9]; swap = 0;
    // the largest goes last
    if (p > q) begin swap = p; p = q; q = swap; end
    if (q > r) begin swap = q; q = r; r = swap; end
    if (r > s) begin swap = r; r = s; s = swap; end
    if (p > q) begin swap = p; p = q; q = swap; end
    if (q > r) begin swap = q; q = r; r = swap; end
    if (p > q) begin swap = p; p = q; q = swap; end
  end
endmodule
"""
MEDIAN = """module top(input [4:0] a, b, c, output [4:0] m);
  wire [4:0] low = a < b ? a : b;
  wire [4:0] high = a < b ? b : a;
  wire [4:0] mid = high < c ? high : c;
  assign m = low < mid ? mid : low;
endmodule
"""


def test_a_bubble_sort_becomes_five_comparators(lab):
    unit = lab(BUBBLE)
    (rewrite,) = unit.proposals(Sort())
    assert unit.text(rewrite).count(" > ") == 5
    assert unit.proof(rewrite).grade is Grade.PROVEN


def test_a_median_is_found(lab):
    unit = lab(MEDIAN)
    assert any("assign m = sorted_" in unit.text(r) for r in unit.proposals(Sort()))
    assert {unit.proof(r).grade for r in unit.proposals(Sort())} == {Grade.PROVEN}


def test_what_does_not_sort_is_left(lab):
    assert (
        lab("module top(input [4:0] a, b, c, output [4:0] m); assign m = a < b ? b : c;\nendmodule\n").proposals(Sort())
        == []
    )
