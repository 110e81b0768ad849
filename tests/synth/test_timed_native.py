"""The compiled simulation must give the figures of the one in Python, and be missed by nobody."""

from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rtl_evolve.synth.activity import Workload, simulate
from rtl_evolve.synth.glitch import timed_activity
from rtl_evolve.synth.library import Library
from rtl_evolve.synth.logic import compile_function
from rtl_evolve.synth.mapped import Mapped
from rtl_evolve.synth.timed_native import native_kernel, postfix
from rtl_evolve.synth.timing import analyse

CELLS = {
    "NAND3_X1": ("A1", "A2", "A3", "ZN"),
    "XOR2_X1": ("A", "B", "Z"),
    "OAI21_X1": ("A", "B1", "B2", "ZN"),
    "MUX2_X1": ("A", "B", "S", "Z"),
    "AOI222_X1": ("A1", "A2", "B1", "B2", "C1", "C2", "ZN"),
}


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10**6), gates=st.integers(1, 60), vectors=st.sampled_from([1, 63, 64, 700]))
def test_both_agree(nangate: Library, netlist: Callable[..., Mapped], seed: int, gates: int, vectors: int) -> None:
    assert native_kernel() is not None, "this test needs g++"
    random = Random(seed)
    signals = ["a", "b", "c", "q"]
    placed = []
    for number in range(gates):
        cell, pins = random.choice(sorted(CELLS.items()))
        chosen = {pin: random.choice([*signals, "0", "1"]) for pin in pins[:-1]}
        placed.append((cell, {**chosen, pins[-1]: f"n{number}"}))
        signals.append(f"n{number}")
    placed.append(("DFF_X1", {"CK": "clk", "D": random.choice(signals[:3]), "Q": "q"}))
    mapped = netlist(nangate, ["clk", "a", "b", "c"], [signals[-1]], placed)
    waves = simulate(mapped, Workload(vectors=vectors, seed=seed, clocks=("clk",)))
    timing = analyse(mapped)
    quick, slow = (timed_activity(mapped, timing, waves, native=native) for native in (True, False))
    assert quick.toggles.tolist() == slow.toggles.tolist()
    assert quick.duty.tolist() == slow.duty.tolist()


def test_steps() -> None:
    assert postfix(compile_function("!(A & B) | C")) == [0, 1, -1, -4, -3, 2, -2]
    assert postfix(compile_function("0")) == [-4, -4, -3]


@pytest.fixture
def no_compiler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    native_kernel.cache_clear()
    yield
    native_kernel.cache_clear()


@pytest.mark.usefixtures("no_compiler")
def test_without_a_compiler_python_does_it(nangate: Library, netlist: Callable[..., Mapped]) -> None:
    assert native_kernel() is None
    mapped = netlist(nangate, ["a"], ["y"], [("INV_X1", {"A": "a", "ZN": "y"})])
    activity = timed_activity(mapped, analyse(mapped), simulate(mapped, Workload()))
    assert activity.toggles[mapped.names.index("y")] == activity.toggles[mapped.names.index("a")] > 0.4
