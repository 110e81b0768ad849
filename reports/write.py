"""A review as files: report.md for a merge request, report.html for a browser, best.patch for `git apply`."""

from collections.abc import Iterable
from pathlib import Path

from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape
from rtl_evolve.reports.plot import Point, area_delay_plot
from rtl_evolve.reports.review import Review
from rtl_evolve.synth.measurement import Measurement


def write_reports(review: Review, folder: Path) -> tuple[Path, ...]:
    """Write report.md, report.html and, when there is a best, best.patch into `folder`; returns their paths."""
    pages = {"report.md": render(review, "report.md.j2"), "report.html": render(review, "report.html.j2")}
    if review.best is not None:
        pages["best.patch"] = review.patch
    for name, text in pages.items():
        (folder / name).write_text(text, encoding="utf-8", newline="")
    return tuple(folder / name for name in pages)


def render(review: Review, template: str) -> str:
    """One page as text."""
    environment = Environment(
        loader=PackageLoader("rtl_evolve.reports"),
        autoescape=select_autoescape(("html.j2",)),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters.update(percent=percent, figure=figure, cell=markdown_cell)
    return environment.get_template(template).render(
        review=review, rows=_recipe_rows(review), plot=area_delay_plot(_points(review))
    )


def percent(gain: float) -> str:
    """A gain as a change a reader can't misread: "-12.3 %" is 12.3 % less than golden, "+1.0 %" is more."""
    change = -100 * gain
    return "0.0 %" if abs(change) < 0.05 else f"{change:+.1f} %"


def figure(value: float | None) -> str:
    """A figure with what precision it deserves: four digits."""
    if value is None:
        return "-"
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}"


def markdown_cell(text: str) -> str:
    """Text that can't break a Markdown table."""
    return text.replace("|", "\\|").replace("\n", " ")


def _recipe_rows(review: Review) -> list[tuple[Measurement, Measurement | None]]:
    """Golden's measurements, each beside the best's by the same recipe at the same clock target."""
    found = {_key(m): m for m in review.best.measurements} if review.best else {}
    return [(m, found.get(_key(m))) for m in review.baseline]


def _key(measurement: Measurement) -> tuple[str, str, float | None]:
    return (measurement.library, measurement.recipe, measurement.clock_ps)


def _points(review: Review) -> list[Point]:
    best = [review.best] if review.best else []
    others = [entry for entry in review.front if not review.best or entry.id != review.best.id]
    return [
        *_mappings(((m, entry.id) for entry in others for m in entry.measurements), "front"),
        *_mappings(((m, "golden") for m in review.baseline), "golden"),
        *_mappings(((m, entry.id) for entry in best for m in entry.measurements), "best"),
    ]


def _mappings(items: Iterable[tuple[Measurement, str]], kind: str) -> list[Point]:
    return [
        Point(m.delay_ps, m.area_um2, kind, f"{name}, {m.recipe}: {m.area_um2:.0f} um2, {m.delay_ps:.0f} ps")
        for m, name in items
    ]
