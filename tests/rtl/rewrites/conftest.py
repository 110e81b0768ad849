"""What every rule test does: read a design, collect a family's proposals, apply them, and prove the result."""

import random
from collections.abc import Callable

import pytest
from rtl_evolve.rtl.candidate import Candidate
from rtl_evolve.rtl.design import Clock, Design, Port, Reset, SourceFile, Sources
from rtl_evolve.rtl.elaborate import Elaboration, elaborate
from rtl_evolve.rtl.rewrites.registry import apply
from rtl_evolve.rtl.rewrites.rule import Family, Rewrite
from rtl_evolve.rtl.rewrites.view import View
from rtl_evolve.verify.problem import ProofLimits
from rtl_evolve.verify.prove import prove
from rtl_evolve.verify.verdict import Verdict


class Lab:
    """One design and what a family makes of it."""

    def __init__(self, text: str, clocked: bool, tmp_path) -> None:
        self.sources = Sources((SourceFile("unit.v", text),), "top")
        golden = elaborate(self.sources)
        assert isinstance(golden, Elaboration), golden
        self.golden = golden
        ports = tuple(Port(p.name, p.direction, len(p.bits)) for p in golden.netlist.ports)
        reset = Reset("rst", 1, False) if any(p.name == "rst" for p in ports) else None
        clocks = (Clock("clk", "rising"),) if clocked else ()
        self.design = Design(tmp_path, self.sources, ports, clocks=clocks, reset=reset)
        self.view = View.of(self.sources, golden, reset=reset)

    def proposals(self, family: Family, rule: str = "") -> list[Rewrite]:
        """The family's proposals, of one rule when it is named."""
        found = list(family.propose(self.view, random.Random(1)))
        return [r for r in found if not rule or r.rule == rule]

    def text(self, rewrite: Rewrite) -> str:
        """The unit after a rewrite."""
        files = apply(rewrite, self.view.texts)
        assert files is not None, "edits overlap"
        return files["unit.v"]

    def proof(self, rewrite: Rewrite) -> Verdict:
        """What the prover says of it; fails when the text doesn't elaborate."""
        candidate = elaborate(Candidate((("unit.v", self.text(rewrite)),)).sources(self.sources))
        assert isinstance(candidate, Elaboration), (candidate, self.text(rewrite))
        return prove(self.golden, candidate, self.design, ProofLimits(seconds=20))


@pytest.fixture
def lab(tmp_path) -> Callable[..., Lab]:
    def make(text: str, *, clocked: bool = False) -> Lab:
        return Lab(text, clocked, tmp_path)

    return make


class Expressions:
    """Random expressions over some declared signals, of all operators that synthesis takes."""

    def __init__(self, rng: random.Random, names: list[tuple[str, int]]) -> None:
        self.rng, self.names = rng, names

    def leaf(self) -> str:
        name, width = self.rng.choice(self.names)
        kind = self.rng.randrange(6)
        if kind == 0:
            size = self.rng.randrange(1, 9)
            return f"{size}'{self.rng.choice(('', 's'))}d{self.rng.randrange(1 << size)}"
        if kind == 1 and width > 1:
            return f"{name}[{self.rng.randrange(width)}]"
        if kind == 2 and width > 2:
            low = self.rng.randrange(width - 1)
            return f"{name}[{self.rng.randrange(low, width)}:{low}]"
        return name

    def make(self, depth: int) -> str:
        if depth == 0 or self.rng.random() < 0.1:
            return self.leaf()
        a, b = self.make(depth - 1), self.make(depth - 1)
        forms = [
            "{a} + {b}",
            "{a} - {b}",
            "{a} * {b}",
            "{a} & {b}",
            "{a} | {b}",
            "{a} ^ {b}",
            "{a} < {b}",
            "{a} >= {b}",
        ]
        forms += [
            "{a} == {b}",
            "{a} != {b}",
            "{a} && {b}",
            "{a} || {b}",
            "~{a}",
            "-{a}",
            "!{a}",
            "^{a}",
            "&{a}",
            "|{a}",
        ]
        forms += [
            "{{{a}, {b}}}",
            "{{2{{{a}}}}}",
            "$signed({a})",
            "$unsigned({a})",
            "{a} ? {b} : {a}",
            "{b} ? {a} : {b}",
        ]
        forms += [
            "{a} << {n}",
            "{a} >> {n}",
            "$signed({a}) >>> {n}",
            "{a} - {b}",
            "{a} + {b}",
            "{a} ? {b} - {a} : {b} + {a}",
        ]
        return "(" + self.rng.choice(forms).format(a=a, b=b, n=self.leaf()) + ")"


def random_unit_text(seed: int) -> str:
    """A unit of wires, a combinational block and a clocked block, with a comment on every item."""
    rng = random.Random(seed)
    names = [("a", 6), ("b", 6), ("c", 3), ("s", 5), ("t", 1)]
    lines = ["module top(input clk, rst, input [5:0] a, b, input [2:0] c, input signed [4:0] s, input t,"]
    lines += ["  output reg [6:0] q, output reg [5:0] r, output [7:0] y, output z); // ports"]
    for index in range(rng.randrange(1, 5)):
        width = rng.randrange(1, 10)
        sign = rng.choice(("", "signed "))
        value = Expressions(rng, names).make(rng.randrange(1, 4))
        lines.append(f"  wire {sign}[{width - 1}:0] w{index} = {value}; // wire {index}")
        names.append((f"w{index}", width))
    e = Expressions(rng, names)
    lines += [f"  assign y = {e.make(3)}; // y", f"  assign z = {e.make(2)}; /* z */"]
    lines += [
        "  always @* // choose",
        "    case (c)",
        f"      3'd0: r = {e.make(2)}; // zero",
        f"      3'd1: r = {e.make(2)};",
    ]
    lines += [
        f"      3'd2, 3'd3: r = {e.make(2)};",
        f"      default: if (t) r = {e.make(1)}; else r = {e.make(1)}; // rest",
    ]
    lines += ["    endcase", "  always @(posedge clk) begin", "    if (rst) q <= 7'd0; // reset"]
    lines += [f"    else if (t) q <= {e.make(2)}; // step", "  end", "endmodule // top", ""]
    return "\n".join(lines)


@pytest.fixture
def random_unit() -> Callable[[int], str]:
    return random_unit_text
