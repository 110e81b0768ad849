import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rtl_evolve.rtl.gate_loops import loops
from rtl_evolve.rtl.netlist import Cell, Netlist

OUTPUT = {"Y": "output", "Q": "output"}


def cell(name, type_, **ports):
    directions = {p: OUTPUT.get(p, "input") for p in ports}
    return Cell(name, type_, {}, {p: tuple(bits) for p, bits in ports.items()}, directions)


def netlist(*cells):
    return Netlist("top", (), cells, {}, {}, {})


@pytest.mark.parametrize(
    ("cells", "found"),
    [
        ([cell("a", "$and", A=[2], B=[3], Y=[4])], []),
        ([cell("a", "$and", A=[2], B=[4], Y=[4])], [{4}]),
        ([cell("a", "$not", A=[3], Y=[2]), cell("b", "$not", A=[2], Y=[3])], [{2, 3}]),
        ([cell("a", "$not", A=[3], Y=[2]), cell("b", "$dff", CLK=[9], D=[2], Q=[3])], []),
        # a carry through one vector: bit to bit, no loop
        ([cell("a", "$or", A=[2, 10], B=[3, 4], Y=[10, 11])], []),
        # an adder whose high sum feeds its low operand
        ([cell("a", "$add", A=[2, 3], B=[11, 4], Y=[10, 11])], [{10, 11}]),
        # an adder whose low sum feeds its high operand
        ([cell("a", "$add", A=[2, 10], B=[3, 4], Y=[10, 11])], []),
        ([cell("a", "$lt", A=[2, 3], B=[4, 5], Y=[3])], [{3}]),
        ([cell("a", "$mux", A=[2], B=[3], S=[4], Y=[4])], [{4}]),
    ],
)
def test_loops(cells, found):
    assert [set(part) for part in loops(netlist(*cells))] == found


@given(st.integers(0, 2**32), st.integers(2, 30))
def test_a_circuit_in_order_has_no_loop_and_one_wire_back_makes_one(seed, size):
    rng = random.Random(seed)
    cells = [cell(f"c{i}", "$and", A=[rng.randrange(i)], B=[i - 1], Y=[i]) for i in range(1, size)]
    assert loops(netlist(*cells)) == []
    back = rng.randrange(1, size)
    cells[0] = cell("c1", "$and", A=[back], B=[0], Y=[1])
    (part,) = loops(netlist(*cells))
    assert set(range(1, back + 1)) <= set(part)
