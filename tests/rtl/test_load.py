from pathlib import Path

import pytest
from rtl_evolve.rtl.design import Clock, Parameter, Port, Region, Reset
from rtl_evolve.rtl.errors import InputError
from rtl_evolve.rtl.load import assignment, load_design

COUNTER = """module counter #(parameter W = 4) (input clk, input rst_n, input en, output reg [W-1:0] q);
  always @(posedge clk or negedge rst_n)
    if (!rst_n) q <= 0;
    else if (en) q <= q + 1;
endmodule
"""


def write(folder: Path, **texts: str) -> list[Path]:
    paths = []
    for name, text in texts.items():
        path = folder / name.replace("__", "/").replace("_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        paths.append(path)
    return paths


def failure(files, *args, **options) -> str:
    with pytest.raises(InputError) as error:
        load_design(files, *args, **options)
    text = str(error.value)
    assert "\n" not in text
    return text


def test_a_file_by_itself(tmp_path):
    design = load_design(write(tmp_path, counter_v=COUNTER), parameters=[("W", "6")])
    assert design.root == tmp_path
    assert design.top == "counter"
    assert design.ports == (
        Port("clk", "input", 1),
        Port("rst_n", "input", 1),
        Port("en", "input", 1),
        Port("q", "output", 6),
    )
    assert design.parameters == (Parameter("W", "4", "6"),)
    assert design.clocks == (Clock("clk", "rising"),)
    assert design.reset == Reset("rst_n", 0, asynchronous=True)
    assert design.regions == ()
    assert [f.text for f in design.sources.files] == [COUNTER]


def test_several_files_headers_and_folders(tmp_path):
    include = '`include "w.vh"\nmodule half(input a, output y); assign y = a ^ `FLIP ^ (`W > 1); endmodule\n'
    top = "module top(input a, output y); half u(a, y); endmodule\n"
    files = write(tmp_path, rtl__half_v=include, rtl__sub__top_v=top)
    write(tmp_path, inc__w_vh="`define W 2\n", inc__unused_vh="`define W 3\n")
    design = load_design(files, include_dirs=[tmp_path / "inc"], defines=[("FLIP", "1")])
    assert design.root == tmp_path
    assert design.top == "top"
    assert [f.path for f in design.sources.files] == ["rtl/half.v", "rtl/sub/top.v"]
    assert [f.path for f in design.sources.headers] == ["inc/w.vh"]
    assert design.sources.include_dirs == ("inc",)
    assert design.sources.defines == (("FLIP", "1"),)


def test_texts_are_kept_byte_for_byte(tmp_path):
    text = "module top(input a, output y); // é\r\n  assign y = a;\r\nendmodule"
    (tmp_path / "a.v").write_bytes(text.encode())
    assert load_design([tmp_path / "a.v"]).sources.files[0].text == text


def test_overrides(tmp_path):
    clock, reset = Clock("en", "falling"), Reset("rst_n", 1, asynchronous=False)
    design = load_design(write(tmp_path, counter_v=COUNTER), clocks=[clock], reset=reset, latency=1)
    assert (design.clocks, design.reset, design.latency) == ((clock,), reset, 1)


def test_editable_blocks(tmp_path):
    text = "module top(input a, output y);\n// EVOLVE-BLOCK-START\nassign y = a;\n  // EVOLVE-BLOCK-END\nendmodule\n"
    design = load_design(write(tmp_path, a_v=text))
    assert design.regions == (Region("a.v", text.index("assign"), text.index("  // EVOLVE-BLOCK-END")),)


@pytest.mark.parametrize(
    ("text", "options", "words"),
    [
        ("module top(output y);\n assign y = ;\nendmodule\n", {}, ["a.v:2:13: expected expression"]),
        ("module top(input a, output y); u v(a, y); endmodule\n", {}, ["unknown module 'u'", "give the file"]),
        ('`include "gone.vh"\nmodule top(); endmodule\n', {}, ["a.v:1:10: 'gone.vh': No such file"]),
        ("module p(); endmodule module q(); endmodule\n", {}, ["p, q", "--top"]),
        ("module alpha(input a, output y); assign y = a; endmodule\n", {"top": "alhpa"}, ["did you mean alpha?"]),
        ("module alpha(input a, output y); assign y = a; endmodule\n", {"top": "zz"}, ["modules are alpha"]),
        ("module top(input a, output y); top u(a, y); endmodule\n", {}, ["no top found", "top"]),
        ("// nothing\n", {}, ["no module"]),
        ("module top(inout y); endmodule\n", {}, ["port y of top is inout"]),
        ("interface i; endinterface module top(i p); endmodule\n", {"top": "top"}, ["p"]),
        ("module top({a, b}); input a, b; endmodule\n", {}, ["concatenation of ports"]),
        ("module top(output real y); assign y = 1; endmodule\n", {}, ["real"]),
        (
            "module top(input [3:0] a, output y); assign y = a; assign y = ~a; endmodule\n",
            {},
            ["y has several drivers"],
        ),
        ("module top(input a, e, output reg y); always @* if (e) y = a; endmodule\n", {}, ["y", "latch"]),
        ("module top(input a, e, output y); assign y = e ? a : 1'bz; endmodule\n", {}, ["y", "tri-state"]),
        ("module top(input a, output y); assign y = a ^ y; endmodule\n", {}, ["combinational loop", "y"]),
        (
            "(* blackbox *) module b(output y); endmodule module top(output y); b u(y); endmodule\n",
            {},
            ["black box", "b"],
        ),
        ("module top #(parameter W = 1)(); endmodule\n", {"parameters": [("w", "2")]}, ["no parameter w", "W"]),
        ("module top #(parameter WIDTH = 1)(); endmodule\n", {"parameters": [("WIDHT", "2")]}, ["did you mean WIDTH?"]),
        ("module top(); localparam L = 1; endmodule\n", {"parameters": [("L", "2")]}, ["L"]),
        ("// EVOLVE-BLOCK-START\nmodule top(input a, output y); assign y = a; endmodule\n", {}, ["a.v:1", "without"]),
    ],
)
def test_bad_input_is_one_clear_line(tmp_path, text, options, words):
    message = failure(write(tmp_path, a_v=text), **options)
    assert [w for w in words if w not in message] == [], message


def test_missing_files_and_folders(tmp_path):
    (path,) = write(tmp_path, adder_v="module top(input a, output y); assign y = a; endmodule\n")
    assert "did you mean adder.v?" in failure([tmp_path / "ader.v"])
    assert "is a folder" in failure([tmp_path])
    assert "no such include folder" in failure([path], include_dirs=[tmp_path / "inc"])


def test_not_utf8(tmp_path):
    (tmp_path / "a.v").write_bytes(b"module top(input a, output y);\n// \xe9\nassign y = a; endmodule\n")
    assert "a.v:2: not UTF-8" in failure([tmp_path / "a.v"])


def test_assignments():
    assert assignment("W=16") == ("W", "16")
    assert assignment("S=a=b") == ("S", "a=b")
    assert assignment("FAST", "1") == ("FAST", "1")
    for text in ("W", "=3"):
        with pytest.raises(InputError):
            assignment(text)
