"""Words for several constant multiples of one word, over the steps of `chains.py`."""

from collections.abc import Sequence

from rtl_evolve.rtl.generate.adder import PLUS, add_modulo, subtract_modulo
from rtl_evolve.rtl.generate.body import Body
from rtl_evolve.rtl.generate.chains import Step, chain, chains, odd_part
from rtl_evolve.rtl.generate.product import Factor
from rtl_evolve.rtl.generate.word import ZERO, Word, constant_word, extend


def multiples(body: Body, x: Factor, wanted: Sequence[tuple[int, int]], kind: str = PLUS) -> list[Word]:
    """For each (constant, width) the word of x * constant modulo 2**width, additions shared."""
    sizes = [abs(constant) for constant, _ in wanted if constant]
    steps = chain(sizes[0]) if len(set(sizes)) == 1 else chains(sizes)
    widest = max(width for _, width in wanted)
    words = {1: Factor(x.word[:widest], x.signed and len(x.word) <= widest)}
    for step in steps:
        body.comment(_formula(step))
        words[step.result] = _step_word(body, step, words, len(x.word), x.signed, widest, kind)
    return [_multiple(body, words, constant, width, kind) for constant, width in wanted]


def _multiple(body: Body, words: dict[int, Factor], constant: int, width: int, kind: str) -> Word:
    if constant == 0:
        return constant_word(0, width)
    odd = odd_part(abs(constant))
    shift = (abs(constant) // odd).bit_length() - 1
    base = words[odd]
    word = extend(((ZERO,) * shift + base.word), width, base.signed)
    if constant > 0:
        return word
    return subtract_modulo(body, constant_word(0, width), word, kind)


def _step_word(
    body: Body, step: Step, words: dict[int, Factor], bits: int, signed: bool, widest: int, kind: str
) -> Factor:
    """One addition; low bits that only one operand has pass by it."""
    full = bits + step.result.bit_length() - (0 if signed else _exact(bits, step.result))
    width = min(full, widest)
    left = _shifted(words[step.left], step.left_shift, width + step.down)
    right = _shifted(words[step.right], step.right_shift, width + step.down)
    if step.left_shift == 0:
        passed = step.right_shift
    else:
        passed = step.left_shift if step.sign > 0 and step.right_shift == 0 else 0
    low = (left if step.left_shift == 0 else right)[:passed]
    combine = add_modulo if step.sign > 0 else subtract_modulo
    high = combine(body, left[passed:], right[passed:], kind, low=passed) if passed < len(left) else ()
    return Factor((*low, *high)[step.down :], signed and width == full)


def _exact(bits: int, constant: int) -> int:
    """1 when an unsigned product needs one bit less than the widths' sum."""
    return int((constant * ((1 << bits) - 1)).bit_length() < bits + constant.bit_length())


def _shifted(factor: Factor, shift: int, width: int) -> Word:
    return extend((ZERO,) * shift + factor.word, width, factor.signed)


def _formula(step: Step) -> str:
    """The step as one reads it: "95x = 96x - x"."""
    left, right = step.left << step.left_shift, step.right << step.right_shift
    total = step.result << step.down
    sum_text = f"{_times(left)} {'+' if step.sign > 0 else '-'} {_times(right)}"
    return f"{_times(step.result)} = ({sum_text}) / {1 << step.down}" if step.down else f"{_times(total)} = {sum_text}"


def _times(constant: int) -> str:
    return "x" if constant == 1 else f"{constant}x"
