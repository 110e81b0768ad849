"""Proves that a gate equals a majority (or a conjunction) of others: by a local truth table, or else by SAT."""

from collections.abc import Collection
from dataclasses import dataclass
from types import TracebackType
from typing import Self

from pysat.solvers import Solver
from rtl_evolve.rtl.aig import FALSE
from rtl_evolve.verify.algebra.graph import SMALL_SUPPORT, Graph, projection

CONFLICTS = 100  # of one SAT question; adder facts that need more are not worth their time


@dataclass(frozen=True)
class Adder:
    """The numbers of `addends` (two or three literals) add up to `sum` + 2 `carry`, both literals."""

    sum: int
    addends: tuple[int, ...]
    carry: int

    @property
    def variables(self) -> tuple[int, ...]:
        return tuple(lit >> 1 for lit in self.addends)


def carry_table(addends: tuple[int, ...]) -> int:
    """Truth table, over the addends' variables, of the carry."""
    full = (1 << (1 << len(addends))) - 1
    columns = [projection(i, len(addends)) ^ (full if lit & 1 else 0) for i, lit in enumerate(addends)]
    if len(columns) == 2:
        return columns[0] & columns[1]
    x, y, z = columns
    return (x & y) | (x & z) | (y & z)


def holds_locally(graph: Graph, adder: Adder) -> bool:
    """Whether the carry's own gates, over the addends as leaves, are the majority; false also where it is unclear."""
    if adder.carry == FALSE:
        return never_both(graph, *adder.addends)
    table = graph.truth_table(adder.carry >> 1, adder.variables, most_gates=16)
    if table is None:
        return False
    full = (1 << (1 << len(adder.addends))) - 1
    return table ^ (full if adder.carry & 1 else 0) == carry_table(adder.addends)


def never_both(graph: Graph, a: int, b: int) -> bool:
    """Whether two literals are never true together, as their few inputs show; false also where it is unclear."""
    supports = [graph.small_supports[lit >> 1] for lit in (a, b)]
    if supports[0] is None or supports[1] is None or len(supports[0] | supports[1]) > SMALL_SUPPORT:
        return False
    leaves = tuple(sorted(supports[0] | supports[1]))
    full = (1 << (1 << len(leaves))) - 1
    tables = [graph.truth_table(lit >> 1, leaves) for lit in (a, b)]
    if tables[0] is None or tables[1] is None:
        return False
    return not (tables[0] ^ (full if a & 1 else 0)) & (tables[1] ^ (full if b & 1 else 0))


class FactProver:
    """Asks one incremental solver about gates over `leaves`, which are left free; proven facts help later ones."""

    def __init__(self, graph: Graph, leaves: Collection[int] = ()) -> None:
        self._graph = graph
        self._leaves = frozenset(leaves)
        self._solver = Solver(name="glucose4")
        self._encoded: set[int] = {0}
        self._solver.add_clause([self._number(1)])
        self._fresh = graph.size + 1

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._solver.delete()

    def is_leaf(self, variable: int) -> bool:
        return variable in self._leaves

    def prove(self, adder: Adder) -> bool:
        """Whether the carry fact holds for all values of the leaves; false also where the solver gave up."""
        self._encode(adder.carry >> 1)
        for lit in adder.addends:
            self._encode(lit >> 1)
        majority = self._majority([self._number(lit) for lit in adder.addends])
        carry = self._number(adder.carry)
        if not (self._impossible([majority, -carry]) and self._impossible([-majority, carry])):
            return False
        self._solver.add_clause([-majority, carry])
        self._solver.add_clause([majority, -carry])
        return True

    def never_both(self, a: int, b: int) -> bool:
        """Whether two literals are never true together."""
        self._encode(a >> 1)
        self._encode(b >> 1)
        return self._impossible([self._number(a), self._number(b)])

    def _impossible(self, assumptions: list[int]) -> bool:
        self._solver.conf_budget(CONFLICTS)
        return self._solver.solve_limited(assumptions=assumptions) is False

    @staticmethod
    def _number(lit: int) -> int:
        """Solver literal; the constant is solver variable of literal 1, kept true."""
        number = (lit >> 1) + 1
        return -number if lit & 1 != (lit < 2) else number

    def _majority(self, inputs: list[int]) -> int:
        self._fresh += 1
        m = self._fresh
        if len(inputs) == 2:
            x, y = inputs
            clauses = [[-x, -y, m], [x, -m], [y, -m]]
        else:
            x, y, z = inputs
            clauses = [[-x, -y, m], [-x, -z, m], [-y, -z, m], [x, y, -m], [x, z, -m], [y, z, -m]]
        for clause in clauses:
            self._solver.add_clause(clause)
        return m

    def _encode(self, root: int) -> None:
        stack = [root]
        fanin0, fanin1 = self._graph.fanin0, self._graph.fanin1
        while stack:
            variable = stack.pop()
            if variable in self._encoded or variable in self._leaves or not self._graph.is_gate(variable):
                continue
            self._encoded.add(variable)
            a, b = fanin0[variable], fanin1[variable]
            v, x, y = self._number(2 * variable), self._number(a), self._number(b)
            self._solver.add_clause([-v, x])
            self._solver.add_clause([-v, y])
            self._solver.add_clause([v, -x, -y])
            stack += (a >> 1, b >> 1)
