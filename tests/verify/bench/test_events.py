"""The model stepped by events: edges, loads, and what is determined."""

from collections.abc import Callable
from random import Random

import pytest
from rtl_evolve.rtl.design import Design
from rtl_evolve.rtl.elaborate import Elaboration, elaborate
from rtl_evolve.rtl.model import Model
from rtl_evolve.verify.bench.events import EventRun, Unsettled

MakeDesign = Callable[..., Design]


def model_of(design: Design) -> Model:
    result = elaborate(design.sources)
    assert isinstance(result, Elaboration)
    return result.model


class Bench:
    """One stream, driven by port names; gives (value, determined) of one-bit outputs."""

    def __init__(self, model: Model, forget_start: bool = True) -> None:
        self.model = model
        self.run = EventRun(model, 1, 8, Random(1), forget_start=forget_start)
        self.now = {port: 0 for port, _ in model.inputs}

    def drive(self, **changes: int) -> dict[str, int | None]:
        self.now.update(changes)
        outcome = self.run.drive([self.now[port] >> bit & 1 for port, bit in self.model.inputs])
        return {
            f"{port}{bit or ''}": expected if determined else None
            for (port, bit, _), (expected, determined) in zip(self.model.outputs, outcome, strict=True)
        }


def test_unknown_until_loaded(make_design: MakeDesign) -> None:
    text = "module r (input c, e, d, output reg q); always @(posedge c) if (e) q <= d; endmodule"
    bench = Bench(model_of(make_design(text)))
    assert bench.drive(d=1) == {"q": None}
    assert bench.drive(c=1) == {"q": None}, "not enabled"
    assert bench.drive(c=0, e=1) == {"q": None}, "the falling edge does nothing"
    assert bench.drive(c=1) == {"q": 1}
    assert bench.drive(d=0) == {"q": 1}
    assert bench.drive(c=0) == {"q": 1}
    assert bench.drive(c=1) == {"q": 0}


def test_initial_values_count_only_when_not_forgotten(make_design: MakeDesign) -> None:
    model = model_of(make_design("module r (input c, d, output reg q = 1); always @(negedge c) q <= d; endmodule"))
    assert Bench(model, forget_start=False).drive() == {"q": 1}
    assert Bench(model, forget_start=True).drive() == {"q": None}
    bench = Bench(model, forget_start=False)
    assert bench.drive(c=1) == {"q": 1}
    assert bench.drive(c=0) == {"q": 0}


def test_asynchronous_load(make_design: MakeDesign) -> None:
    text = "module r (input c, n, d, output reg q); always @(posedge c or negedge n) if (!n) q <= 0; else q <= d; endmodule"
    bench = Bench(model_of(make_design(text)))
    bench.drive(n=1, d=1)
    assert bench.drive(c=1) == {"q": 1}
    assert bench.drive(n=0) == {"q": 0}, "at once"
    bench.drive(c=0)
    assert bench.drive(c=1) == {"q": 0}, "wins over the clock"


def test_powering_up_needs_an_edge(make_design: MakeDesign) -> None:
    """A simulator that starts with n = 0 sees no falling edge of it."""
    text = (
        "module r (input c, n, output reg q); always @(posedge c or negedge n) if (!n) q <= 0; else q <= q; endmodule"
    )
    model = model_of(make_design(text))
    inputs = {("c", 0): 0, ("n", 0): 0}
    run = EventRun(model, 1, 8, Random(1), forget_start=True)
    low = [inputs[i] for i in model.inputs]
    raised = [1 if i == ("c", 0) else 0 for i in model.inputs]
    assert run.drive(low, powering_up=True)[0][1] == 0
    assert run.drive(raised, powering_up=True) == [(0, 1)]


def test_an_edge_may_cause_an_edge(make_design: MakeDesign) -> None:
    text = """
    module ripple (input c, input r, output reg q, output reg p);
        always @(posedge c or posedge r) if (r) q <= 0; else q <= ~q;
        always @(negedge q or posedge r) if (r) p <= 0; else p <= ~p;
    endmodule
    """
    bench = Bench(model_of(make_design(text)))
    bench.drive(r=1)
    assert bench.drive(r=0) == {"q": 0, "p": 0}
    seen = []
    for _ in range(4):
        seen.append(bench.drive(c=1))
        bench.drive(c=0)
    assert [(s["p"], s["q"]) for s in seen] == [(0, 1), (1, 0), (1, 1), (0, 0)]


def test_x_is_not_determined(make_design: MakeDesign) -> None:
    text = "module d (input [1:0] a, b, output y, z); assign y = (a / b) & 1'b1; assign z = a[0] & (b != 0); endmodule"
    bench = Bench(model_of(make_design(text)))
    assert bench.drive(a=3, b=0) == {"y": None, "z": 0}
    assert bench.drive(a=3, b=3) == {"y": 1, "z": 1}


def test_an_asynchronous_loop_is_found(make_design: MakeDesign) -> None:
    text = (
        "module o (input c, s, output reg q); always @(posedge c or posedge s) if (s) q <= ~q; else q <= 0; endmodule"
    )
    bench = Bench(model_of(make_design(text)))
    bench.drive(c=1)
    with pytest.raises(Unsettled, match="asynchronous loop"):
        bench.drive(s=1)
