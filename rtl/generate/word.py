"""Words of single bits, and how to write them as Verilog: slices, concatenations and replications of named vectors."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby


@dataclass(frozen=True)
class Net:
    """A declared vector `[high:low]`; one of a single bit 0 is declared, and read, without a range."""

    name: str
    high: int
    low: int = 0

    @property
    def width(self) -> int:
        return self.high - self.low + 1

    @property
    def range_text(self) -> str:
        """`"[7:0] "`, or nothing for a scalar."""
        return "" if self.scalar else f"[{self.high}:{self.low}] "

    @property
    def scalar(self) -> bool:
        return self.high == self.low == 0

    def word(self) -> "Word":
        """All its bits, least significant first."""
        return tuple(Bit(self, index) for index in range(self.low, self.high + 1))


@dataclass(frozen=True)
class Bit:
    """Bit `index` of a net, or its complement; without a net, the constant `index` (0 or 1)."""

    net: Net | None
    index: int
    inverted: bool = False

    def __invert__(self) -> "Bit":
        if self.net is None:
            return Bit(None, 1 - self.index)
        return Bit(self.net, self.index, not self.inverted)

    @property
    def constant(self) -> int | None:
        """0 or 1, or None for a bit of a net."""
        return self.index if self.net is None else None


Word = tuple[Bit, ...]  # least significant bit first
ZERO = Bit(None, 0)
ONE = Bit(None, 1)


def constant_word(value: int, width: int) -> Word:
    """`value` modulo 2**width."""
    return tuple(ONE if value >> i & 1 else ZERO for i in range(width))


def extend(word: Word, width: int, signed: bool) -> Word:
    """Zero- or sign-extended, or cut, to `width` bits."""
    if len(word) >= width:
        return word[:width]
    top = word[-1] if signed and word else ZERO
    return word + (top,) * (width - len(word))


def text(word: Sequence[Bit]) -> str:
    """The shortest plain expression for a word; its width is the word's, whatever stands around it."""
    parts = list(_parts(word))
    if len(parts) == 1 and not parts[0].startswith("{"):
        return parts[0]
    return "{" + ", ".join(parts) + "}"


def _parts(word: Sequence[Bit]) -> Iterator[str]:
    """Operands of the concatenation, most significant first."""
    for repeated, length in _repetitions(word):
        if length > 1 and repeated[0].net is not None:
            yield f"{{{length}{{{_slice(repeated)}}}}}"
        elif repeated[0].net is None:
            digits = "".join(str(b.index) for b in repeated)
            plain = set(digits) == {"0"} and len(digits) > 4
            yield f"{len(digits)}'d0" if plain else f"{len(digits)}'b{digits}"
        else:
            yield _slice(repeated)


def _repetitions(word: Sequence[Bit]) -> Iterator[tuple[list[Bit], int]]:
    """Runs from the top: of constants, of one bit repeated, of falling indices of one net."""
    descending = list(reversed(word))
    for is_constant, members in groupby(descending, key=lambda b: b.net is None):
        bits = list(members)
        if is_constant:
            yield bits, 1
            continue
        runs = [(bit, len(list(same))) for bit, same in groupby(bits)]
        run: list[Bit] = []
        for bit, count in runs:
            if count > 1:
                if run:
                    yield run, 1
                yield [bit], count
                run = []
            elif run and (run[-1].net, run[-1].inverted, run[-1].index - 1) == (bit.net, bit.inverted, bit.index):
                run.append(bit)
            else:
                if run:
                    yield run, 1
                run = [bit]
        if run:
            yield run, 1


def _slice(run: Sequence[Bit]) -> str:
    """A run of falling indices of one net."""
    net = run[0].net
    assert net is not None
    sign = "~" if run[0].inverted else ""
    high, low = run[0].index, run[-1].index
    if net.scalar or (high == net.high and low == net.low):
        return sign + net.name
    return f"{sign}{net.name}[{high}]" if high == low else f"{sign}{net.name}[{high}:{low}]"
