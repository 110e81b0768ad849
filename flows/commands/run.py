"""`run` and `resume`: search for a better, proven rewrite."""

import argparse
from dataclasses import replace
from pathlib import Path
from typing import Any

from rtl_evolve.evolver.database import ProgramDatabase
from rtl_evolve.evolver.models.model import ModelError
from rtl_evolve.evolver.objective import parse_objective
from rtl_evolve.flows.commands.common import (
    Verbs,
    add_design_options,
    add_verb,
    console,
    defines_of,
    existing_run,
    parameters_of,
    positive,
    print_json,
    whole,
)
from rtl_evolve.flows.config import BUDGETS, Settings, for_target, max_delay_from
from rtl_evolve.flows.config_proposers import PROPOSERS, from_options
from rtl_evolve.flows.progress import Display
from rtl_evolve.flows.run import begin, change_budget, go_on
from rtl_evolve.flows.stop import INTERRUPTED, Stop
from rtl_evolve.flows.tables import show_result
from rtl_evolve.rtl.errors import InputError


def add(verbs: Verbs) -> None:
    """Add both verbs."""
    parser = add_verb(
        verbs,
        "run",
        "search for a better rewrite of a unit, each proven equivalent",
        "rtl-evolve run mul16.v --minutes 2",
    )
    parser.add_argument("target", type=Path, metavar="TARGET", help="a Verilog/SystemVerilog file, or a flow .yaml")
    add_design_options(parser)
    parser.add_argument("--lib", metavar="L", help="a library's name or .lib file")
    parser.add_argument("--objective", metavar="O", help='area, power, delay or a product such as "area*power"')
    parser.add_argument("--max-delay", metavar="keep|none|PS", help="how slow a best may be (keep)")
    _add_budget(parser)
    parser.add_argument("--seed", type=int, metavar="S", help="the same seed gives the same run (1)")
    parser.add_argument(
        "--proposer", action="append", choices=PROPOSERS, help="where candidates come from (rules); may be repeated"
    )
    parser.add_argument("--model", metavar="NAME", help="the model of gemini or openai, as its endpoint names it")
    parser.add_argument("--base-url", metavar="URL", help="another endpoint for it (openai: up to and with /v1)")
    parser.add_argument("--replay", type=Path, metavar="DIR", help="the run that the proposer replay repeats")
    parser.add_argument("--out", type=Path, metavar="DIR", help="the folder to write (TOP-run)")
    parser.add_argument("--no-cache", action="store_true", help="use no results of earlier runs")
    parser.set_defaults(run=run)
    parser = add_verb(
        verbs, "resume", "go on with a run that ended or was killed", "rtl-evolve resume mul16-run --minutes 5"
    )
    parser.add_argument("folder", type=Path, metavar="DIR")
    _add_budget(parser)
    parser.set_defaults(run=resume)


def _add_budget(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--candidates", type=whole, metavar="N", help="evaluate at most N candidates in all")
    parser.add_argument("--minutes", type=positive, metavar="M", help="run at most M minutes in all (5)")
    parser.add_argument("--tokens", type=whole, metavar="N", help="spend at most N tokens of language models in all")
    parser.add_argument("--dollars", type=positive, metavar="D", help="spend at most D dollars on them in all")
    parser.add_argument("--workers", type=whole, metavar="N", help="worker processes (all processors)")


def run(arguments: argparse.Namespace) -> int:
    """Start a run and see it through."""
    settings = settings_of(arguments)
    folder = arguments.out or Path(f"{settings.design.top or arguments.target.stem}-run")
    stop = Stop()
    with stop.on_signals(), Display(_limit(settings)) as display:
        database = begin(settings, folder, display.tell)
        result = go_on(database, folder, stop, display.result, display.tell)
    return _end(arguments, folder, database, result)


def resume(arguments: argparse.Namespace) -> int:
    """Go on with a stored run, with a larger budget when one is given."""
    database = ProgramDatabase.open(existing_run(arguments.folder))
    settings = change_budget(database, _budget(arguments))
    stop = Stop()
    with stop.on_signals(), Display(_limit(settings)) as display:
        result = go_on(database, arguments.folder, stop, display.result, display.tell)
    return _end(arguments, arguments.folder, database, result)


def _end(arguments: argparse.Namespace, folder: Path, database: ProgramDatabase, result: dict[str, Any]) -> int:
    database.close()
    if arguments.json:
        print_json(result)
    else:
        show_result(console(), result)
        console().print(
            f"ended: {result['ended']}; see {folder}/report.html, report.md, best.patch, result.json", markup=False
        )
    if result["ended"] == "model":
        raise ModelError(f"{'; '.join(result['problems'])} (what was found before is kept in {folder})")
    return 130 if result["ended"] == INTERRUPTED else 0


def _limit(settings: Settings) -> str:
    limits = [f"{settings.candidates} candidates"] if settings.candidates else []
    limits += [f"{settings.minutes:g} minutes"] if settings.minutes else []
    return f" (limit {' or '.join(limits)})" if limits else ""


def _budget(arguments: argparse.Namespace) -> dict[str, Any]:
    """What the options say about budget and workers; any other budget alone lifts the limit of time."""
    given = {k: getattr(arguments, k) for k in (*BUDGETS, "workers") if getattr(arguments, k) is not None}
    return {"minutes": None, **given} if set(BUDGETS) & set(given) else given


def settings_of(arguments: argparse.Namespace) -> Settings:
    """The target's settings with the command line's on top."""
    settings = for_target(arguments.target)
    design = settings.design
    design = replace(
        design,
        top=arguments.top or design.top,
        include_dirs=(*design.include_dirs, *arguments.include_dirs),
        defines=(*design.defines, *defines_of(arguments)),
        parameters=tuple({**dict(design.parameters), **dict(parameters_of(arguments))}.items()),
    )
    objective = settings.objective
    max_delay = objective.max_delay
    if arguments.max_delay is not None:
        found = max_delay_from(arguments.max_delay)
        if found is None:
            raise InputError(f"--max-delay must be keep, none or a number of picoseconds, not {arguments.max_delay!r}")
        max_delay = found
    try:
        objective = parse_objective(arguments.objective or str(objective), max_delay, objective.max_loss)
    except ValueError as error:
        raise InputError(f"--objective: {error}") from None
    return replace(
        settings,
        design=design,
        objective=objective,
        library=arguments.lib or settings.library,
        proposers=from_options(
            settings.proposers, arguments.proposer, arguments.model, arguments.base_url, arguments.replay
        ),
        seed=settings.seed if arguments.seed is None else arguments.seed,
        cache=settings.cache and not arguments.no_cache,
        **_budget(arguments),
    )
