"""A graph read at several times at once: each input variable resolves to a literal, or to another place and time."""

from collections.abc import Callable

from rtl_evolve.rtl.aig import Aig, AigBuilder

Resolve = Callable[[int, int], int | tuple[int, int]]


class TooManyGates(Exception):
    """The copies at all times together grew beyond what is worth proving about."""


class TimedCopy:
    """Copies of `aig` in `builder`, one a time, made as far as they are asked for.

    `resolve(variable, time)` says what an input variable is at a time: a literal of `builder`, or a (literal of
    `aig`, time) whose value it has.
    """

    def __init__(self, aig: Aig, builder: AigBuilder, resolve: Resolve, most_gates: int = 400_000) -> None:
        self._aig, self._builder, self._resolve = aig, builder, resolve
        self._known: dict[tuple[int, int], int] = {}
        self._most = most_gates

    def literal(self, root: int, time: int) -> int:
        """The literal of `builder` for a literal of `aig` at a time."""
        known, inputs = self._known, self._aig.inputs
        f0, f1 = self._aig.fanin0, self._aig.fanin1
        stack = [(root >> 1, time)]
        while stack:
            place = stack[-1]
            variable, at = place
            if place in known:
                stack.pop()
            elif variable == 0:
                known[place] = 0
            elif variable <= inputs:
                found = self._resolve(variable, at)
                if isinstance(found, int):
                    known[place] = found
                else:
                    source = (found[0] >> 1, found[1])
                    if source in known:
                        known[place] = known[source] ^ (found[0] & 1)
                    else:
                        stack.append(source)
            else:
                a, b = f0[variable - inputs - 1], f1[variable - inputs - 1]
                missing = [p for p in ((a >> 1, at), (b >> 1, at)) if p not in known]
                if missing:
                    stack += missing
                else:
                    known[place] = self._builder.and_(known[a >> 1, at] ^ (a & 1), known[b >> 1, at] ^ (b & 1))
                    if len(known) > self._most:
                        raise TooManyGates
        return known[root >> 1, time] ^ (root & 1)
