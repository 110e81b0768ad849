"""Proof engines, one module each, all of one shape: `try_prove(problem, limits) -> Verdict | None`."""
