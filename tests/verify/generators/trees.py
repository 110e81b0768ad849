"""Reduction of columns of bits to two rows (Dadda, Wallace, compressors) or row by row (arrays)."""

from collections.abc import Callable

from generators.adders import full, half
from generators.gates import Bit, Bits, Gates

Columns = list[Bits]  # bits of weight 2^position; carries beyond the last column are dropped
Tree = Callable[[Gates, Columns], Columns]
FullAdder = Callable[[Gates, Bit, Bit, Bit], tuple[Bit, Bit]]


def dadda(g: Gates, columns: Columns, add: FullAdder = full) -> Columns:
    targets = [2]
    while targets[-1] < max(map(len, columns)):
        targets.append(targets[-1] * 3 // 2)
    for target in reversed(targets[:-1]):
        reduced: Columns = [[] for _ in range(len(columns) + 1)]
        for position, column in enumerate(columns):
            old, new = list(column), reduced[position]
            while len(old) + len(new) > target:
                if len(old) + len(new) == target + 1:
                    s, c = half(g, old.pop(0), old.pop(0))
                else:
                    s, c = add(g, old.pop(0), old.pop(0), old.pop(0))
                new.append(s)
                reduced[position + 1].append(c)
            reduced[position] = old + new
        columns = reduced[:-1]
    return columns


def wallace(g: Gates, columns: Columns, add: FullAdder = full) -> Columns:
    """Every column is grouped in threes and twos at each level."""
    while max(map(len, columns)) > 2:
        reduced: Columns = [[] for _ in range(len(columns) + 1)]
        for position, column in enumerate(columns):
            for start in range(0, len(column), 3):
                group = column[start : start + 3]
                if len(group) == 1 or len(column) == 2:
                    reduced[position] += group
                    continue
                s, c = half(g, *group) if len(group) == 2 else add(g, *group)
                reduced[position].append(s)
                reduced[position + 1].append(c)
        columns = reduced[:-1]
    return columns


def compressors(g: Gates, columns: Columns) -> Columns:
    """4:2 compressors: two chained full adders whose first carry goes sideways within the level."""
    while max(map(len, columns)) > 2:
        reduced: Columns = [[] for _ in range(len(columns) + 1)]
        sideways: Bits = []
        for position, column in enumerate(columns):
            old, taken, sideways = list(column), sideways, []
            while len(old) >= 3:
                first = [old.pop(0) for _ in range(3)]
                s, out = full(g, *first)
                sideways.append(out)
                fourth = old.pop(0) if old else g.zero
                s, c = full(g, s, fourth, taken.pop(0) if taken else g.zero)
                reduced[position].append(s)
                reduced[position + 1].append(c)
            reduced[position] += old + taken
        columns = reduced[:-1]
    return columns


def array(g: Gates, columns: Columns) -> Columns:
    """Rows added one after another, each with a rippling carry."""
    rows = max(map(len, columns))
    total: list[Bit | None] = [None] * len(columns)
    for row in range(rows):
        carry: Bit | None = None
        for position, column in enumerate(columns):
            new = column[row] if row < len(column) else None
            bits = [bit for bit in (total[position], new, carry) if bit is not None]
            carry = None
            if len(bits) == 3:
                total[position], carry = full(g, *bits)
            elif len(bits) == 2:
                total[position], carry = half(g, *bits)
            elif bits:
                total[position] = bits[0]
    return [[] if bit is None else [bit] for bit in total]


def carry_save_array(g: Gates, columns: Columns) -> Columns:
    """One row after another, carries saved for the next row."""
    pending: Columns = [list(column[:2]) for column in columns]
    for row in range(2, max(map(len, columns))):
        following: Columns = [[] for _ in range(len(columns) + 1)]
        for position, column in enumerate(columns):
            bits = pending[position] + column[row : row + 1]
            if len(bits) == 3:
                s, c = full(g, *bits)
                bits = [s]
                following[position + 1].append(c)
            following[position] += bits
        pending = dadda(g, following[:-1])
    return pending


TREES: dict[str, Tree] = {
    "dadda": dadda,
    "wallace": wallace,
    "compressors": compressors,
    "array": array,
    "carry-save": carry_save_array,
}
