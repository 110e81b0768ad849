"""Rewrite rules, one module a family, all of one shape: `propose(view, rng)` yields `Rewrite`s (see `rule.py`)."""
