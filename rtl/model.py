"""The bit-level transition system of a design: an and-inverter graph with registers and named signals.

Every source of x (an undriven bit, an x constant, an index out of range, a division by zero) is a free variable,
placed so that all of them at 0 gives what elaboration gives. A design whose outputs don't depend on them has no x.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from rtl_evolve.rtl.aig import Aig


@dataclass(frozen=True)
class Register:
    """One bit of state. All values are literals of the model's graph, but `output`, which is a variable.

    `next` has clock enable and synchronous reset folded in. `init` None: unknown at power-up. An asynchronous load
    puts `load_value` whenever `load` is true; both None when there is none.
    """

    name: str
    output: int
    next: int
    clock: int
    rising: bool
    init: int | None
    load: int | None = None
    load_value: int | None = None


@dataclass(frozen=True)
class Undefined:
    """A free variable that stands for an x, and where it comes from."""

    variable: int
    reason: str
    src: str = ""


@dataclass(frozen=True)
class Model:
    """Variables of `aig`: first the port bits of `inputs`, then register outputs, then undefined bits.

    `inputs` and `outputs` give (port, bit index from the least significant, ...); `signals` maps the user's
    hierarchical names to literals, least significant first, where every bit is known. `latches` names level-sensitive
    storage, `loops` combinational loops: a model with either isn't faithful, and the gate refuses both.
    """

    aig: Aig
    inputs: tuple[tuple[str, int], ...]
    registers: tuple[Register, ...]
    undefined: tuple[Undefined, ...]
    outputs: tuple[tuple[str, int, int], ...]
    signals: Mapping[str, tuple[int, ...]]
    latches: tuple[str, ...] = ()
    loops: tuple[str, ...] = ()
