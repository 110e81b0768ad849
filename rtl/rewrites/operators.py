"""Word-level operators that a cone may turn out to compute, each as a function on numbers and as Verilog text.

Each result is taken modulo 2 to the target's width, as an assignment does. The texts rely on Verilog's context rules:
they stand alone as the right side of an assignment to the target.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass


@dataclass(frozen=True)
class Sizes:
    """Widths in bits of the operands a, b and of the target."""

    a: int
    b: int
    target: int


@dataclass(frozen=True)
class Operator:
    """`text` has {a}, {b} for operands, {wa}, {wt} for widths; `fits` says for which widths it makes sense."""

    name: str
    text: str
    function: Callable[[int, int, Sizes], int]
    fits: Callable[[Sizes], bool]
    commutes: bool = False

    def written(self, a: str, b: str, sizes: Sizes) -> str:
        high = sizes.a - 1
        return self.text.format(a=a, b=b, wa=sizes.a, wb=sizes.b, wt=sizes.target, high=high)


def signed(number: int, width: int) -> int:
    """The two's complement value of `width` bits."""
    return number - (1 << width) if number >> (width - 1) & 1 else number


def _saturated(number: int, width: int) -> int:
    return max(-(1 << (width - 1)), min(number, (1 << (width - 1)) - 1))


def _rotated(number: int, distance: int, width: int) -> int:
    distance %= width
    return ((number << distance) | (number >> (width - distance))) & ((1 << width) - 1)


def _any(s: Sizes) -> bool:
    return True


def _word(s: Sizes) -> bool:
    return s.target > 1 and s.a > 1


def _flag(s: Sizes) -> bool:
    return s.target == 1 and s.a > 1 and s.b > 1


def _like_flag(s: Sizes) -> bool:
    return _flag(s) and s.a == s.b


def _same(s: Sizes) -> bool:
    return s.a == s.b == s.target > 1


def _shift(s: Sizes) -> bool:
    return 1 < s.target <= s.a and s.b <= 8 and s.a > s.b


def _rotate(s: Sizes) -> bool:
    return s.a == s.target == 1 << s.b


def _growing(s: Sizes) -> bool:
    return s.target > max(s.a, s.b) > 1


BINARY: tuple[Operator, ...] = (
    Operator("sum", "{a} + {b}", lambda x, y, s: x + y, _word, commutes=True),
    Operator("difference", "{a} - {b}", lambda x, y, s: x - y, _word),
    Operator("product", "{a} * {b}", lambda x, y, s: x * y, _word, commutes=True),
    Operator(
        "signed sum",
        "$signed({a}) + $signed({b})",
        lambda x, y, s: signed(x, s.a) + signed(y, s.b),
        _growing,
        commutes=True,
    ),
    Operator(
        "signed difference",
        "$signed({a}) - $signed({b})",
        lambda x, y, s: signed(x, s.a) - signed(y, s.b),
        _growing,
    ),
    Operator(
        "signed product",
        "$signed({a}) * $signed({b})",
        lambda x, y, s: signed(x, s.a) * signed(y, s.b),
        _growing,
        commutes=True,
    ),
    Operator("comparison", "{a} < {b}", lambda x, y, s: int(x < y), _flag),
    Operator("comparison", "{a} <= {b}", lambda x, y, s: int(x <= y), _flag),
    Operator(
        "signed comparison",
        "$signed({a}) < $signed({b})",
        lambda x, y, s: int(signed(x, s.a) < signed(y, s.b)),
        _like_flag,
    ),
    Operator(
        "signed comparison",
        "$signed({a}) <= $signed({b})",
        lambda x, y, s: int(signed(x, s.a) <= signed(y, s.b)),
        _like_flag,
    ),
    Operator("equality", "{a} == {b}", lambda x, y, s: int(x == y), _flag, commutes=True),
    Operator("inequality", "{a} != {b}", lambda x, y, s: int(x != y), _flag, commutes=True),
    Operator("minimum", "({a} < {b}) ? {a} : {b}", lambda x, y, s: min(x, y), _same, commutes=True),
    Operator("maximum", "({a} < {b}) ? {b} : {a}", lambda x, y, s: max(x, y), _same, commutes=True),
    Operator(
        "signed minimum",
        "($signed({a}) < $signed({b})) ? {a} : {b}",
        lambda x, y, s: min(signed(x, s.a), signed(y, s.b)),
        _same,
        commutes=True,
    ),
    Operator(
        "signed maximum",
        "($signed({a}) < $signed({b})) ? {b} : {a}",
        lambda x, y, s: max(signed(x, s.a), signed(y, s.b)),
        _same,
        commutes=True,
    ),
    Operator(
        "absolute difference",
        "({a} < {b}) ? {b} - {a} : {a} - {b}",
        lambda x, y, s: abs(x - y),
        _same,
        commutes=True,
    ),
    Operator("left shift", "{a} << {b}", lambda x, y, s: x << y, lambda s: _shift(s) or s.target > s.a > s.b),
    Operator("right shift", "{a} >> {b}", lambda x, y, s: x >> y, _shift),
    Operator(
        "arithmetic right shift", "$signed({a}) >>> {b}", lambda x, y, s: signed(x, s.a) >> y, lambda s: _shift(s)
    ),
    Operator(
        "left rotation",
        "({a} << {b}) | ({a} >> ({wa} - {b}))",
        lambda x, y, s: _rotated(x, y, s.a),
        _rotate,
    ),
    Operator(
        "right rotation",
        "({a} >> {b}) | ({a} << ({wa} - {b}))",
        lambda x, y, s: _rotated(x, -y, s.a),
        _rotate,
    ),
    Operator(
        "saturating sum",
        "({{1'b0, {a}}} + {b}) >> {wt} ? {{{wt}{{1'b1}}}} : {a} + {b}",
        lambda x, y, s: min(x + y, (1 << s.target) - 1),
        _same,
        commutes=True,
    ),
    Operator("saturating difference", "({a} < {b}) ? {wt}'d0 : {a} - {b}", lambda x, y, s: max(x - y, 0), _same),
    Operator("carry", "({{1'b0, {a}}} + {b}) >> {wa}", lambda x, y, s: (x + y) >> s.a, _like_flag, commutes=True),
    Operator("bitwise and", "{a} & {b}", lambda x, y, s: x & y, _same, commutes=True),
    Operator("bitwise or", "{a} | {b}", lambda x, y, s: x | y, _same, commutes=True),
    Operator("bitwise exclusive or", "{a} ^ {b}", lambda x, y, s: x ^ y, _same, commutes=True),
    Operator("bitwise equivalence", "{a} ~^ {b}", lambda x, y, s: ~(x ^ y), _same, commutes=True),
    Operator("average", "({{1'b0, {a}}} + {b}) >> 1", lambda x, y, s: (x + y) >> 1, _same, commutes=True),
)


