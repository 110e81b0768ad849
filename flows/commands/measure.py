"""`measure`: what does a design cost?"""

import argparse
import time
from pathlib import Path

from rich.table import Table
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
from rtl_evolve.flows.config import DesignSettings, Settings
from rtl_evolve.flows.examine import golden_of
from rtl_evolve.flows.prepare import design_of, measure_settings
from rtl_evolve.flows.result import measurement_values
from rtl_evolve.rtl.errors import ToolFailed
from rtl_evolve.synth.measure import measure_in_detail
from rtl_evolve.synth.measurement import Measurement


def add(verbs: Verbs) -> None:
    """Add the verb."""
    parser = add_verb(
        verbs,
        "measure",
        "synthesise a design and measure area, delay and power",
        "rtl-evolve measure mul16.v --recipe all",
    )
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
    add_design_options(parser)
    parser.add_argument("--lib", default="nangate45", metavar="L", help="a library's name or .lib file")
    parser.add_argument(
        "--recipe", action="append", metavar="R", help="a recipe or set of them (default); may be repeated"
    )
    parser.add_argument("--clock", action="append", type=positive, default=[], metavar="PS", help="a clock target")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Measure and print."""
    began = time.monotonic()
    design_settings = DesignSettings(
        tuple(arguments.files),
        arguments.top,
        tuple(arguments.include_dirs),
        defines_of(arguments),
        parameters_of(arguments),
    )
    settings = Settings(
        str(arguments.files[0]),
        design_settings,
        library=arguments.lib,
        recipes=tuple(arguments.recipe or ("default",)),
        clock_ps=tuple(arguments.clock),
    )
    design = design_of(design_settings)
    measured = measure_in_detail(golden_of(design.sources), measure_settings(settings, design))
    failures = [f"{f.recipe}: {f.reason}" for f in measured.failures]
    if not measured.measurements:
        raise ToolFailed(f"{design.top} could not be measured: {'; '.join(failures) or 'no recipe worked'}")
    seconds = round(time.monotonic() - began, 3)
    if arguments.json:
        shown = [measurement_values(m) for m in measured.measurements]
        print_json(
            {
                "library": measured.measurements[0].library,
                "measurements": shown,
                "seconds": seconds,
                "failures": failures,
            }
        )
    else:
        console().print(table_of(measured.measurements, f"{design.top}, {measured.measurements[0].library}"))
        for failure in failures:
            console().print(f"failed: {failure}", markup=False, soft_wrap=True)
    return 0


def table_of(measurements: tuple[Measurement, ...], title: str) -> Table:
    """Measurements as a table for people."""
    table = Table(title=title)
    table.add_column("recipe")
    for column in ("clock ps", "area um2", "delay ps", "power uW", "cells", "flip-flops"):
        table.add_column(column, justify="right")
    for m in measurements:
        clock = "" if m.clock_ps is None else f"{m.clock_ps:.0f}"
        power = "" if m.power is None else f"{m.power.total_uw:.2f}"
        table.add_row(
            m.recipe, clock, f"{m.area_um2:.1f}", f"{m.delay_ps:.0f}", power, str(m.cells), str(m.sequential_cells)
        )
    return table
