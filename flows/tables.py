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
        figures = (_figure(side["figures"][name]) for side in (baseline, best))
        table.add_row(f"{name} ({unit})", *figures, change(best["gain"][name]))
    out.print(table)
    if best["is_baseline"]:
        out.print("golden is kept: no candidate was both proven and better", markup=False, soft_wrap=True)
    else:
        out.print(f"best {best['id']}: {best['verdict']} by {best['engine']}", markup=False, soft_wrap=True)
        for reason in best["rationale"]:
            out.print(f"  {reason}", markup=False, soft_wrap=True)
    out.print(counts_line(result["counts"]), markup=False, soft_wrap=True)
    out.print(stages_line(result["stages"], result["seconds"]), markup=False, soft_wrap=True)
    for line in model_lines(result["models"]):
        out.print(line, markup=False, soft_wrap=True)


def counts_line(counts: dict[str, int]) -> str:
    """Candidates by outcome, those that occurred."""
    found = [f"{amount} {name.replace('_', ' ')}" for name, amount in counts.items() if amount and name != "proposed"]
    return f"{counts['proposed']} candidates: {', '.join(found) or 'none'}"


def stages_line(stages: dict[str, Any], seconds: float) -> str:
    """Where time went, most first; workers run side by side, so the sum may exceed the run's own time."""
    ordered = sorted(stages.items(), key=lambda s: -s[1]["seconds"])
    parts = [f"{name} {spent['seconds']:.1f} s ({spent['calls']}x)" for name, spent in ordered]
    return f"{seconds:.1f} s in all; in workers: {', '.join(parts) or 'nothing'}"


def model_lines(models: dict[str, Any]) -> list[str]:
    """What each language model was asked and took."""
    return [
        f"{name}: {spent['replies']} replies, {spent['input_tokens']} tokens in, {spent['output_tokens']} out,"
        f" {spent['seconds'] / max(spent['replies'], 1):.1f} s each"
        + ("" if spent["dollars"] is None else f", {spent['dollars']:.4f} dollars")
        for name, spent in models.items()
    ]


def change(gain: float) -> str:
    """A gain as a change of the figure: "-12.3 %" is 12.3 % less than golden."""
    return "0.0 %" if abs(gain) < 0.0005 else f"{-100 * gain:+.1f} %"


def _figure(value: float) -> str:
    return f"{value:.1f}" if value < 10_000 else f"{value:.0f}"
