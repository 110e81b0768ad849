"""What must hold for two machines to be equivalent, as products of sides to compare: the values, and x."""

from rtl_evolve.verify.comparison import Comparison
from rtl_evolve.verify.sequential.product import Product, Side, build_product


def questions(comparison: Comparison) -> list[tuple[str, Product]]:
    """("x", ...): no x of the candidate shows where golden is defined; ("values", ...): the outputs agree.

    Where golden is x itself, the candidate must give what golden's elaboration gives ("strict"), or anything
    ("dont_care"), and may be x only where golden is.
    """
    result = []
    if comparison.candidate_x:
        candidate = comparison.machines[1]
        masks = _masks(comparison)
        sides = (Side(candidate), Side(candidate, "free"), *masks)
        result.append(("x", build_product(sides, comparison.design, bool(masks))))
    if comparison.golden_x and comparison.design.x_policy == "dont_care":
        result.append(("masked values", dont_care_question(comparison)))
    else:
        golden, candidate = comparison.machines
        result.append(("values", build_product((Side(golden), Side(candidate)), comparison.design)))
    return result


def _masks(comparison: Comparison) -> tuple[Side, ...]:
    """Golden twice, its undefined bits at 0 and at 1: where these differ it is x. What they miss counts as defined."""
    golden = comparison.machines[0]
    return (Side(golden), Side(golden, "ones")) if comparison.golden_x else ()


def dont_care_question(comparison: Comparison) -> Product:
    """Do the outputs agree where golden is defined?"""
    golden, candidate = comparison.machines
    masks = _masks(comparison)
    return build_product((Side(golden), Side(candidate), *masks), comparison.design, bool(masks))


def undefined_question(comparison: Comparison) -> Product:
    """Golden against itself with its undefined bits inverted: differs where golden is x."""
    golden = comparison.machines[0]
    return build_product((Side(golden), Side(golden, "ones")), comparison.design)
