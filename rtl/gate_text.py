"""A lexer for Verilog text before preprocessing: what is written, whatever any tool's preprocessor makes of it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

_LEXEME = re.compile(
    r"""
    (?P<comment>//[^\n]*|/\*.*?\*/)
  | (?P<unterminated>/\*.*|"{3})
  | (?P<string>"(?:\\.|[^"\\\n])*")
  | (?P<unclosed>"[^\n]*)
  | (?P<paste>``|`\\?`?"|`\\)
  | (?P<directive>`[A-Za-z_][\w$]*|`\\\S+)
  | (?P<escaped>\\\S+)
  | (?P<system>\$[A-Za-z_$][\w$]*)
  | (?P<number>(?:\d[\d_]*\s*)?'\s*[sS]?[bBoOdDhH]\s*[0-9a-fA-FxXzZ?][0-9a-fA-FxXzZ?_]*
             | '[01xXzZ](?![\w$])
             | \d[\d_]*(?:\.\d[\d_]*)?(?:[eE][+-]?\d+)?(?:[munpf]?s\b)?)
  | (?P<attribute>\(\s*\*(?!\s*(?:/\*.*?\*/\s*)*\)).*?\*\s*\))
  | (?P<open>\(\s*\*(?!\s*(?:/\*.*?\*/\s*)*\)).*)
  | (?P<word>[A-Za-z_][\w$]*)
  | (?P<symbol>===|!==|==\?|!=\?|<->|->|\#\#|<=|>=|==|!=|\S)
    """,
    re.VERBOSE | re.DOTALL,
)


@dataclass(frozen=True)
class Lexeme:
    """A piece of text with its kind (the group names above) and place, half open.

    "unterminated" is a comment, string or attribute without end; and \"\"\", which only some tools take for one string.
    """

    kind: str
    text: str
    start: int
    end: int


def lexemes(text: str) -> Iterator[Lexeme]:
    """All pieces in order, white space left out."""
    for match in _LEXEME.finditer(text):
        kind = match.lastgroup or "symbol"
        kind = "unterminated" if kind in ("unclosed", "open") else kind
        yield Lexeme(kind, match.group(), match.start(), match.end())
