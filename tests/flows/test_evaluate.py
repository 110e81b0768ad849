"""One candidate's way through the real tools: every outcome, the order of stages, and results found again."""

from dataclasses import replace
from pathlib import Path

import pytest
from rtl_evolve.evolver.evaluation import Evaluation
from rtl_evolve.evolver.loop import Task
from rtl_evolve.evolver.objective import Figures, parse_objective
from rtl_evolve.flows.baseline import measure_as_searched, measure_golden, search_recipes
from rtl_evolve.flows.cache import EvaluationCache, clear_cache, open_cache
from rtl_evolve.flows.config import for_target
from rtl_evolve.flows.confirm import Bench, confirm, try_bench
from rtl_evolve.flows.evaluate import EvaluateSettings, evaluate
from rtl_evolve.flows.prepare import design_of, evaluate_settings, measure_settings
from rtl_evolve.rtl.candidate import Candidate
from rtl_evolve.rtl.design import Design
from rtl_evolve.rtl.errors import InputError
from rtl_evolve.synth.measurement import Measurement, Power
from rtl_evolve.verify.bench.result import BenchSettings
from rtl_evolve.verify.verdict import Grade, Verdict

UNIT = "module unit(input s, input [3:0] a, b, c, output [3:0] y);\n  assign y = s ? a + b : a + c;\nendmodule\n"
SHARED = UNIT.replace("s ? a + b : a + c", "a + (s ? b : c)")
Given = tuple[Design, EvaluateSettings, Evaluation]


@pytest.fixture(scope="module")
def given(tmp_path_factory: pytest.TempPathFactory) -> Given:
    path = tmp_path_factory.mktemp("design") / "unit.v"
    path.write_text(UNIT)
    settings = replace(for_target(path), recipes=("area", "quick"), power_vectors=500)
    design = design_of(settings.design)
    baseline = measure_golden(design, measure_settings(settings, design), "")
    evaluating = evaluate_settings(settings, design, baseline)
    return design, evaluating, measure_as_searched(baseline, design, evaluating.screening, evaluating.completing)


def task(text: str, known: dict[str, str] | None = None, bar: tuple[Figures, ...] = ()) -> Task:
    return Task(Candidate((("unit.v", text),)), known or {}, bar)


def stages(evaluation: Evaluation) -> list[str]:
    return [name for name, _ in evaluation.stage_seconds]


def test_a_better_one_goes_all_the_way(given: Given) -> None:
    design, settings, baseline = given
    found = evaluate(task(SHARED), design, settings)
    assert found.verdict.grade is Grade.PROVEN and found.verdict.engine
    assert stages(found) == ["gate", "elaborate", "simulate", "screen", "prove", "measure"]
    assert [m.recipe for m in found.screening] == [m.recipe for m in baseline.screening]
    assert found.measurements == () and not found.duplicate_of


@pytest.mark.parametrize(
    ("text", "grade", "engine", "says"),
    [
        (UNIT.replace("a + c", "a - c"), Grade.DIFFERENT, "simulation", "y is"),
        (UNIT.replace("a + c", "a + d"), Grade.REJECTED, "gate", "unit.v:2:"),
        (UNIT.replace("[3:0] y", "[4:0] y"), Grade.REJECTED, "gate", "y"),
        (UNIT.replace("a + c", "4'bx"), Grade.REJECTED, "gate", "x"),
        ("", Grade.REJECTED, "gate", "unit"),
    ],
)
def test_a_bad_one_is_a_value_with_its_reason(given: Given, text: str, grade: Grade, engine: str, says: str) -> None:
    found = evaluate(task(text), given[0], given[1])
    assert (found.verdict.grade, found.verdict.engine) == (grade, engine)
    assert says in " ".join(found.verdict.reasons) and found.feedback == found.verdict.reasons
    assert "prove" not in stages(found) and found.screening == ()


def test_a_known_circuit_goes_no_further(given: Given) -> None:
    first = evaluate(task(SHARED), *given[:2])
    assert first.structure
    again = evaluate(task(SHARED.replace("a + (s", "a  +  (s"), {first.structure: "first"}), *given[:2])
    assert again.duplicate_of == "first" and again.verdict.grade is Grade.REJECTED
    assert "simulate" not in stages(again)


def test_what_is_no_better_than_the_front_is_not_proven(given: Given) -> None:
    screened = evaluate(task(SHARED), *given[:2]).screening[0]
    assert screened.power is not None
    same = Figures(screened.area_um2, screened.delay_ps, screened.power.total_uw)
    found = evaluate(task(SHARED, bar=(same,)), *given[:2])
    assert found.verdict.grade is Grade.TESTED and "prove" not in stages(found)
    for better in (replace(same, area_um2=same.area_um2 * 1.1), replace(same, delay_ps=same.delay_ps * 1.1)):
        assert evaluate(task(SHARED, bar=(better,)), *given[:2]).verdict.grade is Grade.PROVEN


def plain(evaluation: Evaluation) -> Evaluation:
    """Without times."""
    screening = tuple(replace(m, seconds=0.0) for m in evaluation.screening)
    return replace(evaluation, stage_seconds=(), screening=screening, verdict=replace(evaluation.verdict, seconds=0.0))


