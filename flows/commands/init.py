"""`init`: write a commented flow file."""

import argparse
from importlib import resources
from pathlib import Path

from rtl_evolve.flows.commands.common import Verbs, add_verb, print_json
from rtl_evolve.rtl.errors import InputError


def add(verbs: Verbs) -> None:
    """Add the verb."""
    parser = add_verb(verbs, "init", "write a commented flow file to start from", "rtl-evolve init flow.yaml")
    parser.add_argument("file", type=Path)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Write the template; never over a file that is there."""
    text = resources.files("rtl_evolve.flows").joinpath("init.yaml").read_text(encoding="utf-8")
    try:
        with arguments.file.open("x", encoding="utf-8") as stream:
            stream.write(text)
    except FileExistsError:
        raise InputError(f"{arguments.file} is there already: choose another name or remove it") from None
    except OSError as error:
        raise InputError(f"cannot write {arguments.file}: {error.strerror}") from error
    if arguments.json:
        print_json({"file": str(arguments.file)})
    else:
        print(f"wrote {arguments.file}: set design.files, then rtl-evolve run {arguments.file}")
    return 0
