from pathlib import Path

from rtl_evolve.rtl.design import Parameter, SourceFile, Sources
from rtl_evolve.rtl.process import Limits
from rtl_evolve.rtl.slang import read_files, read_sources


def read(text, **fields):
    return read_sources(Sources((SourceFile("rtl/a.v", text),), "top", **fields))


def test_ports_and_parameters_as_elaborated():
    reading = read(
        "module top #(parameter W = 8, parameter V = W + 1, localparam L = 2*W) (input signed [W-1:0] a, output [V:0] y);\n"
        "assign y = a; endmodule\n",
        parameters=(("W", "4"),),
    )
    top = reading.top("top")
    assert reading.errors == ()
    assert [(p.name, p.direction, p.width, p.signed) for p in top.ports] == [
        ("a", "input", 4, True),
        ("y", "output", 6, False),
    ]
    assert top.parameters == (Parameter("W", "8", "4"), Parameter("V", "9", "5"))
    assert top.local_parameters == ("L",)


def test_errors_have_their_place():
    reading = read("module top(output y);\n  assign y = nothing;\nendmodule\n")
    assert [str(d) for d in reading.errors] == ["rtl/a.v:2:14: error: use of undeclared identifier 'nothing'"]


def test_an_error_in_a_macro_is_where_it_is_used():
    reading = read("`define BAD nothing\nmodule top(output y);\n  assign y = `BAD;\nendmodule\n")
    assert (reading.errors[0].line, reading.errors[0].column) == (3, 14)


def test_macros_are_shared_between_files():
    files = (
        SourceFile("a.vh.v", "`define W 3\n"),
        SourceFile("b.v", "module top(output [`W:0] y); assign y = 0; endmodule\n"),
    )
    assert read_sources(Sources(files, "top")).top("top").ports[0].width == 4


def test_headers_defines_and_include_folders():
    sources = Sources(
        (SourceFile("rtl/a.v", '`include "w.vh"\nmodule top(output [`W+`X:0] y); assign y = 0; endmodule\n'),),
        "top",
        (SourceFile("inc/w.vh", "`define W 3\n"),),
        ("inc",),
        (("X", "2"),),
    )
    reading = read_sources(sources)
    assert reading.top("top").ports[0].width == 6
    assert [Path(p).name for p in reading.includes] == ["w.vh"]


def test_active_and_inactive_text():
    reading = read(
        "module top(output y);\n`ifdef SYNTHESIS\nassign y = 1;\n`else\nassign y  =  0;\n`endif\n"
        "// synopsys translate_off\nwire z = 1;\n// synopsys translate_on\nendmodule\n"
    )
    assert reading.expanded == "module top ( output y ) ; assign y = 1 ; endmodule"
    assert reading.inactive[0] == "assign y = 0 ;"
    assert "wire z" in reading.inactive[1]


def test_disputed_processes():
    reading = read(
        "module top(input clk, a, b, output reg y, q);\nreg k = 1, p;\nalways @(a) y = a & b & k;\n"
        "always @(posedge clk) p = a;\nalways @(posedge clk) q <= p;\n"
        "reg e, f; always @* begin e = f; f = a; end\nendmodule\n"
    )
    assert [(f.kind, f.signal, f.line) for f in reading.findings] == [
        ("sensitivity", "top.b", 3),
        ("order", "top.f", 6),
        ("race", "top.p", 4),
        ("initial", "top.k", 2),
    ]


def test_every_root_is_a_top_unless_one_is_named(tmp_path):
    path = tmp_path / "a.v"
    path.write_text("module p(); endmodule module q(); endmodule module r(); p u(); endmodule\n")
    reading = read_files([path])
    assert reading.modules == ("p", "q", "r")
    assert sorted(t.name for t in reading.tops) == ["q", "r"]
    assert [t.name for t in read_files([path], top="p").tops] == ["p"]


def test_text_that_runs_away_is_a_diagnostic():
    lines = [f"`define M{i} `M{i - 1} `M{i - 1} `M{i - 1} `M{i - 1}" for i in range(1, 20)]
    text = "`define M0 1 +\n" + "\n".join(lines) + "\nmodule top(output y); assign y = `M19 1; endmodule\n"
    reading = read_sources(Sources((SourceFile("a.v", text),), "top"), Limits(seconds=10, memory_mb=300))
    assert [d.message for d in reading.errors] == ["reading ran out of memory: the text expands to too much"]
