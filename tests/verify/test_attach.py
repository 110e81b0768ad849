"""A port that has no word-level view does not end a proof."""

from pathlib import Path

from rtl_evolve.rtl.candidate import Candidate
from rtl_evolve.rtl.elaborate import Elaboration, elaborate
from rtl_evolve.rtl.load import load_design
from rtl_evolve.verify.problem import ProofLimits
from rtl_evolve.verify.prove import prove
from rtl_evolve.verify.verdict import Grade

UNIT = Path(__file__).parents[2] / "rtl" / "units" / "popcount64.v"


def test_tables_become_memories_and_are_still_proven() -> None:
    design = load_design([UNIT])
    text = UNIT.read_text()
    lookup = "count + {4'd0, ones(x[4*i +: 4])}"
    assert lookup in text
    bits = " + ".join(f"{{6'd0, x[4*i + {k}]}}" for k in range(4))
    candidate = Candidate(((design.sources.files[0].path, text.replace(lookup, f"count + {bits}")),))
    sides = [elaborate(s) for s in (design.sources, candidate.sources(design.sources))]
    golden, other = (side for side in sides if isinstance(side, Elaboration))
    assert any(cell.type.startswith("$mem") for cell in golden.netlist.cells), "what this test is about"
    assert prove(golden, other, design, ProofLimits(seconds=30)).grade is Grade.PROVEN
