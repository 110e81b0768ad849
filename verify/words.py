"""A word-level netlist as terms over its input words: what Yosys's cells compute, in SMT-LIB's vocabulary.

x reads as 0, as in the bit-level model with its undefined bits at 0. Cells without a translation (memories, powers,
floored division) raise `NoTerms`: the bit-level engines do without. A translation is never trusted by itself: whoever
uses it checks it against the bit-level model by simulation first (`attach.py`).
"""

import re
from collections.abc import Callable, Mapping

from rtl_evolve.rtl.netlist import Bit, Cell, Netlist
from rtl_evolve.verify.terms import Part, TermBuilder


class NoTerms(Exception):
    """A cell that has no word-level translation."""


REGISTERS = frozenset(f"${a}dff{b}" for a in ("", "s", "a") for b in ("", "e")) | {"$sdffce", "$aldff", "$aldffe"}
_BITWISE = {"$and": "and", "$or": "or", "$xor": "xor", "$xnor": "xor"}
_ARITHMETIC = {"$add": "add", "$sub": "sub", "$mul": "mul"}
_COMPARISONS = {"$eq", "$eqx", "$ne", "$nex", "$lt", "$le", "$gt", "$ge"}
_REDUCTIONS = {"$reduce_and": "redand", "$reduce_or": "redor", "$reduce_bool": "redor", "$reduce_xor": "redxor"}
_SHIFTS = {"$shl": "shl", "$sshl": "shl", "$shr": "lshr", "$sshr": "ashr"}


def register_names(netlist: Netlist) -> dict[int, str]:
    """The name of each register's output bit, as `Model` names it."""
    names: dict[Bit, str] = {}
    for name, bits in sorted(netlist.names.items(), key=lambda item: (item[0].count("."), len(item[0]))):
        for index, bit in enumerate(bits):
            names.setdefault(bit, f"{name}[{index}]" if len(bits) > 1 else name)
    found: dict[int, str] = {}
    for cell in netlist.cells:
        if cell.type in REGISTERS:
            found.update((bit, names.get(bit, "")) for bit in cell.ports["Q"] if isinstance(bit, int))
    return found


class WordReader:
    """Terms of a netlist's nets at a time: inputs are named by `input_name(port, time)`, registers by `register`.

    `time` counts back from now (0); combinational cells are read at the time they are asked for.
    """

    def __init__(
        self,
        netlist: Netlist,
        builder: TermBuilder,
        input_part: Callable[[str, int, int], Part],
        register: Callable[["WordReader", int, int], Part],
    ) -> None:
        self.netlist, self._b = netlist, builder
        self._input_part, self._register = input_part, register
        self._memo: dict[tuple[int, int], Part] = {}
        self.driver: dict[int, tuple[Cell, str, int]] = {}
        self.registers: dict[int, tuple[Cell, int]] = {}
        self._ports: dict[int, tuple[str, int]] = {}
        for cell in netlist.cells:
            if cell.type in REGISTERS:
                self.registers.update((b, (cell, i)) for i, b in enumerate(cell.ports["Q"]) if isinstance(b, int))
                continue
            for port, bits in cell.ports.items():
                if cell.directions[port] == "output":
                    self.driver.update((b, (cell, port, i)) for i, b in enumerate(bits) if isinstance(b, int))
        for item in netlist.ports:
            if item.direction == "input":
                self._ports.update((b, (item.name, i)) for i, b in enumerate(item.bits) if isinstance(b, int))

    def word(self, bits: tuple[Bit, ...], time: int = 0) -> int:
        """The term of a vector of nets."""
        self._prepare(bits, time)
        return self._b.join([self._part(bit, time) for bit in bits])

    def _prepare(self, bits: tuple[Bit, ...], time: int) -> None:
        """Translate the cells that `bits` need, inputs first, without recursion."""
        stack = [b for b in bits if isinstance(b, int)]
        open_: set[int] = set()
        while stack:
            bit = stack[-1]
            if (bit, time) in self._memo or bit not in self.driver:
                stack.pop()
                continue
            cell, _, _ = self.driver[bit]
            missing = [
                b
                for port, nets in cell.ports.items()
                if cell.directions[port] == "input"
                for b in nets
                if isinstance(b, int) and (b, time) not in self._memo and b in self.driver
            ]
            if missing and bit in open_:
                raise NoTerms(f"a combinational loop through {cell.name}")
            if missing:
                open_.add(bit)
                stack += missing
            else:
                self._translate(cell, time)
                stack.pop()

    def _part(self, bit: Bit, time: int) -> Part:
        if not isinstance(bit, int):
            return Part(self._b.const(int(bit == "1"), 1), 0)
        known = self._memo.get((bit, time))
        if known is not None:
            return known
        if bit in self._ports:
            part = self._input_part(*self._ports[bit], time)
        elif bit in self.registers:
            part = self._register(self, bit, time)
        else:
            part = Part(self._b.const(0, 1), 0)  # undriven: x
        self._memo[bit, time] = part
        return part

    def _translate(self, cell: Cell, time: int) -> None:
        outputs = [p for p, d in cell.directions.items() if d == "output"]
        if outputs != ["Y"]:
            raise NoTerms(f"{cell.type} has no word-level translation")
        operands = {
            port: self._b.join([self._part(b, time) for b in bits]) for port, bits in cell.ports.items() if port != "Y"
        }
        term = translate(self._b, cell, operands)
        for i, bit in enumerate(cell.ports["Y"]):
            if isinstance(bit, int):
                self._memo[bit, time] = Part(term, i)


def parameter(cell: Cell, name: str) -> int:
    """A cell's parameter as a number, x digits being 0."""
    value = cell.parameters.get(name, 0)
    return value if isinstance(value, int) else int(re.sub("[^01]", "0", value), 2)


