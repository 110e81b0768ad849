"""Designs with registers: the machine a model is, where it starts, two machines side by side, and proof over all time.

Start at `machine.py` (a model as a step function), then `start.py` (the states it is compared from), `product.py`
(golden beside candidate) and the proofs: `unroll.py` (the first cycles), `history.py` (pipelines as functions of past
inputs), `correspondence.py` (matching registers) and `induction.py` (matching signals).
"""
