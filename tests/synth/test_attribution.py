"""Costs must land on the lines that cause them, and add up."""

from collections.abc import Callable

import pytest
from rtl_evolve.rtl.elaborate import Elaboration
from rtl_evolve.synth.activity import Workload
from rtl_evolve.synth.attribution import Attribution, Cost, attribute
from rtl_evolve.synth.measure import MeasureSettings, measure_in_detail

TEXT = """module sub(input [7:0] p, q, output [7:0] r);
  assign r = p * q;
endmodule
module top(input clk, input [7:0] a, b, input s, output [7:0] y, output reg [3:0] z);
  wire [7:0] product;
  sub u(.p(a), .q(b), .r(product));
  wire [7:0] sum = a + b;
  assign y = s ? product : sum;
  always @(posedge clk)
    z <= a[3:0] ^ sum[7:4];
endmodule"""


@pytest.fixture(scope="module", params=["stock", "area-booth"])
def attribution(request: pytest.FixtureRequest, elaborated: Callable[[str], Elaboration]) -> Attribution:
    elaboration = elaborated(TEXT)
    settings = MeasureSettings(recipes=(request.param,), workload=Workload(500, clocks=("clk",)))
    (netlist,) = measure_in_detail(elaboration, settings).netlists
    return attribute(elaboration, netlist.mapped, netlist.timing, netlist.power)


def by_line(attribution: Attribution) -> dict[int, Cost]:
    assert {line.path for line in attribution.lines} == {"top.v"}
    return {line.line: line.cost for line in attribution.lines}


def test_each_operator_costs_what_it_should(attribution: Attribution) -> None:
    cost = by_line(attribution)
    assert set(cost) <= {2, 7, 8, 9, 10}
    # the multiplier takes most of everything; an adder and multiplexers share their borders; four flip-flops
    assert cost[2].area_um2 > 120
    assert 15 < cost[7].area_um2 < 60
    assert 8 < cost[8].area_um2 < 60
    assert 4 * 4.5 <= cost[9].area_um2 < 20
    assert cost[2].path_ps > 0.5 * attribution.total.path_ps
    assert cost[2].power_uw > cost[7].power_uw > 0
    assert cost[9].power_uw > 1


def test_signals_by_their_hierarchical_names(attribution: Attribution) -> None:
    names = {signal.name: signal.cost.area_um2 for signal in attribution.signals}
    assert max(names, key=lambda name: names[name]) in ("product", "u.r")
    assert names["sum"] > 15


def test_all_costs_add_up(attribution: Attribution) -> None:
    parts = [line.cost for line in attribution.lines] + [attribution.unattributed]
    assert sum(p.area_um2 for p in parts) == pytest.approx(attribution.total.area_um2)
    assert sum(p.power_uw for p in parts) == pytest.approx(attribution.total.power_uw)
    assert sum(p.path_ps for p in parts) == pytest.approx(attribution.total.path_ps)
    assert attribution.unattributed_share < 0.05


def test_a_design_of_wires_costs_nothing(elaborated: Callable[[str], Elaboration]) -> None:
    elaboration = elaborated("module top(input a, output y); assign y = a; endmodule")
    (netlist,) = measure_in_detail(elaboration, MeasureSettings(recipes=("stock",))).netlists
    found = attribute(elaboration, netlist.mapped, netlist.timing, netlist.power)
    assert found.lines == ()
    assert found.total == Cost(0, 0, 0)
    assert found.unattributed_share == 0
