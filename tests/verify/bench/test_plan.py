"""What the bench drives: the contract, the reset sequence, several clocks, a latency."""

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

from rtl_evolve.rtl.design import Design
from rtl_evolve.rtl.elaborate import Elaboration, elaborate
from rtl_evolve.verify.bench.phases import Phase, read_phases, write_phases
from rtl_evolve.verify.bench.plan import make_plan

MakeDesign = Callable[..., Design]

REGISTERED = """
module add (input clk, input rst, input [3:0] a, b, output reg [4:0] y);
    always @(posedge clk) if (rst) y <= 0; else y <= a + b;
endmodule
"""


def plan(design: Design, cycles: int = 200, seed: int = 1) -> tuple[Phase, ...]:
    result = elaborate(design.sources)
    assert isinstance(result, Elaboration)
    return make_plan(result.model, design, cycles, seed)


def ports(design: Design, phase: Phase) -> dict[str, int]:
    values, word = {}, phase.stimulus
    for port in design.inputs:
        values[port.name] = word & ((1 << port.width) - 1)
        word >>= port.width
    return values


def test_combinational(make_design: MakeDesign, tmp_path: Path) -> None:
    design = make_design(
        "module add (input [3:0] a, b, output [4:0] y, output z); assign z = a == b; assign y = a + b; endmodule"
    )
    phases = plan(design)
    assert len(phases) == 200 and [p.reference for p in phases] == list(range(200))
    for phase in phases:
        v = ports(design, phase)
        assert phase.expected == (v["a"] == v["b"]) << 5 | v["a"] + v["b"]
        assert phase.determined == 63
    assert phases == plan(design) and phases != plan(design, seed=2)
    write_phases(phases, tmp_path / "phases.json")
    assert read_phases(tmp_path / "phases.json") == phases


def test_contract(make_design: MakeDesign) -> None:
    text = "module sub (input [3:0] a, b, output [3:0] y); assign y = a - b; endmodule"
    design = make_design(text, assumptions=["a >= b"])
    phases = plan(design)
    assert len(phases) > 150
    assert all(v["a"] >= v["b"] for v in (ports(design, p) for p in phases))


def test_streams_begin_with_a_reset_and_are_compared_after_it(make_design: MakeDesign) -> None:
    design = make_design(REGISTERED)
    phases = plan(design, 320)
    starts = [i for i, p in enumerate(phases) if p.start == i]
    assert len(starts) == 16
    for start in starts:
        stream = [p for p in phases if p.start == start]
        levels = [ports(design, p)["rst"] for p in stream if p.change == "the inputs change"]
        assert levels[:5] == [0, 1, 1, 1, 1] and len(levels) == 25
        assert [p.change for p in stream[:4]] == ["the inputs change", "clk rises", "clk falls", "the inputs change"]
        assert all((p.reference is None) == (p.cycle <= 4) for p in stream)
        assert all(p.determined == 31 for p in stream if p.reference is not None)
    for before, after in pairwise(phases):
        if after.change == "clk rises" and after.reference is not None:
            v = ports(design, before)
            assert after.expected == (0 if v["rst"] else v["a"] + v["b"])
            assert ports(design, after) == {**v, "clk": 1}


def test_latency_looks_back_and_never_resets_midway(make_design: MakeDesign) -> None:
    design = replace(make_design(REGISTERED), latency=2)
    phases = plan(design, 320)
    compared = [(i, p) for i, p in enumerate(phases) if p.reference is not None]
    assert compared
    for index, phase in compared:
        assert phase.reference is not None and phase.change == "the inputs change"
        assert phases[phase.reference].cycle == phase.cycle - 2 >= 5
        assert phases[phase.reference].start == phase.start and phase.reference < index
    assert all(ports(design, p)["rst"] == (1 <= p.cycle <= 4) for p in phases)


def test_clocks_are_pulsed_one_at_a_time(make_design: MakeDesign) -> None:
    text = """
    module two (input c, input k, input d, output reg p, q);
        always @(posedge c) p <= d;
        always @(negedge k) q <= p;
    endmodule
    """
    design = make_design(text)
    phases = plan(design, 50)
    assert {p.change for p in phases} == {"the inputs change", "c rises", "c falls", "k rises", "k falls"}
    for before, after in pairwise(phases):
        old, new = ports(design, before), ports(design, after)
        moved = {name for name in new if old[name] != new[name]}
        assert moved <= ({"d"} if after.change == "the inputs change" else {after.change[0]})
    assert any(p.determined == 3 for p in phases), "both registers have taken a value"
