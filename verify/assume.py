"""The input contract: expressions over the input ports, in Verilog's operators, widths and signs.

`expression.py` parses; here an expression becomes a term and a literal that constrain simulation and proof alike.
"""

from collections.abc import Mapping, Sequence

from rtl_evolve.rtl.aig import TRUE, AigBuilder
from rtl_evolve.rtl.errors import InputError
from rtl_evolve.verify.blast import blast
from rtl_evolve.verify.expression import to_term
from rtl_evolve.verify.problem import Word
from rtl_evolve.verify.terms import TermBuilder


def constraint_term(terms: TermBuilder, words: Mapping[str, Word], expressions: Sequence[str]) -> int | None:
    """One bit that is true where every expression is; None when there are none.

    Raises `InputError` for an expression that isn't understood or that names no input port.
    """
    result: int | None = None
    for text in expressions:
        one = to_term(text, words, terms)
        result = one if result is None else terms.op("and", 1, result, one)
    return result


def constrain(builder: AigBuilder, words: Mapping[str, Word], expressions: Sequence[str]) -> int:
    """The literal that is true where every expression holds."""
    if not expressions:
        return TRUE
    terms = TermBuilder()
    root = constraint_term(terms, words, expressions)
    assert root is not None
    try:
        return blast(builder, terms.terms, {n: w.literals for n, w in words.items()}, [root])[0][0]
    except ValueError as error:
        raise InputError(f"assumption {' and '.join(expressions)}: {error}") from error
