"""The polynomial each gate is replaced with, and the order in which to replace them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from rtl_evolve.verify.algebra.facts import Adder
from rtl_evolve.verify.algebra.graph import Graph, Select
from rtl_evolve.verify.algebra.polynomial import (
    Polynomial,
    add_to,
    constant,
    literal,
    of_truth_table,
    product,
)


@dataclass(frozen=True)
class Step:
    """Replace `variable` with `rule`; `why` names the kind of rule, which says how to check it."""

    variable: int
    why: str
    rule: Polynomial


def adder_rule(adder: Adder) -> Polynomial:
    """The sum variable as its addends minus twice its carry."""
    total: Polynomial = {}
    for lit in adder.addends:
        add_to(total, literal(lit))
    add_to(total, literal(adder.carry), -2)
    return add_to(constant(1), total, -1) if adder.sum & 1 else total


def gate_rule(graph: Graph, variable: int, adders: Mapping[int, Adder]) -> Step:
    """The rule of one gate: its adder's if it has one, its truth table over few inputs, or its own structure."""
    adder = adders.get(variable)
    if adder is not None and len(adder.addends) == 3:
        return Step(variable, "full adder", adder_rule(adder))
    support = graph.small_supports[variable]
    if support is not None:
        leaves = tuple(sorted(support))
        table = graph.truth_table(variable, leaves, most_gates=1000)
        if table is not None:
            return Step(variable, "table", of_truth_table(table, leaves))
    if adder is not None:
        return Step(variable, "half adder", adder_rule(adder))
    select = graph.selects.get(variable)
    if select is not None:
        return Step(variable, "select", select_rule(select))
    return Step(variable, "and", product(literal(graph.fanin0[variable]), literal(graph.fanin1[variable])))


def select_rule(select: Select) -> Polynomial:
    chosen = product(literal(select.select), literal(select.then))
    return add_to(chosen, product(literal(select.select ^ 1), literal(select.otherwise)))


def substitution_order(graph: Graph, roots: Iterable[int], adders: Mapping[int, Adder]) -> list[Step]:
    """Rules for all gates the root literals lead to, each before the gates its own rule mentions.

    An adder's carry may itself be computed from its sum. Such a circle is broken by giving up that adder.
    """
    usable = dict(adders)
    while True:
        steps, broken = _depth_first(graph, roots, usable)
        if not broken:
            return steps
        for variable in broken:
            del usable[variable]


def _depth_first(
    graph: Graph, roots: Iterable[int], adders: Mapping[int, Adder]
) -> tuple[list[Step], set[int]]:
    steps: dict[int, Step] = {}
    done: list[Step] = []
    finished: set[int] = set()
    broken: set[int] = set()
    for root in roots:
        path: list[tuple[int, bool]] = [(root >> 1, False)]
        while path:
            variable, leaving = path.pop()
            if leaving:
                finished.add(variable)
                done.append(steps[variable])
                continue
            if variable in finished or not graph.is_gate(variable):
                continue
            if variable in steps:  # still open: a circle, which only adder facts can close
                broken |= {open_ for open_, is_open in path if is_open and open_ in adders}
                continue
            steps[variable] = gate_rule(graph, variable, adders)
            path.append((variable, True))
            path += [(v, False) for monomial in steps[variable].rule for v in monomial if v not in finished]
    return done[::-1], broken
