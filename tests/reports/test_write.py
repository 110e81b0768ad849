"""Reports from a review: every figure, the grade and the diff stand in both pages, and nothing can break out."""

import re
import subprocess
from dataclasses import replace
from html.parser import HTMLParser

import pytest
from rtl_evolve.evolver.objective import Figures, Gain
from rtl_evolve.reports.hunks import parse_hunks
from rtl_evolve.reports.plot import Point, area_delay_plot
from rtl_evolve.reports.review import Entry, Review
from rtl_evolve.reports.write import figure, percent, write_reports
from rtl_evolve.synth.measurement import Measurement, Power
from rtl_evolve.verify.verdict import Grade, Verdict

PATCH = """diff --git a/unit.v b/unit.v
--- a/unit.v
+++ b/unit.v
@@ -1,3 +1,3 @@
 module top(input [7:0] a, output [9:0] y);
-  assign y = a + a + a;  // <script>alert(1)</script>
+  assign y = {a, 1'b0} + a;
 endmodule
"""


def mapping(recipe: str, area: float, delay: float, power: float) -> Measurement:
    return Measurement("nangate45", recipe, None, area, delay, Power(power * 0.5, power * 0.4, power * 0.1), 10, 0)


@pytest.fixture
def review() -> Review:
    baseline = (mapping("area", 100.0, 500.0, 20.0), mapping("speed", 140.0, 300.0, 30.0))
    better = (mapping("area", 80.0, 450.0, 17.0), mapping("speed", 120.0, 290.0, 25.0))
    verdict = Verdict(Grade.PROVEN, "exhaustive", 0.02)
    best = Entry(
        "abc123def456", "rules/sum", verdict, better, Figures(80, 290, 17), Gain(0.2, 1 / 30, 0.15), ("a|b merged",)
    )
    return Review(
        title="top: 20.0 % less area, proven",
        top="top",
        files=("unit.v",),
        objective="area",
        library="nangate45",
        baseline=baseline,
        baseline_figures=Figures(100, 300, 20),
        best=best,
        verdict_line="A proven rewrite saves 20.0 % of area.",
        front=(best,),
        hunks=parse_hunks(PATCH),
        patch=PATCH,
        counts=(("proposed", 7), ("proven", 2)),
        stage_seconds=(("prove", 1.25),),
        seconds=12.0,
        tool_versions=(("pyosys", "0.70"),),
        reproduce=("rtl-evolve run unit.v --top top --seed 1",),
        notes=("Outputs are compared from the second cycle on.",),
    )


class Balanced(HTMLParser):
    """Fails on a tag that is closed out of order."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.scripts = 0

    def handle_starttag(self, tag, attrs):
        self.scripts += tag == "script"
        assert all(not (value or "").startswith("http") for name, value in attrs if name in ("src", "href"))
        if tag not in ("meta", "line", "link", "br"):
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        pass

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def test_pages_hold_figures_grade_and_diff(review, tmp_path):
    paths = write_reports(review, tmp_path)
    assert [p.name for p in paths] == ["report.md", "report.html", "best.patch"]
    markdown, html = (tmp_path / "report.md").read_text(), (tmp_path / "report.html").read_text()
    for page in (markdown, html):
        for words in (
            "-20.0 %",
            "-15.0 %",
            "proven",
            "exhaustive",
            "abc123def456",
            "rtl-evolve run unit.v",
            "pyosys 0.70",
        ):
            assert words in page
    assert "a|b merged" in html and "| area | - | 100 | 80 | -20.0 %" in markdown
    assert (tmp_path / "best.patch").read_text() == PATCH


def test_html_is_balanced_self_contained_and_escaped(review, tmp_path):
    write_reports(review, tmp_path)
    parser = Balanced()
    parser.feed((tmp_path / "report.html").read_text())
    assert parser.open == [] and parser.scripts == 0


def test_golden_kept_says_so_and_writes_no_patch(review, tmp_path):
    kept = replace(
        review, best=None, front=(), hunks=(), patch="", verdict_line="Golden is kept: nothing better was proven."
    )
    paths = write_reports(kept, tmp_path)
    assert [p.name for p in paths] == ["report.md", "report.html"]
    assert "Golden is kept" in paths[0].read_text() and "Golden is kept" in paths[1].read_text()


def test_hunks_number_both_sides():
    patch = (
        PATCH
        + "diff --git a/two.v b/two.v\n--- a/two.v\n+++ b/two.v\n@@ -5,0 +6 @@\n+--- not a header\n\\ No newline at end of file\n"
    )
    first, second = parse_hunks(patch)
    assert [(line.mark, line.old, line.new) for line in first.lines] == [
        ("same", 1, 1),
        ("removed", 2, None),
        ("added", None, 2),
        ("same", 3, 3),
    ]
    assert (second.path, second.lines[0].text, second.lines[0].new) == ("two.v", "--- not a header", 6)


def test_hunks_survive_removed_lines_that_look_like_headers(tmp_path):
    (tmp_path / "a.v").write_text("-- x\nsame\n")
    (tmp_path / "b.v").write_text("same\n")
    patch = subprocess.run(
        ["git", "diff", "--no-index", "a.v", "b.v"], check=False, cwd=tmp_path, capture_output=True, text=True
    ).stdout
    (hunk,) = parse_hunks(patch)
    assert [(line.mark, line.text) for line in hunk.lines] == [("removed", "-- x"), ("same", "same")]


def test_plot_keeps_points_inside_and_orders_axes():
    points = [Point(300, 140, "golden", "g"), Point(500, 100, "golden", "g"), Point(290, 120, "best", "b")]
    plot = area_delay_plot(points)
    assert plot is not None
    assert all(plot.left <= m.x <= plot.right and plot.top <= m.y <= plot.bottom for m in plot.marks)
    assert plot.marks[0].x < plot.marks[1].x and plot.marks[0].y < plot.marks[1].y
    assert [t.at for t in plot.x_ticks] == sorted(t.at for t in plot.x_ticks)
    assert dict(plot.steps)["golden"].count(",") == 4
    assert area_delay_plot([]) is None
    assert area_delay_plot([Point(300, 140, "golden", "g")]) is not None


@pytest.mark.parametrize(("gain", "text"), [(0.123, "-12.3 %"), (-0.01, "+1.0 %"), (0.0, "0.0 %"), (-0.0001, "0.0 %")])
def test_percent_shows_the_change(gain, text):
    assert percent(gain) == text


@pytest.mark.parametrize(("value", "text"), [(None, "-"), (1634.4, "1,634"), (12.3456, "12.35"), (0.0, "0")])
def test_figure_keeps_four_digits(value, text):
    assert re.fullmatch(re.escape(text), figure(value))
