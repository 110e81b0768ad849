"""Our delay and power against OpenSTA's: recorded for a fixed netlist, and live where `sta` is on PATH."""

import shutil
from collections.abc import Callable
from random import Random

import pytest
from rtl_evolve.rtl.errors import ToolFailed, ToolMissing
from rtl_evolve.synth.activity import Activity, Workload, activity_of, simulate
from rtl_evolve.synth.glitch import timed_activity
from rtl_evolve.synth.library import Library
from rtl_evolve.synth.mapped import Mapped
from rtl_evolve.synth.opensta import opensta_figures
from rtl_evolve.synth.power import estimate_power
from rtl_evolve.synth.timing import Timing, analyse
from rtl_evolve.synth.verilog import write_saif, write_verilog

CELLS = (
    "AND2_X1 A1 A2 ZN; AOI21_X2 A B1 B2 ZN; AOI222_X1 A1 A2 B1 B2 C1 C2 ZN; BUF_X2 A Z; INV_X1 A ZN; MUX2_X1 A B S Z;"
    "NAND3_X1 A1 A2 A3 ZN; NOR2_X1 A1 A2 ZN; OAI33_X1 A1 A2 A3 B1 B2 B3 ZN; OR4_X1 A1 A2 A3 A4 ZN; XNOR2_X1 A B ZN;"
    "XOR2_X2 A B Z"
)
PERIOD_PS = 5000.0
WORKLOAD = Workload(500, seed=7, clocks=("clk",), reset=("rn", 0))


@pytest.fixture(scope="module")
def mapped(nangate: Library, netlist: Callable[..., Mapped]) -> Mapped:
    """Eight flip-flops of two kinds with sixty random gates between them, one input tied, as synthesis leaves them."""
    random = Random(11)
    cells = [text.split() for text in CELLS.split(";")]
    signals = ["a", "b", "c", *(f"q{i}" for i in range(8))]
    placed = []
    for number in range(60):
        cell, *pins = random.choice(cells)
        chosen = {pin: random.choice(signals[-14:]) for pin in pins[:-1]}
        if number == 30:
            chosen[pins[0]] = "1"
        placed.append((cell, {**chosen, pins[-1]: f"n{number}"}))
        signals.append(f"n{number}")
    for bit in range(8):
        kind = "DFFR_X1" if bit % 2 else "DFF_X1"
        reset = {"RN": "rn"} if bit % 2 else {}
        placed.append((kind, {"CK": "clk", "D": f"n{59 - 3 * bit}", "Q": f"q{bit}", "QN": f"p{bit}", **reset}))
    return netlist(nangate, ["clk", "rn", "a", "b", "c"], ["n58", "q3"], placed)


@pytest.fixture(scope="module")
def timing(mapped: Mapped) -> Timing:
    return analyse(mapped)


def total(mapped: Mapped, timing: Timing, activity: Activity) -> float:
    return estimate_power(mapped, timing, activity, PERIOD_PS).total().total_uw


def test_recorded_figures(mapped: Mapped, timing: Timing) -> None:
    # OpenSTA 3.1.0, commit d1b2b396, given the same activities
    waves = simulate(mapped, WORKLOAD)
    assert timing.delay_ps == pytest.approx(RECORDED[0], rel=1e-5)
    assert total(mapped, timing, activity_of(waves)) == pytest.approx(RECORDED[1], rel=1e-5)
    assert total(mapped, timing, timed_activity(mapped, timing, waves)) == pytest.approx(RECORDED[2], rel=1e-5)


def test_live_figures(mapped: Mapped, timing: Timing) -> None:
    if shutil.which("sta") is None:
        pytest.skip("no OpenSTA (`sta`) on PATH")
    activity = timed_activity(mapped, timing, simulate(mapped, WORKLOAD))
    try:
        theirs = opensta_figures(mapped, activity, PERIOD_PS, ("clk",))
    except ToolMissing as error:
        pytest.skip(str(error))
    assert timing.delay_ps == pytest.approx(theirs.delay_ps, rel=1e-5)
    assert total(mapped, timing, activity) == pytest.approx(theirs.power.total_uw, rel=1e-5)


def test_without_opensta(mapped: Mapped, monkeypatch: pytest.MonkeyPatch, tmp_path: object) -> None:
    activity = activity_of(simulate(mapped, WORKLOAD))
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ToolMissing, match="sta is not on PATH"):
        opensta_figures(mapped, activity, PERIOD_PS, ("clk",))


def test_an_opensta_that_fails(mapped: Mapped, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rtl_evolve.synth.opensta.find_tool", lambda name: "/bin/true")
    with pytest.raises(ToolFailed, match="OpenSTA gave no figures"):
        opensta_figures(mapped, activity_of(simulate(mapped, WORKLOAD)), PERIOD_PS, ("clk",))


def test_verilog(small: Library, netlist: Callable[..., Mapped]) -> None:
    placed = [("DFF", {"CK": "clk", "D": "m", "Q": "q"}), ("NAND2", {"A": "q", "B": "1", "Y": "m"})]
    assert (
        write_verilog(netlist(small, ["clk"], ["q"], placed), "top")
        == """\
module top (clk, q);
  input clk;
  output q;
  wire n2;
  wire n3;
  wire n4;
  assign n2 = clk;
  assign q = n4;
  DFF u0 (.CK(n2), .D(n3), .Q(n4));
  NAND2 u1 (.A(n4), .B(1'b1), .Y(n3));
endmodule
"""
    )


def test_saif(small: Library, netlist: Callable[..., Mapped]) -> None:
    mapped = netlist(small, ["a"], ["y"], [("INV", {"A": "a", "Y": "y"})])
    text = write_saif(mapped, activity_of(simulate(mapped, Workload(100))), "top", 1000.0, 100)
    assert text.count("(") == text.count(")")
    assert "(DURATION 100000)" in text
    assert "(INSTANCE u0 (NET (A (T0 " in text


# worst path in ps, power in uW at zero delay and with glitches
RECORDED = (929.324, 26.826112, 27.002514)
