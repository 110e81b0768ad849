"""Small designs for the bench's tests."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from rtl_evolve.rtl.candidate import Candidate
from rtl_evolve.rtl.design import Design
from rtl_evolve.rtl.load import load_design

MakeDesign = Callable[..., Design]
Change = Callable[..., Candidate]


@pytest.fixture
def make_design(tmp_path: Path) -> MakeDesign:
    """A design of one file with the given text; further arguments as for `load_design`."""

    def make(text: str, **options: Any) -> Design:
        path = tmp_path / "unit.v"
        path.write_text(text)
        return load_design([path], **options)

    return make


@pytest.fixture
def change() -> Change:
    """Golden's only file with one piece of text replaced."""

    def make(design: Design, old: str, new: str) -> Candidate:
        (file,) = design.sources.files
        assert file.text.count(old) == 1
        return Candidate(((file.path, file.text.replace(old, new)),))

    return make
