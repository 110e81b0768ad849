"""Elaboration: the model computes what the Verilog says, x is kept apart, and a bad candidate is a value."""

import random

import pytest
from rtl_evolve.rtl.aig import value
from rtl_evolve.rtl.design import SourceFile, Sources
from rtl_evolve.rtl.elaborate import Elaboration, Unelaborated, elaborate
from rtl_evolve.rtl.process import Limits

COUNT = 200


def read(text: str, **more) -> Elaboration:
    result = elaborate(Sources((SourceFile("unit.v", text),), "top", **more))
    assert isinstance(result, Elaboration), result
    return result


def outputs(elaboration: Elaboration, words: dict[str, list[int]], free: int = 0) -> dict[str, list[int]]:
    """Output words for each vector; undefined bits all `free`."""
    model = elaboration.model
    full = (1 << COUNT) - 1
    patterns = [sum((words[name][v] >> bit & 1) << v for v in range(COUNT)) for name, bit in model.inputs]
    patterns += [0] * len(model.registers) + [full * free] * len(model.undefined)
    values = model.aig.simulate(patterns, COUNT)
    result: dict[str, list[int]] = {name: [0] * COUNT for name, _, _ in model.outputs}
    for name, bit, literal in model.outputs:
        vector = value(values, literal, COUNT)
        for v in range(COUNT):
            result[name][v] |= (vector >> v & 1) << bit
    return result


def vectors(seed: int, **widths: int) -> dict[str, list[int]]:
    rng = random.Random(seed)
    return {name: [rng.getrandbits(width) for _ in range(COUNT)] for name, width in widths.items()}


def test_arithmetic_matches_integers():
    unit = read(
        "module top(input [7:0] a, b, input signed [7:0] c, output [15:0] p, output [8:0] s, output signed [15:0] q,"
        " output lt, output [7:0] sh);\n"
        "assign p = a * b, s = a + b, q = c * $signed(b), lt = c < $signed(a), sh = a >> b[2:0]; endmodule"
    )
    words = vectors(1, a=8, b=8, c=8)
    got = outputs(unit, words)
    signed = lambda x: x - 256 if x > 127 else x
    for v, (a, b, c) in enumerate(zip(words["a"], words["b"], words["c"], strict=True)):
        assert got["p"][v] == a * b
        assert got["s"][v] == a + b
        assert got["q"][v] == signed(c) * signed(b) & 0xFFFF
        assert got["lt"][v] == (signed(c) < signed(a))
        assert got["sh"][v] == a >> (b & 7)


def test_division_is_free_only_at_zero():
    unit = read("module top(input [7:0] a, b, output [7:0] q, r); assign q = a / b, r = a % b; endmodule")
    words = vectors(2, a=8, b=8)
    words["b"][:4] = [0, 0, 0, 0]
    low, high = outputs(unit, words, 0), outputs(unit, words, 1)
    for v, (a, b) in enumerate(zip(words["a"], words["b"], strict=True)):
        if b:
            assert low["q"][v] == high["q"][v] == a // b
            assert low["r"][v] == high["r"][v] == a % b
        else:
            assert low["q"][v] == high["q"][v] ^ 0xFF
    assert {u.reason for u in unit.model.undefined} == {"division by zero"}


def test_x_is_a_free_variable():
    unit = read("module top(input a, output y); assign y = a ? 1'bx : 1'b0; endmodule")
    words = vectors(3, a=1)
    low, high = outputs(unit, words, 0), outputs(unit, words, 1)
    for v, a in enumerate(words["a"]):
        assert (low["y"][v] != high["y"][v]) == bool(a)


def test_registers_keep_clock_edge_init_and_loads():
    unit = read(
        "module top(input clk, rn, en, d, output reg a, b, output reg c = 1);\n"
        "always @(posedge clk or negedge rn) if (!rn) a <= 1; else if (en) a <= d;\n"
        "always @(negedge clk) if (!rn) b <= 0; else b <= d;\n"
        "always @(posedge clk) c <= d; endmodule"
    )
    by_name = {r.name: r for r in unit.model.registers}
    assert by_name["a"].rising and by_name["a"].load is not None and by_name["a"].load_value == 1
    assert not by_name["b"].rising and by_name["b"].load is None and by_name["b"].init is None
    assert by_name["c"].init == 1


