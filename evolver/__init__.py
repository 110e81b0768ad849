"""What to try next: objective, program database, islands and selection, proposers, the search loop.

Nothing here starts a tool: `propose` and `evaluate` are handed in. Start at `loop.py`, then `database.py`.
"""
