"""Liberty's Boolean expressions, compiled to bitwise Python that works on truth bits, big integers and arrays."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from rtl_evolve.rtl.errors import InputError

_TOKEN = re.compile(r"\s*(?:([A-Za-z_][\w\[\]]*)|([()!'&|*+^01]))")


@dataclass(frozen=True)
class Function:
    """`evaluate(ones, *inputs)`: `ones` is the all-ones value of the operands' kind, `inputs` in the order of `pins`."""

    pins: tuple[str, ...]
    source: str
    evaluate: Callable[..., Any]

    def truth_table(self) -> tuple[int, ...]:
        """The value (0 or 1) for every input row, pin 0 being the lowest bit of the row number."""
        width = 1 << len(self.pins)
        return tuple(
            int(bit) for bit in reversed(f"{self.evaluate((1 << width) - 1, *columns(len(self.pins))):0{width}b}")
        )


def columns(count: int) -> list[int]:
    """Integers holding each input's column of a truth table with 2**count rows."""
    width = 1 << count
    return [sum(1 << row for row in range(width) if row >> pin & 1) for pin in range(count)]


@lru_cache(maxsize=4096)
def compile_function(text: str) -> Function:
    """Liberty's operators, tightest first: `'` and `!`, `^`, `&` `*` or a blank, `|` `+`. InputError when malformed."""
    parser = _Parser(text)
    source = parser.expression()
    if parser.tokens:
        raise InputError(f"cannot read the function `{text}` of the cell library")
    arguments = ", ".join(["ones", *(f"v{i}" for i in range(len(parser.pins)))])
    evaluate = eval(f"lambda {arguments}: {source}", {"__builtins__": {}})
    return Function(tuple(parser.pins), source, evaluate)


class _Parser:
    """Recursive descent over the tokens that are left; the source it writes names nothing but its own arguments."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.pins: list[str] = []
        self.tokens: list[str] = []
        position = 0
        while text[position:].strip():
            match = _TOKEN.match(text, position)
            if match is None:
                raise InputError(f"cannot read the function `{text}` of the cell library")
            self.tokens.append(match[1] or match[2])
            position = match.end()

    def _next(self) -> str:
        if not self.tokens:
            raise InputError(f"the function `{self.text}` of the cell library ends too early")
        return self.tokens.pop(0)

    def _chain(self, operand: Callable[[], str], signs: Sequence[str], operator: str, *, blank: bool = False) -> str:
        result = operand()
        while self.tokens and (self.tokens[0] in signs or (blank and self.tokens[0] not in ("|", "+", "^", ")", "'"))):
            if self.tokens[0] in signs:
                self._next()
            result = f"({result} {operator} {operand()})"
        return result

    def expression(self) -> str:
        return self._chain(self._product, ("|", "+"), "|")

    def _product(self) -> str:
        return self._chain(self._sum, ("&", "*"), "&", blank=True)

    def _sum(self) -> str:
        return self._chain(self._primary, ("^",), "^")

    def _primary(self) -> str:
        token = self._next()
        if token == "!":
            return f"({self._primary()} ^ ones)"
        if token == "(":
            result = self.expression()
            if self._next() != ")":
                raise InputError(f"a parenthesis is missing in the function `{self.text}` of the cell library")
        elif token in ("0", "1"):
            result = "ones" if token == "1" else "(ones ^ ones)"
        elif token[0].isalpha() or token[0] == "_":
            if token not in self.pins:
                self.pins.append(token)
            result = f"v{self.pins.index(token)}"
        else:
            raise InputError(f"cannot read the function `{self.text}` of the cell library")
        while self.tokens and self.tokens[0] == "'":
            self._next()
            result = f"({result} ^ ones)"
        return result


@lru_cache(maxsize=4096)
def unateness(text: str, pin: str) -> str:
    """How a function depends on a pin: "positive_unate", "negative_unate" or "non_unate" (also when not at all)."""
    function = compile_function(text)
    if pin not in function.pins:
        return "non_unate"
    table = function.truth_table()
    bit = 1 << function.pins.index(pin)
    rises = any(table[row | bit] > table[row] for row in range(len(table)) if not row & bit)
    falls = any(table[row | bit] < table[row] for row in range(len(table)) if not row & bit)
    if rises == falls:
        return "non_unate"
    return "positive_unate" if rises else "negative_unate"
