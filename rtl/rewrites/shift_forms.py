"""Ways to serve several shifts of one operand by one amount with less than a shifter each.

All texts are for an operand of w = 2**k bits and an amount of k bits. Kinds: "sll", "srl", "sra" shift to the left, to
the right, to the right with the sign; "rol" and "ror" rotate.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

LEFT, RIGHT, ROTATE = ("sll", "rol"), ("srl", "sra", "ror"), ("rol", "ror")


@dataclass(frozen=True)
class Group:
    """Operand and amount (names), width in bits, the test under which each kind counts, and a source of fresh names."""

    operand: str
    amount: str
    width: int
    tests: Mapping[str, str]
    name: Callable[[str], str]

    def when(self, *kinds: str) -> str | None:
        """A test for any of these kinds among those present; None when none is, "1'b1" when all are."""
        found = [self.tests[k] for k in kinds if k in self.tests]
        if not found:
            return None
        return "1'b1" if len(found) == len(self.tests) else " || ".join(f"({t})" for t in found)


@dataclass(frozen=True)
class Form:
    """Module items, and for each kind they serve the expression that takes the shift's place."""

    lines: tuple[str, ...]
    results: Mapping[str, str]
    what: str


def _reversed(name: str, width: int) -> str:
    return "{" + ", ".join(f"{name}[{i}]" for i in range(width)) + "}"


def _fill(group: Group) -> str:
    """The bit that comes in from the left."""
    test = group.when("sra")
    if test is None:
        return "1'b0"
    sign = f"{group.operand}[{group.width - 1}]"
    return sign if test == "1'b1" else f"(({test}) & {sign})"


def reversing(group: Group) -> Form | None:
    """One shifter to the right; for shifts to the left the bits are turned round before and after it."""
    left = group.when(*LEFT)
    if left is None or left == "1'b1":
        return None
    x, w = group.operand, group.width
    turned, chosen, wide, out = (group.name(f"{x}_{word}") for word in ("turned", "chosen", "wide", "shifted"))
    fill = f"{{{w - 1}{{{_fill(group)}}}}}"
    rotate = group.when(*ROTATE)
    beyond = fill if rotate is None else f"({rotate}) ? {chosen}[{w - 2}:0] : {fill}"
    back = group.name(f"{x}_back")
    lines = (
        f"wire [{w - 1}:0] {turned} = {_reversed(x, w)};",
        f"wire [{w - 1}:0] {chosen} = ({left}) ? {turned} : {x};",
        f"wire [{w - 2}:0] {wide} = {beyond};",
        f"wire [{w - 1}:0] {out} = {{{wide}, {chosen}}} >> {group.amount};",
        f"wire [{w - 1}:0] {back} = {_reversed(out, w)};",
    )
    results = {kind: back if kind in LEFT else out for kind in group.tests}
    return Form(lines, results, f"one shifter to the right serves all, with the bits of {x} turned round for the left")


def masking(group: Group) -> Form | None:
    """One rotator; shifts mask what came round. Rotating to the left by n is rotating to the right by -n."""
    left = group.when(*LEFT)
    if len(group.tests) < 2:
        return None
    x, n, w = group.operand, group.amount, group.width
    by, out = group.name(f"{n}_right"), group.name(f"{x}_rotated")
    amount = n if left is None else f"-{n}" if left == "1'b1" else f"({left}) ? -{n} : {n}"
    lines = [
        f"wire [{(w - 1).bit_length() - 1}:0] {by} = {amount};",
        f"wire [{w - 1}:0] {out} = {{2{{{x}}}}} >> {by};",
    ]
    results = _masked(group, lines, out, out)
    return Form(tuple(lines), results, f"one rotator serves all, and shifts mask what came round in {x}")


def masking_early(group: Group) -> Form | None:
    """As `masking`, without a carry chain before the rotator: to the left by n is to the right by 1 and by ~n."""
    left = group.when(*LEFT)
    if left is None or left == "1'b1":
        return None
    x, n, w = group.operand, group.amount, group.width
    by, start, out = group.name(f"{n}_right"), group.name(f"{x}_start"), group.name(f"{x}_rotated")
    lines = [
        f"wire [{(w - 1).bit_length() - 1}:0] {by} = ({left}) ? ~{n} : {n};",
        f"wire [{w - 1}:0] {start} = ({left}) ? {{{x}[0], {x}[{w - 1}:1]}} : {x};",
        f"wire [{w - 1}:0] {out} = {{2{{{start}}}}} >> {by};",
    ]
    results = _masked(group, lines, out, out)
    return Form(tuple(lines), results, f"one rotator serves all, and shifts mask what came round in {x}")


