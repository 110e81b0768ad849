"""Putting a mapped netlist in order, and what it may not be."""

from collections.abc import Callable

from rtl_evolve.synth.library import Library
from rtl_evolve.synth.mapped import Instance, Mapped, MappedPort, Unusable, assemble

Build = Callable[..., Mapped]


def test_drivers_come_first(small: Library, netlist: Build) -> None:
    placed = [("INV", {"A": "m", "Y": "y"}), ("NAND2", {"A": "a", "B": "1", "Y": "m"})]
    mapped = netlist(small, ["a"], ["y"], placed)
    assert mapped.order == (1, 0)
    assert mapped.area_um2 == 3.5
    assert [mapped.place(net) for net in mapped.instances[1].nets.values()] == ["a", "1'b1", "m"]


def test_a_loop_through_a_flip_flop_is_none(small: Library, netlist: Build) -> None:
    placed = [("DFF", {"CK": "clk", "D": "d", "Q": "q"}), ("NAND2", {"A": "q", "B": "a", "Y": "d"})]
    mapped = netlist(small, ["clk", "a"], ["q"], placed)
    assert (mapped.flops, mapped.order) == ((0,), (1,))


def test_what_a_netlist_may_not_be(small: Library) -> None:
    def reason(*placed: Instance) -> str:
        ports = [MappedPort("a", "input", (2,)), MappedPort("y", "output", (3,))]
        result = assemble(small, ports, placed, ["", "", "a", "y", "m"])
        assert isinstance(result, Unusable)
        return result.reason

    inv, nand = small.cells["INV"], small.cells["NAND2"]
    assert reason() == "output y[0] is not driven"
    assert reason(Instance("u", inv, {"A": 2, "Y": 3}), Instance("v", inv, {"A": 2, "Y": 3})) == "y has several drivers"
    loop = (Instance("u", inv, {"A": 3, "Y": 4}), Instance("v", nand, {"A": 4, "B": 2, "Y": 3}))
    assert reason(*loop) == "there is a combinational loop"


def test_wires_alone_cost_nothing(small: Library) -> None:
    ports = [MappedPort("a", "input", (2,)), MappedPort("y", "output", (2, 1, 0))]
    mapped = assemble(small, ports, [], ["", "", "a"])
    assert isinstance(mapped, Mapped)
    assert mapped.area_um2 == 0
