"""Input vectors, many at once: bit v of each integer belongs to vector v.

Uniform random vectors miss what engineers look for first, so a good part are corners (zero, ones, the sign bit, single
bits, patterns), sparse or dense words, and operands near each other or each other's complement.
"""

from collections.abc import Callable, Mapping, Sequence
from random import Random

from rtl_evolve.rtl.design import Design
from rtl_evolve.verify.problem import Word

Patterns = list[int]  # one integer a bit of the word, least significant first


def corners(width: int) -> tuple[int, ...]:
    """Values at which arithmetic breaks, for one word."""
    full = (1 << width) - 1
    values = [0, full, 1, full - 1, 1 << (width - 1), full >> 1, (1 << (width - 1)) + 1, 2, 3]
    values += [full // 3, full // 3 << 1, (1 << (width // 2)) - 1, 1 << (width // 2), full << (width // 2)]
    values += [1 << i for i in range(width)]
    return tuple(dict.fromkeys(v & full for v in values))


def combinational_vectors(words: Sequence[Word], count: int, rng: Random) -> Patterns:
    """`count` vectors for all words in turn: about half uniform, the rest corners, biased and related operands."""
    block = max(count // 8, 1)
    makers: list[Callable[[int], Patterns]] = [
        lambda n: _corner_words(words, n, rng),
        lambda n: _corner_words(words, n, rng),
        lambda n: _related_words(words, n, rng),
        lambda n: _biased_words(words, n, rng),
    ]
    bits = [0] * sum(len(w.literals) for w in words)
    at = 0
    for make in makers:
        for i, pattern in enumerate(make(block)):
            bits[i] |= pattern << at
        at += block
    rest = max(count - at, 0)
    return [b | rng.getrandbits(rest) << at if rest else b for b in bits]


def _corner_words(words: Sequence[Word], count: int, rng: Random) -> Patterns:
    bits: Patterns = []
    for word in words:
        bits += _chosen(corners(len(word.literals)), len(word.literals), count, rng)
    return bits


def _chosen(values: Sequence[int], width: int, count: int, rng: Random) -> Patterns:
    """Each vector takes one of the values at random."""
    bits = [0] * width
    for vector, value in enumerate(rng.choices(values, k=count)):
        mark = 1 << vector
        while value:
            low = value & -value
            bits[low.bit_length() - 1] |= mark
            value ^= low
    return bits


def _biased_words(words: Sequence[Word], count: int, rng: Random) -> Patterns:
    """Words of mostly zeros or mostly ones, each word of its own kind in each vector."""
    bits: Patterns = []
    full = (1 << count) - 1
    for word in words:
        dense = rng.getrandbits(count)
        rare = rng.getrandbits(count)
        for _ in word.literals:
            sparse = rng.getrandbits(count) & rng.getrandbits(count)
            sparse &= rng.getrandbits(count) | ~rare & full
            bits.append(sparse ^ dense)
    return bits


def _related_words(words: Sequence[Word], count: int, rng: Random) -> Patterns:
    """Words equal to, next to, complementing or one bit away from an earlier word of the same width."""
    bits: Patterns = []
    full = (1 << count) - 1
    earlier: dict[int, Patterns] = {}
    for word in words:
        width = len(word.literals)
        base = earlier.get(width)
        if base is None:
            pattern = [rng.getrandbits(count) for _ in range(width)]
        else:
            flip = rng.getrandbits(count)
            pattern = [b ^ flip for b in base]
            pattern = _plus(pattern, rng.getrandbits(count), rng.getrandbits(count), full)
            at = rng.randrange(width)
            pattern[at] ^= rng.getrandbits(count) & rng.getrandbits(count)
        earlier[width] = pattern
        bits += pattern
    return bits


def _plus(bits: Patterns, add: int, sub: int, full: int) -> Patterns:
    """Each vector's word plus 1 where `add`, minus 1 where `sub` (nothing where both)."""
    add, sub = add & ~sub & full, sub & ~add & full
    result = []
    for bit in bits:
        result.append(bit ^ add ^ sub)
        add &= bit
        sub &= ~bit & full
    return result


class SequentialVectors:
    """Streams of inputs over many cycles; each stream (one bit of the integers) has a character of its own.

    Of the streams, half reset rarely and half never; half keep one-bit inputs mostly at the level they started
    with (none when `lively`); the words mix uniform, corner and held values.
    """

    def __init__(
        self, words: Sequence[Word], design: Design, streams: int, rng: Random, *, lively: bool = False
    ) -> None:
        self._words, self._streams, self._rng = words, streams, rng
        self._reset = design.reset
        self._resetting = rng.getrandbits(streams)
        self._steady = {w.name: (0 if lively else rng.getrandbits(streams), rng.getrandbits(streams)) for w in words}
        self._last: Mapping[str, Patterns] = {w.name: [0] * len(w.literals) for w in words}
        self._clocks = {c.name for c in design.clocks}

    def next(self) -> Patterns:
        """The inputs of the next cycle, all words in turn."""
        now: dict[str, Patterns] = {}
        for word in self._words:
            now[word.name] = self._word(word)
        self._last = now
        return [bit for word in self._words for bit in now[word.name]]

    def _word(self, word: Word) -> Patterns:
        rng, n = self._rng, self._streams
        full = (1 << n) - 1
        if self._reset is not None and word.name == self._reset.name:
            rare = self._resetting & rng.getrandbits(n) & rng.getrandbits(n) & rng.getrandbits(n) & rng.getrandbits(n)
            return [rare if self._reset.active else rare ^ full]
        if word.name in self._clocks:
            return [rng.getrandbits(n) for _ in word.literals]
        if len(word.literals) == 1:
            steady, level = self._steady[word.name]
            uniform = rng.getrandbits(n)
            unusual = rng.getrandbits(n) & rng.getrandbits(n) & rng.getrandbits(n)
            return [(steady & (level ^ unusual)) | (~steady & uniform & full)]
        bits = [rng.getrandbits(n) for _ in word.literals]
        corner = rng.getrandbits(n) & rng.getrandbits(n)
        held = rng.getrandbits(n) & rng.getrandbits(n) & rng.getrandbits(n)
        special = _repeated(corners(len(word.literals)), len(word.literals), n, rng)
        mixed = [(c & corner) | (b & ~corner & full) for c, b in zip(special, bits, strict=True)]
        return [(o & held) | (b & ~held & full) for o, b in zip(self._last[word.name], mixed, strict=True)]


def _repeated(values: Sequence[int], width: int, count: int, rng: Random) -> Patterns:
    """As `_chosen`, but only 64 different choices, repeated: cheap enough for every cycle."""
    bits = _chosen(values, width, min(count, 64), rng)
    if count <= 64:
        return bits
    repeat = sum(1 << at for at in range(0, count, 64))
    full = (1 << count) - 1
    return [b * repeat & full for b in bits]
