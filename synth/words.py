"""The values of a design's word-level cells as functions of inputs and state, hidden signals too."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from rtl_evolve.rtl.aig import FALSE, TRUE, Aig, AigBuilder
from rtl_evolve.rtl.elaborate import Elaboration
from rtl_evolve.rtl.netlist import Bit
from rtl_evolve.rtl.process import Limits, workspace
from rtl_evolve.rtl.yosys import run_yosys
from rtl_evolve.synth.gates import GATES, bit_names, build_gates

_SCRIPT = Path(__file__).with_name("words.ys")


@dataclass(frozen=True)
class Words:
    """A graph whose inputs are named bits (`a[3]`, a register's `u.q[0]`), and literals of the netlist's bits.

    `literals` is by bit number of the elaboration's word-level netlist; bits it doesn't know are left out.
    """

    aig: Aig
    sources: tuple[str, ...]
    literals: Mapping[Bit, int]


def word_functions(elaboration: Elaboration, limits: Limits | None = None) -> Words | None:
    """Blast the design without optimising anything away; None when Yosys can't."""
    with workspace() as folder:
        (folder / "word.il").write_text(elaboration.rtlil)
        if not run_yosys(_SCRIPT.read_text(), folder, limits).ok:
            return None
        module = json.loads((folder / "bits.json").read_text())["modules"]["dut"]
    names = bit_names(module["netnames"])
    literals: dict[int | str, int] = {"0": FALSE, "1": TRUE, "x": FALSE, "z": FALSE}
    held = [cell for cell in module["cells"].values() if cell["type"] not in GATES]
    sources = [b for port in module["ports"].values() if port["direction"] == "input" for b in port["bits"]]
    for cell in held:
        outputs = [pin for pin, way in cell["port_directions"].items() if way == "output"]
        sources += [bit for pin in outputs for bit in cell["connections"][pin]]
    builder = AigBuilder(len(sources))
    literals |= {bit: builder.input(place) for place, bit in enumerate(sources)}
    if build_gates([c for c in module["cells"].values() if c["type"] in GATES], literals, builder):
        return None
    return Words(
        builder.build(),
        tuple(names.get(bit, "") for bit in sources),
        _by_word_bit(elaboration, module["netnames"], literals),
    )


def _by_word_bit(
    elaboration: Elaboration, netnames: Mapping[str, Mapping[str, list[int | str]]], literals: Mapping[int | str, int]
) -> dict[Bit, int]:
    """Signals keep their names through blasting, so bits of both netlists meet by name and place."""
    found: dict[Bit, int] = {}
    netlist = elaboration.netlist
    for name, bits in (*netlist.names.items(), *netlist.hidden.items()):
        blasted = netnames.get(name, {}).get("bits", [])
        for mine, theirs in zip(bits, blasted, strict=False):
            if isinstance(mine, int) and theirs in literals:
                found.setdefault(mine, literals[theirs])
    return found