def translate(b: TermBuilder, cell: Cell, words: Mapping[str, int]) -> int:
    """The term of a cell's output Y."""
    width = len(cell.ports["Y"])
    kind = cell.type
    if kind in ("$mux", "$pmux", "$bwmux", "$bmux"):
        return _choice(b, kind, words, width)
    if kind in ("$anyseq", "$anyconst"):
        return b.const(0, width)
    signed = bool(parameter(cell, "A_SIGNED"))
    a = words["A"]
    if kind in ("$not", "$neg", "$pos", "$buf"):
        value = b.extend(a, width, signed=signed)
        return value if kind in ("$pos", "$buf") else b.op(kind[1:], width, value)
    if kind in ("$logic_not", "$reduce_xnor") or kind in _REDUCTIONS:
        value = b.op(_REDUCTIONS.get(kind, "redor" if kind == "$logic_not" else "redxor"), 1, a)
        value = value if kind in _REDUCTIONS else b.op("not", 1, value)
        return b.extend(value, width, signed=False)
    c = words["B"]
    both_signed = signed and bool(parameter(cell, "B_SIGNED"))
    if kind in _BITWISE or kind in _ARITHMETIC:
        pair = (b.extend(v, width, signed=both_signed) for v in (a, c))
        value = b.op(_BITWISE.get(kind) or _ARITHMETIC[kind], width, *pair)
        return b.op("not", width, value) if kind == "$xnor" else value
    if kind in ("$logic_and", "$logic_or"):
        value = b.op(kind[7:], 1, b.op("redor", 1, a), b.op("redor", 1, c))
        return b.extend(value, width, signed=False)
    if kind in _COMPARISONS:
        return b.extend(_comparison(b, kind, a, c, both_signed), width, signed=False)
    if kind in ("$div", "$mod"):
        return _division(b, kind, a, c, width, both_signed)
    if kind in _SHIFTS:
        return _shift(b, kind, a, c, width, signed)
    if kind in ("$shift", "$shiftx"):
        return _signed_shift(b, a, c, width, signed and kind == "$shift", bool(parameter(cell, "B_SIGNED")))
    raise NoTerms(f"{kind} has no word-level translation")


def _choice(b: TermBuilder, kind: str, words: Mapping[str, int], width: int) -> int:
    select = words["S"]
    if kind == "$mux":
        return b.op("ite", width, select, words["B"], words["A"])
    if kind == "$bwmux":
        inverse = b.op("not", width, select)
        return b.op("or", width, b.op("and", width, select, words["B"]), b.op("and", width, inverse, words["A"]))
    if kind == "$bmux":
        level = [b.slice(words["A"], i, width) for i in range(0, b.width(words["A"]), width)]
        for i in range(b.width(select)):
            bit = b.slice(select, i, 1)
            level = [b.op("ite", width, bit, level[j + 1], level[j]) for j in range(0, len(level), 2)]
        return level[0]
    # more than one select bit of a $pmux gives x, which the model resolves as the or of the chosen words
    count = b.width(select)
    total = b.op("ite", width, b.op("redor", 1, select), b.const(0, width), words["A"])
    for i in range(count):
        chosen = b.op("ite", width, b.slice(select, i, 1), b.slice(words["B"], i * width, width), b.const(0, width))
        total = b.op("or", width, total, chosen)
    return total


def _comparison(b: TermBuilder, kind: str, a: int, c: int, signed: bool) -> int:
    width = max(b.width(a), b.width(c))
    left, right = (b.extend(v, width, signed=signed) for v in (a, c))
    if kind in ("$gt", "$le"):
        left, right = right, left
    order = "slt" if signed else "ult"
    value = b.op("eq" if kind in ("$eq", "$eqx", "$ne", "$nex") else order, 1, left, right)
    return b.op("not", 1, value) if kind in ("$ne", "$nex", "$le", "$ge") else value


def _division(b: TermBuilder, kind: str, a: int, c: int, width: int, signed: bool) -> int:
    work = max(b.width(a), b.width(c), width)
    left, right = (b.extend(v, work, signed=signed) for v in (a, c))
    name = ("s" if signed else "u") + ("div" if kind == "$div" else "rem")
    return b.slice(b.op(name, work, left, right), 0, width)


def _shift(b: TermBuilder, kind: str, a: int, c: int, width: int, signed: bool) -> int:
    """Shifted at a width that holds the value, the result and the amount, then cut."""
    work = max(b.width(a), b.width(c), width)
    value = b.extend(b.extend(a, max(width, b.width(a)), signed=signed), work, signed=signed and kind == "$sshr")
    if kind == "$shr" and signed and b.width(a) < width:
        value = b.extend(b.extend(a, width, signed=True), work, signed=False)
    name = _SHIFTS[kind]
    if name == "ashr" and not signed:
        name = "lshr"
    return b.slice(b.op(name, work, value, b.extend(c, work, signed=False)), 0, width)


def _signed_shift(b: TermBuilder, a: int, c: int, width: int, signed: bool, amount_signed: bool) -> int:
    """Right by a positive amount, left by a negative one."""
    work = max(b.width(a), width, b.width(c)) + 1
    value = b.extend(a, max(b.width(a), width), signed=signed)
    value = b.extend(value, work, signed=False)
    amount = b.extend(c, work, signed=amount_signed)
    right = b.slice(b.op("lshr", work, value, amount), 0, width)
    if not amount_signed:
        return right
    left = b.slice(b.op("shl", work, value, b.op("neg", work, amount)), 0, width)
    return b.op("ite", width, b.slice(amount, work - 1, 1), left, right)
