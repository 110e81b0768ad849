"""A user's own cocotb module decides."""

from collections.abc import Callable
from pathlib import Path

import pytest
from rtl_evolve.rtl.candidate import Candidate
from rtl_evolve.rtl.design import Design
from rtl_evolve.rtl.errors import InputError
from rtl_evolve.verify.bench.result import Outcome
from rtl_evolve.verify.bench.user_test import run_user_test

MakeDesign = Callable[..., Design]
Change = Callable[..., Candidate]

ACCUMULATOR = """
module accumulator #(parameter WIDTH = 8) (input clk, input rst, input [WIDTH-1:0] d, output [WIDTH-1:0] total);
    reg [WIDTH-1:0] sum;
    always @(posedge clk) if (rst) sum <= 0; else sum <= sum + d;
    assign total = sum;
endmodule
"""

TEST = '''
"""Uses a clock, an internal signal and a module beside it."""
import cocotb
from cocotb.clock import Clock
from cocotb.triggers import RisingEdge
from model_beside import add


@cocotb.test()
async def sums(dut):
    cocotb.start_soon(Clock(dut.clk, 10, "ns").start())
    dut.rst.value = 1
    dut.d.value = 0
    await RisingEdge(dut.clk)
    await RisingEdge(dut.clk)
    dut.rst.value = 0
    want = 0
    for d in (1, 200, 7, 255, 9):
        dut.d.value = d
        await RisingEdge(dut.clk)
        assert dut.total.value.to_unsigned() == want, f"total is {dut.total.value}, not {want}"
        assert dut.sum.value == dut.total.value
        want = add(want, d, len(dut.total))


@cocotb.test()
async def quiet(dut):
    assert len(dut.d) == len(dut.total)
'''


@pytest.fixture
def user_module(tmp_path: Path) -> Path:
    folder = tmp_path / "user tests"
    folder.mkdir()
    (folder / "model_beside.py").write_text("def add(a, b, width):\n    return (a + b) % (1 << width)\n")
    (folder / "my_accumulator_test.py").write_text(TEST)
    return folder / "my_accumulator_test.py"


@pytest.mark.slow
def test_passing_and_failing(make_design: MakeDesign, change: Change, user_module: Path) -> None:
    design = make_design(ACCUMULATOR)
    assert run_user_test(design, Candidate(()), user_module).outcome is Outcome.PASSED
    failing = run_user_test(design, change(design, "sum + d", "sum | d"), user_module)
    assert failing.outcome is Outcome.FAILED
    assert failing.mismatch.startswith("sums: ") and "not 208" in failing.mismatch
    assert "sums" in failing.log


@pytest.mark.slow
def test_parameters_reach_the_top(make_design: MakeDesign, user_module: Path) -> None:
    design = make_design(ACCUMULATOR, parameters=[("WIDTH", "16")])
    assert run_user_test(design, Candidate(()), user_module).passed


@pytest.mark.slow
def test_a_module_without_tests_does_not_pass(make_design: MakeDesign, tmp_path: Path) -> None:
    empty = tmp_path / "empty_test.py"
    empty.write_text("import cocotb\n")
    assert run_user_test(make_design(ACCUMULATOR), Candidate(()), empty).outcome is Outcome.FAILED


@pytest.mark.slow
def test_a_module_that_does_not_import_fails(make_design: MakeDesign, tmp_path: Path) -> None:
    broken = tmp_path / "broken_test.py"
    broken.write_text("import no_such_module_anywhere\n")
    result = run_user_test(make_design(ACCUMULATOR), Candidate(()), broken)
    assert result.outcome is Outcome.FAILED and "no_such_module_anywhere" in result.log


def test_a_missing_module_is_the_users_input(make_design: MakeDesign, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such cocotb test module"):
        run_user_test(make_design(ACCUMULATOR), Candidate(()), tmp_path / "none.py")
