"""What each recipe is worth: area, delay and time over units and libraries, and who makes the envelope.

Run: python benchmarks/synth_recipes.py [--library L]... [--recipe R]... [--own FILE.yaml] [--power] [FILE.v]...
The default is all recipes on all shipped units with nangate45. Prints a Markdown table: for each recipe the geometric
mean of its area, delay and power over `stock`'s, its seconds, in how many cases it alone is best in each, and what the
best area, delay and power lose (geometric mean, in per cent) when it is left out.
"""

import argparse
import math
from collections.abc import Iterable, Mapping
from pathlib import Path

from rtl_evolve.rtl.elaborate import Elaboration, elaborate
from rtl_evolve.rtl.load import load_design
from rtl_evolve.synth.envelope import Figure, figure_of
from rtl_evolve.synth.measure import MeasureSettings, measure, workload_for
from rtl_evolve.synth.measurement import Measurement

UNITS = Path(__file__).parents[1] / "rtl" / "units"

Case = Mapping[str, Measurement]


def mean(ratios: Iterable[float]) -> float:
    """Geometric mean."""
    logs = [math.log(ratio) for ratio in ratios]
    return math.exp(sum(logs) / len(logs)) if logs else math.nan


def least(case: Case, figure: Figure, without: str = "") -> float:
    return min(figure_of(m, figure) or math.inf for name, m in case.items() if name != without)


def row(recipe: str, cases: list[Case], figures: tuple[Figure, ...]) -> str:
    """One recipe's line of the table."""
    cells = [f"`{recipe}`"]
    mine = [case for case in cases if recipe in case and "stock" in case]
    for figure in figures:
        cells.append(
            f"{mean((figure_of(c[recipe], figure) or 1) / (figure_of(c['stock'], figure) or 1) for c in mine):.3f}"
        )
    cells.append(f"{sum(c[recipe].seconds for c in mine) / max(len(mine), 1):.2f}")
    for figure in figures:
        losses = [least(c, figure, recipe) / least(c, figure) for c in mine]
        cells.append(f"{sum(loss > 1 for loss in losses)} ({100 * (mean(losses) - 1):.2f} %)")
    return "| " + " | ".join(cells) + " |"


def measured(file: Path, library: str, recipes: tuple[str, ...], own: Path | None, *, power: bool) -> Case:
    design = load_design([file])
    elaboration = elaborate(design.sources)
    assert isinstance(elaboration, Elaboration)
    settings = MeasureSettings(
        library=library, recipes=recipes, own_recipes=own, power=power, workload=workload_for(design)
    )
    return {m.recipe: m for m in measure(elaboration, settings)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--library", action="append")
    parser.add_argument("--recipe", action="append")
    parser.add_argument("--own", type=Path)
    parser.add_argument("--power", action="store_true")
    parser.add_argument("--each", action="store_true", help="print every figure too")
    options = parser.parse_args()
    cases: list[Case] = []
    for library in options.library or ["nangate45"]:
        for file in options.files or sorted(UNITS.glob("*.v")):
            case = measured(file, library, tuple(options.recipe or ["all"]), options.own, power=options.power)
            cases.append(case)
            for m in case.values() if options.each else ():
                power = f"{m.power.total_uw:.1f}" if m.power else "-"
                print(f"{file.stem} {m.library} {m.recipe} {m.area_um2:.1f} {m.delay_ps:.1f} {power} {m.seconds:.2f}")
    figures: tuple[Figure, ...] = ("area", "delay", "power") if options.power else ("area", "delay")
    print("| recipe | " + " | ".join(figures) + " | s | " + " | ".join(f"alone best in {f}" for f in figures) + " |")
    print("|---" * (2 * len(figures) + 2) + "|")
    for recipe in dict.fromkeys(name for case in cases for name in case):
        print(row(recipe, cases, figures))


if __name__ == "__main__":
    main()
