"""What must hold for two machines to be equivalent, as sides to compare from a start: the values, and x."""

from dataclasses import dataclass

from rtl_evolve.rtl.netlist import Netlist
from rtl_evolve.verify.comparison import Comparison
from rtl_evolve.verify.sequential.product import Product, Side, build_product


@dataclass(frozen=True)
class Question:
    """Do sides 0 and 1 of `product` agree in every cycle from the start on?

    `start` has a literal for each state of the product: 0, 1, or that of unknown k, 2 * (k + 1), perhaps inverted.
    In cycle t < len(tainted), the output bits in tainted[t] aren't compared. `netlists` are the two sides' words,
    None where the sides have no word-level view; `stepping` says whether a step is a clock edge for every register.
    """

    kind: str
    product: Product
    start: tuple[int, ...]
    unknowns: int
    tainted: tuple[frozenset[tuple[str, int]], ...]
    netlists: tuple[Netlist, Netlist] | None
    stepping: bool
    assumptions: tuple[str, ...]


def questions(comparison: Comparison) -> list[Question]:
    """("x"): no x of the candidate shows where golden is defined; then ("values"): the outputs agree.

    Where golden is x itself, the candidate must give what golden's elaboration gives ("strict"), or anything
    ("dont_care"), and may be x only where golden is.
    """
    golden, candidate = comparison.machines
    result = []
    if comparison.candidate_x:
        sides = (Side(candidate), Side(candidate, "free"), *_masks(comparison))
        result.append(_question(comparison, "x", sides))
    if comparison.golden_x and comparison.design.x_policy == "dont_care":
        result.append(dont_care_question(comparison))
    else:
        result.append(_question(comparison, "values", (Side(golden), Side(candidate))))
    return result


def dont_care_question(comparison: Comparison) -> Question:
    """Do the outputs agree where golden is defined?"""
    golden, candidate = comparison.machines
    return _question(comparison, "masked values", (Side(golden), Side(candidate), *_masks(comparison)))


def undefined_question(comparison: Comparison) -> Question:
    """Golden against itself with its undefined bits inverted: differs where golden is x."""
    golden = comparison.machines[0]
    return _question(comparison, "golden's x", (Side(golden), Side(golden, "ones")))


def _masks(comparison: Comparison) -> tuple[Side, ...]:
    """Golden twice, its undefined bits at 0 and at 1: where these differ it is x. What they miss counts as defined."""
    golden = comparison.machines[0]
    return (Side(golden), Side(golden, "ones")) if comparison.golden_x else ()


def _question(comparison: Comparison, kind: str, sides: tuple[Side, ...]) -> Question:
    starts, unknowns = _start_literals(comparison)
    literals = [lit for side in sides for lit in starts[side.machine is comparison.machines[1]]]
    plain = kind == "values" and comparison.clocking.kind != "instant" and not comparison.clocking.ticks
    plain = plain and not comparison.design.latency
    return Question(
        kind,
        build_product(sides, comparison.design, masked=len(sides) > 2),
        tuple(literals),
        unknowns,
        comparison.start.tainted,
        (comparison.golden.netlist, comparison.candidate.netlist) if plain else None,
        comparison.clocking.kind != "instant",
        comparison.design.assumptions,
    )


def _start_literals(comparison: Comparison) -> tuple[tuple[list[int], list[int]], int]:
    """Start literals of golden's and the candidate's states, unknown ones numbered, shared ones alike."""
    start = comparison.start
    unknowns = 0
    golden: list[int] = []
    for known in start.golden:
        unknowns += known is None
        golden.append(2 * unknowns if known is None else known)
    shared = {c: golden[g] ^ int(inverted) for g, c, inverted in start.shared}
    candidate: list[int] = []
    for index, known in enumerate(start.candidate):
        if known is None and index not in shared:
            unknowns += 1
        candidate.append(known if known is not None else shared.get(index, 2 * unknowns))
    return (golden, candidate), unknowns
