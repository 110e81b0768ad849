"""`libs`: the cell libraries that have a name."""

import argparse
from dataclasses import asdict

from rich.table import Table
from rtl_evolve.flows.commands.common import Verbs, add_verb, console, print_json
from rtl_evolve.synth.libraries import DEFAULT_LIBRARY, known_libraries


def add(verbs: Verbs) -> None:
    """Add the verb."""
    parser = add_verb(verbs, "libs", "list the cell libraries that have a name", "rtl-evolve libs")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """List them; a .lib file needs no name."""
    libraries = known_libraries()
    if arguments.json:
        print_json({"default": DEFAULT_LIBRARY, "libraries": [asdict(library) for library in libraries]})
        return 0
    table = Table()
    for column in ("name", "process", "licence", "installed"):
        table.add_column(column)
    for library in libraries:
        mark = " (default)" if library.name == DEFAULT_LIBRARY else ""
        table.add_row(library.name + mark, library.process, library.licence, "yes" if library.path else library.remedy)
    console().print(table)
    console().print("any .lib or .lib.gz file: --lib PATH")
    return 0
