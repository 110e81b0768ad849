"""Delays by hand on a small library, and by OpenSTA on a real one."""

from collections.abc import Callable

import numpy as np
import pytest
from rtl_evolve.synth.library import Library
from rtl_evolve.synth.mapped import Mapped
from rtl_evolve.synth.timing import Boundary, analyse

Build = Callable[..., Mapped]


def test_one_inverter(small: Library, netlist: Build) -> None:
    timing = analyse(netlist(small, ["a"], ["y"], [("INV", {"A": "a", "Y": "y"})]))
    # no slew, no load: rising 10 ps, falling 20 ps
    assert timing.delay_ps == pytest.approx(20)
    path = timing.critical
    assert path is not None
    assert (path.kind, path.end) == ("in-to-out", "y")
    assert [(p.signal, p.rising, p.cell) for p in path.points] == [("a", True, ""), ("y", False, "INV")]


def test_slew_load_and_both_edges(small: Library, netlist: Build) -> None:
    chain = [("INV", {"A": "a", "Y": "m"}), ("INV", {"A": "m", "Y": "y"})]
    timing = analyse(netlist(small, ["a"], ["y"], chain))
    # the first stage drives 2 fF rising and 1 fF falling: 10 + 20 and 20 + 20 ps, with slews of 18 and 24 ps;
    # the second adds, falling, 20 ps, and rising, 10 ps and 0.2 ps for every ps of slew
    falling, rising = 30 + 20, 40 + 10 + 0.2 * 24
    assert timing.delay_ps == pytest.approx(max(falling, rising))
    assert timing.critical is not None
    assert [p.arrival_ps for p in timing.critical.points] == pytest.approx([0, 40, 54.8])


def test_registers(small: Library, netlist: Build) -> None:
    placed = [
        ("DFF", {"CK": "clk", "D": "d", "Q": "q"}),
        ("NAND2", {"A": "q", "B": "a", "Y": "d"}),
        ("BUF", {"A": "q", "Y": "y"}),
    ]
    timing = analyse(netlist(small, ["clk", "a"], ["y"], placed))
    worst = {path.kind: path.delay_ps for path in timing.worst}
    # clock to output 120 ps falling, then NAND2 rising 50 ps, setup of a rising edge with 20 ps slew: 10 + 0.2 * 20 ps
    assert worst["reg-to-reg"] == pytest.approx(120 + 50 + 14)
    assert worst["reg-to-out"] == pytest.approx(120 + 40)
    # from the input: NAND2 rising 50 + 14, falling 40 + 20
    assert worst["in-to-reg"] == pytest.approx(64)
    assert "in-to-out" not in worst
    assert timing.delay_ps == pytest.approx(184)
    assert timing.critical is not None
    assert timing.critical.end == "q (D)"
    assert [(p.signal, p.arrival_ps) for p in timing.critical.points][:2] == [("clk", 0.0), ("q", pytest.approx(120))]


def test_the_boundary(small: Library, netlist: Build) -> None:
    placed = [("DFF", {"CK": "clk", "D": "a", "Q": "q"}), ("BUF", {"A": "a", "Y": "y"})]
    mapped = netlist(small, ["clk", "a"], ["y"], placed)
    bare = {p.kind: p.delay_ps for p in analyse(mapped).worst}
    tight = analyse(mapped, Boundary({"a": 100.0}, {"y": 30.0}, uncertainty_ps=7.0))
    assert {p.kind: p.delay_ps for p in tight.worst} == pytest.approx(
        {"in-to-reg": bare["in-to-reg"] + 107, "in-to-out": bare["in-to-out"] + 130}
    )


def test_a_constant_begins_no_path(small: Library, netlist: Build) -> None:
    timing = analyse(netlist(small, [], ["y"], [("INV", {"A": "0", "Y": "y"})]))
    assert timing.delay_ps == 0
    assert timing.critical is None


def test_wires_alone_take_no_time(small: Library, netlist: Build) -> None:
    timing = analyse(netlist(small, ["a"], ["a"], []))
    assert timing.delay_ps == 0


def test_the_path_adds_up(nangate: Library, netlist: Build) -> None:
    placed = [("XOR2_X1", {"A": f"n{i}", "B": "b", "Z": f"n{i + 1}"}) for i in range(8)]
    timing = analyse(netlist(nangate, ["n0", "b"], ["n8"], placed))
    assert timing.critical is not None
    arrivals = [p.arrival_ps for p in timing.critical.points]
    assert arrivals == sorted(arrivals)
    assert len(arrivals) == 9
    assert arrivals[-1] == timing.delay_ps == np.max(timing.arrival_ps)


def test_half_a_cycle_counts_twice(small: Library, netlist: Build) -> None:
    placed = [
        ("INV", {"A": "clk", "Y": "nclk"}),
        ("DFF", {"CK": "clk", "D": "a", "Q": "q"}),
        ("BUF", {"A": "q", "Y": "m"}),
        ("DFF", {"CK": "nclk", "D": "m", "Q": "y"}),
    ]
    worst = {p.kind: p.delay_ps for p in analyse(netlist(small, ["clk", "a"], ["y"], placed)).worst}
    # clock to output 120 ps, buffer 40 ps, setup of a falling edge 20 ps
    assert worst["reg-to-reg"] == pytest.approx(2 * (120 + 40 + 20))
    # the falling flip-flop's output has half a cycle to the port
    assert worst["reg-to-out"] == pytest.approx(2 * 120)
    assert worst["in-to-reg"] == pytest.approx(20)


def test_falling_edges_alone_are_as_good_as_rising_ones(small: Library, netlist: Build) -> None:
    register = ("DFF", {"CK": "c", "D": "a", "Q": "q"})
    one = analyse(netlist(small, ["c", "a"], ["q"], [register]))
    clock = ("INV", {"A": "c", "Y": "n"})
    other = analyse(netlist(small, ["c", "a"], ["q"], [clock, (register[0], {**register[1], "CK": "n"})]))
    assert [(p.kind, p.delay_ps) for p in one.worst] == [(p.kind, p.delay_ps) for p in other.worst]
