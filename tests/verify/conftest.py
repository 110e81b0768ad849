"""Designs for the verification tests: Verilog text, or a file of `pairs/`, elaborated once."""

from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from rtl_evolve.rtl.design import Design, SourceFile, Sources
from rtl_evolve.rtl.elaborate import Elaboration, elaborate
from rtl_evolve.rtl.load import load_design

PAIRS = Path(__file__).parent / "pairs"


@cache
def _elaborated(text: str) -> Elaboration:
    result = elaborate(Sources((SourceFile("top.v", text),), "top"))
    assert isinstance(result, Elaboration), result
    return result


@cache
def _loaded(text: str, folder: Path, **settings: object) -> Design:
    path = folder / "top.v"
    path.write_text(text)
    return load_design([path], "top", **settings)


@pytest.fixture(scope="session")
def elaborated() -> Callable[[str], Elaboration]:
    """From the text of a module `top`, or a name in `pairs/`."""
    return lambda text: _elaborated(text if "\n" in text or " " in text else (PAIRS / f"{text}.v").read_text())


@pytest.fixture(scope="session")
def design(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Design]:
    """The golden design of a text or a name in `pairs/`, with `load_design`'s settings."""
    folder = tmp_path_factory.mktemp("designs")

    def load(text: str, **settings: object) -> Design:
        whole = text if "\n" in text or " " in text else (PAIRS / f"{text}.v").read_text()
        return _loaded(whole, folder, **settings)

    return load
