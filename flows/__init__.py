"""Everything put together: configuration, the evaluation cascade, `run`, the command line, workers.

Start at `evaluate.py` (one candidate's way, on one screen), then `run.py` and `cli.py`.
"""
