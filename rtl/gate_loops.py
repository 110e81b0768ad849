"""Combinational loops in a word-level netlist, bit by bit."""

import re
from collections.abc import Iterator, Mapping

from rtl_evolve.rtl.netlist import Bit, Cell, Netlist

_BITWISE = ("$not", "$and", "$or", "$xor", "$xnor", "$pos", "$buf", "$mux", "$bwmux")
_RIPPLE = ("$add", "$sub", "$neg", "$mul", "$alu", "$macc", "$macc_v2")
_STATE = re.compile(r"\$(a|s|ad|al)?(dff|ff|mem|dlatch|sr)|\$_(S?DFF|ALDFF|DFFSR|DFFE|DLATCH|SR)")


def loops(netlist: Netlist) -> list[list[Bit]]:
    """Strongly connected bits over combinational cells.

    Bitwise cells connect bit to bit, adders and multipliers lower bits to higher ones, all others everything to
    everything: never too few dependencies, so a loop is never missed.
    """
    needs: dict[Bit, list[Bit]] = {}
    for cell in netlist.cells:
        if not _STATE.match(cell.type):
            for bit, sources in _dependencies(cell):
                needs.setdefault(bit, []).extend(s for s in sources if isinstance(s, int) or s.startswith("cell "))
    cycles = (part for part in _components(needs) if len(part) > 1 or part[0] in needs.get(part[0], ()))
    return [[bit for bit in part if isinstance(bit, int)] for part in cycles]


def _dependencies(cell: Cell) -> Iterator[tuple[Bit, list[Bit]]]:
    outputs = [bits for n, bits in cell.ports.items() if cell.directions.get(n) == "output"]
    inputs = {n: bits for n, bits in cell.ports.items() if cell.directions.get(n) != "output"}
    if cell.type in _BITWISE + _RIPPLE and list(cell.ports).count("Y") and len(outputs) == 1:
        shared = list(inputs.pop("S", ()))
        for index, bit in enumerate(outputs[0]):
            sources = shared + [b[min(index, len(b) - 1)] for b in inputs.values() if b]
            if index and cell.type in _RIPPLE:
                sources.append(outputs[0][index - 1])
            yield bit, sources
        return
    hub = f"cell {cell.name}"
    yield hub, [b for bits in inputs.values() for b in bits]
    for bit in (b for bits in outputs for b in bits):
        yield bit, [hub]


def _components(needs: Mapping[Bit, list[Bit]]) -> list[list[Bit]]:
    """Tarjan's strongly connected components, without recursion."""
    order: dict[Bit, int] = {}
    low: dict[Bit, int] = {}
    stack: list[Bit] = []
    on_stack: set[Bit] = set()
    found: list[list[Bit]] = []
    for root in needs:
        if root in order:
            continue
        work: list[tuple[Bit, Iterator[Bit]]] = [(root, iter(needs[root]))]
        order[root] = low[root] = len(order)
        stack.append(root)
        on_stack.add(root)
        while work:
            node, rest = work[-1]
            step = next(rest, None)
            if step is None:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == order[node]:
                    cut = stack.index(node)
                    part = stack[cut:]
                    del stack[cut:]
                    on_stack.difference_update(part)
                    found.append(part)
            elif step not in order:
                order[step] = low[step] = len(order)
                stack.append(step)
                on_stack.add(step)
                work.append((step, iter(needs.get(step, ()))))
            elif step in on_stack:
                low[node] = min(low[node], order[step])
    return found
