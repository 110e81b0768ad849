"""Writes graphs in the binary AIGER format, which ABC reads (https://fmv.jku.at/aiger/FORMAT.aiger, and 1.9)."""

from collections.abc import Sequence

from rtl_evolve.rtl.aig import Aig


def aiger(aig: Aig, outputs: Sequence[int], next_states: Sequence[int] = (), resets: Sequence[int] = ()) -> bytes:
    """The graph's last `len(next_states)` inputs become latches that start at `resets` (0 or 1 each)."""
    latches = len(next_states)
    inputs = aig.inputs - latches
    gates = len(aig.fanin0)
    lines = [f"aig {aig.inputs + gates} {inputs} {latches} {len(outputs)} {gates}"]
    for after, reset in zip(next_states, resets, strict=True):
        lines.append(f"{after} {reset}" if reset else str(after))
    lines += [str(lit) for lit in outputs]
    data = bytearray(("\n".join(lines) + "\n").encode())
    for k, (a, b) in enumerate(zip(aig.fanin0, aig.fanin1, strict=True)):
        gate = 2 * (aig.inputs + 1 + k)
        high, low = (a, b) if a >= b else (b, a)
        for delta in (gate - high, high - low):
            while delta >= 128:
                data.append(delta & 127 | 128)
                delta >>= 7
            data.append(delta)
    return bytes(data)
