"""Drops the undefined bits that nothing can ever see.

The front end fills the branches in which a register keeps its value with x, and masks them by the enable beside them.
Such an x is no x of the design. Here each register's next value and each output is proven not to depend on its
undefined bits; what can't be shown within a small effort keeps them.
"""

import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from pysat.solvers import Solver
from rtl_evolve.rtl.aig import FALSE, TRUE, Aig, AigBuilder, value
from rtl_evolve.rtl.model import Model, Register

_VECTORS = 256
_CONFLICTS = 300  # per function; masks are a few muxes deep, so what needs more is not a mask


def settle_undefined(model: Model) -> Model:
    """The same model with every function that provably ignores its undefined bits rewritten without them."""
    if not model.undefined:
        return model
    pair = _Pair.of(model)
    settled = pair.settled(dict.fromkeys(_roots(model)))

    def literal(old: int) -> int:
        chosen = pair.zero if old in settled else pair.free
        return chosen[old >> 1] ^ (old & 1)

    registers = tuple(_moved(r, literal) for r in model.registers)
    outputs = tuple((name, bit, literal(lit)) for name, bit, lit in model.outputs)
    signals = {n: tuple(pair.zero[x >> 1] ^ (x & 1) for x in word) for n, word in model.signals.items()}
    seen = _support(pair.aig, [lit for r in registers for lit in _functions(r)] + [lit for _, _, lit in outputs])
    undefined = tuple(u for u in model.undefined if u.variable in seen)
    whole = replace(model, aig=pair.aig, registers=registers, outputs=outputs, signals=signals, undefined=undefined)
    return _without_gaps(whole, len(model.inputs) + len(model.registers))


def _functions(register: Register) -> list[int]:
    pair = (register.load, register.load_value)
    return [register.next, register.clock, *(lit for lit in pair if lit is not None)]


def _roots(model: Model) -> list[int]:
    return [lit for r in model.registers for lit in _functions(r)] + [lit for _, _, lit in model.outputs]


def _moved(register: Register, literal: Callable[[int], int]) -> Register:
    load = None if register.load is None else literal(register.load)
    value_ = None if register.load_value is None else literal(register.load_value)
    return replace(register, next=literal(register.next), clock=literal(register.clock), load=load, load_value=value_)


@dataclass(frozen=True)
class _Pair:
    """One graph with every function twice: by old variable, its literal with undefined bits `free` and at `zero`."""

    aig: Aig
    free: list[int]
    zero: list[int]

    @staticmethod
    def of(model: Model) -> "_Pair":
        builder = AigBuilder(model.aig.inputs)
        inputs = [builder.input(i) for i in range(model.aig.inputs)]
        free = builder.copy(model.aig, inputs)
        undefined = {u.variable for u in model.undefined}
        zero = builder.copy(model.aig, [FALSE if i + 1 in undefined else x for i, x in enumerate(inputs)])
        return _Pair(builder.build(), free, zero)

    def settled(self, roots: Iterable[int]) -> set[int]:
        """Those roots (old literals) whose two functions are proven equal."""
        rng = random.Random(0)
        patterns = [rng.getrandbits(_VECTORS) for _ in range(self.aig.inputs)]
        values = self.aig.simulate(patterns, _VECTORS)
        done: set[int] = set()
        with Solver(name="glucose4") as solver:
            encoded: set[int] = set()
            for root in roots:
                a, b = (side[root >> 1] ^ (root & 1) for side in (self.free, self.zero))
                if a == b or (
                    value(values, a, _VECTORS) == value(values, b, _VECTORS) and self._equal(solver, encoded, a, b)
                ):
                    done.add(root)
        return done

    def _equal(self, solver: Solver, encoded: set[int], a: int, b: int) -> bool:
        first = self.aig.inputs + 1
        stack = [a >> 1, b >> 1]
        while stack:
            variable = stack.pop()
            if variable < first or variable in encoded:
                continue
            encoded.add(variable)
            left, right = self.aig.fanin0[variable - first], self.aig.fanin1[variable - first]
            x, y = _sat(left), _sat(right)
            for clause in ([-variable, x], [-variable, y], [variable, -x, -y]):
                solver.add_clause(clause)
            stack += [left >> 1, right >> 1]
        solver.add_clause([self._literal(TRUE)])
        for x, y in ((a, b ^ 1), (a ^ 1, b)):
            solver.conf_budget(_CONFLICTS)
            if solver.solve_limited(assumptions=[self._literal(x), self._literal(y)]) is not False:
                return False
        return True

    def _literal(self, literal: int) -> int:
        """Solver literal; the constant is a variable of its own, since 0 can't be one."""
        return _sat(literal) if literal > 1 else (self.aig.variables + 1) * (1 if literal else -1)


def _sat(literal: int) -> int:
    return -(literal >> 1) if literal & 1 else literal >> 1


def _support(aig: Aig, roots: list[int]) -> set[int]:
    """Every variable that `roots` are computed from."""
    first = aig.inputs + 1
    seen: set[int] = set()
    stack = [lit >> 1 for lit in roots]
    while stack:
        variable = stack.pop()
        if variable not in seen:
            seen.add(variable)
            if variable >= first:
                stack += [aig.fanin0[variable - first] >> 1, aig.fanin1[variable - first] >> 1]
    return seen


def _without_gaps(model: Model, fixed: int) -> Model:
    """Renumber so that undefined variables follow the `fixed` ones without gaps, and drop what nothing uses."""
    kept = {u.variable: fixed + 1 + i for i, u in enumerate(model.undefined)}
    builder = AigBuilder(fixed + len(kept))
    inputs = [2 * (v if v <= fixed else kept.get(v, 0)) for v in range(1, model.aig.inputs + 1)]
    new = builder.copy(model.aig, inputs)

    def literal(old: int) -> int:
        return new[old >> 1] ^ (old & 1)

    return replace(
        model,
        aig=builder.build(),
        registers=tuple(_moved(r, literal) for r in model.registers),
        outputs=tuple((name, bit, literal(lit)) for name, bit, lit in model.outputs),
        signals={n: tuple(map(literal, word)) for n, word in model.signals.items()},
        undefined=tuple(replace(u, variable=kept[u.variable]) for u in model.undefined),
    )
