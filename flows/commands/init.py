"""`init`: write a commented flow file."""

import argparse
import json
from importlib import resources
from pathlib import Path

from rtl_evolve.flows.commands.common import Verbs, add_verb, print_json
from rtl_evolve.flows.config import VERILOG
from rtl_evolve.rtl.errors import InputError


def add(verbs: Verbs) -> None:
    """Add the verb."""
    parser = add_verb(verbs, "init", "write a commented flow file to start from", "rtl-evolve init mul16.v")
    parser.add_argument("file", type=Path, help="the flow to write, or a Verilog file to write one for, beside it")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Write the template; never over a file that is there."""
    text = resources.files("rtl_evolve.flows").joinpath("init.yaml").read_text(encoding="utf-8")
    flow: Path = arguments.file
    if flow.suffix in VERILOG:
        if not flow.is_file():
            raise InputError(f"no such file: {flow}")
        text = text.replace("files: [unit.v]  ", f"files: [{json.dumps(flow.name)}]")
        flow = flow.with_suffix(".yaml")
    try:
        with flow.open("x", encoding="utf-8") as stream:
            stream.write(text)
    except FileExistsError:
        raise InputError(f"{flow} is there already: choose another name or remove it") from None
    except OSError as error:
        raise InputError(f"cannot write {flow}: {error.strerror}") from error
    if arguments.json:
        print_json({"file": str(flow)})
    else:
        print(f"wrote {flow}: edit it, then rtl-evolve run {flow}")
    return 0