def masking_each_way(group: Group) -> Form | None:
    """A rotator to the left and one to the right; shifts mask what came round."""
    lefts, rights = [[k for k in way if k in group.tests] for way in (LEFT, RIGHT)]
    if len(lefts) < 2 and len(rights) < 2:
        return None
    x, n, w = group.operand, group.amount, group.width
    lines: list[str] = []
    left, right = group.name(f"{x}_rol"), group.name(f"{x}_ror")
    if len(lefts) > 1:
        wide = group.name(f"{x}_rol_wide")
        lines.append(f"wire [{2 * w - 1}:0] {wide} = {{2{{{x}}}}} << {n};")
        lines.append(f"wire [{w - 1}:0] {left} = {wide}[{2 * w - 1}:{w}];")
    if len(rights) > 1:
        lines.append(f"wire [{w - 1}:0] {right} = {{2{{{x}}}}} >> {n};")
    kinds = [k for way in (lefts, rights) if len(way) > 1 for k in way]
    part = Group(x, n, w, {k: group.tests[k] for k in kinds}, group.name)
    results = _masked(part, lines, left, right)
    return Form(tuple(lines), results, f"one rotator each way serves all, and shifts mask what came round in {x}")


def _masked(group: Group, lines: list[str], left: str, right: str) -> dict[str, str]:
    """Results of all kinds from the rotated words; mask declarations are added to `lines`."""
    x, n, w = group.operand, group.amount, group.width
    results = {kind: left if kind == "rol" else right for kind in group.tests if kind in ROTATE}
    if "sll" in group.tests:
        mask = group.name(f"{n}_kept_left")
        lines.append(f"wire [{w - 1}:0] {mask} = {{{w}{{1'b1}}}} << {n};")
        results["sll"] = f"({left} & {mask})"
    if "srl" in group.tests or "sra" in group.tests:
        mask = group.name(f"{n}_kept_right")
        lines.append(f"wire [{w - 1}:0] {mask} = {{{w}{{1'b1}}}} >> {n};")
        results |= {"srl": f"({right} & {mask})"} if "srl" in group.tests else {}
        signed = f"(({right} & {mask}) | ({{{w}{{{x}[{w - 1}]}}}} & ~{mask}))"
        results |= {"sra": signed} if "sra" in group.tests else {}
    return results


def sign_filled(group: Group) -> Form | None:
    """One shifter for both shifts to the right; what comes in is the sign or nothing."""
    if "srl" not in group.tests or "sra" not in group.tests:
        return None
    x, n, w = group.operand, group.amount, group.width
    pair = Group(x, n, w, {k: group.tests[k] for k in ("srl", "sra")}, group.name)
    out = group.name(f"{x}_right")
    line = f"wire [{w - 1}:0] {out} = {{{{{w - 1}{{{_fill(pair)}}}}}, {x}}} >> {n};"
    return Form(
        (line,),
        {"srl": out, "sra": out},
        f"one shifter to the right serves both, filled with the sign of {x} or with zeros",
    )


def funnel(group: Group) -> Form | None:
    """One shift of a word of 2w-1 bits to the right; a shift to the left by n is one by w-1-n (that is ~n)."""
    x, n, w = group.operand, group.amount, group.width
    top, zeros = f"{x}[{w - 1}]", f"{w - 1}'d0"
    inputs = {
        "sll": f"{{{x}, {zeros}}}",
        "rol": f"{{{x}, {x}[{w - 1}:1]}}",
        "srl": f"{{{zeros}, {x}}}",
        "sra": f"{{{{{w - 1}{{{top}}}}}, {x}}}",
        "ror": f"{{{x}[{w - 2}:0], {x}}}",
    }
    kinds = [kind for kind in inputs if kind in group.tests]
    wide, by, out = (group.name(f"{x}_{word}") for word in ("funnel", "amount", "shifted"))
    choice = inputs[kinds[-1]]
    for kind in reversed(kinds[:-1]):
        choice = f"({group.tests[kind]}) ? {inputs[kind]} : {choice}"
    left = group.when(*LEFT)
    amount = n if left is None else f"~{n}" if left == "1'b1" else f"({left}) ? ~{n} : {n}"
    lines = (
        f"wire [{2 * w - 2}:0] {wide} = {choice};",
        f"wire [{(w - 1).bit_length() - 1}:0] {by} = {amount};",
        f"wire [{w - 1}:0] {out} = {wide} >> {by};",
    )
    what = f"one funnel shifter serves all, a shift to the left by {n} being one to the right by ~{n} of {x} put {w - 1} bits higher"
    return Form(lines, dict.fromkeys(kinds, out), what)


FORMS: tuple[tuple[str, Callable[[Group], Form | None]], ...] = (
    ("reverse", reversing),
    ("mask", masking),
    ("mask_each_way", masking_each_way),
    ("mask_early", masking_early),
    ("sign", sign_filled),
    ("funnel", funnel),
)
