"""Records survive JSON unchanged."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rtl_evolve.evolver import records
from rtl_evolve.evolver.evaluation import Evaluation
from rtl_evolve.rtl.design import Clock, Design, Parameter, Port, Region, Reset, SourceFile, Sources
from rtl_evolve.synth.measurement import Measurement, Power
from rtl_evolve.verify.verdict import Counterexample, Cycle, Grade, Verdict

figure = st.floats(0, 1e9)
word = st.text(max_size=5)
pairs = st.lists(st.tuples(word, word), max_size=2).map(tuple)
powers = st.none() | st.builds(Power, figure, figure, figure)
measurements = st.builds(
    Measurement, word, word, st.none() | figure, figure, figure, powers, st.integers(), st.integers()
)
cycles = st.lists(st.builds(Cycle, pairs, pairs, pairs), max_size=2).map(tuple)
verdicts = st.builds(
    Verdict,
    st.sampled_from(Grade),
    word,
    figure,
    st.lists(word, max_size=2).map(tuple),
    st.none() | st.builds(Counterexample, cycles, word),
)
evaluations = st.builds(
    Evaluation,
    word,
    verdicts,
    st.lists(measurements, max_size=2).map(tuple),
    st.none() | word,
    st.lists(st.tuples(word, figure), max_size=2).map(tuple),
)


@given(evaluations)
def test_evaluations_come_back_as_they_were(evaluation: Evaluation) -> None:
    assert records.load(records.dump(evaluation)) == evaluation


def test_a_design_comes_back_as_it_was() -> None:
    sources = Sources((SourceFile("a.v", "text"),), "a", (), ("inc",), (("W", "8"),), (("P", "1"),))
    ports = (Port("a", "input", 3, True),)
    regions = (Region("a.v", 1, 3),)
    reset = Reset("r", 0, True)
    design = Design(Path("/x"), sources, ports, (Parameter("P", "0", "1"),), (Clock("c", "both"),), reset, regions)
    assert records.decode(Design, json.loads(json.dumps(records.encode(design)))) == design


@dataclass(frozen=True)
class Limit:
    delay: Literal["keep", "none"] | float
    mark: str | None = None


@pytest.mark.parametrize("limit", [Limit("keep"), Limit(3.0, "x"), Limit(0.1)])
def test_unions_choose_what_fits(limit: Limit) -> None:
    assert records.decode(Limit, records.encode(limit)) == limit


def test_what_does_not_fit_is_refused() -> None:
    for wrong in ({"delay": "often"}, {"delay": []}, {"wrong": 1}, [1], {"delay": 1.0, "mark": 7}):
        with pytest.raises((ValueError, TypeError)):
            records.decode(Limit, wrong)
