"""The command line: every mistake is one line and its exit status, and JSON is alone on standard output."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from rtl_evolve.flows.cli import VERBS, build_parser, main
from rtl_evolve.flows.config import read_flow

ADD = "module add(input [3:0] a, b, output [4:0] y);\n  assign y = a + b;\nendmodule\n"
SWAPPED = ADD.replace("a + b", "b + a")
WRONG = ADD.replace("a + b", "a - b")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("RTL_EVOLVE_DEBUG", raising=False)
    for name, text in (("add.v", ADD), ("swapped.v", SWAPPED), ("wrong.v", WRONG), ("broken.v", "module add(;\n")):
        (tmp_path / name).write_text(text)
    (tmp_path / "two.v").write_text("module one; endmodule\nmodule two; endmodule\n")
    (tmp_path / "delay.v").write_text("module d(output reg q); initial forever #1 q = ~q; endmodule\n")
    (tmp_path / "flow.yaml").write_text("design: {files: add.v}\nobjectives: area\n")
    (tmp_path / "notlib.lib").write_text("not a library")
    (tmp_path / "empty.sqlite").touch()
    return tmp_path


MISTAKES = [
    ("run none.v", "no such file: none.v"),
    ("run add.v --top ad", "no module is called ad; did you mean add?"),
    ("run two.v", "several modules could be the top: one, two; choose one with --top"),
    ("run broken.v", "broken.v:1:"),
    ("run flow.yaml", "flow.yaml:2: objectives: unknown key (did you mean objective?)"),
    ("run none.yaml", "rtl-evolve init none.yaml writes one"),
    ("run notlib.lib", "neither Verilog"),
    ("run add.v --lib nangate", "there is no library `nangate`"),
    ("run add.v --lib notlib.lib", "notlib.lib"),
    ("run add.v --objective speed", "--objective: 'speed' is none of area, delay, power"),
    ("run add.v --max-delay fast", "--max-delay must be keep, none or a number of picoseconds"),
    ("run add.v -G W=3", "add has no parameter W"),
    ("run add.v -G W", "'W' is not NAME=VALUE"),
    ("run add.v --out add.v/x", "cannot write to add.v/x: Not a directory"),
    ("resume .", "is not the folder of a run: it has no run.sqlite"),
    ("status none", "none is not the folder of a run"),
    ("check add.v none.v", "none.v: cannot read it: No such file or directory"),
    ("check add.v swapped.v --top ad", "no module is called ad"),
    ("check none.v add.v", "no such file: none.v"),
    ("measure none.v", "no such file: none.v"),
    ("measure add.v --recipe fast", "there is no recipe `fast`"),
    ("init flow.yaml", "flow.yaml is there already"),
    ("init none.v", "no such file: none.v"),
    ("init no/flow.yaml", "cannot write no/flow.yaml: No such file or directory"),
]


@pytest.mark.parametrize(("command", "message"), MISTAKES)
def test_a_mistake_is_one_line_and_status_2(command: str, message: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(command.split()) == 2
    out, err = capfd.readouterr()
    lines = [line for line in err.splitlines() if not line.startswith("[")]
    assert out == "" and len(lines) == 1
    assert lines[0].startswith("rtl-evolve: ") and message in lines[0]


def test_an_unusual_construct_is_named(capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "delay.v"]) == 2
    assert "delay.v" in capfd.readouterr().err


@pytest.mark.parametrize(("candidate", "status", "verdict"), [("swapped.v", 0, "proven"), ("wrong.v", 1, "different")])
def test_check_gives_verdict_and_status(
    candidate: str, status: int, verdict: str, capfd: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", "add.v", candidate, "--json"]) == status
    found = json.loads(capfd.readouterr().out)
    assert found["verdict"] == verdict and found["engine"] and found["seconds"] > 0
    if verdict == "different":
        example = found["counterexample"]
        assert set(example["inputs"]) == {"a", "b"} and example["golden"] != example["candidate"]
        assert re.fullmatch(r"\d+'h[0-9a-f]+", example["inputs"]["a"])
    else:
        assert found["counterexample"] is None


def test_a_candidate_that_is_no_verilog_is_rejected_with_its_place(capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "add.v", "broken.v"]) == 1
    out = capfd.readouterr().out
    assert out.startswith("rejected") and "add.v:1:" in out


def test_measure_has_the_figures_of_the_contract(capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["measure", "add.v", "--recipe", "area", "--json"]) == 0
    found = json.loads(capfd.readouterr().out)
    assert found["library"] == "nangate45" and found["seconds"] > 0
    (measurement,) = found["measurements"]
    assert set(measurement) == {
        *("recipe", "clock_ps", "area_um2", "delay_ps", "power_uw", "cells", "sequential_cells"),
    }
    assert set(measurement["power_uw"]) == {"total", "switching", "internal", "leakage"}
    assert measurement["area_um2"] > 0 and measurement["clock_ps"] is None and measurement["sequential_cells"] == 0


def test_init_writes_a_flow_that_reads(capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["init", "mine.yaml", "--json"]) == 0
    assert json.loads(capfd.readouterr().out) == {"file": "mine.yaml"}
    assert main(["run", "mine.yaml"]) == 2
    assert "design.files: no such file" in capfd.readouterr().err


def test_init_writes_a_flow_for_a_unit(capfd: pytest.CaptureFixture[str], folder: Path) -> None:
    assert main(["init", "add.v", "--json"]) == 0
    assert json.loads(capfd.readouterr().out) == {"file": "add.yaml"}
    assert read_flow(folder / "add.yaml").design.files == (folder / "add.v",)


def test_libs_names_the_default(capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["libs", "--json"]) == 0
    found = json.loads(capfd.readouterr().out)
    assert found["default"] in {library["name"] for library in found["libraries"] if library["path"]}


def test_every_verb_has_help_with_an_example(capfd: pytest.CaptureFixture[str]) -> None:
    actions = [a for a in build_parser()._actions if a.choices]
    verbs = list(actions[0].choices or ())
    assert len(verbs) >= len(VERBS) and "run" in verbs
    for verb in verbs:
        with pytest.raises(SystemExit) as ended:
            main([verb, "--help"])
        assert ended.value.code == 0
        assert f"example:\n  rtl-evolve {verb}" in capfd.readouterr().out


def test_a_usage_mistake_is_status_2(capfd: pytest.CaptureFixture[str]) -> None:
    for arguments in (["fly"], ["run"], ["run", "add.v", "--minutes", "0"], ["run", "add.v", "--workers", "none"]):
        with pytest.raises(SystemExit) as ended:
            main(arguments)
        assert ended.value.code == 2
    capfd.readouterr()


def test_a_fault_of_ours_is_one_line_with_a_hint(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("rtl_evolve.flows.commands.libs.known_libraries", lambda: 1 // 0)
    assert main(["libs"]) == 4
    assert capfd.readouterr().err == (
        "rtl-evolve: internal error: ZeroDivisionError: integer division or modulo by zero;"
        " RTL_EVOLVE_DEBUG=1 shows where\n"
    )
    monkeypatch.setenv("RTL_EVOLVE_DEBUG", "1")
    assert main(["libs"]) == 4
    assert "Traceback" in capfd.readouterr().err


def test_a_missing_tool_is_status_4(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    assert main(["doctor", "--json"]) == 4
    found = json.loads(capfd.readouterr().out)
    missing = {f["name"]: f["text"] for f in found["findings"] if not f["ok"]}
    assert "apt-get install g++" in missing["g++"] and not found["ok"]


def test_output_into_a_closed_pipe_is_no_error() -> None:
    command = f"{sys.executable} -m rtl_evolve.flows.cli libs | true"
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, env=dict(os.environ), check=False)
    assert done.stderr == ""
