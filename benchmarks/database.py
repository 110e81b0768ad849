"""Processor seconds of the program database's actions with 1,000 and with 100,000 candidates, and their ratios.

Run: python benchmarks/database.py
Synthetic evaluations. Each figure is that of the cheapest of five rounds, since other programs run here too.
"""

import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from rtl_evolve.evolver.database import Context, ProgramDatabase, Row
from rtl_evolve.evolver.evaluation import Evaluation
from rtl_evolve.evolver.objective import Figures
from rtl_evolve.rtl.candidate import Candidate
from rtl_evolve.synth.measurement import Measurement, Power
from rtl_evolve.verify.verdict import Grade, Verdict

MEASURED = (Measurement("lib", "area", None, 100.0, 200.0, Power(1.0, 2.0, 3.0), 10, 0),)
FEW, MANY = 1000, 100_000


def candidate(number: int) -> Candidate:
    return Candidate((("a.v", f"module a; wire [{number}:0] w; endmodule\n"),), "rules", ("why",), ("parent",))


def insert(database: ProgramDatabase, number: int) -> None:
    """One candidate and its evaluation, as a run stores them."""
    made = candidate(number)
    context = Context(number - 1, (Figures(1, 2, 3),))
    database.add(Row(number, made, "arm", number % 4, None, "", context), f"n{number}")
    grade = Grade.PROVEN if number % 3 else Grade.REJECTED
    stages = (("gate", 0.25), ("prove", 0.5))
    result = Evaluation(made.id, Verdict(grade, "engine"), MEASURED, f"s{number}", stages)
    database.finish(number, result, number / 1e6)


def seconds_each(action: Callable[[int], object], first: int) -> float:
    """Processor seconds of one action, from 1,000 of them in five rounds."""
    times = []
    for start in range(5):
        began = time.process_time()
        for number in range(first + start, first + 1000, 5):
            action(number)
        times.append((time.process_time() - began) / 200)
    return min(times)


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        database = ProgramDatabase.create(Path(folder) / "run.sqlite")
        actions: dict[str, Callable[[int], object]] = {
            "row": lambda n: database.row(n % FEW),
            "known id": lambda n: candidate(n).id in database,
            "known text": lambda n: database.same_text(f"n{n}"),
            "counts": lambda n: database.counts(),
            "scalar": lambda n: database.scalar(candidate(n % FEW).id),
            "insert": lambda n: insert(database, database.size),
        }
        for number in range(FEW):
            insert(database, number)
        few = {name: seconds_each(action, 0) for name, action in actions.items()}
        for number in range(database.size, MANY):
            insert(database, number)
        many = {name: seconds_each(action, MANY - 1000) for name, action in actions.items()}
        print("| action | us at 1,000 | us at 100,000 | ratio |\n|---|---:|---:|---:|")
        for name in actions:
            print(f"| {name} | {few[name] * 1e6:.1f} | {many[name] * 1e6:.1f} | {many[name] / few[name]:.2f} |")
        database.close()


if __name__ == "__main__":
    main()
