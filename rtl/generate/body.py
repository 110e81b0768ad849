"""A sequence of named vector expressions, written out as a Verilog function or as a module."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import groupby

from rtl_evolve.rtl.generate.word import ONE, ZERO, Bit, Net, Word, text

_COLUMN = 100  # a statement longer than this is broken after an operator
_INDENT = "    "


@dataclass
class Body:
    """Statements in order. Names are made unique with a number; inputs are declared by `input`."""

    inputs: list[Net] = field(default_factory=list)
    lines: list[tuple[Net | None, str]] = field(default_factory=list)  # (None, comment) or (net, expression)
    _used: dict[str, int] = field(default_factory=dict)
    _gates: dict[tuple[str, frozenset[Bit]], Bit] = field(default_factory=dict)

    def input(self, name: str, width: int) -> Word:
        """Declare an input; its bits."""
        net = Net(name, width - 1)
        self.inputs.append(net)
        self._used[name] = 1
        return net.word()

    def reserve(self, *names: str) -> None:
        """Keep names (of outputs, of the function) out of use."""
        self._used |= dict.fromkeys(names, 1)

    def comment(self, line: str) -> None:
        """A comment before what comes next."""
        self.lines.append((None, line))

    def let(self, name: str, width: int, expression: str, low: int = 0) -> Word:
        """Declare a vector `[low+width-1:low]` with this value; its bits."""
        net = Net(self.fresh(name), low + width - 1, low)
        self.lines.append((net, expression))
        return net.word()

    def fresh(self, name: str) -> str:
        """The name, with a number when it was given out before."""
        count = self._used.get(name, 0)
        self._used[name] = count + 1
        return f"{name}_{count}" if count else name

    def named(self, name: str, word: Word, low: int = 0) -> Word:
        """The word itself when it is plain to write (a slice), else a vector of that name that stands for it."""
        return self.let(name, len(word), text(word), low) if "{" in text(word) else word

    def and_(self, name: str, a: Bit, b: Bit) -> Bit:
        """One gate; constants fold, and the same gate is made once."""
        if ZERO in (a, b) or a == ~b:
            return ZERO
        if a in (ONE, b):
            return b
        return a if b == ONE else self._gate(name, "&", a, b)

    def or_(self, name: str, a: Bit, b: Bit) -> Bit:
        if ONE in (a, b) or a == ~b:
            return ONE
        if a in (ZERO, b):
            return b
        return a if b == ZERO else self._gate(name, "|", a, b)

    def xor(self, name: str, a: Bit, b: Bit) -> Bit:
        if a.net is None or b.net is None:
            known, other = (a, b) if a.net is None else (b, a)
            return ~other if known == ONE else other
        if a == b or a == ~b:
            return ZERO if a == b else ONE
        return self._gate(name, "^", a, b)

    def _gate(self, name: str, operator: str, a: Bit, b: Bit) -> Bit:
        key = (operator, frozenset((a, b)))
        if key not in self._gates:
            self._gates[key] = self.let(name, 1, f"{text((a,))} {operator} {text((b,))}")[0]
        return self._gates[key]


def function_text(name: str, body: Body, result: Word, summary: Sequence[str] = ()) -> str:
    """A Verilog-2001 automatic function of the body's inputs; `summary` are comment lines before it."""
    lines = [f"// {line}" for line in summary]
    lines.append(f"function automatic {_range(len(result))}{name};")
    lines += [f"{_INDENT}input {net.range_text}{net.name};" for net in body.inputs]
    for span, members in groupby((net for net, _ in body.lines if net is not None), key=lambda net: net.range_text):
        lines += _wrapped(f"{_INDENT}reg {span}{', '.join(net.name for net in members)};", _INDENT * 2)
    lines.append(f"{_INDENT}begin")
    for net, line in body.lines:
        lines += _statement(_INDENT * 2, "", net, line)
    lines += _wrapped(f"{_INDENT * 2}{name} = {text(result)};", _INDENT * 3)
    return "\n".join([*lines, f"{_INDENT}end", "endfunction"]) + "\n"


def module_text(name: str, body: Body, outputs: Sequence[tuple[str, Word]], summary: Sequence[str] = ()) -> str:
    """A combinational module; outputs in the order given, after the inputs."""
    ports = [f"{_INDENT}input  wire {net.range_text}{net.name}" for net in body.inputs]
    ports += [f"{_INDENT}output wire {_range(len(word))}{port}" for port, word in outputs]
    lines = [f"// {line}" for line in summary]
    lines += [f"module {name} (", ",\n".join(ports), ");"]
    for net, line in body.lines:
        lines += _statement(_INDENT, "wire " + (net.range_text if net else ""), net, line)
    for port, word in outputs:
        lines += _wrapped(f"{_INDENT}assign {port} = {text(word)};", _INDENT * 2)
    return "\n".join([*lines, "endmodule"]) + "\n"


def _statement(indent: str, declaration: str, net: Net | None, line: str) -> list[str]:
    if net is None:
        return [f"{indent}// {line}"]
    return _wrapped(f"{indent}{declaration}{net.name} = {line};", indent + _INDENT)


def _range(width: int) -> str:
    return f"[{width - 1}:0] " if width > 1 else ""


def _wrapped(line: str, indent: str) -> list[str]:
    """Break a long statement at blanks."""
    pieces: list[str] = []
    while len(line) > _COLUMN:
        cut = line.rfind(" ", len(indent) + 1, _COLUMN)
        if cut <= len(indent):
            break
        pieces.append(line[:cut])
        line = indent + line[cut + 1 :]
    return [*pieces, line]
