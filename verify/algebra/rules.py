"""The polynomial each gate is replaced with, and the order in which to replace them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from rtl_evolve.verify.algebra.facts import Adder, FactProver
from rtl_evolve.verify.algebra.graph import Graph, Select
from rtl_evolve.verify.algebra.polynomial import Polynomial, add_to, constant, literal, of_truth_table, product
from rtl_evolve.verify.algebra.signatures import Signatures


@dataclass(frozen=True)
class Step:
    """Replace `variable` with `rule`; `why` names the kind of rule, which says how to check it."""

    variable: int
    why: str
    rule: Polynomial


class Rules:
    """Rules of one graph's gates, made when asked for."""

    def __init__(
        self,
        graph: Graph,
        adders: Mapping[int, Adder],
        signatures: Signatures,
        prover: FactProver,
        *,
        keep_sums: bool,
    ) -> None:
        """With `keep_sums` no truth table looks through an adder's sum, which is better where sums are multiplied."""
        self._graph = graph
        self._adders = dict(adders)
        self._signatures = signatures
        self._prover = prover
        self._words: dict[int, Polynomial] = {}
        self._sums = {v for v, a in adders.items() if a.carry >> 1 in graph.operands} if keep_sums else set[int]()
        self._supports = graph.supports(self._sums)

    def add_word(self, variable: int, value: Polynomial) -> None:
        """A gate is, by proof, this polynomial of the inputs and of other gates of its word.

        The word's gates are kept together: no other gate's rule looks through them.
        """
        self._words[variable] = value
        bits = {v for word, value in self._words.items() for monomial in value for v in (word, *monomial)}
        self._supports = self._graph.supports(self._sums | {v for v in bits if self._graph.is_gate(v)})

    def order(self, roots: Iterable[int]) -> list[int]:
        """All gates the root literals lead to, each before the gates its own rule mentions.

        An adder's carry may itself be computed from its sum. Such a circle is broken by giving up those facts.
        """
        roots = list(roots)
        while True:
            order, broken = self._depth_first(roots)
            if not broken:
                return order
            for variable in broken:
                self._adders.pop(variable, None)
                self._words.pop(variable, None)

    def step(self, variable: int) -> Step:
        """The rule of one gate: its adder's if it has one, its truth table over few inputs, or its structure."""
        graph = self._graph
        if variable in self._words:
            return Step(variable, "word", self._words[variable])
        adder = self._adders.get(variable)
        if adder is not None:
            return Step(variable, "full adder" if len(adder.addends) == 3 else "half adder", adder_rule(adder))
        support = self._supports[variable]
        if support is not None and variable not in support:
            leaves = tuple(sorted(support))
            table = graph.truth_table(variable, leaves, most_gates=1000)
            if table is not None:
                return Step(variable, "table", of_truth_table(table, leaves))
        select = graph.selects.get(variable)
        if select is not None:
            return Step(variable, "select", select_rule(select))
        a, b = literal(graph.fanin0[variable]), literal(graph.fanin1[variable])
        if self._never_both_false(variable):
            return Step(variable, "never both false", add_to(add_to(a, b), constant(-1)))
        return Step(variable, "and", product(a, b))

    def _never_both_false(self, variable: int) -> bool:
        """Whether one of an AND gate's two operands is always true, so that it is their sum minus one."""
        a, b = self._graph.fanin0[variable], self._graph.fanin1[variable]
        if self._signatures.of(a ^ 1) & self._signatures.of(b ^ 1):
            return False
        return self._prover.never_both(a ^ 1, b ^ 1)

    def _mentions(self, variable: int) -> Iterable[int]:
        """Variables the gate's rule may mention."""
        graph = self._graph
        if variable in self._words:
            return {v for monomial in self._words[variable] for v in monomial}
        adder = self._adders.get(variable)
        if adder is not None:
            return (*adder.variables, adder.carry >> 1)
        support = self._supports[variable]
        if support is not None and variable not in support:
            return support
        select = graph.selects.get(variable)
        if select is not None:
            return (select.select >> 1, select.then >> 1, select.otherwise >> 1)
        return (graph.fanin0[variable] >> 1, graph.fanin1[variable] >> 1)

    def _depth_first(self, roots: Iterable[int]) -> tuple[list[int], set[int]]:
        graph = self._graph
        opened: set[int] = set()
        finished: set[int] = set()
        done: list[int] = []
        broken: set[int] = set()
        for root in roots:
            path: list[tuple[int, bool]] = [(root >> 1, False)]
            while path:
                variable, leaving = path.pop()
                if leaving:
                    finished.add(variable)
                    done.append(variable)
                elif variable in finished or not graph.is_gate(variable):
                    continue
                elif variable in opened:  # a circle, which only facts about adders and words can close
                    circle = [v for v, is_open in path if is_open]
                    broken |= {v for v in circle[circle.index(variable) :] if v in self._adders or v in self._words}
                else:
                    opened.add(variable)
                    path.append((variable, True))
                    path += [(v, False) for v in self._mentions(variable) if v not in finished]
        return done[::-1], broken


def adder_rule(adder: Adder) -> Polynomial:
    """The sum variable as its addends minus twice its carry."""
    total: Polynomial = {}
    for lit in adder.addends:
        add_to(total, literal(lit))
    add_to(total, literal(adder.carry), -2)
    return add_to(constant(1), total, -1) if adder.sum & 1 else total


def select_rule(select: Select) -> Polynomial:
    chosen = product(literal(select.select), literal(select.then))
    return add_to(chosen, product(literal(select.select ^ 1), literal(select.otherwise)))
