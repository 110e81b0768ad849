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
