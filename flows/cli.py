"""The `rtl-evolve` command: verbs, exit statuses, and one clear line for every mistake."""

import argparse
import os
import sqlite3
import sys
import traceback
from collections.abc import Sequence

from rtl_evolve.flows.commands import cache, check, doctor, init, libs, measure, run, show
from rtl_evolve.rtl.errors import ToolFailed, WorkbenchError

VERBS = (run, show, check, measure, init, doctor, libs, cache)
BAD_INPUT, TOOL, INTERRUPTED = 2, 4, 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one verb; the exit status: 0 success, 1 no, 2 bad input, 3 undecided, 4 a tool, 130 interrupted."""
    parser = build_parser()
    parsed = parser.parse_args(arguments)
    try:
        status: int = parsed.run(parsed)
        sys.stdout.flush()
        return status
    except KeyboardInterrupt:
        return _say("interrupted", INTERRUPTED)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except WorkbenchError as error:
        _trace()
        command = (
            f"; the command was: {' '.join(error.command)}" if isinstance(error, ToolFailed) and error.command else ""
        )
        return _say(f"{error}{command}", error.exit_status)
    except sqlite3.Error as error:
        return _say(f"the run's database cannot be read or written ({error}): disk full or read-only?", BAD_INPUT)
    except OSError as error:
        place = f"{error.filename}: " if error.filename else ""
        return _say(f"{place}{error.strerror or error}", BAD_INPUT)
    except Exception as error:  # noqa: BLE001 - the last resort: a fault of ours, told in one line
        hint = "" if _trace() else "; RTL_EVOLVE_DEBUG=1 shows where"
        return _say(f"internal error: {type(error).__name__}: {error}{hint}", TOOL)


def build_parser() -> argparse.ArgumentParser:
    """All verbs."""
    parser = argparse.ArgumentParser(
        prog="rtl-evolve",
        description="Find smaller, faster or cooler rewrites of Verilog units, each proven equivalent.",
        epilog="example:\n  rtl-evolve run mul16.v --minutes 2",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    verbs = parser.add_subparsers(metavar="VERB", required=True)
    for module in VERBS:
        module.add(verbs)
    return parser


def _trace() -> bool:
    wanted = bool(os.environ.get("RTL_EVOLVE_DEBUG"))
    if wanted:
        traceback.print_exc()
    return wanted


def _say(text: str, status: int) -> int:
    print(f"rtl-evolve: {' '.join(text.split())}", file=sys.stderr)
    return status


if __name__ == "__main__":
    sys.exit(main())