def _gray_to_binary(number: int) -> int:
    shift = 1
    while number >> shift:
        number ^= number >> shift
        shift *= 2
    return number


UNARY: tuple[Operator, ...] = (
    Operator("complement", "~{a}", lambda x, y, s: ~x, lambda s: s.a == s.target > 1),
    Operator("negation", "-{a}", lambda x, y, s: -x, _word),
    Operator(
        "absolute value",
        "$signed({a}) < 0 ? -{a} : {a}",
        lambda x, y, s: abs(signed(x, s.a)),
        lambda s: s.a > 1 and 1 < s.target <= s.a,
    ),
    Operator("parity", "^{a}", lambda x, y, s: x.bit_count() & 1, lambda s: s.target == 1 and s.a > 1),
    Operator("parity", "~^{a}", lambda x, y, s: ~x.bit_count() & 1, lambda s: s.target == 1 and s.a > 1),
    Operator("any bit", "|{a}", lambda x, y, s: int(x != 0), lambda s: s.target == 1 and s.a > 1),
    Operator("no bit", "~|{a}", lambda x, y, s: int(x == 0), lambda s: s.target == 1 and s.a > 1),
    Operator("all bits", "&{a}", lambda x, y, s: int(x == (1 << s.a) - 1), lambda s: s.target == 1 and s.a > 1),
    Operator("decoder", "{wt}'d1 << {a}", lambda x, y, s: 1 << x, lambda s: s.target >= 4 and s.a <= 10),
    Operator("lowest one", "{a} & -{a}", lambda x, y, s: x & -x, lambda s: s.a == s.target > 1),
    Operator("Gray code", "{a} ^ ({a} >> 1)", lambda x, y, s: x ^ (x >> 1), lambda s: s.a == s.target > 1),
)


def constants(pairs: list[tuple[int, int]], sizes: Sizes) -> Iterator[tuple[str, str]]:
    """(name, text) of operators with one constant that give target t from x in all (x, t): found by solving for it."""
    modulus = 1 << sizes.target
    if sizes.target == 1:
        yield from _thresholds(pairs, sizes)
        return
    if not _word(sizes):
        return
    offset = (pairs[0][1] - pairs[0][0]) % modulus
    if offset and all((x + offset - t) % modulus == 0 for x, t in pairs):
        yield "constant sum", f"{{a}} + {sizes.target}'d{offset}"
    odd = next(((x, t) for x, t in pairs if x & 1), None)
    if odd is not None:
        factor = odd[1] * pow(odd[0], -1, modulus) % modulus
        if factor > 1 and all((x * factor - t) % modulus == 0 for x, t in pairs):
            yield "constant product", f"{{a}} * {sizes.target}'d{factor}"
    for divisor in (3, 5, 6, 7, 9, 10, 11, 12, 13, 15, 100):
        if all(x // divisor % modulus == t for x, t in pairs):
            yield "constant quotient", f"{{a}} / {sizes.a}'d{divisor}"
        if all(x % divisor % modulus == t for x, t in pairs):
            yield "constant remainder", f"{{a}} % {sizes.a}'d{divisor}"


def _thresholds(pairs: list[tuple[int, int]], sizes: Sizes) -> Iterator[tuple[str, str]]:
    """Comparisons with a constant that neighbouring samples pin down exactly."""
    if sizes.a < 2:
        return
    ones = {x for x, t in pairs if t}
    zeros = {x for x, t in pairs if not t}
    if not ones or not zeros:
        return
    if len(ones) == 1:
        yield "comparison with a constant", f"{{a}} == {sizes.a}'d{next(iter(ones))}"
    if len(zeros) == 1:
        yield "comparison with a constant", f"{{a}} != {sizes.a}'d{next(iter(zeros))}"
    if max(ones) + 1 == min(zeros):
        yield "comparison with a constant", f"{{a}} < {sizes.a}'d{min(zeros)}"
    if max(zeros) + 1 == min(ones):
        yield "comparison with a constant", f"{{a}} > {sizes.a}'d{max(zeros)}"
