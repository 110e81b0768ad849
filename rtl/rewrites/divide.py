"""Divisions by a variable as a restoring array whose rows are no wider than the divisor.

What: `x / d` and `x % d` of unsigned words become a row for each quotient bit. When it pays: synthesis compares and
subtracts the whole word in each row, so a divisor much narrower than the dividend gains: on Nangate45 16 by 8 bits has
3 % less area, 6 % less delay, and 15 % less area at full speed. Equal widths gain 3 to 5 % of delay alone. Genes: the
rows' subtractors. Where the divisor is 0 the result stays what synthesis makes of the operator. Source: Ercegovac and
Lang, "Digital Arithmetic", 2004, ch. 5.
"""

from collections.abc import Iterator
from random import Random

from rtl_evolve.rtl.generate.dividers import divide
from rtl_evolve.rtl.generate.word import extend
from rtl_evolve.rtl.rewrites.calls import Function, Place, places
from rtl_evolve.rtl.rewrites.linear import Leaf
from rtl_evolve.rtl.rewrites.linear_reader import Reader
from rtl_evolve.rtl.rewrites.rule import Rewrite
from rtl_evolve.rtl.rewrites.view import View
from rtl_evolve.rtl.rewrites.view_nodes import Node

_KINDS = ("plus", "fit-0")
_WIDEST = 32  # rows grow with the square of it, and so does the text


class Divide:
    """See the module's docstring."""

    name = "divide"

    def propose(self, view: View, rng: Random) -> Iterator[Rewrite]:
        found = sorted(_divisions(view), key=lambda site: site[3].width - site[2].width)
        for kind in _KINDS:
            for place, node, x, divisor in found:
                yield _rewrite(view, place, node, x, divisor, kind)


def _divisions(view: View) -> Iterator[tuple[Place, Node, Leaf, Leaf]]:
    for place in places(view):
        reader = Reader(view, place.scope, "none")
        for node in place.root.walk():
            if node.kind != "binary" or node.op not in ("/", "%") or node.signed or not node.editable:
                continue
            if node.value is not None or node.children[1].value is not None or node.width > _WIDEST:
                continue
            x, divisor = (reader.leaf(child, node.width + 1) for child in node.children)
            # at a divisor of 0 the operator gives all ones, or x, in its whole width: narrower rows would not
            faithful = x.width == node.width and (node.op == "/" or divisor.width == node.width)
            if faithful and not (x.signed or divisor.signed):
                yield place, node, x, divisor


def _rewrite(view: View, place: Place, node: Node, x: Leaf, divisor: Leaf, kind: str) -> Rewrite:
    what = "quotient" if node.op == "/" else "remainder"
    function = Function(view, f"{place.stem}_{what}", tuple(dict.fromkeys((x, divisor))))
    quotient, remainder = divide(function.body, function.words[x], function.words[divisor], kind)
    result = extend(quotient if node.op == "/" else remainder, node.width, signed=False)
    edits = function.replace(place, node, result, [f"{x.text} {node.op} {divisor.text}, a row for each bit"])
    why = (
        f"{view.text(node)} is a {x.width} by {divisor.width} bit division: {x.width} rows of at most "
        f"{divisor.width + 1} bits ({kind}) subtract once each, where synthesis compares the whole word too"
    )
    return Rewrite(f"divide.{what}", edits, why)
