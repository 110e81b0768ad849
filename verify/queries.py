"""Incremental SAT on a growing and-inverter graph, each question with a bound on its effort."""

from collections.abc import Sequence

from pysat.solvers import Solver

_SOLVER = "minisat22"  # small calls with a conflict budget; CaDiCaL's binding offers no budget
_RECYCLE = 6000  # variables in the solver after which it starts afresh: old cones only slow it down


class Queries:
    """Asks whether literals of a graph can hold together; `fanins` may grow between questions.

    `fanins[k]` are the literals of gate variable `inputs + 1 + k`. Everything is asked under `constraint`.
    """

    def __init__(self, inputs: int, fanins: Sequence[tuple[int, int]], constraint: int = 1) -> None:
        self._first, self._fanins, self._constraint = inputs + 1, fanins, constraint
        self._solver: Solver | None = None
        self._loaded: set[int] = set()

    def close(self) -> None:
        if self._solver is not None:
            self._solver.delete()
            self._solver = None

    def satisfiable(self, literals: Sequence[int], conflicts: int) -> bool | None:
        """Whether all the literals can be true at once; None when `conflicts` conflicts didn't settle it."""
        if 0 in literals:
            return False
        if self._solver is not None and len(self._loaded) > _RECYCLE:
            self.close()
        if self._solver is None:
            self._solver = Solver(name=_SOLVER)
            self._loaded = {0}
            self._solver.add_clause([-1])
            self._load([self._constraint])
            self._solver.add_clause([_number(self._constraint)])
        self._load(literals)
        self._solver.conf_budget(conflicts)
        answer = self._solver.solve_limited(assumptions=[_number(lit) for lit in literals])
        return None if answer is None else bool(answer)

    def model(self, inputs: int) -> list[int]:
        """The inputs' values of the last satisfiable question; inputs it didn't involve are 0."""
        assert self._solver is not None
        values = self._solver.get_model() or []
        return [int(v in self._loaded and v < len(values) and values[v] > 0) for v in range(1, inputs + 1)]

    def _load(self, literals: Sequence[int]) -> None:
        """Clauses of the cones that aren't in the solver yet."""
        assert self._solver is not None
        stack = [lit >> 1 for lit in literals]
        loaded, add = self._loaded, self._solver.add_clause
        while stack:
            variable = stack.pop()
            if variable in loaded:
                continue
            loaded.add(variable)
            if variable >= self._first:
                a, b = self._fanins[variable - self._first]
                gate, p, q = variable + 1, _number(a), _number(b)
                add([-gate, p])
                add([-gate, q])
                add([gate, -p, -q])
                stack += (a >> 1, b >> 1)


def _number(literal: int) -> int:
    """A literal of the graph as the solver's; variable v is the solver's v + 1."""
    return -((literal >> 1) + 1) if literal & 1 else (literal >> 1) + 1
