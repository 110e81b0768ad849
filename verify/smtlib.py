"""Writes word-level terms as an SMT-LIB 2 script (QF_BV)."""

from collections.abc import Sequence

from rtl_evolve.verify.terms import Term

_OPS = {
    "and": "bvand", "or": "bvor", "xor": "bvxor", "not": "bvnot", "neg": "bvneg", "add": "bvadd", "sub": "bvsub",
    "mul": "bvmul", "udiv": "bvudiv", "urem": "bvurem", "sdiv": "bvsdiv", "srem": "bvsrem", "shl": "bvshl",
    "lshr": "bvlshr", "ashr": "bvashr",
}  # fmt: skip
_TESTS = {"eq": "=", "ult": "bvult", "slt": "bvslt"}


def miter_script(
    terms: Sequence[Term], inputs: Sequence[tuple[str, int]], pairs: Sequence[tuple[int, int]], constraint: int | None
) -> str:
    """Satisfiable exactly when some pair can differ under the constraint; then the inputs' values follow, one a line.

    `inputs` are (name, width); input i is called i<i>, term k t<k>.
    """
    numbered = {name: i for i, (name, _) in enumerate(inputs)}
    lines = ["(set-logic QF_BV)", "(set-option :produce-models true)"]
    lines += [f"(declare-const i{i} (_ BitVec {width}))" for i, (_, width) in enumerate(inputs)]
    needed = {t for pair in pairs for t in pair} | ({constraint} if constraint is not None else set())
    for index in range(len(terms) - 1, -1, -1):
        if index in needed:
            needed.update(terms[index].args)
    for index in sorted(needed):
        term = terms[index]
        lines.append(f"(define-fun t{index} () (_ BitVec {term.width}) {_body(terms, term, numbered)})")
    if constraint is not None:
        lines.append(f"(assert (= t{constraint} #b1))")
    lines.append("(assert (or false " + " ".join(f"(distinct t{g} t{c})" for g, c in pairs) + "))")
    lines.append("(check-sat)")
    lines += [f"(get-value (i{i}))" for i in range(len(inputs))]
    return "\n".join(lines) + "\n"


def _body(terms: Sequence[Term], term: Term, numbered: dict[str, int]) -> str:
    args = [f"t{a}" for a in term.args]
    if term.op == "input":
        return f"i{numbered[term.name]}"
    if term.op == "const":
        return f"(_ bv{term.value} {term.width})"
    if term.op == "concat":
        return f"(concat {' '.join(reversed(args))})"
    if term.op == "slice":
        return f"((_ extract {term.value + term.width - 1} {term.value}) {args[0]})"
    if term.op in ("zext", "sext"):
        kind = "zero" if term.op == "zext" else "sign"
        return f"((_ {kind}_extend {term.width - terms[term.args[0]].width}) {args[0]})"
    if term.op in _TESTS:
        return f"(ite ({_TESTS[term.op]} {args[0]} {args[1]}) #b1 #b0)"
    if term.op == "ite":
        return f"(ite (= {args[0]} #b1) {args[1]} {args[2]})"
    if term.op == "redor":
        return f"(ite (= {args[0]} (_ bv0 {terms[term.args[0]].width})) #b0 #b1)"
    if term.op == "redand":
        return f"(ite (= (bvnot {args[0]}) (_ bv0 {terms[term.args[0]].width})) #b1 #b0)"
    if term.op == "redxor":
        bits = [f"((_ extract {i} {i}) {args[0]})" for i in range(terms[term.args[0]].width)]
        return bits[0] if len(bits) == 1 else f"(bvxor {' '.join(bits)})"
    return f"({_OPS[term.op]} {' '.join(args)})"
