"""Flow files: defaults, paths, and one exact message for each mistake."""

import importlib.resources
import re
from pathlib import Path

import pytest
from rtl_evolve.evolver import records
from rtl_evolve.evolver.objective import Objective
from rtl_evolve.flows.config import BenchSettings, Settings, for_target, read_flow
from rtl_evolve.rtl.design import Clock, Reset
from rtl_evolve.rtl.errors import InputError


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("a.v", "b.sv", "cells.lib", "test_a.py"):
        (tmp_path / name).touch()
    return tmp_path


def read(folder: Path, text: str) -> Settings:
    (folder / "flow.yaml").write_text(text)
    return read_flow(folder / "flow.yaml")


def test_a_verilog_file_needs_no_flow(folder: Path) -> None:
    settings = for_target(folder / "a.v")
    assert settings.design.files == (folder / "a.v",)
    assert settings.objective == Objective((("area", 1.0),), "keep")


def test_everything_can_be_said(folder: Path) -> None:
    text = """
design:
  files: ["*.v", b.sv]
  top: a
  include_dirs: [.]
  defines: {W: 8, X: ""}
  parameters: {N: "4'd3"}
  clocks: [clk, {name: ck2, edge: falling}]
  reset: {name: rst_n, active: 0, asynchronous: true}
  assume: ["b != 0"]
  latency: 2
  x_policy: dont_care
objective: area*power^2
max_delay: 950
max_loss_percent: 0
accept: bounded
library: cells.lib
dont_use: ["*_X32"]
recipes: [area, speed]
clock_ps: [500, 700.5]
power: {vectors: 1000, period_ps: 2000}
budget: {candidates: 10}
proposers: [rules]
seed: 0
workers: 3
window: 8
islands: 2
cache: false
limits: {proof_seconds: 5, evaluation_seconds: 60, memory_mb: 2048}
bench: {enabled: false, cycles: 10, cocotb_test: test_a.py}
"""
    s = read(folder, text)
    assert s.design.files == (folder / "a.v", folder / "b.sv")
    assert s.design.defines == (("W", "8"), ("X", ""))
    assert s.design.clocks == (Clock("clk", "rising"), Clock("ck2", "falling"))
    assert s.design.reset == Reset("rst_n", 0, True)
    assert s.objective == Objective((("area", 1.0), ("power", 2.0)), 950.0, 0.0)
    assert (s.library, s.accept, s.candidates, s.minutes) == (str(folder / "cells.lib"), "bounded", 10, None)
    assert (s.clock_ps, s.seed, s.cache, s.memory_mb) == ((500.0, 700.5), 0, False, 2048)
    assert s.bench == BenchSettings(False, 10, folder / "test_a.py")
    assert records.decode(Settings, records.encode(s)) == s


def test_the_template_says_the_defaults(folder: Path) -> None:
    (folder / "unit.v").touch()
    template = importlib.resources.files("rtl_evolve.flows").joinpath("init.yaml").read_text()
    assert read(folder, template) == read(folder, "design: {files: unit.v}")
    uncommented = re.sub(r"^( *)# (\w+: )", r"\1\2", template, flags=re.MULTILINE)
    assert uncommented.count("# ") < template.count("# ")
    for name in ("test_unit.py", "recipes.yaml", "prompts"):
        (folder / name).touch()
    settings = read(folder, uncommented)
    assert settings.design.reset == Reset("rst_n", 0, True) and settings.workers == 2


DESIGN = "design: {files: a.v}\n"
WRONG = {
    "": "flow.yaml: the file is empty",
    "- a": "flow.yaml:1: the file must be a mapping of keys to values",
    "a: [": "flow.yaml:1: not YAML: while parsing a flow node, expected the node content, but found '<stream end>'",
    "seed: 1": "flow.yaml:1: design.files: missing; it lists the Verilog files",
    "design: {files: c.v}": "flow.yaml:1: design.files: no such file: {folder}/c.v",
    "design: {files: 'x/*.v'}": "flow.yaml:1: design.files: nothing matches x/*.v in {folder}",
    DESIGN + "objectiv: area": "flow.yaml:2: objectiv: unknown key (did you mean objective?); the keys here are",
    DESIGN + "seed: 1\nseed: 2": "flow.yaml:3: seed: given twice (first in line 2)",
    DESIGN + "seed: -1": "flow.yaml:2: seed: must be at least 0, not -1",
    DESIGN + "seed: one": "flow.yaml:2: seed: must be a whole number, not 'one'",
    DESIGN + "seed: [1]": "flow.yaml:2: seed: must be a whole number, not a list",
    DESIGN + "objective: speed": "flow.yaml:2: objective: 'speed' is none of area, delay, power (a product",
    DESIGN + "max_delay: fast": "flow.yaml:2: max_delay: must be keep, none or a number of picoseconds, not 'fast'",
    DESIGN + "accept: prove": "flow.yaml:2: accept: 'prove' is none of proven, bounded, tested (did you mean proven?)",
    DESIGN
    + "proposers: [rule]": "flow.yaml:2: proposers: 'rule' is none of rules, gemini, openai, replay (did you mean rules?)",
    DESIGN
    + "proposers: [{openai: {modle: m}}]": "flow.yaml:2: proposers.openai.modle: unknown key (did you mean model?)",
    DESIGN + "proposers: [{gemini: {price: [1]}}]": "flow.yaml:2: proposers.gemini.price: must be two numbers",
    DESIGN + "proposers: [{}]": "flow.yaml:2: proposers: a mapping must name one of rules",
    DESIGN
    + "proposers: [{openai: {model: m, base_url: 'http://me:key@host/v1'}}]": "flow.yaml:2: proposers.openai.base_url: must hold no user",
    DESIGN
    + "proposers: [{openai: {model: m, base_url: 'host/v1'}}]": "flow.yaml:2: proposers.openai.base_url: must start with http",
    DESIGN + "budget: {tokens: 0}": "flow.yaml:2: budget.tokens: must be at least 1",
    DESIGN + "prompts: nowhere": "flow.yaml:2: prompts: no such file",
    DESIGN + "bench: {enabled: maybe}": "flow.yaml:2: bench.enabled: must be true or false, not 'maybe'",
    DESIGN + "bench: {cocotb_test: t.py}": "flow.yaml:2: bench.cocotb_test: no such file: {folder}/t.py",
    DESIGN + "budget:\n  minutes: 0": "flow.yaml:3: budget.minutes: must be at least 0.01, not 0",
    DESIGN + "limits: {time: 3}": "flow.yaml:2: limits.time: unknown key",
    "design:\n  files: a.v\n  reset: {active: 1}": "flow.yaml:3: design.reset.name: missing; a reset has name",
    "design:\n  files: a.v\n  clocks: [{name: c, edge: up}]": "flow.yaml:3: design.clocks.edge: 'up' is none of rising",
    "design:\n  files: {a: b}": "flow.yaml:2: design.files: must be a list of words, not a mapping",
    "design:\n  files: a.v\n  defines: [W]": "flow.yaml:3: design.defines: must be a mapping of names to values, not a",
}


@pytest.mark.parametrize("text", WRONG)
def test_each_mistake_has_its_message(folder: Path, text: str) -> None:
    with pytest.raises(InputError) as caught:
        read(folder, text)
    assert f"{folder}/" + WRONG[text].format(folder=folder) in str(caught.value)


def test_targets_that_are_no_designs(folder: Path) -> None:
    for name, message in (("no.v", "no such file"), ("no.yaml", "rtl-evolve init"), ("test_a.py", "neither Verilog")):
        with pytest.raises(InputError, match=message):
            for_target(folder / name)
