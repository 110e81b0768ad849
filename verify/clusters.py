"""Arithmetic inside a design: maximal sums and products of a term graph, between whatever selects and compares."""

from collections.abc import Sequence
from dataclasses import dataclass

from rtl_evolve.verify.terms import Part, Term, TermBuilder

_SUMS = {"add", "sub", "mul", "neg"}
_WIDENING = {"zext", "sext"}


@dataclass(frozen=True)
class Cluster:
    """A term that is a sum or product of `leaves` (terms that are not arithmetic themselves)."""

    root: int
    leaves: tuple[int, ...]
    products: int


def find_clusters(terms: Sequence[Term], roots: Sequence[int]) -> list[Cluster]:
    """Clusters below the given terms, inner ones first: each sum or product that something else looks at."""
    needed = set(roots)
    for index in range(len(terms) - 1, -1, -1):
        if index in needed:
            needed.update(terms[index].args)
    observed = set(roots)
    for index in needed:
        if not _passes(terms, index):
            observed.update(terms[index].args)
    found = []
    for index in sorted(observed & needed):
        base = _narrowed(terms, index)
        if terms[base].op in _SUMS:
            found.append(_cluster(terms, base))
    return list({c.root: c for c in found}.values())


def _narrowed(terms: Sequence[Term], index: int) -> int:
    """The sum or product behind extensions and cuts of its top."""
    while terms[index].op in _WIDENING or (terms[index].op == "slice" and terms[index].value == 0):
        index = terms[index].args[0]
    return index


def _passes(terms: Sequence[Term], index: int) -> bool:
    """Whether a polynomial passes through the term: sums, products, extensions, and cuts of the top."""
    term = terms[index]
    if term.op == "slice":
        return term.value == 0
    if term.op == "concat":
        return terms[term.args[0]].op == "const" and len(term.args) == 2
    if term.op == "shl":
        return terms[term.args[1]].op == "const"
    return term.op in _SUMS or term.op in _WIDENING


def _cluster(terms: Sequence[Term], root: int) -> Cluster:
    leaves: dict[int, None] = {}
    products = 0
    seen: set[int] = set()
    stack = [root]
    while stack:
        index = stack.pop()
        if index in seen:
            continue
        seen.add(index)
        term = terms[index]
        if _passes(terms, index):
            stack += term.args
            products += term.op == "mul" and all(terms[a].op != "const" for a in term.args)
        elif term.op != "const":
            leaves[index] = None
    return Cluster(root, tuple(sorted(leaves)), products)


def rebuilt(builder: TermBuilder, terms: Sequence[Term], root: int, leaves: dict[int, int]) -> int:
    """The root's term in another builder, with `leaves` standing for the terms they replace."""
    new = dict(leaves)
    stack = [root]
    while stack:
        index = stack[-1]
        if index in new:
            stack.pop()
            continue
        missing = [a for a in terms[index].args if a not in new]
        if missing:
            stack += missing
            continue
        new[index] = _again(builder, terms[index], [new[a] for a in terms[index].args])
        stack.pop()
    return new[root]


def _again(builder: TermBuilder, term: Term, args: list[int]) -> int:
    """The term over other arguments, folding what constants decide."""
    constant = [builder.terms[a].value if builder.terms[a].op == "const" else None for a in args]
    if term.op == "ite" and constant[0] is not None:
        return args[1] if constant[0] else args[2]
    if term.op == "slice":
        return builder.slice(args[0], term.value, term.width)
    if term.op == "concat":
        return builder.join([Part(a, 0, builder.width(a)) for a in args])
    if term.op in ("zext", "sext"):
        return builder.extend(args[0], term.width, signed=term.op == "sext")
    if args and all(c is not None for c in constant):
        return builder.folded(term, args)
    if term.op in ("and", "or", "mul") and len(args) == 2 and None in constant and constant != [None, None]:
        return _with_constant(builder, term, args, constant)
    return builder.add(Term(term.op, term.width, tuple(args), term.value, term.name))


def _with_constant(builder: TermBuilder, term: Term, args: list[int], constant: list[int | None]) -> int:
    at = 0 if constant[0] is not None else 1
    value, other = constant[at], args[1 - at]
    if value == 0:
        return builder.const(0, term.width) if term.op != "or" else other
    if value == (1 << term.width) - 1 and term.op != "mul":
        return other if term.op == "and" else builder.const(value, term.width)
    return builder.add(Term(term.op, term.width, tuple(args)))
