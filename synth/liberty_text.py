"""Liberty's syntax: text to nested groups, without knowing what any group means."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from rtl_evolve.rtl.errors import InputError

# One match a statement: libraries hold megabytes of table values, and a token at a time is five times slower.
_STATEMENT = re.compile(
    r"""
    (?: [\s;\\]++ | /\*.*?\*/ | //[^\n]*+ )*+
    (?:
        (?P<close> \} )
      | (?: (?P<name> [\w.\-]++ ) | "(?P<quoted> [^"]* )" ) \s*+
        (?:
            : \s*+ (?: "(?P<string> (?: [^"\\] | \\. )*+ )" | (?P<bare> [^;{}"\n]*+ ) )
          | \( (?P<arguments> [^()"]*+ (?: "[^"]*" [^()"]*+ )*+ ) \) \s*+ (?P<open> \{ )?
        )
      | (?P<end> \Z )
    )
    """,
    re.DOTALL | re.VERBOSE,
)


@dataclass
class Group:
    """`kind (arguments) { ... }`: simple attributes by name, complex ones as their raw argument texts, groups inside."""

    kind: str
    arguments: tuple[str, ...]
    line: int
    attributes: dict[str, str] = field(default_factory=dict)
    complex: dict[str, list[str]] = field(default_factory=dict)
    groups: list["Group"] = field(default_factory=list)

    @property
    def name(self) -> str:
        """The first argument, or nothing."""
        return self.arguments[0] if self.arguments else ""

    def all(self, kind: str) -> Iterator["Group"]:
        """The groups of one kind directly inside, in the file's order."""
        return (group for group in self.groups if group.kind == kind)

    def first(self, kind: str) -> "Group | None":
        """The first group of a kind directly inside."""
        return next(self.all(kind), None)


def split_arguments(text: str) -> tuple[str, ...]:
    """`"a", b` as ("a", "b"): the parts between commas outside quotes, without quotes."""
    parts = re.findall(r'"([^"]*)"|([^\s,"]+)', text)
    return tuple(quoted or bare for quoted, bare in parts)


def numbers(text: str) -> list[float]:
    """All numbers of an argument text like `"1, 2", "3, 4"`; ValueError when something else stands there."""
    return [float(part) for part in text.translate(_SEPARATORS).split()]


_SEPARATORS = str.maketrans({'"': " ", ",": " ", "\\": " "})


def parse_liberty(text: str, file: str) -> Group:
    """The `library` group of a file's text; InputError with a line number when it is broken or cut off."""
    if not text.strip():
        raise InputError("the Liberty file is empty", file=file)
    root = Group("file", (), 1)
    stack = [root]
    position = 0
    while True:
        match = _STATEMENT.match(text, position)
        if match is None:
            raise _unreadable(text, position, stack, file)
        position = match.end()
        kind = match.lastgroup
        if kind == "close":
            if len(stack) == 1:
                raise InputError("a closing brace with no group open", file=file, line=_line(text, position))
            stack.pop()
            continue
        if kind == "end":
            break
        name = match["name"] or match["quoted"] or ""
        if kind == "open":
            group = Group(name, split_arguments(match["arguments"]), _line_hint(text, match.start(), name))
            stack[-1].groups.append(group)
            stack.append(group)
        elif kind == "arguments":
            stack[-1].complex.setdefault(name, []).append(match["arguments"])
        else:
            value = match["string"] if match["string"] is not None else match["bare"]
            stack[-1].attributes[name] = value.strip()
    if len(stack) > 1:
        raise _cut_off(stack, file)
    library = root.first("library")
    if library is None:
        raise InputError("no `library` group: this is not a Liberty file", file=file)
    return library


def _line(text: str, position: int) -> int:
    return text.count("\n", 0, position) + 1


def _line_hint(text: str, start: int, kind: str) -> int:
    """Counting lines is slow on megabytes, so only the groups that messages name get theirs."""
    return _line(text, start) if kind in ("library", "cell") else 0


def _cut_off(stack: list[Group], file: str) -> InputError:
    inside = next((g for g in reversed(stack) if g.line), stack[1])
    return InputError(f"the file ends inside {inside.kind} ({inside.name}): it is cut off", file=file)


def _unreadable(text: str, position: int, stack: list[Group], file: str) -> InputError:
    rest = text[position:].lstrip(" \t\r\n;\\")
    # a statement cut in its middle can't match either: say so rather than show half of it
    if len(stack) > 1 and "}" not in rest and rest.count("(") != rest.count(")"):
        return _cut_off(stack, file)
    shown = " ".join(rest[:40].split())
    return InputError(f"this is not Liberty: `{shown}`", file=file, line=_line(text, len(text) - len(rest)))
