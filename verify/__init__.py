"""Is a candidate right: stimulus, bit-parallel simulation, the Verilator + cocotb bench, the proof portfolio.

Start at `verdict.py` (the grades) and `prove.py` (the portfolio); `engines/` has one module an engine, all of one
shape; `bench/` runs golden beside candidate in Verilator under cocotb.
"""
