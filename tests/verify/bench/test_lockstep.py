"""The bench passes what is equal and catches what is not, on the real tools."""

import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from rtl_evolve.rtl import process
from rtl_evolve.rtl.candidate import Candidate
from rtl_evolve.rtl.design import Design
from rtl_evolve.rtl.errors import ToolFailed, ToolMissing
from rtl_evolve.rtl.load import load_design
from rtl_evolve.verify.bench import toolchain
from rtl_evolve.verify.bench.lockstep import lockstep
from rtl_evolve.verify.bench.result import BenchSettings, Outcome

MakeDesign = Callable[..., Design]
Change = Callable[..., Candidate]

ADDER = """
module adder #(parameter WIDTH = 8) (input [WIDTH-1:0] a, b, output [WIDTH:0] y);
    assign y = a + b;
endmodule
"""

COUNTER = """
module counter (input clk, input rst_n, input en, input [3:0] step, output reg [7:0] q, output reg [7:0] held);
    always @(posedge clk or negedge rst_n)
        if (!rst_n) q <= 8'd3;
        else if (en) q <= q + {4'd0, step};
    always @(posedge clk)
        if (en) held <= q;
endmodule
"""


def test_a_difference_is_caught_with_port_values(make_design: MakeDesign, change: Change) -> None:
    design = make_design(ADDER)
    result = lockstep(design, change(design, "a + b", "(a == 8'd255 && b == 8'd255) ? 9'd0 : a + b"))
    assert result.outcome is Outcome.DIFFERENT and not result.passed
    assert result.mismatch.endswith(
        "after the inputs change to a = 8'hff, b = 8'hff: y is 9'h0 in the candidate, 9'h1fe in golden"
    )
    assert result.counterexample is not None
    (cycle,) = result.counterexample.cycles
    assert cycle.inputs == (("a", "8'hff"), ("b", "8'hff"))
    assert cycle.golden == (("y", "9'h1fe"),) and cycle.candidate == (("y", "9'h0"),)


@pytest.mark.slow
def test_equal_designs_pass(make_design: MakeDesign, change: Change) -> None:
    design = make_design(ADDER)
    result = lockstep(design, change(design, "a + b", "b - ~a - 1'b1"), BenchSettings(cycles=500, seed=3))
    assert (result.outcome, result.cycles, result.seed, result.mismatch) == (Outcome.PASSED, 500, 3, "")


@pytest.mark.slow
def test_parameters_reach_both_sides(make_design: MakeDesign, change: Change) -> None:
    design = make_design(ADDER, parameters=[("WIDTH", "40")])
    assert lockstep(design, change(design, "a + b", "b + a")).passed
    result = lockstep(design, change(design, "a + b", "a[31:0] + b[31:0]"))
    assert result.outcome is Outcome.DIFFERENT and "a = 40'h" in result.mismatch


@pytest.mark.slow
def test_macros_and_includes_are_honoured(tmp_path: Path, change: Change) -> None:
    (tmp_path / "inc").mkdir()
    (tmp_path / "inc" / "ops.vh").write_text("`define OP(x, y) ((x) `SIGN (y))\n")
    unit = tmp_path / "unit.v"
    unit.write_text('`include "ops.vh"\nmodule unit (input [7:0] a, b, output [7:0] y);\n'
                    "    assign y = `OP(a, b);\nendmodule\n")  # fmt: skip
    design = load_design([unit], include_dirs=[tmp_path / "inc"], defines=[("SIGN", "-")])
    assert lockstep(design, change(design, "`OP(a, b)", "a - b")).passed
    assert not lockstep(design, change(design, "`OP(a, b)", "a + b")).passed


@pytest.mark.slow
def test_sequential_with_reset(make_design: MakeDesign, change: Change) -> None:
    """`held` is never reset: it is compared only from when golden has given it a value."""
    design = make_design(COUNTER)
    assert design.reset is not None and design.reset.asynchronous
    assert lockstep(design, Candidate(())).passed
    assert lockstep(design, change(design, "q + {4'd0, step}", "q - ({4'hf, ~step} + 8'd1)")).passed

    wrong_reset = lockstep(design, change(design, "8'd3", "8'd2"))
    assert wrong_reset.outcome is Outcome.DIFFERENT and "in golden" in wrong_reset.mismatch

    late = lockstep(design, change(design, "posedge clk or negedge rst_n", "posedge clk"))
    assert late.outcome is Outcome.DIFFERENT, "a reset that waits for the clock must show"

    bomb = lockstep(design, change(design, "else if (en) q <=", "else if (en) q <= (q >= 8'd250) ? 8'd0 :"))
    assert bomb.outcome is Outcome.DIFFERENT and bomb.counterexample is not None
    last = bomb.counterexample.cycles[-1]
    assert last.golden != last.candidate
    assert all(c.golden[0] == c.candidate[0] for c in bomb.counterexample.cycles[:-1])


@pytest.mark.slow
def test_power_up_state_without_reset(make_design: MakeDesign, change: Change) -> None:
    text = """
    module toggle (input clk, input d, output reg q, output reg other);
        initial q = 1'b1;
        always @(posedge clk) begin q <= q ^ d; other <= other ^ d; end
    endmodule
    """
    design = make_design(text)
    assert lockstep(design, Candidate(())).passed, "`other` is never determined, so never compared"
    assert not lockstep(design, change(design, "initial q = 1'b1;", "initial q = 1'b0;")).passed


