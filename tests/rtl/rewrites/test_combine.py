"""A word that is the sum or difference of others is computed from those."""

from rtl_evolve.rtl.rewrites.combine import Combine
from rtl_evolve.verify.verdict import Grade

UNIT = """module top(input [3:0] a, b, c, output [8:0] p, output [8:0] q, output [8:0] r);
  assign p = a * b + c;
  assign q = c + 9'd1;
  assign r = (a + 9'd0) * b + c + c + 9'd1;
endmodule
"""


def test_a_product_less(lab):
    unit = lab(UNIT)
    found = [rewrite for rewrite in unit.proposals(Combine()) if unit.proof(rewrite).grade is Grade.PROVEN]
    assert any(
        "assign r = p + q" in unit.text(rewrite) or "assign r = q + p" in unit.text(rewrite) for rewrite in found
    )


def test_nothing_reads_itself(lab):
    unit = lab("module top(input [3:0] a, output [4:0] s, t); assign s = a + 5'd1; assign t = s + 5'd2; endmodule\n")
    for rewrite in unit.proposals(Combine()):
        assert unit.proof(rewrite).grade is Grade.PROVEN
