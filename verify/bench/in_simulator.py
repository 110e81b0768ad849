"""The cocotb test of the lock-step bench; it runs inside the simulation.

It drives golden and candidate by the plan, notes what they answer, and stops at the first phase in which they differ.
"""

import json
import os
from pathlib import Path

import cocotb
from cocotb.handle import LogicArrayObject
from cocotb.triggers import Timer
from rtl_evolve.verify.bench.phases import read_phases


@cocotb.test()
async def lockstep(_: object) -> None:
    """Writes {"differs": index of the phase or null, "with": ..., "answers": [[golden, candidate], ...]}."""
    phases = read_phases(Path(os.environ["RTL_EVOLVE_PHASES"]))
    golden, candidate = (cocotb.tops[f"rtl_evolve_{side}"] for side in ("golden", "candidate"))
    inputs: list[LogicArrayObject] = [golden.stimulus, candidate.stimulus]
    outputs: list[LogicArrayObject] = [golden.response, candidate.response]
    answers: list[tuple[int, int]] = []
    differs, against = None, ""
    for index, phase in enumerate(phases):
        for side in inputs:
            side.value = phase.stimulus
        await Timer(1, "ns")
        ours, theirs = (side.value.to_unsigned() for side in outputs)
        answers.append((ours, theirs))
        if phase.reference is None:
            continue
        before = phases[phase.reference]
        if (ours ^ phase.expected) & phase.determined:
            differs, against = index, "elaboration"
            break
        if (answers[phase.reference][0] ^ theirs) & before.determined:
            differs, against = index, "candidate"
            break
    result = {"differs": differs, "against": against, "answers": answers}
    Path(os.environ["RTL_EVOLVE_RESULT"]).write_text(json.dumps(result))
