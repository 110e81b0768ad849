"""`cache`: results kept between runs."""

import argparse

from rtl_evolve.flows.cache import clear_cache
from rtl_evolve.flows.commands.common import Verbs, add_verb, print_json
from rtl_evolve.rtl.user_cache import user_cache


def add(verbs: Verbs) -> None:
    """Add the verb."""
    parser = add_verb(verbs, "cache", "show or clear the results kept between runs", "rtl-evolve cache --clear")
    parser.add_argument("--clear", action="store_true", help="forget all evaluations")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Where the cache is and how large; with --clear, empty it."""
    folder = user_cache()
    size = sum(p.stat().st_size for p in folder.glob("evaluations.sqlite*"))
    freed = clear_cache() if arguments.clear else 0
    if arguments.json:
        print_json({"folder": str(folder), "bytes": size - freed, "freed": freed})
    elif arguments.clear:
        print(f"cleared {freed / 1e6:.1f} MB of evaluations in {folder}")
    else:
        print(f"{folder}: {size / 1e6:.1f} MB of evaluations (--clear forgets them)")
    return 0
