"""What a run with the built-in rules finds on every shipped unit: `python benchmarks/units.py [--minutes 5] [UNIT ...]`.

Prints one line a unit as Markdown: the change of area, delay and power of the best proven rewrite against the unit,
each side at its best over the same recipes, and how long the run took. Nothing is taken from earlier runs.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

UNITS = Path(__file__).resolve().parents[1] / "rtl" / "units"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("units", nargs="*", help="names (default: all)")
    parser.add_argument("--minutes", type=float, default=5.0)
    parser.add_argument("--objective", default="area")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    names = options.units or sorted(path.stem for path in UNITS.glob("*.v"))
    print(
        "| unit | area | delay | power | grade | engine | candidates | seconds |\n|---|---:|---:|---:|---|---|---:|---:|"
    )
    for name in names:
        print(row(name, options), flush=True)


def row(name: str, options: argparse.Namespace) -> str:
    """Run one unit in a folder that is thrown away."""
    with tempfile.TemporaryDirectory() as folder:
        command = [
            sys.executable,
            "-m",
            "rtl_evolve.flows.cli",
            "run",
            str(UNITS / f"{name}.v"),
            "--out",
            f"{folder}/run",
        ]
        command += ["--minutes", str(options.minutes), "--objective", options.objective, "--no-cache"]
        command += ["--workers", str(options.workers), "--seed", str(options.seed)]
        finished = subprocess.run(command, capture_output=True, text=True, check=False)
        if finished.returncode:
            return f"| {name} | failed: {finished.stderr.strip().splitlines()[-1]} |"
        result = json.loads((Path(folder) / "run" / "result.json").read_text())
    best, counts = result["best"], result["counts"]
    if best["is_baseline"]:
        best = None
    figures = [f"{-100 * best['gain'][metric]:+.1f} %" if best else "-" for metric in ("area", "delay", "power")]
    verdict = [best["verdict"], best["engine"]] if best else ["golden kept", ""]
    return "| " + " | ".join([name, *figures, *verdict, str(counts["proposed"]), f"{result['seconds']:.0f}"]) + " |"


if __name__ == "__main__":
    main()
