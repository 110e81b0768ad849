"""Measuring whole designs."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from rtl_evolve.rtl.elaborate import Elaboration
from rtl_evolve.rtl.errors import InputError
from rtl_evolve.synth.activity import Workload
from rtl_evolve.synth.measure import MeasureSettings, measure, measure_in_detail

Elaborate = Callable[[str], Elaboration]

MAC = """module top(input clk, rst, input [3:0] a, b, output reg [9:0] y);
  always @(posedge clk) if (rst) y <= 0; else y <= y + a * b;
endmodule"""
SETTINGS = MeasureSettings(recipes=("stock", "area"), workload=Workload(500, clocks=("clk",), reset=("rst", 1)))


def figures(elaboration: Elaboration, settings: MeasureSettings = SETTINGS) -> list[tuple[object, ...]]:
    return [(m.recipe, m.clock_ps, m.area_um2, m.delay_ps, m.power) for m in measure(elaboration, settings)]


def test_a_measurement(elaborated: Elaborate) -> None:
    stock, area = measure(elaborated(MAC), SETTINGS)
    assert (stock.library, stock.recipe, stock.clock_ps) == ("nangate45", "stock", None)
    assert stock.sequential_cells == 10
    assert stock.cells > 50
    assert area.area_um2 < stock.area_um2
    assert 300 < stock.delay_ps < 3000
    assert stock.power is not None
    assert stock.power.total_uw > stock.power.switching_uw > 1
    assert stock.seconds > 0


def test_measuring_twice_gives_the_same_figures(elaborated: Elaborate) -> None:
    assert figures(elaborated(MAC)) == figures(elaborated(MAC))


def test_power_is_optional_and_glitches_add_to_it(elaborated: Elaborate) -> None:
    elaboration = elaborated(MAC)
    without = measure(elaboration, replace(SETTINGS, power=False))
    settled = measure(elaboration, replace(SETTINGS, glitches=False))
    timed = measure(elaboration, SETTINGS)
    for none, quick, full in zip(without, settled, timed, strict=True):
        assert none.power is None
        assert quick.power is not None
        assert full.power is not None
        assert full.power.switching_uw > 1.1 * quick.power.switching_uw


def test_clock_targets_multiply_the_recipes_that_heed_them(elaborated: Elaborate) -> None:
    settings = replace(SETTINGS, recipes=("area", "speed"), clock_ps=(500.0, 900.0), power=False)
    found = [(m.recipe, m.clock_ps) for m in measure(elaborated(MAC), settings)]
    assert found == [("area", None), ("speed", None), ("speed", 500.0), ("speed", 900.0)]


def test_failures_say_why(elaborated: Elaborate) -> None:
    latch = "module top(input g, d, output reg q); always @* if (g) q = d; endmodule"
    measured = measure_in_detail(elaborated(latch), SETTINGS)
    assert measured.measurements == ()
    assert {failure.recipe for failure in measured.failures} == {"stock", "area"}
    assert all("it holds latches" in failure.reason for failure in measured.failures)


def test_unknown_recipes_and_libraries(elaborated: Elaborate) -> None:
    with pytest.raises(InputError, match="there is no recipe `x`"):
        measure(elaborated(MAC), replace(SETTINGS, recipes=("x",)))
    with pytest.raises(InputError, match="there is no library `x`"):
        measure(elaborated(MAC), replace(SETTINGS, library="x"))


# what must gain nothing: (name, text) of a 6-bit adder dressed up
PLAIN = "module top(input [7:0] a, b, output [7:0] y); assign y = a + b; endmodule"
DRESSED = {
    "renamed": "module top(input [7:0] a, b, output [7:0] y); wire [7:0] total; assign total = a + b; assign y = total; endmodule",
    "redundant": """module top(input [7:0] a, b, output [7:0] y);
        wire [7:0] unused = a ^ (b * 8'd3); assign y = (a + b) | (a & ~a); endmodule""",
    "kept": "module top(input [7:0] a, b, output [7:0] y); (* keep *) wire [7:0] s = a + b; assign y = s; endmodule",
    "hierarchy": """module add(input [7:0] p, q, output [7:0] r); assign r = p + q; endmodule
        module top(input [7:0] a, b, output [7:0] y); (* keep_hierarchy *) add u(a, b, y); endmodule""",
}


@pytest.mark.parametrize("name", DRESSED)
def test_dressing_up_gains_nothing(elaborated: Elaborate, name: str) -> None:
    settings = replace(SETTINGS, workload=Workload(500))
    plain, dressed = (measure(elaborated(text), settings) for text in (PLAIN, DRESSED[name]))
    assert len(dressed) == len(plain) == 2
    for one, other in zip(plain, dressed, strict=True):
        assert other.area_um2 == pytest.approx(one.area_um2, rel=0.02)
        assert other.delay_ps == pytest.approx(one.delay_ps, rel=0.02)
        assert one.power is not None
        assert other.power is not None
        assert other.power.total_uw == pytest.approx(one.power.total_uw, rel=0.05)
