"""What a design is: reading it, its interface, its text and edits, the gate, elaboration, word-level analysis.

Start at `design.py` (the records), then `load.py` (files to a `Design`), `gate.py` (what a candidate may not do),
`elaborate.py` (text to a word-level netlist and a bit-level `Model`) and `rewrites/` (the rewrite rules, a file per
family). `process.py` is the one module that starts outside programs. `units/` holds the arithmetic units we ship.
"""
