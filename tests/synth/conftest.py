"""Libraries and netlists that the tests of this folder share."""

import heapq
import os
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from rtl_evolve.rtl.design import SourceFile, Sources
from rtl_evolve.rtl.elaborate import Elaboration, elaborate
from rtl_evolve.synth.liberty import read_liberty
from rtl_evolve.synth.libraries import find_library
from rtl_evolve.synth.library import Library
from rtl_evolve.synth.logic import compile_function
from rtl_evolve.synth.mapped import FIRST_NET, Instance, Mapped, MappedPort, assemble

HERE = Path(__file__).parent
SMALL_TEXT = (HERE / "small.lib").read_text()

# an instance: cell name, and the signal at each pin
Placed = tuple[str, dict[str, str]]


@pytest.fixture(scope="session")
def small_text() -> str:
    return SMALL_TEXT


@pytest.fixture(scope="session")
def small() -> Library:
    return read_liberty([("small.lib", SMALL_TEXT)])


@pytest.fixture(scope="session")
def nangate() -> Library:
    return find_library("nangate45")


@pytest.fixture(scope="session")
def small_file() -> str:
    """Path of the small library."""
    return str(HERE / "small.lib")


@pytest.fixture(scope="session")
def no_flops(tmp_path_factory: pytest.TempPathFactory) -> Library:
    """The small library without its flip-flops, ready for synthesis."""
    path = tmp_path_factory.mktemp("library") / "no_flops.lib"
    path.write_text(SMALL_TEXT[: SMALL_TEXT.index("  cell (DFF)")] + "}\n")
    return find_library(str(path))


@pytest.fixture(scope="session")
def shared_libraries() -> Path:
    """Further libraries, which only some machines have."""
    folder = Path(os.environ.get("RTL_EVOLVE_TEST_LIBS", HERE.parents[2] / "shared" / "lib"))
    if not folder.is_dir():
        pytest.skip(f"no folder {folder} with further libraries (RTL_EVOLVE_TEST_LIBS names another)")
    return folder


@pytest.fixture(scope="session")
def netlist() -> Callable[..., Mapped]:
    """Builds a netlist from signal names: `netlist(library, inputs, outputs, [(cell, {pin: signal})])`."""

    def build(library: Library, inputs: Sequence[str], outputs: Sequence[str], placed: Sequence[Placed]) -> Mapped:
        numbers = {"0": 0, "1": 1}

        def net(signal: str) -> int:
            return numbers.setdefault(signal, len(numbers))

        ports = [MappedPort(name, "input", (net(name),)) for name in inputs]
        instances = [
            Instance(f"i{place}", library.cells[cell], {pin: net(signal) for pin, signal in pins.items()})
            for place, (cell, pins) in enumerate(placed)
        ]
        ports += [MappedPort(name, "output", (net(name),)) for name in outputs]
        names = [""] * (len(numbers))
        for signal, number in numbers.items():
            if number >= FIRST_NET:
                names[number] = signal
        mapped = assemble(library, ports, instances, names)
        assert isinstance(mapped, Mapped), mapped
        return mapped

    return build


@pytest.fixture(scope="session")
def elaborated() -> Callable[[str], Elaboration]:
    """Elaborates the module `top` of a text."""

    def run(text: str) -> Elaboration:
        result = elaborate(Sources((SourceFile("top.v", text),), "top"))
        assert isinstance(result, Elaboration), result
        return result

    return run


@pytest.fixture(scope="session")
def event_driven() -> Callable[..., list[int]]:
    """The plain event-driven simulation below."""
    return _event_driven


def _event_driven(
    mapped: Mapped, delay: list[int], before: list[int], after: list[int], births: dict[int, int]
) -> list[int]:
    """Toggles of each net in one cycle: inputs step from `before` to `after` at their `births`; inertial delays.

    Each gate has at most one change under way; when its inputs stop asking for it, the change is cancelled.
    """
    value, toggles = list(before), [0] * len(before)
    under_way: dict[int, int] = {}
    readers: dict[int, list[tuple[int, str]]] = {}
    for index in mapped.order:
        instance = mapped.instances[index]
        for pin in instance.cell.inputs:
            readers.setdefault(instance.nets[pin.name], []).append((index, pin.name))
    queue = [(tick, 0, net, -1) for net, tick in births.items() if before[net] != after[net]]
    heapq.heapify(queue)
    serial = 0
    while queue:
        tick = queue[0][0]
        touched = set()
        while queue and queue[0][0] == tick:
            _, _, net, ticket = heapq.heappop(queue)
            if ticket >= 0 and under_way.get(net) != ticket:
                continue
            under_way.pop(net, None)
            value[net] ^= 1
            toggles[net] += 1
            touched |= {index for index, _ in readers.get(net, [])}
        for index in touched:
            instance = mapped.instances[index]
            (output,) = instance.cell.outputs
            function = compile_function(output.function or "")
            net = instance.nets[output.name]
            wanted = function.evaluate(1, *(value[instance.nets[name]] for name in function.pins))
            if (wanted != value[net]) == (net in under_way):
                continue
            if net in under_way:
                del under_way[net]
            else:
                serial += 1
                under_way[net] = serial
                heapq.heappush(queue, (tick + delay[net], 1, net, serial))
    assert value == after
    return toggles
