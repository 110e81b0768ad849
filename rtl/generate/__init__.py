"""Generators of readable arithmetic: adders, compressor trees, multipliers, counters, shifters, dividers, constants.

Everything is built in a `Body` (`body.py`) from words of bits (`word.py`), and comes out as a function or a module
whose text an engineer can review: vectors instead of single gates, a comment a step. Start at `unit.py`.
"""
