"""The noise band of each shipped unit: spread of its best area, delay and power over orders that mean nothing.

Run: python benchmarks/synth_noise.py [--samples N] [--recipe R]... [FILE.v]...
"""

import argparse
from pathlib import Path

from rtl_evolve.rtl.elaborate import Elaboration, elaborate
from rtl_evolve.rtl.load import load_design
from rtl_evolve.synth.measure import MeasureSettings, workload_for
from rtl_evolve.synth.noise import FIGURES, noise_band

UNITS = Path(__file__).parents[1] / "rtl" / "units"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--samples", type=int, default=5)
    parser.add_argument("--recipe", action="append")
    options = parser.parse_args()
    print("| unit | area | delay | power |\n|---|---|---|---|")
    for file in options.files or sorted(UNITS.glob("*.v")):
        design = load_design([file])
        elaboration = elaborate(design.sources)
        assert isinstance(elaboration, Elaboration)
        settings = MeasureSettings(recipes=tuple(options.recipe or ["default"]), workload=workload_for(design))
        band = noise_band(elaboration, settings, options.samples)
        print(f"| {design.top} | " + " | ".join(f"{100 * band.spread[f]:.1f} %" for f in FIGURES) + " |", flush=True)


if __name__ == "__main__":
    main()
