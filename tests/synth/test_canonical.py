"""Changes that mean nothing must end in the same netlist; changes that mean something must be kept."""

from collections.abc import Callable
from dataclasses import replace
from random import Random

from hypothesis import assume, given
from hypothesis import strategies as st
from rtl_evolve.rtl.aig import Aig, AigBuilder, value
from rtl_evolve.rtl.elaborate import Elaboration
from rtl_evolve.synth.canonical import canonical, structure_hashes
from rtl_evolve.synth.gates import GateFlop, GatePort, Gates
from rtl_evolve.synth.library import Library
from rtl_evolve.synth.mapped import Mapped
from rtl_evolve.synth.recipe import load_recipes
from rtl_evolve.synth.synthesise import Job, synthesise


def random_gates(library: Library, random: Random, flops: int, ands: int) -> Gates:
    """A design with three inputs, and its flip-flops' data and outputs anywhere."""
    builder = AigBuilder(4 + flops)
    literals = [builder.input(place) for place in range(4 + flops)]
    for _ in range(ands):
        one, other = (random.choice(literals) ^ random.getrandbits(1) for _ in range(2))
        literals.append(builder.and_(one, other))
    ports = (
        GatePort("clk", "input", (2,)),
        GatePort("a", "input", (4, 6, 8)),
        GatePort("y", "output", tuple(random.choice(literals) ^ random.getrandbits(1) for _ in range(3))),
    )
    cell = library.cells["DFF"]
    found = tuple(
        GateFlop(cell, (("CK", 2), ("D", random.choice(literals))), (("Q", 5 + place),), f"q{place}", "")
        for place in range(flops)
    )
    return Gates(builder.build(), ports, found)


def shuffled(gates: Gates, random: Random) -> Gates:
    """The same design with ports, flip-flops, gates and operands in another order and states renamed."""
    inputs = gates.aig.inputs
    places = list(range(1, inputs + 1))
    random.shuffle(places)
    new = dict(zip(range(1, inputs + 1), places, strict=True)) | {0: 0}
    fanins: list[tuple[int, int]] = []
    ready = list(range(len(gates.aig.fanin0)))
    while ready:
        random.shuffle(ready)
        for k in ready:
            pair = [gates.aig.fanin0[k], gates.aig.fanin1[k]]
            if all(lit >> 1 in new for lit in pair):
                random.shuffle(pair)
                new[inputs + 1 + k] = inputs + 1 + len(fanins)
                fanins.append((2 * new[pair[0] >> 1] + (pair[0] & 1), 2 * new[pair[1] >> 1] + (pair[1] & 1)))
                ready.remove(k)
                break

    def literal(old: int) -> int:
        return 2 * new[old >> 1] + (old & 1)

    ports = [replace(port, literals=tuple(map(literal, port.literals))) for port in gates.ports]
    flops = [
        replace(
            flop,
            inputs=tuple((pin, literal(lit)) for pin, lit in flop.inputs),
            outputs=tuple((pin, new[variable]) for pin, variable in flop.outputs),
            state=f"r{random.random()}",
        )
        for flop in gates.flops
    ]
    random.shuffle(ports)
    random.shuffle(flops)
    aig = Aig(inputs, tuple(a for a, _ in fanins), tuple(b for _, b in fanins))
    return Gates(aig, tuple(ports), tuple(flops))


def alike(gates: Gates) -> bool:
    """Whether some flip-flops have the same structure before them: those are taken in the order they come."""
    _, flops = structure_hashes(gates, 0)
    return len(set(flops)) < len(flops)


@given(st.integers(0, 10**9), st.integers(0, 5), st.integers(0, 40))
def test_the_order_of_things_does_not_matter(small: Library, seed: int, flops: int, ands: int) -> None:
    random = Random(seed)
    gates = random_gates(small, random, flops, ands)
    assume(not alike(gates))
    one, other = canonical(gates), canonical(shuffled(gates, random))
    assert one.aig == other.aig
    assert one.ports == other.ports
    assert [(f.cell, f.inputs, f.outputs) for f in one.flops] == [(f.cell, f.inputs, f.outputs) for f in other.flops]


@given(st.integers(0, 10**9), st.integers(0, 5), st.integers(0, 40))
def test_every_function_is_kept(small: Library, seed: int, flops: int, ands: int) -> None:
    random = Random(seed)
    gates = random_gates(small, random, flops, ands)
    after = canonical(gates)
    width = 64

    def functions(design: Gates, source: dict[str, int]) -> dict[str, int]:
        """Value of each output bit and flip-flop input, the sources given by name."""
        patterns = [0] * design.aig.inputs
        for port in design.ports:
            if port.direction == "input":
                for place, lit in enumerate(port.literals):
                    patterns[(lit >> 1) - 1] = source[f"{port.name}{place}"]
        for flop in design.flops:
            for pin, variable in flop.outputs:
                patterns[variable - 1] = source[f"{flop.state}.{pin}"]
        values = design.aig.simulate(patterns, width)
        found = {
            f"{port.name}{place}": value(values, lit, width)
            for port in design.ports
            for place, lit in enumerate(port.literals)
        }
        return found | {f"{f.state}.{pin}": value(values, lit, width) for f in design.flops for pin, lit in f.inputs}

    names = ["clk0", "a0", "a1", "a2", *(f"q{k}.Q" for k in range(flops))]
    source = {name: random.getrandbits(width) for name in names}
    assert functions(after, source) == functions(gates, source)
    assert len(after.flops) == flops


def test_meaningless_changes_of_the_text_give_the_same_netlist(
    nangate: Library, elaborated: Callable[[str], Elaboration]
) -> None:
    plain = """module top(input clk, input [7:0] a, b, output [7:0] y, output reg [3:0] z);
      wire [7:0] s = a + b; wire [7:0] t = a & ~b;
      reg [3:0] q;
      always @(posedge clk) begin q <= s[3:0] ^ z; z <= q + t[7:4]; end
      assign y = s ^ t;
    endmodule"""
    turned = """module top(input clk, input [7:0] a, b, output [7:0] y, output reg [3:0] z);
      reg [3:0] zebra;
      wire [7:0] anton; wire [7:0] sum;
      assign y = anton ^ sum;
      assign anton = ~b & a;
      assign sum = a + b;
      always @(posedge clk) z <= zebra + anton[7:4];
      always @(posedge clk) zebra <= z ^ sum[3:0];
    endmodule"""
    jobs = [Job(recipe) for recipe in load_recipes().choose(["stock", "quick"])]
    one, other = (synthesise(elaborated(text).rtlil, jobs, nangate) for text in (plain, turned))
    for mine, theirs in zip(one, other, strict=True):
        assert isinstance(mine.result, Mapped)
        assert isinstance(theirs.result, Mapped)
        assert [(i.cell.name, i.nets) for i in mine.result.instances] == [
            (i.cell.name, i.nets) for i in theirs.result.instances
        ]
