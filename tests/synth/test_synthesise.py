"""Synthesis with real tools: fronts shared, failures contained, nothing unmapped let through."""

from collections.abc import Callable

from rtl_evolve.rtl.elaborate import Elaboration
from rtl_evolve.rtl.process import Limits
from rtl_evolve.synth.activity import Workload, simulate
from rtl_evolve.synth.libraries import find_library
from rtl_evolve.synth.library import Library
from rtl_evolve.synth.mapped import Mapped, Unusable
from rtl_evolve.synth.recipe import Recipe, load_recipes
from rtl_evolve.synth.synthesise import Job, synthesise

Elaborate = Callable[[str], Elaboration]

MULTIPLY = "module top(input [5:0] a, b, output [11:0] y); assign y = a * b; endmodule"
STOCK = load_recipes().recipes["stock"]


def test_every_recipe_gives_the_multiplier(nangate: Library, elaborated: Elaborate) -> None:
    jobs = [Job(recipe) for recipe in load_recipes().choose(["all"])]
    for done in synthesise(elaborated(MULTIPLY).rtlil, jobs, nangate):
        assert isinstance(done.result, Mapped), (done.job.recipe.name, done.result)
        waves = simulate(done.result, Workload(vectors=500))
        a, b = (
            [sum((waves.values[net] >> t & 1) << i for i, net in enumerate(port.nets)) for t in range(500)]
            for port in done.result.inputs
        )
        (output,) = done.result.outputs
        products = [sum((waves.values[net] >> t & 1) << i for i, net in enumerate(output.nets)) for t in range(500)]
        assert products == [x * y for x, y in zip(a, b, strict=True)], done.job.recipe.name
        assert done.result.area_um2 > 50
        assert done.seconds > 0


def test_one_failing_recipe_does_not_lose_the_others(nangate: Library, elaborated: Elaborate) -> None:
    broken_front = Recipe("broken-front", "nonsense\n", "strash; map\n")
    broken_map = Recipe("broken-map", STOCK.front_script, "strash; no_such_command\n")
    area = load_recipes().recipes["area"]
    jobs = [Job(broken_front), Job(STOCK), Job(broken_map), Job(area)]
    results = {done.job.recipe.name: done.result for done in synthesise(elaborated(MULTIPLY).rtlil, jobs, nangate)}
    assert list(results) == ["broken-front", "stock", "broken-map", "area"]
    assert results["broken-front"] == Unusable("No such command: nonsense (type 'help' for a command overview)")
    assert results["broken-map"] == Unusable("ABC gave no netlist: ** cmd error: unknown command 'no_such_command'")
    assert isinstance(results["stock"], Mapped)
    assert isinstance(results["area"], Mapped)


def test_a_runaway_is_stopped_alone(nangate: Library, elaborated: Elaborate) -> None:
    runaway = Recipe("runaway", STOCK.front_script, "strash; " + "dch; dc2; " * 20000 + "map\n")
    jobs = [Job(STOCK), Job(runaway), Job(load_recipes().recipes["area"])]
    one, two, three = synthesise(elaborated(MULTIPLY).rtlil, jobs, nangate, Limits(seconds=1.5))
    assert isinstance(one.result, Mapped)
    assert two.result == Unusable("ABC reached its time limit (2 s)")
    assert isinstance(three.result, Mapped)


def test_clock_targets_are_heeded(nangate: Library, elaborated: Elaborate) -> None:
    text = "module top(input [31:0] a, b, output [31:0] y); assign y = a + b; endmodule"
    speed = load_recipes().recipes["speed"]
    tight, loose = synthesise(elaborated(text).rtlil, [Job(speed, 100.0), Job(speed, 5000.0)], nangate)
    assert isinstance(tight.result, Mapped)
    assert isinstance(loose.result, Mapped)
    assert loose.result.area_um2 < tight.result.area_um2


def test_flip_flops_with_every_common_control(nangate: Library, elaborated: Elaborate) -> None:
    text = """module top(input clk, rst, arst_n, en, input [3:0] d, output reg [3:0] q, r, s = 4'd5, t);
      always @(posedge clk) if (rst) q <= 4'd3; else if (en) q <= d;
      always @(posedge clk or negedge arst_n) if (!arst_n) r <= 4'd0; else r <= d ^ q;
      always @(posedge clk) s <= s + d;
      always @(negedge clk) t <= d;
    endmodule"""
    (done,) = synthesise(elaborated(text).rtlil, [Job(STOCK)], nangate)
    assert isinstance(done.result, Mapped), done.result
    assert len(done.result.flops) == 16


def test_what_there_is_no_cell_for(no_flops: Library, nangate: Library, elaborated: Elaborate) -> None:
    latch = "module top(input g, d, output reg q); always @* if (g) q = d; endmodule"
    (done,) = synthesise(elaborated(latch).rtlil, [Job(STOCK)], nangate)
    assert done.result == Unusable("it holds latches, which are not measured")
    falling = "module top(input c, r, d, output reg q); always @(negedge c or posedge r) if (r) q <= 1; else q <= d; endmodule"
    (done,) = synthesise(elaborated(falling).rtlil, [Job(STOCK)], no_flops)
    assert done.result == Unusable("library small has no flip-flop")


def test_results_do_not_depend_on_what_else_is_run(nangate: Library, elaborated: Elaborate) -> None:
    rtlil = elaborated(MULTIPLY).rtlil
    area = load_recipes().recipes["area"]
    (alone,) = synthesise(rtlil, [Job(area)], nangate)
    both = synthesise(rtlil, [Job(STOCK), Job(area)], nangate)
    assert isinstance(alone.result, Mapped)
    assert isinstance(both[1].result, Mapped)
    assert [(i.cell.name, i.nets) for i in alone.result.instances] == [
        (i.cell.name, i.nets) for i in both[1].result.instances
    ]


def test_a_flip_flop_that_the_library_cannot_build(elaborated: Elaborate, small_file: str) -> None:
    setting = "module top(input c, r, d, output reg q); always @(posedge c or posedge r) if (r) q <= d; else q <= 0; endmodule"
    (done,) = synthesise(elaborated(setting).rtlil, [Job(STOCK)], find_library(small_file))
    assert done.result == Unusable("the library has no cell for $_ALDFF_PP_ (1)")
