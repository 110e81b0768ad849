"""What a design costs: cell libraries, synthesis recipes, timing, switching activity, power, measurement.

Start at `measurement.py` (the record) and `measure.py` (netlist to figures); `recipes/` holds the recipes as data.
"""
