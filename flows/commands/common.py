"""Options that several verbs share, and how they print."""

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from rich.console import Console
from rtl_evolve.rtl.errors import InputError
from rtl_evolve.rtl.load import assignment

Verbs = Any  # argparse's subparsers action, which has no public type


def add_verb(verbs: Verbs, name: str, summary: str, example: str) -> argparse.ArgumentParser:
    """A verb's parser with `--json` and its example."""
    parser: argparse.ArgumentParser = verbs.add_parser(
        name,
        help=summary,
        description=summary[0].upper() + summary[1:] + ".",
        epilog=f"example:\n  {example}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object on standard output, nothing else")
    return parser


def add_design_options(parser: argparse.ArgumentParser) -> None:
    """--top, -G, -I, -D."""
    parser.add_argument("--top", metavar="T", help="the top module (found by itself when there is only one)")
    parser.add_argument("-G", dest="parameters", action="append", default=[], metavar="NAME=VALUE", help="a parameter")
    parser.add_argument("-I", dest="include_dirs", action="append", default=[], type=Path, metavar="DIR")
    parser.add_argument("-D", dest="defines", action="append", default=[], metavar="NAME[=VALUE]", help="a macro")


def parameters_of(arguments: argparse.Namespace) -> tuple[tuple[str, str], ...]:
    """The -G options."""
    return tuple(assignment(text) for text in arguments.parameters)


def defines_of(arguments: argparse.Namespace) -> tuple[tuple[str, str], ...]:
    """The -D options."""
    return tuple(assignment(text, default="1") for text in arguments.defines)


def positive(text: str) -> float:
    """A number above 0, for argparse."""
    number = float(text)
    if not 0 < number < float("inf"):
        raise argparse.ArgumentTypeError(f"{text} is not above 0")
    return number


def whole(text: str) -> int:
    """A whole number above 0, for argparse."""
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text} is not above 0")
    return number


def print_json(value: Any) -> None:
    """One object on standard output."""
    json.dump(value, sys.stdout, indent=2)
    sys.stdout.write("\n")


def console() -> Console:
    """Where tables for people go: standard output, not narrower than a table when it is no terminal."""
    return Console(width=None if sys.stdout.isatty() else 120, highlight=False, soft_wrap=False)


def existing_run(folder: Path) -> Path:
    """The database of a run's folder."""
    path = folder / "run.sqlite"
    if not path.is_file():
        raise InputError(f"{folder} is not the folder of a run: it has no run.sqlite")
    return path
