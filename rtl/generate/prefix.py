"""Parallel prefix graphs: which spans of carries are combined, in what order, for adders of every speed and size.

Graphs fitted to an arrival profile are in `prefix_fit.py`.

A combine (high, middle, low) makes the span high..low from high..middle and middle-1..low. A graph of width n makes
every span i..0, each combine after those it reads. Sources: Kogge and Stone 1973, Sklansky 1960, Brent and Kung 1982,
Han and Carlson 1987; carry-increment as Zimmermann's thesis, 1997, draws it.
"""

from collections.abc import Callable, Sequence

Combine = tuple[int, int, int]
Graph = tuple[Combine, ...]


def ripple(width: int) -> Graph:
    """One carry after the other: the smallest and slowest."""
    return tuple((i, i, 0) for i in range(1, width))


def sklansky(width: int) -> Graph:
    """Least depth and size n/2 log n; a carry drives up to n/2 others."""
    graph, distance = [], 1
    while distance < width:
        for i in range(width):
            if i & distance:
                middle = i & ~(distance - 1)
                graph.append((i, middle, middle - distance))
        distance *= 2
    return tuple(graph)


def kogge_stone(width: int) -> Graph:
    """Least depth, two readers a carry, and the most combines."""
    return _every(1, width, _dense)


def brent_kung(width: int) -> Graph:
    """About 2n combines in twice the least depth."""
    graph: list[Combine] = []
    distance = 1
    while distance < width:
        for i in range(2 * distance - 1, width, 2 * distance):
            graph.append((i, i - distance + 1, i - 2 * distance + 1))
        distance *= 2
    while distance > 1:
        distance //= 2
        graph += [(i, i - distance + 1, 0) for i in range(3 * distance - 1, width, 2 * distance)]
    return tuple(graph)


def han_carlson(width: int) -> Graph:
    """Kogge-Stone on every other carry: half the combines for one more level."""
    return sparse(width, 2)


def sparse(width: int, step: int) -> Graph:
    """Kogge-Stone on every `step`-th carry; those between are rippled from it."""
    return _every(step, width, _dense)


def sparse_sklansky(width: int, step: int) -> Graph:
    """Sklansky on every `step`-th carry; those between are rippled from it."""
    return _every(step, width, sklansky)


def carry_increment(width: int, first: int = 2) -> Graph:
    """Blocks of `first`, `first`+1, ... bits rippled at once, then each incremented by the carry into it."""
    graph: list[Combine] = []
    start, size = 0, first
    while start < width:
        end = min(start + size, width)
        graph += [(i, i, start) for i in range(start + 1, end)]
        if start:
            graph += [(i, start, 0) for i in range(start, end)]
        start, size = end, size + 1
    return tuple(graph)


def depths(graph: Graph, arrivals: Sequence[int]) -> dict[tuple[int, int], int]:
    """The level at which each span is ready."""
    ready = {(i, i): arrival for i, arrival in enumerate(arrivals)}
    for high, middle, low in graph:
        ready[high, low] = max(ready[high, middle], ready[middle - 1, low]) + 1
    return ready


FAMILIES: dict[str, Callable[[int], Graph]] = {
    "ripple": ripple,
    "carry-increment": carry_increment,
    "brent-kung": brent_kung,
    "sparse-4": lambda width: sparse(width, 4),
    "han-carlson": han_carlson,
    "sklansky": sklansky,
    "kogge-stone": kogge_stone,
}


def _dense(width: int) -> Graph:
    graph: list[Combine] = []
    distance = 1
    while distance < width:
        graph += [(i, i - distance + 1, max(0, i - 2 * distance + 1)) for i in range(distance, width)]
        distance *= 2
    return tuple(graph)


def _every(step: int, width: int, inner: Callable[[int], Graph]) -> Graph:
    """Spans of `step` bits by ripple, a graph over them, and the carries between from the nearest one below."""
    if step == 1:
        return inner(width)
    graph: list[Combine] = []
    blocks = width // step
    for block in range(blocks):
        graph += [(i, i, block * step) for i in range(block * step + 1, block * step + step)]
    for high, middle, low in inner(blocks):
        graph.append((high * step + step - 1, middle * step, low * step))
    for block in range(1, blocks):
        graph += [(i, block * step, 0) for i in range(block * step, block * step + step - 1)]
    graph += [(i, i, 0) for i in range(max(1, blocks * step), width)]
    return tuple(graph)
