"""A view's places are those of the text, its widths Verilog's, its numbers the model's."""

import pytest
from rtl_evolve.rtl.design import Region, SourceFile, Sources
from rtl_evolve.rtl.elaborate import Elaboration, elaborate
from rtl_evolve.rtl.rewrites.view import View, parenthesised


def view_of(text: str, *, headers=(), regions=(), include_dirs=(), defines=(), parameters=()) -> View:
    sources = Sources((SourceFile("unit.v", text),), "top", headers, include_dirs, defines, parameters)
    elaboration = elaborate(sources)
    assert isinstance(elaboration, Elaboration), elaboration
    return View.of(sources, elaboration, regions=regions)


@pytest.mark.parametrize("seed", range(40))
def test_expressions_have_the_numbers_of_the_signals_they_drive(random_unit, seed):
    view = view_of(random_unit(seed))
    checked = 0
    for scope, assign in view.assigns():
        if assign.style not in ("continuous", "declared"):
            continue
        numbers = view.words(scope, assign.value)
        signal = view.signal_words(scope, assign.target.op)
        if numbers is not None and signal is not None:
            assert list(numbers) == list(signal), view.text(assign)
            checked += 1
    assert checked >= 1


def test_places_are_characters_even_after_umlauts():
    view = view_of(
        "// Prüfung, größer\nmodule top(input [3:0] a, b, output [3:0] y);\n  assign y = a + b; // Ü\nendmodule\n"
    )
    ((_, assign),) = view.assigns()
    assert view.text(assign) == "y = a + b"
    assert view.text(assign.value) == "a + b"
    assert [(n.width, n.outer_width) for n in assign.value.children] == [(4, 4), (4, 4)]


def test_contexts_widen_operands_and_keep_signs():
    view = view_of(
        "module top(input signed [3:0] a, input [3:0] b, output [8:0] x, y);\n  assign x = a * a;\n  assign y = a * b;\nendmodule\n"
    )
    both, mixed = (assign.value for _, assign in view.assigns())
    assert (both.width, both.signed, both.children[0].sign_extended) == (9, True, True)
    assert (mixed.width, mixed.signed, mixed.children[0].sign_extended) == (9, False, False)


MACROS = """`include "sizes.vh"
`define ADD(x, y) ((x) + (y))
module top(input [`SIZE-1:0] a, b, output [`SIZE-1:0] y, z);
  assign y = `ADD(a, b) - b;
  assign z = a & b;
endmodule
"""


def test_what_macros_wrote_is_not_editable_and_headers_are_found():
    view = view_of(MACROS, headers=(SourceFile("inc/sizes.vh", "`define SIZE 6\n"),), include_dirs=("inc",))
    (_, first), (_, second) = view.assigns()
    assert not first.value.children[0].editable
    assert second.value.editable and second.value.width == 6


def test_regions_restrict_what_is_editable():
    text = "module top(input [3:0] a, b, output [3:0] y, z);\n  assign y = a + b;\n  assign z = a - b;\nendmodule\n"
    start = text.index("assign z")
    view = view_of(text, regions=(Region("unit.v", start, text.index("endmodule")),))
    assert [assign.value.editable for _, assign in view.assigns()] == [False, True]


COPIES = """module part #(parameter W = 4)(input [W-1:0] p, output [W-1:0] q);
  assign q = p + 1'b1;
endmodule
module top(input [3:0] a, b, input [5:0] c, output [3:0] x, y, output [5:0] z);
  part one(a, x);
  part two(b, y);
  generate if (SIX) begin : six part #(6) three(c, z); end endgenerate
endmodule
"""


def test_copies_are_uniform_when_their_widths_agree():
    alike = view_of(COPIES.replace("if (SIX) begin : six part #(6) three(c, z); end", "assign z = c;"))
    (part,) = [s for s in alike.scopes if s.module == "part"]
    assert part.uniform and part.copies == ("one.", "two.")
    assert len(alike.signal_words(part, "p") or ()) == 2 * alike.free.width
    differing = view_of(COPIES.replace("SIX", "1"))
    (part,) = [s for s in differing.scopes if s.module == "part"]
    assert not part.uniform and set(part.copies) == {"one.", "two.", "six.three."}


def test_generate_blocks_name_their_signals():
    view = view_of(
        "module top(input [3:0] a, output [3:0] y);\n  genvar i;\n  generate for (i = 0; i < 4; i = i + 1) begin : g\n"
        "    wire t = ~a[i];\n    assign y[i] = t;\n  end endgenerate\nendmodule\n"
    )
    (block,) = [s for s in view.scopes if s.parent is not None]
    assert block.copies == ("g[0].", "g[1].", "g[2].", "g[3].")
    assert block.lookup("a") is not None and view.literals(block, "t") is not None


def test_reached_numbers_stay_within_reachable_states():
    view = view_of(
        "module top(input clk, rst, input up, output reg [3:0] n);\n"
        "  always @(posedge clk) if (rst) n <= 0; else if (up) n <= n == 4'd9 ? 4'd0 : n + 4'd1;\nendmodule\n"
    )
    (scope,) = view.scopes
    assert max(view.signal_words(scope, "n", reached=True) or ()) <= 9
    assert max(view.signal_words(scope, "n") or ()) > 9


def test_names_and_insertions_fit_the_text():
    view = view_of("module top(input a, y_2, output y);\n    // keep\n    assign y = ~a;\nendmodule\n")
    assert (view.fresh_name("y"), view.fresh_name("new")) == ("y_3", "new")
    ((_, assign),) = view.assigns()
    edit = view.insert_before(assign.item, assign.path, "wire u;\nwire v;")
    assert edit.text == "wire u;\n    wire v;\n    "


@pytest.mark.parametrize(
    ("text", "operand"),
    [
        ("a", "a"),
        ("a[3:0]", "a[3:0]"),
        ("4'd3", "4'd3"),
        ("a + b", "(a + b)"),
        ("{a, b}", "{a, b}"),
        ("(a) + (b)", "((a) + (b))"),
    ],
)
def test_operands_are_in_parentheses_only_where_needed(text, operand):
    assert parenthesised(text) == operand
