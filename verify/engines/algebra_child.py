"""Child of `algebra_outside.py`: `python algebra_child.py problem.pickle` prints its verdict, pickled, in hex."""

import pickle
import sys
from pathlib import Path

from rtl_evolve.verify.engines.algebra import try_prove


def main() -> None:
    problem, limits = pickle.loads(Path(sys.argv[1]).read_bytes())
    print(pickle.dumps(try_prove(problem, limits)).hex())


if __name__ == "__main__":
    main()