def test_a_kept_result_is_the_same_result(given: Given, tmp_path: Path) -> None:
    kept = EvaluationCache(tmp_path / "kept.sqlite")
    texts = (SHARED, UNIT.replace("a + c", "a - c"), "")
    fresh = [evaluate(task(text), *given[:2], kept) for text in texts]
    again = [evaluate(task(text), *given[:2], EvaluationCache(tmp_path / "kept.sqlite")) for text in texts]
    assert [plain(e) for e in fresh] == [plain(e) for e in again]
    assert all(stages(e) == ["cache"] for e in again)
    structure = fresh[0].structure
    assert structure is not None
    assert evaluate(task(SHARED, {structure: "first"}), *given[:2], kept).duplicate_of == "first"
    low = (Figures(0.0, 0.0, 0.0),)
    assert evaluate(task(SHARED, bar=low), *given[:2], kept).verdict.grade is Grade.TESTED


def test_other_settings_are_other_results(given: Given, tmp_path: Path) -> None:
    design, settings, _ = given
    kept = EvaluationCache(tmp_path / "kept.sqlite")
    evaluate(task(SHARED), design, settings, kept)
    for other in (replace(settings, stamp="other"), replace(settings, proof=replace(settings.proof, seconds=7.0))):
        assert "gate" in stages(evaluate(task(SHARED), design, other, kept))
    assert "gate" in stages(evaluate(task(SHARED), replace(design, x_policy="dont_care"), settings, kept))


def test_a_damaged_cache_costs_only_the_saving(given: Given, tmp_path: Path) -> None:
    (tmp_path / "kept.sqlite").write_bytes(b"no database at all, but long enough to look at" * 50)
    found = evaluate(task(SHARED), *given[:2], EvaluationCache(tmp_path / "kept.sqlite"))
    assert found.verdict.grade is Grade.PROVEN
    EvaluationCache(Path("/proc/none/kept.sqlite"))


def test_the_cache_can_be_cleared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    open_cache().put("key", Evaluation("id", Verdict(Grade.PROVEN)))
    assert open_cache().get("key") == Evaluation("id", Verdict(Grade.PROVEN))
    assert clear_cache() > 0 and clear_cache() == 0
    assert open_cache().get("key") is None


def mapping(recipe: str, area: float, delay: float, power: float) -> Measurement:
    return Measurement("lib", recipe, None, area, delay, Power(power, 0.0, 0.0), 1, 0)


def test_the_search_goes_by_the_recipes_that_matter() -> None:
    found = (
        mapping("small", 10, 90, 5),
        mapping("cool", 12, 80, 4),
        mapping("fast", 20, 40, 9),
        mapping("dull", 15, 60, 6),
    )
    assert search_recipes(found, parse_objective("area")) == (("small",), ("fast",))
    assert search_recipes(found, parse_objective("delay")) == (("fast",), ("small",))
    assert search_recipes(found, parse_objective("power")) == (("cool",), ("small", "fast"))
    assert search_recipes(found, parse_objective("area*power")) == (("small", "cool"), ("fast",))
    assert search_recipes(found, parse_objective("area", "none")) == (("small",), ())


@pytest.mark.slow
def test_confirming_measures_by_all_recipes_and_runs_the_bench(given: Given, tmp_path: Path) -> None:
    design, settings, baseline = given
    candidate = task(SHARED).candidate
    found = evaluate(task(SHARED), design, settings)
    passing = tmp_path / "test_passing.py"
    passing.write_text(
        "import cocotb\n\n\n@cocotb.test()\nasync def adds(dut):\n    from cocotb.triggers import Timer\n"
        "    dut.s.value, dut.a.value, dut.b.value, dut.c.value = 1, 2, 3, 4\n"
        "    await Timer(1)\n    assert dut.y.value == 5\n"
    )
    bench = Bench(BenchSettings(200), passing, "1")
    try_bench(design, bench)
    kept = EvaluationCache(tmp_path / "kept.sqlite")
    done = confirm(candidate, found, design, settings, bench, kept)
    assert [m.recipe for m in done.measurements] == [m.recipe for m in baseline.measurements]
    assert done.verdict == found.verdict and stages(done)[-2:] == ["measure all", "bench"]
    again = confirm(candidate, found, design, settings, bench, kept)
    assert plain(again).measurements == done.measurements and stages(again)[-1] == "cache"
    failing = tmp_path / "test_failing.py"
    failing.write_text(passing.read_text().replace("== 5", "== 6"))
    refused = confirm(candidate, found, design, settings, Bench(BenchSettings(200), failing, "2"), kept)
    assert refused.verdict.grade is Grade.UNDECIDED and refused.verdict.engine == "bench"
    assert "it had been proven" in refused.verdict.reasons[0]
    with pytest.raises(InputError, match="does not pass on unit itself"):
        try_bench(design, Bench(BenchSettings(200), failing, "2"))


@pytest.mark.slow
def test_a_bench_that_sees_a_difference_takes_the_grade_away(given: Given) -> None:
    """As if a proof had been wrong: the candidate is different, the evaluation says proven."""
    design, settings, _ = given
    wrong = Candidate((("unit.v", UNIT.replace("a + c", "a - c")),))
    believed = evaluate(task(SHARED), design, settings)
    found = confirm(wrong, believed, design, settings, Bench(BenchSettings(200)))
    assert found.verdict.grade is Grade.UNDECIDED and "different" in found.verdict.reasons[0]
    assert found.verdict.counterexample is not None
