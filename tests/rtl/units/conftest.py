"""Runs the shipped units on the bit-level model, thousands of vectors at once."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pytest
from rtl_evolve.rtl.aig import value
from rtl_evolve.rtl.design import SourceFile, Sources
from rtl_evolve.rtl.elaborate import Elaboration, elaborate
from rtl_evolve.rtl.model import Model

UNITS = Path(__file__).parents[3] / "rtl" / "units"

Vectors = Mapping[str, Sequence[int]]
Outputs = dict[str, list[int]]


def _model(name: str) -> Model:
    text = (UNITS / f"{name}.v").read_text()
    result = elaborate(Sources((SourceFile(f"{name}.v", text),), name))
    assert isinstance(result, Elaboration), result
    model = result.model
    assert not model.undefined and not model.latches and not model.loops
    return model


def _evaluate(model: Model, inputs: Vectors, state: Sequence[int], lanes: int) -> list[int]:
    patterns = []
    for port, bit in model.inputs:
        word = "".join("1" if v >> bit & 1 else "0" for v in reversed(inputs[port])) if port in inputs else "0"
        patterns.append(int(word, 2))
    return model.aig.simulate([*patterns, *state], lanes)


def _outputs(model: Model, values: Sequence[int], lanes: int) -> Outputs:
    words: Outputs = {}
    for port, bit, literal in model.outputs:
        column = f"{value(values, literal, lanes):0{lanes}b}"
        word = words.setdefault(port, [0] * lanes)
        for lane, digit in enumerate(reversed(column)):
            word[lane] |= (digit == "1") << bit
    return words


@pytest.fixture(scope="session")
def evaluate_unit() -> Callable[[str, Vectors], Outputs]:
    """Outputs of a combinational unit, one list entry a vector."""

    def run(name: str, inputs: Vectors) -> Outputs:
        model = _model(name)
        assert not model.registers
        lanes = len(next(iter(inputs.values())))
        return _outputs(model, _evaluate(model, inputs, (), lanes), lanes)

    return run


@pytest.fixture(scope="session")
def step_unit() -> Callable[[str, Sequence[Vectors]], list[Outputs]]:
    """Outputs of a sequential unit in each cycle (before its clock edge), many independent runs side by side.

    State starts all ones, so a unit that relies on its power-up value, not on its reset, fails.
    """

    def run(name: str, cycles: Sequence[Vectors]) -> list[Outputs]:
        model = _model(name)
        lanes = len(next(iter(cycles[0].values())))
        state = [(1 << lanes) - 1] * len(model.registers)
        seen = []
        for inputs in cycles:
            values = _evaluate(model, inputs, state, lanes)
            seen.append(_outputs(model, values, lanes))
            state = [value(values, register.next, lanes) for register in model.registers]
        return seen

    return run
