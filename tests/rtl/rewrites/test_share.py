"""One operator behind a selection: each shape is found, and what is proposed is equivalent."""

import pytest
from rtl_evolve.rtl.rewrites.share import Share
from rtl_evolve.verify.verdict import Grade

PORTS = "input s, input [1:0] op, input [5:0] a, b, c, d, input signed [5:0] e, f"


@pytest.mark.parametrize(
    ("items", "rule", "words"),
    [
        ("output [5:0] y); assign y = s ? a + b : c + d;", "share.conditional", "(s ? a : c) + (s ? b : d)"),
        ("output [5:0] y); assign y = s ? a + b : b + c;", "share.conditional", "(s ? a : c) + b"),
        ("output [6:0] y); assign y = s ? a + b : a - b;", "share.conditional", "a + (s ? b : ~b) + !(s)"),
        ("output [6:0] y); assign y = s ? a - b : c + d;", "share.conditional", "(s ? ~b : d) + (s)"),
        ("output signed [6:0] y); assign y = s ? e + f : e - f;", "share.conditional", "$signed({1'b0, !(s)})"),
        ("output y); assign y = s ? a < b : c < d;", "share.conditional", "(s ? a : c) < (s ? b : d)"),
        ("output [5:0] y); assign y = s ? a << op : b << op;", "share.conditional", "(s ? a : b) << op"),
        ("output [11:0] y); assign y = a * c + b * c;", "share.factor", "(a + b) * c"),
        ("output reg [5:0] y); always @* if (s) y = a + b; else y = a + c;", "share.branches", "y = a + (s ? b : c);"),
        (
            "output reg [5:0] y); always @* case (op) 0: y = a + b; 1: y = a - c; default: y = d; endcase",
            "share.exclusive",
            "wire [5:0] shared_sum = a + ((op == 0) ? b : ~c) + ((op == 1));",
        ),
        ("output [5:0] y, output z); assign y = a - b; assign z = a < b;", "share.borrow", "{1'b0, a} - {1'b0, b}"),
        ("output [5:0] y, output z); assign y = b - a; assign z = a <= b;", "share.borrow", "!b_minus_a[6]"),
    ],
)
def test_each_shape_is_shared_and_equal(lab, items, rule, words):
    unit = lab(f"module top({PORTS}, {items}\nendmodule\n")
    (rewrite,) = unit.proposals(Share(), rule)
    assert words in unit.text(rewrite)
    assert unit.proof(rewrite).grade is Grade.PROVEN
    assert rewrite.why


@pytest.mark.parametrize(
    "items",
    [
        "output [5:0] y); assign y = s ? a + b : a + b;",
        "output [5:0] y); assign y = s ? a + b : c & d;",
        "output [5:0] y); assign y = s ? a : b;",
        "output y); assign y = a < b;",
    ],
)
def test_nothing_to_share(lab, items):
    assert lab(f"module top({PORTS}, {items}\nendmodule\n").proposals(Share()) == []


ALU = """module top(input [2:0] op, input [5:0] a, b, c, output reg [5:0] y);
  always @* case (op)
{arms}
    default: y = c;
  endcase
endmodule
"""


@pytest.mark.parametrize(
    ("arms", "rule", "words"),
    [
        ("0: y = a * b; 1: y = c * b;", "share.exclusive", "shared_multiplier_left * shared_multiplier_right"),
        ("0: y = a >> c; 1: y = b >> a;", "share.exclusive", "shared_shifter_left >> shared_shifter_right"),
        ("0: y = a - b; 1: if (c[0]) y = a + c; else y = b - c;", "share.exclusive", "wire [5:0] shared_sum ="),
        ("0: y = a + b; 1: y = a < b; 2: y = $signed(a) >= $signed(b);", "share.compare", "y = !a_with_b[6];"),
        ("0: y = a + b; 1: y = a - b; 2: y = b > a;", "share.compare", "!((op == 0))"),
        ("0: y = a - b; 1: y = a >= b;", "share.compare", "y = a_with_b[6];"),
    ],
)
def test_arms_of_a_case_share_one_operator(lab, arms, rule, words):
    unit = lab(ALU.replace("{arms}", arms))
    (rewrite,) = unit.proposals(Share(), rule)
    assert words in unit.text(rewrite)
    assert unit.proof(rewrite).grade is Grade.PROVEN


@pytest.mark.parametrize("adder", ["s ? a - b : a + b", "a - b", "a + (s ? ~b : b) + s"])
def test_comparisons_take_the_borrow_of_an_adder_that_rests(lab, adder):
    unit = lab(
        "module top(input s, input [1:0] op, input [5:0] a, b, output reg [5:0] y);\n"
        f"  wire [5:0] sum = {adder};\n"
        "  always @* case (op) 0: y = sum; 1: y = a < b; 2: y = $signed(a) < $signed(b); default: y = a; endcase\n"
        "endmodule\n"
    )
    (rewrite,) = [r for r in unit.proposals(Share(), "share.compare") if "sum_wide" in unit.text(r)]
    assert "y = !sum_wide[6];" in unit.text(rewrite)
    assert unit.proof(rewrite).grade is Grade.PROVEN


def test_operators_that_can_count_together_are_left(lab):
    text = "module top(input s, input [5:0] a, b, c, output [5:0] y); assign y = (s ? a * b : a) + (s ? b * c : c);\nendmodule\n"
    assert lab(text).proposals(Share(), "share.exclusive") == []


def test_what_a_macro_wrote_is_left_alone(lab):
    text = f"`define PICK (s ? a + b : c + d)\nmodule top({PORTS}, output [5:0] y); assign y = `PICK;\nendmodule\n"
    assert lab(text).proposals(Share()) == []
