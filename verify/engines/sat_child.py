"""Child of `sat.py`: `python sat_child.py miter.json`; ends by printing "equal" or "different" and the inputs' bits."""

import json
import sys
from pathlib import Path

from pysat.solvers import Solver


def main() -> None:
    question = json.loads(Path(sys.argv[1]).read_text())
    inputs, gates = question["inputs"], question["gates"]
    with Solver(name="cadical195") as solver:
        solver.add_clause([-1])  # variable v of the graph is v + 1 here; the constant is false
        for k, (a, b) in enumerate(gates):
            gate, p, q = inputs + k + 2, number(a), number(b)
            solver.append_formula([[-gate, p], [-gate, q], [gate, -p, -q]])
        solver.add_clause([number(question["constraint"])])
        for wrong in question["wrong"]:
            if solver.solve(assumptions=[number(wrong)]):
                model = solver.get_model()
                print(
                    "different "
                    + "".join("1" if v < len(model) and model[v] > 0 else "0" for v in range(1, inputs + 1)),
                    flush=True,
                )
                return
            solver.add_clause([-number(wrong)])
            print("proven", wrong, flush=True)
    print("equal", flush=True)


def number(literal: int) -> int:
    """A literal of the graph as the solver's."""
    return -((literal >> 1) + 1) if literal & 1 else (literal >> 1) + 1


if __name__ == "__main__":
    main()
