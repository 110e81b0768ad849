"""`check`: is a candidate equivalent to golden?"""

import argparse
from pathlib import Path
from typing import Any

from rtl_evolve.flows.check import Checked, check_pair
from rtl_evolve.flows.commands.common import (
    Verbs,
    add_design_options,
    add_verb,
    console,
    defines_of,
    parameters_of,
    positive,
    print_json,
)
from rtl_evolve.verify.verdict import Counterexample, Grade

STATUS = {Grade.PROVEN: 0, Grade.DIFFERENT: 1, Grade.REJECTED: 1}  # all others: 3, undecided


def add(verbs: Verbs) -> None:
    """Add the verb."""
    parser = add_verb(
        verbs, "check", "prove that a candidate is equivalent to golden", "rtl-evolve check golden.v mine.v --top mul16"
    )
    parser.add_argument("golden", type=Path)
    parser.add_argument("candidate", type=Path)
    parser.add_argument(
        "--with", dest="more", action="append", default=[], type=Path, metavar="FILE", help="a file of both"
    )
    add_design_options(parser)
    parser.add_argument("--assume", action="append", default=[], metavar="EXPR", help="what holds of the input ports")
    parser.add_argument("--latency", type=int, default=0, metavar="N", help="cycles the candidate may be later")
    parser.add_argument("--x-policy", choices=("strict", "dont_care"), default="strict", help="where golden is x")
    parser.add_argument("--timeout", type=positive, default=60.0, metavar="S", help="seconds for the proof (60)")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Check, print, and give 0 (equivalent), 1 (different or rejected) or 3 (undecided)."""
    checked = check_pair(
        (arguments.golden, *arguments.more),
        (arguments.candidate,),
        arguments.top,
        include_dirs=arguments.include_dirs,
        defines=defines_of(arguments),
        parameters=parameters_of(arguments),
        assume=arguments.assume,
        latency=arguments.latency,
        x_policy=arguments.x_policy,
        seconds=arguments.timeout,
    )
    if arguments.json:
        print_json(values(checked))
    else:
        show(checked)
    return STATUS.get(checked.verdict.grade, 3)


def values(checked: Checked) -> dict[str, Any]:
    """The verdict as JSON shows it."""
    verdict = checked.verdict
    return {
        "verdict": verdict.grade.value,
        "engine": verdict.engine,
        "seconds": round(verdict.seconds, 3),
        "reasons": list(verdict.reasons),
        "counterexample": counterexample_values(verdict.counterexample),
        "assumptions": list(verdict.assumptions),
        "notes": list(checked.notes),
        "stages": {name: round(seconds, 3) for name, seconds in checked.stage_seconds},
    }


def counterexample_values(found: Counterexample | None) -> dict[str, Any] | None:
    """The cycle where outputs first differ, and the whole trace before it."""
    if found is None or not found.cycles:
        return None
    trace = [{k: dict(getattr(c, k)) for k in ("inputs", "golden", "candidate")} for c in found.cycles]
    return {"cycle": len(trace) - 1, **trace[-1], "note": found.note, "trace": trace}


def show(checked: Checked) -> None:
    """The verdict for people."""
    verdict, out = checked.verdict, console()
    out.print(f"{verdict.grade.value} by {verdict.engine} in {verdict.seconds:.2f} s", markup=False, soft_wrap=True)
    for text in (
        *verdict.reasons,
        *(f"assumed: {a}" for a in verdict.assumptions),
        *(f"note: {n}" for n in checked.notes),
    ):
        out.print(f"  {text}", markup=False, soft_wrap=True)
    found = counterexample_values(verdict.counterexample)
    if found:
        out.print(
            f"  cycle {found['cycle']}{': ' + found['note'] if found['note'] else ''}", markup=False, soft_wrap=True
        )
        for kind in ("inputs", "golden", "candidate"):
            shown = "  ".join(f"{name}={value}" for name, value in found[kind].items())
            out.print(f"    {kind:9} {shown}", markup=False, soft_wrap=True)
