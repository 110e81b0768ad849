"""Fewer bits: signals whose top bits are constant, repeat the sign, or matter to nobody, and sizes written as constants.

What: a declared range shrinks to what the simulated numbers need, or to what most of them need (the rest may be
unobservable: only the proof can tell); reads of the dropped bits become zeros or copies of the sign. Local parameters
that hold a size (guard bits, counters) are tried a little smaller; combinations of steps go further.
When it pays: synthesis drops a bit only where it sees it constant in the gates at hand; what arithmetic or reachable
states rule out stays. This is the kind of rewrite that removed unneeded bits from a TPU's multiplier. Source: bit-width
analysis (Stephenson, Babb, Amarasinghe, PLDI 2000), with simulation in place of ranges and a proof afterwards.
"""

import re
from collections.abc import Iterator
from random import Random

from rtl_evolve.rtl.edit import Edit
from rtl_evolve.rtl.rewrites.rule import Rewrite
from rtl_evolve.rtl.rewrites.view import View
from rtl_evolve.rtl.rewrites.view_nodes import Node, Scope, Signal
from rtl_evolve.rtl.rewrites.view_values import Words

_QUANTILES = (1.0, 0.97, 0.8)  # share of the simulated numbers that a shrunk signal must still hold
_MOST_WIDTHS = 6
_STEPS = (1, 2, 3, 4, 6, 8)  # how much a local parameter is lowered
_LOCAL = re.compile(r"localparam\s+(?:\w+\s+)?(?:\[[^\]]*\]\s*)?([A-Za-z_]\w*)\s*=\s*(\d+)\s*[;,]")


class Width:
    """See the module's docstring."""

    name = "width"

    def propose(self, view: View, rng: Random) -> Iterator[Rewrite]:
        found: list[tuple[float, Rewrite]] = []
        for scope in view.scopes:
            if scope.uniform:
                for signal in scope.signals.values():
                    found += _narrowed(view, scope, signal)
            found += _smaller_parameters(view, scope)
        yield from (rewrite for _, rewrite in sorted(found, key=lambda f: -f[0]))


def _narrowed(view: View, scope: Scope, signal: Signal) -> Iterator[tuple[float, Rewrite]]:
    shape = signal.direction == "local" and signal.simple and signal.range_text is not None and signal.lsb == 0
    if not shape or not signal.editable or signal.width < 2 or signal.msb != signal.width - 1:
        return
    words = view.signal_words(scope, signal.name, reached=True)
    if words is None:
        return
    for width, share in _worth_trying(words, scope, signal):
        edits = _shrink(view, scope, signal, width)
        if edits is None:
            return
        dropped = (
            f"{signal.name}[{signal.width - 1}:{width}]" if signal.width - width > 1 else f"{signal.name}[{width}]"
        )
        cause = "copies of its sign" if signal.signed else "always 0"
        why = f"{dropped} are {cause} wherever they count: {width} of {signal.width} bits are enough"
        yield (signal.width - width) * (share**4), Rewrite("width.narrow", edits, why)


def _worth_trying(words: Words, scope: Scope, signal: Signal) -> list[tuple[int, float]]:
    """Widths below the declared one with the share of the numbers they are guessed to hold: the quantiles, one bit
    more than those, and the widths of the design's other signals above the lowest of them.
    """
    found: dict[int, float] = {}
    for share in _QUANTILES:
        width = _needed(words, signal, share)
        found.setdefault(width, share)
        found.setdefault(width + 1, share * 0.95)
    low = min(found)
    for width in sorted({s.width for s in scope.signals.values()}):
        if width > low:
            found.setdefault(width, 0.9)
    return [(w, share) for w, share in found.items() if w < signal.width][:_MOST_WIDTHS]


def _needed(words: Words, signal: Signal, share: float) -> int:
    """Bits that hold this share of the numbers, at least one."""
    if signal.signed:
        half = 1 << (signal.width - 1)
        sizes = sorted((~w + 2 * half if w >= half else w).bit_length() + 1 for w in words)
    else:
        sizes = sorted(w.bit_length() for w in words)
    return max(1, sizes[min(len(sizes) - 1, int(share * len(sizes)) - 1)])


