"""Compares delay and power with OpenSTA (`sta` on PATH) over units and libraries: one line a netlist, ours over theirs.

Run: python benchmarks/synth_opensta.py [--library L]... [--recipe R]... [FILE.v]... (default: all shipped units)
"""

import argparse
from pathlib import Path

from rtl_evolve.rtl.elaborate import Elaboration, elaborate
from rtl_evolve.rtl.load import load_design
from rtl_evolve.synth.activity import Activity, activity_of, simulate
from rtl_evolve.synth.glitch import timed_activity
from rtl_evolve.synth.measure import MeasureSettings, Netlist, measure_in_detail, workload_for
from rtl_evolve.synth.opensta import opensta_figures
from rtl_evolve.synth.power import estimate_power

UNITS = Path(__file__).parents[1] / "rtl" / "units"
PERIOD_PS = 50_000.0


def compare(netlist: Netlist, activity: Activity, clocks: tuple[str, ...]) -> tuple[float, float, float]:
    """Our delay and power over OpenSTA's, and its power in uW."""
    theirs = opensta_figures(netlist.mapped, activity, PERIOD_PS, clocks)
    ours = estimate_power(netlist.mapped, netlist.timing, activity, PERIOD_PS).total()
    return netlist.timing.delay_ps / theirs.delay_ps, ours.total_uw / theirs.power.total_uw, theirs.power.total_uw


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--library", action="append")
    parser.add_argument("--recipe", action="append")
    options = parser.parse_args()
    print(f"{'design':14} {'library':28} {'recipe':12} delay    power    power with glitches, uW")
    for library in options.library or ["nangate45"]:
        for file in options.files or sorted(UNITS.glob("*.v")):
            design = load_design([file])
            elaboration = elaborate(design.sources)
            assert isinstance(elaboration, Elaboration)
            workload = workload_for(design)
            settings = MeasureSettings(
                library=library, recipes=tuple(options.recipe or ["stock"]), power=False, workload=workload
            )
            for netlist in measure_in_detail(elaboration, settings).netlists:
                waves = simulate(netlist.mapped, workload)
                delay, power, _ = compare(netlist, activity_of(waves), workload.clocks)
                timed = timed_activity(netlist.mapped, netlist.timing, waves)
                _, glitchy, watts = compare(netlist, timed, workload.clocks)
                name = netlist.measurement.library
                print(
                    f"{design.top:14} {name:28} {netlist.measurement.recipe:12} {delay:.6f} {power:.6f} {glitchy:.6f} {watts:.2f}"
                )


if __name__ == "__main__":
    main()
