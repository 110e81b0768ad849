"""Simulation of generated text through the project's own front end."""

from collections.abc import Callable, Mapping, Sequence

import pytest
from rtl_evolve.rtl.aig import value
from rtl_evolve.rtl.design import SourceFile, Sources
from rtl_evolve.rtl.elaborate import Elaboration, elaborate

Simulate = Callable[[str, Sequence[Mapping[str, int]]], list[dict[str, int]]]


@pytest.fixture(scope="session")
def simulate() -> Simulate:
    """Outputs of module `dut` in a text, for each vector of input numbers."""
    return simulated


def simulated(text: str, vectors: Sequence[Mapping[str, int]]) -> list[dict[str, int]]:
    found = elaborate(Sources((SourceFile("dut.v", text),), "dut"))
    assert isinstance(found, Elaboration), f"{found}\n{text}"
    model, count = found.model, len(vectors)
    assert not model.undefined and not model.registers
    patterns = [sum((v[port] >> bit & 1) << k for k, v in enumerate(vectors)) for port, bit in model.inputs]
    values = model.aig.simulate(patterns, count)
    results: list[dict[str, int]] = [{} for _ in vectors]
    for port, bit, literal in model.outputs:
        word = value(values, literal, count)
        for k, result in enumerate(results):
            result[port] = result.get(port, 0) | (word >> k & 1) << bit
    return results