def _shrink(view: View, scope: Scope, signal: Signal, width: int) -> tuple[Edit, ...] | None:
    """The new declaration, and edits of every use that speaks of a dropped bit or builds on the old width."""
    assert signal.range_text is not None
    edits: dict[tuple[int, int], Edit] = {}
    if signal.shared:
        edit = _own_declaration(view, signal, width)
        if edit is None:
            return None
        for one in edit:
            edits[one.start, one.end] = one
    else:
        start, end = signal.range_text
        edits[start, end] = Edit(signal.path, start, end, f"[{width - 1}:0]")
    for part in scope.walk():
        if any(a.target.names() & {signal.name} and a.target.kind != "name" for a in part.all_assigns()):
            return None
        for root in part.expressions():
            if not _adapt(view, root, signal, width, edits):
                return None
        for instance in part.instances:
            for connection in instance.connections:
                if connection.node and connection.direction != "input" and signal.name in connection.node.names():
                    return None
    return tuple(edits.values())


def _own_declaration(view: View, signal: Signal, width: int) -> tuple[Edit, ...] | None:
    """Take a signal out of a declaration of several, into one of its own before it."""
    start, end = signal.declaration
    text = view.texts[signal.path][start:end]
    match = re.match(r"(wire|reg|logic)\b((?:\s+signed)?)", text)
    name = view.texts[signal.path][signal.start : signal.end]
    if match is None or "=" in text or name != signal.name:
        return None
    rest = re.sub(rf",\s*{re.escape(name)}\b|\b{re.escape(name)}\s*,\s*", "", text, count=1)
    if rest == text:
        return None
    line = f"{match[1]}{match[2]} [{width - 1}:0] {name};"
    return (Edit(signal.path, start, end, f"{line} {rest}"),)


def _adapt(view: View, root: Node, signal: Signal, width: int, edits: dict[tuple[int, int], Edit]) -> bool:
    """Edit the uses below one expression; False when one can't be."""

    def visit(node: Node, in_concat: bool) -> bool:
        if node.kind in ("bit", "slice") and node.children[0].kind == "name" and node.children[0].op == signal.name:
            return _adapt_select(view, node, signal, width, edits) and all(visit(c, False) for c in node.children[1:])
        if node.kind == "name" and node.op == signal.name and in_concat:
            return _put(edits, view, node, _padded(signal, signal.name, width, signal.width))
        concat = node.kind in ("concat", "replicate")
        return all(visit(c, concat) for c in node.children)

    return visit(root, False)


def _adapt_select(view: View, node: Node, signal: Signal, width: int, edits: dict[tuple[int, int], Edit]) -> bool:
    bounds = [child.value for child in node.children[1:]]
    if any(b is None for b in bounds):
        return False
    numbers = [b for b in bounds if b is not None]
    if node.kind == "bit":
        high = low = numbers[0]
    elif node.op == ":":
        high, low = numbers
    elif node.op == "+:":
        low, high = numbers[0], numbers[0] + numbers[1] - 1
    else:
        low, high = numbers[0] - numbers[1] + 1, numbers[0]
    if high < width:
        return True
    top = f"{signal.name}[{width - 1}]"
    kept = "" if low >= width else top if low == width - 1 else f"{signal.name}[{width - 1}:{low}]"
    missing = high - max(low, width) + 1
    fill = f"{{{missing}{{{top}}}}}" if signal.signed else f"{missing}'d0"
    return _put(edits, view, node, f"{{{fill}, {kept}}}" if kept else fill)


def _padded(signal: Signal, text: str, width: int, wanted: int) -> str:
    fill = f"{{{wanted - width}{{{signal.name}[{width - 1}]}}}}" if signal.signed else f"{wanted - width}'d0"
    return f"{{{fill}, {text}}}"


def _put(edits: dict[tuple[int, int], Edit], view: View, node: Node, text: str) -> bool:
    if not node.editable:
        return False
    edits[node.start, node.end] = view.replace(node, text)
    return True


def _smaller_parameters(view: View, scope: Scope) -> Iterator[tuple[float, Rewrite]]:
    """Local parameters with a plain number from 2 to 64: sizes, depths, guard bits."""
    if not scope.editable or scope.parent is not None:
        return
    start, end = scope.body
    for match in _LOCAL.finditer(view.texts[scope.path], start, end):
        name, value = match[1], int(match[2])
        for step in _STEPS:
            if 2 <= value <= 64 and value - step >= 1:
                edit = Edit(scope.path, match.start(2), match.end(2), str(value - step))
                why = f"{name} = {value - step} is enough where {value} stood: the bits it adds never reach an output"
                yield 2.0 * step, Rewrite("width.parameter", (edit,), why)
