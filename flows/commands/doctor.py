"""`doctor`: is everything here that a run needs?"""

import argparse
import shutil
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass
from importlib import resources
from pathlib import Path

from rtl_evolve.flows.check import check_pair
from rtl_evolve.flows.commands.common import Verbs, add_verb, console, print_json
from rtl_evolve.rtl.errors import WorkbenchError
from rtl_evolve.rtl.process import find_tool, workspace
from rtl_evolve.rtl.process import run as run_program
from rtl_evolve.rtl.user_cache import user_cache
from rtl_evolve.rtl.yosys import abc_program, run_yosys, tool_versions, yosys_error
from rtl_evolve.synth.libraries import find_library
from rtl_evolve.verify.verdict import Grade


@dataclass(frozen=True)
class Finding:
    """One thing looked at: `text` is a version or a remedy."""

    name: str
    ok: bool
    text: str
    needed_for: str = ""


def add(verbs: Verbs) -> None:
    """Add the verb."""
    parser = add_verb(verbs, "doctor", "check that every tool is here and works", "rtl-evolve doctor")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Look at everything; 4 when something needed is missing."""
    findings = tuple(_look(*entry) for entry in CHECKS)
    if arguments.json:
        print_json({"ok": all(f.ok for f in findings), "findings": [asdict(f) for f in findings]})
    else:
        for finding in findings:
            note = f" (needed for {finding.needed_for})" if finding.needed_for and not finding.ok else ""
            console().print(
                f"{'ok     ' if finding.ok else 'MISSING'} {finding.name}: {finding.text}{note}", markup=False
            )
    return 0 if all(f.ok for f in findings) else 4


def _look(name: str, needed_for: str, check: Callable[[], str]) -> Finding:
    try:
        return Finding(name, True, check(), needed_for)
    except WorkbenchError as error:
        return Finding(name, False, str(error), needed_for)
    except (OSError, ImportError) as error:
        return Finding(name, False, f"{type(error).__name__}: {error}", needed_for)


def _python() -> str:
    return sys.version.split()[0]


def _yosys() -> str:
    with workspace() as folder:
        finished = run_yosys("log works\n", folder)
        if not finished.ok:
            raise OSError(yosys_error(finished))
    return f"pyosys {tool_versions()['pyosys']}"


def _abc() -> str:
    with workspace() as folder:
        finished = run_program([abc_program(), "-c", "version"], folder)
        if not finished.ok:
            raise OSError(f"yosys-abc ended with status {finished.status}")
    return abc_program()


def _library() -> str:
    library = find_library()
    return f"{library.name}, {len(library.cells)} cells"


def _proof() -> str:
    unit = Path(str(resources.files("rtl_evolve.rtl") / "units" / "popcount64.v"))
    verdict = check_pair((unit,), (unit,)).verdict
    if verdict.grade is not Grade.PROVEN:
        raise OSError(f"a shipped unit was not proven equal to itself: {verdict.grade.value}")
    return f"a shipped unit is proven equal to itself by {verdict.engine}"


def _disk() -> str:
    folder = user_cache()
    folder.mkdir(parents=True, exist_ok=True)
    return f"{folder}, {shutil.disk_usage(folder).free / 1e9:.1f} GB free"


CHECKS: tuple[tuple[str, str, Callable[[], str]], ...] = (
    ("python", "", _python),
    ("yosys", "everything", _yosys),
    ("abc", "proofs and synthesis", _abc),
    ("library", "measuring", _library),
    ("proof", "everything", _proof),
    ("g++", "the simulation bench", lambda: find_tool("g++")),
    ("make", "the simulation bench", lambda: find_tool("make")),
    ("perl", "the simulation bench", lambda: find_tool("perl")),
    ("cache folder", "libraries and results kept between runs", _disk),
)
