"""Golden beside candidate in Verilator, driven by cocotb: an independent front end guarding against a fault in ours."""
