"""What a design costs: cell libraries, synthesis recipes, timing, switching activity, power, measurement.

Start at `measurement.py` (the record) and `measure.py` (design to figures). The way through: `synthesise.py` runs a
recipe's front and hands its gates (`gates.py`, in `canonical.py` order) to `abc_map.py`; the `mapped.py` netlist goes to
`timing.py`, `activity.py` or `glitch.py`, and `power.py`. `libraries.py` finds and caches cell libraries; `recipes/`
holds the recipes as data. `envelope.py` compares, `noise.py` says what is luck, `attribution.py` what a line costs.
"""