@pytest.mark.slow
def test_falling_edge_and_two_clocks(make_design: MakeDesign, change: Change) -> None:
    text = """
    module crossing (input wclk, input rclk, input rst, input [3:0] d, output reg [3:0] w, output reg [3:0] r);
        always @(posedge wclk) if (rst) w <= 0; else w <= d;
        always @(negedge rclk) if (rst) r <= 0; else r <= w;
    endmodule
    """
    design = make_design(text)
    assert lockstep(design, Candidate(())).passed
    assert not lockstep(design, change(design, "negedge rclk", "posedge rclk")).passed
    assert not lockstep(design, change(design, "negedge rclk", "negedge wclk")).passed


@pytest.mark.slow
def test_only_inputs_within_the_contract_count(make_design: MakeDesign, change: Change) -> None:
    text = "module sub (input [7:0] a, b, output [7:0] y); assign y = a - b; endmodule"
    wrong_below = ("a - b", "(a < b) ? 8'd0 : a - b")
    bounded = make_design(text, assumptions=["a >= b"])
    assert lockstep(bounded, change(bounded, *wrong_below)).passed
    assert not lockstep(replace(bounded, assumptions=()), change(bounded, *wrong_below)).passed


@pytest.mark.slow
def test_where_golden_is_x_nothing_is_compared(make_design: MakeDesign, change: Change) -> None:
    text = "module quotient (input [7:0] a, b, output [7:0] y); assign y = a / b; endmodule"
    design = make_design(text)
    assert lockstep(design, change(design, "a / b", "(b == 0) ? 8'd7 : a / b")).passed
    assert not lockstep(design, change(design, "a / b", "(b == 1) ? 8'd7 : a / b")).passed


@pytest.mark.slow
def test_declared_latency(make_design: MakeDesign, change: Change) -> None:
    text = """
    module square (input clk, input rst, input [7:0] a, output reg [15:0] y);
        reg [15:0] first;
        always @(posedge clk) if (rst) y <= 0; else y <= a * a;
    endmodule
    """
    design = replace(make_design(text), latency=1)
    later = change(design, "y <= 0; else y <= a * a;", "{y, first} <= 0; else begin y <= first; first <= a * a; end")
    assert lockstep(design, later).passed
    assert not lockstep(design, Candidate(())).passed
    assert not lockstep(replace(design, latency=0), later).passed


@pytest.mark.slow
def test_another_circuit_for_the_simulator_shows(make_design: MakeDesign, change: Change) -> None:
    """What our own front end never sees."""
    design = make_design(ADDER)
    trick = "\n`ifdef VERILATOR\n a - b\n`else\n a + b\n`endif\n"
    assert lockstep(design, change(design, "a + b", trick)).outcome is Outcome.DIFFERENT


@pytest.mark.slow
def test_a_candidate_that_ends_the_simulation_fails(make_design: MakeDesign, change: Change) -> None:
    design = make_design(ADDER)
    result = lockstep(design, change(design, "endmodule", "always @(a) if (a == 8'd9) $finish;\nendmodule"))
    assert result.outcome is Outcome.FAILED and "ended before all cycles were compared" in result.mismatch


@pytest.mark.slow
def test_what_verilator_refuses_is_a_value(make_design: MakeDesign, change: Change) -> None:
    design = make_design(ADDER)
    result = lockstep(design, change(design, "a + b", "a + missing(b)"))
    assert (
        result.outcome is Outcome.UNBUILDABLE and result.mismatch.startswith("Verilator: ") and "missing" in result.log
    )


@pytest.mark.slow
def test_a_simulation_without_end_costs_its_limit(make_design: MakeDesign, change: Change) -> None:
    design = make_design(ADDER)
    forever = change(design, "endmodule", 'always @* while (a[0]) $write("");\nendmodule')
    began = time.monotonic()
    result = lockstep(design, forever, BenchSettings(limits=process.Limits(seconds=20)))
    assert result.outcome is Outcome.TIMED_OUT and "time limit" in result.mismatch
    assert time.monotonic() - began < 60


@pytest.mark.slow
def test_golden_that_verilator_reads_otherwise_is_a_broken_workbench(make_design: MakeDesign) -> None:
    text = "module unit (input a, output y);\n`ifdef VERILATOR\nassign y = a;\n`else\nassign y = ~a;\n`endif\nendmodule"
    with pytest.raises(ToolFailed, match=r"Verilator and our elaboration disagree about unit itself: .*y is 1'h"):
        lockstep(make_design(text), Candidate(()))


@pytest.mark.slow
def test_nothing_is_left_behind_and_a_missing_cache_costs_only_time(
    make_design: MakeDesign, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    temporary = tmp_path / "tmp"
    temporary.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(temporary))
    design = make_design(ADDER)
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    assert lockstep(design, Candidate(()), BenchSettings(cycles=50, cache=blocked / "cache")).passed
    assert list(temporary.iterdir()) == []


def test_a_missing_compiler_says_how_to_install_it(
    make_design: MakeDesign, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    design = make_design(ADDER)
    monkeypatch.setenv("PATH", str(tmp_path))
    toolchain.find_toolchain.cache_clear()
    with pytest.raises(ToolMissing, match=r"g\+\+ .*apt-get install g\+\+"):
        lockstep(design, Candidate(()))