def test_parameters_defines_headers_and_folders():
    sources = Sources(
        (
            SourceFile(
                "rtl/unit.v",
                '`include "w.vh"\nmodule top #(parameter W = 2)(input [W-1:0] a, output [W-1:0] y);\nassign y = a ^ `MASK ^ `MORE; endmodule',
            ),
        ),
        "top",
        headers=(SourceFile("inc/w.vh", "`define MASK 4'h5\n"),),
        include_dirs=("inc",),
        defines=(("MORE", "4'h2"),),
        parameters=(("W", "4"),),
    )
    unit = elaborate(sources)
    assert isinstance(unit, Elaboration)
    words = {"a": [v & 15 for v in range(COUNT)]}
    assert outputs(unit, words)["y"] == [a ^ 7 for a in words["a"]]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("module top(output y); assign y = 1 endmodule", "unit.v:1: error: expected ';'"),
        ("module top(output y);\nassign y = z; endmodule", "unit.v:2: error: use of undeclared identifier 'z'"),
        ("module other(output y); assign y = 1; endmodule", "top"),
        (
            "module top(output reg y); integer i; always @* for (i=0;i<100000000;i=i+1) y=i[0]; endmodule",
            "unroll limit",
        ),
    ],
)
def test_bad_text_is_a_value(text, message):
    result = elaborate(Sources((SourceFile("unit.v", text),), "top"))
    assert isinstance(result, Unelaborated)
    assert message in result.message


def test_time_limit_is_a_value():
    text = "module top(input [511:0] a, b, output [1023:0] y); assign y = a * b / (a % b); endmodule"
    result = elaborate(Sources((SourceFile("unit.v", text),), "top"), Limits(seconds=1))
    assert isinstance(result, Unelaborated)
    assert "time limit" in result.message


def test_structure_ignores_names_and_operand_order_only():
    first = read(
        "module top(input clk, input [3:0] a, b, output reg [3:0] y); always @(posedge clk) y <= a + b; endmodule"
    )
    same = read(
        "module top(input clk, input [3:0] a, b, output [3:0] y);\nreg [3:0] q; wire [3:0] s = b + a;\n"
        "always @(posedge clk) q <= s; assign y = q; endmodule"
    )
    other = read(
        "module top(input clk, input [3:0] a, b, output reg [3:0] y); always @(posedge clk) y <= a - b; endmodule"
    )
    start = read(
        "module top(input clk, input [3:0] a, b, output reg [3:0] y = 0); always @(posedge clk) y <= a + b; endmodule"
    )
    edge = read(
        "module top(input clk, input [3:0] a, b, output reg [3:0] y); always @(negedge clk) y <= a + b; endmodule"
    )
    assert first.structure == same.structure
    assert len({first.structure, other.structure, start.structure, edge.structure}) == 4


def test_memories_become_registers():
    unit = read(
        "module top(input clk, we, input [1:0] a, input [3:0] d, output [3:0] q);\nreg [3:0] m [0:3];\n"
        "always @(posedge clk) if (we) m[a] <= d;\nassign q = m[a]; endmodule"
    )
    assert len(unit.model.registers) == 16


def test_latches_and_loops_are_named():
    latch = read("module top(input e, d, output reg q); always @* if (e) q = d; endmodule")
    assert latch.model.latches == ("q",)
    loop = read("module top(input a, output y); wire c; assign c = a & ~c; assign y = c; endmodule")
    assert any("c" in name for name in loop.model.loops)


def test_masked_x_is_not_undefined():
    unit = read(
        "module top(input clk, r, e, input [3:0] d, output reg [3:0] q);\nreg [3:0] t;\n"
        "always @(posedge clk) if (r) q <= 0; else if (e) begin t <= d; q <= t; end endmodule"
    )
    assert unit.model.undefined == ()
    assert unit.model.aig.inputs == len(unit.model.inputs) + len(unit.model.registers)


def test_x_that_shows_stays_undefined():
    unit = read("module top(input [1:0] s, input a, output y, z); assign y = (s == 3) ? 1'bx : a, z = a; endmodule")
    assert [u.variable for u in unit.model.undefined] == [4]
    words = {"s": [v & 3 for v in range(COUNT)], "a": [v >> 2 & 1 for v in range(COUNT)]}
    low, high = outputs(unit, words, 0), outputs(unit, words, 1)
    for v in range(COUNT):
        assert (low["y"][v] != high["y"][v]) == (v & 3 == 3)
        assert low["z"][v] == high["z"][v] == v >> 2 & 1
