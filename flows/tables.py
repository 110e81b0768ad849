"""What a run found, as tables for people."""

from typing import Any

from rich.console import Console
from rich.table import Table

UNITS = {"area": "um2", "delay": "ps", "power": "uW"}


def show_result(out: Console, result: dict[str, Any]) -> None:
    """Baseline and best per metric with the gain and the grade, counts, and where time went."""
    best, baseline = result["best"], result["baseline"]
    table = Table(title=f"{result['design']['top']}, {result['library']}, minimise {result['objective']['minimise']}")
    table.add_column("")
    for column in ("golden", "best", "change"):
        table.add_column(column, justify="right")
    for name, unit in UNITS.items():
        change = -100 * best["gain"][name]
        shown = f"{change:+.1f} %" if abs(change) >= 0.05 else "0.0 %"
        table.add_row(f"{name} ({unit})", _figure(baseline["figures"][name]), _figure(best["figures"][name]), shown)
    out.print(table)
    if best["is_baseline"]:
        out.print("golden is kept: no candidate was both proven and better", markup=False)
    else:
        out.print(f"best {best['id']}: {best['verdict']} by {best['engine']}", markup=False)
        for reason in best["rationale"]:
            out.print(f"  {reason}", markup=False)
    out.print(counts_line(result["counts"]), markup=False)
    out.print(stages_line(result["stages"], result["seconds"]), markup=False)


def counts_line(counts: dict[str, int]) -> str:
    """Candidates by outcome, those that occurred."""
    found = [f"{amount} {name.replace('_', ' ')}" for name, amount in counts.items() if amount and name != "proposed"]
    return f"{counts['proposed']} candidates: {', '.join(found) or 'none'}"


def stages_line(stages: dict[str, Any], seconds: float) -> str:
    """Where time went, most first; workers run side by side, so the sum may exceed the run's own time."""
    ordered = sorted(stages.items(), key=lambda s: -s[1]["seconds"])
    parts = [f"{name} {spent['seconds']:.1f} s ({spent['calls']}x)" for name, spent in ordered]
    return f"{seconds:.1f} s in all; in workers: {', '.join(parts) or 'nothing'}"


def _figure(value: float) -> str:
    return f"{value:.1f}" if value < 10_000 else f"{value:.0f}"
