"""The gate's own rules; what it must refuse in whole is in test_cases.py and test_gate_attacks.py."""

import pytest
from rtl_evolve.rtl.candidate import Candidate
from rtl_evolve.rtl.elaborate import elaborate
from rtl_evolve.rtl.gate import gate, gate_elaborated
from rtl_evolve.rtl.gate_notes import gate_notes
from rtl_evolve.rtl.load import load_design

TOP = """`include "w.vh"
module top #(parameter N = 3) (input [`W-1:0] a, b, output [`W-1:0] y);
  // EVOLVE-BLOCK-START
`ifdef FAST
  assign y = b + a + N;
`else
  assign y = a + b + N;
`endif
  // EVOLVE-BLOCK-END
endmodule
"""
PART = "module part(input p, output q);\n  assign q = p;\nendmodule\n"


@pytest.fixture(scope="module")
def design(tmp_path_factory):
    folder = tmp_path_factory.mktemp("gate")
    texts = {"top.v": TOP, "part.v": PART, "w.vh": "`define W 8\n"}
    for name, text in texts.items():
        (folder / name).write_text(text)
    return load_design([folder / "top.v", folder / "part.v"], "top")


def reasons(design, **texts):
    return gate(Candidate(tuple((name.replace("_", "."), text) for name, text in texts.items())), design)


def test_golden_and_a_plain_rewrite_pass(design):
    assert reasons(design) == ()
    assert reasons(design, top_v=TOP.replace("a + b + N", "N + (a + b)")) == ()


@pytest.mark.parametrize(
    ("texts", "reason"),
    [
        ({"w_vh": "`define W 4\n"}, "w.vh: headers may not be edited"),
        ({"new_v": PART}, "new.v: not a file of the design"),
        ({"part_v": PART.replace("= p", "= !p")}, "part.v: edited, but no editable block is in this file"),
        ({"top_v": TOP.replace("[`W-1:0] y", "[`W:0] y")}, "top.v:2: edited outside the editable block"),
        ({"top_v": TOP.replace("a + b + N;", "a + b + ;")}, "top.v:7:22: error: expected expression"),
        (
            {"top_v": TOP.replace("  assign y = a", "`ifndef FAST\n`endif\n  assign y = a")},
            "tests macro FAST where golden",
        ),
        ({"top_v": TOP.replace("b + a + N", "0")}, "text under a conditional that is not active may not change"),
        ({"top_v": TOP.replace("a + b + N;", "a + b + N + $random;")}, "top.v:7:26: $random has side effects"),
        ({"top_v": TOP.replace("a + b + N;", "a + b + N;" + "\n" * 1_000_001)}, "characters are too many"),
    ],
)
def test_reasons(design, texts, reason):
    found = reasons(design, **texts)
    assert any(reason in r for r in found), found


def test_all_reasons_of_a_text_are_given(design):
    found = reasons(design, top_v=TOP.replace("a + b + N;", "(a === b) ? 8'bx : a + b + N; // synopsys full_case"))
    assert len(found) == 3


def test_notes_say_what_a_verdict_holds_for(design):
    text = TOP.replace("a + b + N", "a + b + 3").replace("  assign y = b + a + N;\n", "")
    assert gate_notes(Candidate((("top.v", text),)), design) == (
        "holds for N=3 only; check other values with -G",
        "parameter N is hard-coded: the candidate doesn't use it any more",
        "holds with FAST not defined only",
        "drops text for another configuration: 'assign y = b + a + N ;'",
    )


def test_a_variable_with_only_an_initial_value_is_noted(design):
    text = TOP.replace("assign y = a + b + N", "reg [7:0] k = 8'd0; assign y = a + b + N + k")
    assert "k is never written: its initial value was taken as a constant" in gate_notes(
        Candidate((("top.v", text),)), design
    )


def test_what_golden_has_may_stay_after_elaboration(design):
    golden = elaborate(design.sources)
    assert gate_elaborated(golden, golden) == ()


def test_the_netlist_of_golden_excuses_only_itself(tmp_path):
    text = "module top(input [7:0] a, b, output [7:0] q, r); assign q = a / b; assign r = {}; endmodule\n"
    (tmp_path / "a.v").write_text(text.format("a"))
    design = load_design([tmp_path / "a.v"])
    golden = elaborate(design.sources)
    division = elaborate(Candidate((("a.v", text.format("a % b")),)).sources(design.sources))
    undriven = elaborate(Candidate((("a.v", text.replace("assign r = {};", "")),)).sources(design.sources))
    assert gate_elaborated(golden, division) == ()  # x of a kind that golden has: the proof decides
    assert gate_elaborated(golden, undriven) == ("output r undriven",)
