"""Seconds of measuring a 16x16 multiplier, as CPU time and as ratios to Yosys's own `synth` and `abc` of the same.

Run: python benchmarks/synth_speed.py [FILE.v]
The ratios say more than the seconds on a machine that does other things too. Limits that must hold on an idle core: all
recipes 3 s, quick power of 10,000 vectors 0.3 s, power with glitches 3 s.
"""

import argparse
import resource
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from rtl_evolve.rtl.elaborate import Elaboration, elaborate
from rtl_evolve.rtl.load import load_design
from rtl_evolve.rtl.process import workspace
from rtl_evolve.rtl.yosys import run_yosys
from rtl_evolve.synth.activity import activity_of, simulate
from rtl_evolve.synth.attribution import attribute
from rtl_evolve.synth.glitch import timed_activity
from rtl_evolve.synth.libraries import find_library
from rtl_evolve.synth.measure import MeasureSettings, measure, measure_in_detail, workload_for
from rtl_evolve.synth.power import estimate_power
from rtl_evolve.synth.timing import analyse

MULTIPLIER = "module mul(input [15:0] a, b, output [31:0] p); assign p = a * b; endmodule\n"


def cpu_seconds() -> float:
    """CPU time of this process and its children so far."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(u.ru_utime + u.ru_stime for u in used)


def timed(work: Callable[[], object]) -> tuple[float, float]:
    """CPU and wall seconds of one call."""
    before, began = cpu_seconds(), time.perf_counter()
    work()
    return cpu_seconds() - before, time.perf_counter() - began


def yosys_alone(elaboration: Elaboration) -> None:
    """What a user pays for one netlist: `synth`, `dfflibmap` and `abc` with the library's own file."""
    library = find_library()
    with workspace() as folder:
        (folder / "word.il").write_text(elaboration.rtlil)
        script = f"read_rtlil word.il\nsynth -flatten -auto-top\nabc -liberty {library.files[0]}\nwrite_json out.json\n"
        assert run_yosys(script, folder).ok


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("file", nargs="?", type=Path)
    options = parser.parse_args()
    with TemporaryDirectory() as folder:
        own = Path(folder) / "mul.v"
        own.write_text(MULTIPLIER)
        design = load_design([options.file or own])
    elaboration = elaborate(design.sources)
    assert isinstance(elaboration, Elaboration)
    find_library()
    workload = workload_for(design, 10_000)
    (netlist,) = measure_in_detail(elaboration, MeasureSettings(recipes=("stock",), power=False)).netlists
    mapped, timing, waves = netlist.mapped, netlist.timing, simulate(netlist.mapped, workload)
    timed_activity(mapped, timing, waves)

    def power(*, glitches: bool) -> None:
        again = simulate(mapped, workload)
        activity = timed_activity(mapped, timing, again) if glitches else activity_of(again)
        estimate_power(mapped, timing, activity, 10_000.0)

    everything = MeasureSettings(workload=workload_for(design))
    rows: dict[str, Callable[[], object]] = {
        "Yosys alone, one netlist": lambda: yosys_alone(elaboration),
        "one recipe (quick), no power": lambda: measure(elaboration, MeasureSettings(recipes=("quick",), power=False)),
        "default recipes, no power": lambda: measure(elaboration, MeasureSettings(power=False)),
        "default recipes, power with glitches": lambda: measure(elaboration, everything),
        "timing of one netlist": lambda: analyse(mapped),
        "quick power, 10,000 vectors": lambda: power(glitches=False),
        "power with glitches, 10,000 vectors": lambda: power(glitches=True),
        "costs by source line": lambda: attribute(elaboration, mapped, timing),
    }
    base = 0.0
    print("| what | CPU s | wall s | over Yosys alone |\n|---|---|---|---|")
    for name, work in rows.items():
        cpu, wall = timed(work)
        base = base or cpu
        print(f"| {name} | {cpu:.3f} | {wall:.3f} | {cpu / base:.2f} |")


if __name__ == "__main__":
    main()
