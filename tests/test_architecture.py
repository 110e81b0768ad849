"""The shape of the code base, as tests: one namespace, one direction, small files."""

import ast
import pathlib
import tomllib

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[1]
MAY_IMPORT = {
    "rtl": {"rtl"},
    "verify": {"rtl", "verify"},
    "synth": {"rtl", "synth"},
    "evolver": {"rtl", "verify", "synth", "evolver"},
    "reports": {"rtl", "verify", "synth", "evolver", "reports"},
    "flows": {"rtl", "verify", "synth", "evolver", "reports", "flows"},
}
LAYERS = list(MAY_IMPORT)
RECORDS_ONLY = {"rtl_evolve.verify.verdict", "rtl_evolve.synth.measurement"}  # all evolver may know of tools
MAX_LINES = 300


def modules():
    return [p for layer in LAYERS for p in sorted((ROOT / layer).rglob("*.py"))]


def imported(path):
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (a.name for a in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module


def test_folders_map_and_links_agree():
    cfg = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]
    want = {f"rtl_evolve.{layer}": layer for layer in LAYERS}
    assert cfg["package-dir"] == want
    holding_code = {p.parent.relative_to(ROOT) for layer in LAYERS for p in (ROOT / layer).rglob("*.py")}
    assert sorted(cfg["packages"]) == sorted("rtl_evolve." + ".".join(d.parts) for d in holding_code)
    links = {p.name: p.resolve() for p in (ROOT / ".typing" / "rtl_evolve").iterdir()}
    assert links == {layer: ROOT / layer for layer in LAYERS}


@pytest.mark.parametrize("path", modules(), ids=str)
def test_imports_point_down(path):
    layer = path.relative_to(ROOT).parts[0]
    for name in imported(path):
        top, _, rest = name.partition(".")
        assert top not in LAYERS, f"{path}: import rtl_evolve.{name}, not {name}"
        if top == "rtl_evolve":
            target = rest.split(".")[0]
            assert target in MAY_IMPORT[layer], f"{path}: {layer} may not import {name}"
            if layer == "evolver" and target in ("verify", "synth"):
                assert name in RECORDS_ONLY, f"{path}: evolver starts no tool, but imports {name}"


@pytest.mark.parametrize("path", modules(), ids=str)
def test_files_stay_small(path):
    assert len(path.read_text("utf-8").splitlines()) <= MAX_LINES
