"""Algebraic equivalence: cones that compute a polynomial of the inputs modulo 2^n, whatever adders they are made of.

Start at `check.py` (a cone against its specification). `graph.py` holds the cone with simulation signatures,
`adders.py` finds full and half adders and `facts.py` proves them, `rules.py` gives each gate its polynomial and
`reduce.py` eliminates the gates from the outputs to the inputs.
"""
