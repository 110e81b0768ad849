"""The timed simulation compiled by the user's C++ compiler, once, and kept in the cache; None where there is none."""

import ast
import ctypes
import hashlib
import os
from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rtl_evolve.rtl.errors import ToolMissing
from rtl_evolve.rtl.process import find_tool, run, workspace
from rtl_evolve.synth.activity import Waves
from rtl_evolve.synth.cache import cache_folder, put
from rtl_evolve.synth.logic import Function

_SOURCE = Path(__file__).with_name("timed.cpp")
_STEPS: dict[type[ast.operator], int] = {ast.BitAnd: -1, ast.BitOr: -2, ast.BitXor: -3}
_ONES = -4
# cycles simulated at once, in words of 64: the waveforms of so many stay in a processor's cache
_WORDS = 8

Kernel = Callable[..., None]


@lru_cache(maxsize=1)
def native_kernel() -> Kernel | None:
    """`timed_toggles` of timed.cpp; None when no compiler is there or it fails."""
    source = _SOURCE.read_bytes()
    path = cache_folder("native") / f"timed-{hashlib.sha256(source).hexdigest()[:16]}-{os.uname().machine}.so"
    try:
        if not path.is_file():
            with workspace() as folder:
                command = [find_tool("g++"), "-O3", "-std=c++17", "-shared", "-fPIC", str(_SOURCE), "-o", "timed.so"]
                if not run(command, folder).ok:
                    return None
                put(folder / "timed.so", path)
        library = ctypes.CDLL(str(path))
    except (ToolMissing, OSError):
        return None
    kernel: Any = library.timed_toggles
    kernel.restype = None
    return lambda *arguments: kernel(*(_pointer(a) if isinstance(a, np.ndarray) else a for a in arguments))


def _pointer(array: NDArray[Any]) -> ctypes.c_void_p:
    return ctypes.c_void_p(array.ctypes.data)


class GateList:
    """Gates in topological order, gathered for the kernel."""

    def __init__(self) -> None:
        self.outputs: list[int] = []
        self.delays: list[int] = []
        self.functions: list[int] = []
        self.input_at: list[int] = [0]
        self.inputs: list[int] = []
        self._numbers: dict[str, int] = {}
        self._steps: list[list[int]] = []

    def add(self, net: int, delay: int, function: Function, inputs: Sequence[int]) -> None:
        """A gate that drives `net` `delay` ticks after the nets `inputs` ask for it."""
        if function.source not in self._numbers:
            self._numbers[function.source] = len(self._steps)
            self._steps.append(postfix(function))
        self.outputs.append(net)
        self.delays.append(delay)
        self.functions.append(self._numbers[function.source])
        self.inputs += inputs
        self.input_at.append(len(self.inputs))

    def toggles(self, kernel: Kernel, waves: Waves, sources: dict[int, int]) -> NDArray[np.int64]:
        """Changes of each net over all cycles; `sources` holds the tick at which inputs and flip-flops change."""
        nets = len(waves.values)
        steps = waves.streams * waves.cycles
        before, after = (_words(values, steps) for values in (waves.before, waves.after))
        step_at = np.cumsum([0, *map(len, self._steps)])
        fixed = [
            len(sources),
            *_integers(list(sources), list(sources.values())),
            len(self.outputs),
            *_integers(self.outputs, self.delays, self.functions, self.input_at, self.inputs, step_at.tolist()),
            *_integers([step for steps in self._steps for step in steps]),
            np.bincount(np.array(self.inputs, dtype=np.int64), minlength=nets).astype(np.int32),
        ]
        found = np.zeros(nets, dtype=np.int64)
        for begin in range(0, before.shape[1], _WORDS):
            part = [np.ascontiguousarray(side[:, begin : begin + _WORDS]) for side in (before, after)]
            kernel(nets, part[0].shape[1], *part, *fixed, found)
        return found


def _integers(*lists: list[int]) -> list[NDArray[np.int32]]:
    return [np.array(values, dtype=np.int32) for values in lists]


def _words(values: Sequence[int], steps: int) -> NDArray[np.uint64]:
    size = -(-steps // 64) * 8
    packed = b"".join(value.to_bytes(size, "little") for value in values)
    return np.frombuffer(packed, dtype="<u8").reshape(len(values), -1)


def postfix(function: Function) -> list[int]:
    """The function's expression as steps: a pin's place, or an operator on the two values before it."""
    steps: list[int] = []

    def walk(node: ast.expr) -> None:
        if isinstance(node, ast.BinOp):
            walk(node.left)
            walk(node.right)
            steps.append(_STEPS[type(node.op)])
        else:
            assert isinstance(node, ast.Name)
            steps.append(_ONES if node.id == "ones" else int(node.id[1:]))

    walk(ast.parse(function.source, mode="eval").body)
    return steps
