"""YAML read with line numbers: each wrong key or value gives one `InputError` that names file, line and what is allowed."""

import difflib
import math
from collections.abc import Sequence
from pathlib import Path

import yaml
from rtl_evolve.rtl.errors import InputError


class Section:
    """One mapping of a file; each reader takes a key off it, `finish` refuses what is left."""

    def __init__(self, file: str, name: str, line: int, entries: dict[str, yaml.Node], lines: dict[str, int]) -> None:
        self._file, self._name, self._line = file, name, line
        self._entries, self._lines = entries, lines
        self._known: list[str] = []

    def error(self, key: str, message: str) -> InputError:
        """An error at a key's line."""
        return InputError(f"{self._name}{key}: {message}", self._file, self._lines.get(key, self._line))

    def _take(self, key: str) -> yaml.Node | None:
        self._known.append(key)
        node = self._entries.get(key)
        empty = isinstance(node, yaml.ScalarNode) and node.tag == "tag:yaml.org,2002:null"
        return None if empty else node

    def has(self, key: str) -> bool:
        """Whether the key is given a value."""
        self._known.append(key)
        return self._take(key) is not None

    def _scalar(self, key: str, what: str) -> str | None:
        node = self._take(key)
        if node is None:
            return None
        if not isinstance(node, yaml.ScalarNode):
            raise self.error(key, f"must be {what}, not a {_kind(node)}")
        return str(node.value)

    def text(self, key: str) -> str | None:
        """A word or sentence (a number is taken as it is written)."""
        return self._scalar(key, "text")

    def choice(self, key: str, allowed: Sequence[str]) -> str | None:
        """One of a few words."""
        value = self._scalar(key, f"one of {', '.join(allowed)}")
        return None if value is None else self.allowed(key, value, allowed)

    def allowed(self, key: str, value: str, allowed: Sequence[str]) -> str:
        """The value; an error at the key's line when it is none of the allowed ones."""
        if value not in allowed:
            raise self.error(key, f"{value!r} is none of {', '.join(allowed)}{_near(value, allowed)}")
        return value

    def flag(self, key: str) -> bool | None:
        """true or false."""
        value = self._scalar(key, "true or false")
        if value is None:
            return None
        if value.lower() not in ("true", "false"):
            raise self.error(key, f"must be true or false, not {value!r}")
        return value.lower() == "true"

    def integer(self, key: str, least: int, most: int | None = None) -> int | None:
        """A whole number within limits."""
        value = self._scalar(key, "a whole number")
        if value is None:
            return None
        try:
            number = int(value)
        except ValueError:
            raise self.error(key, f"must be a whole number, not {value!r}") from None
        self._within(key, number, least, most)
        return number

    def number(self, key: str, least: float, most: float | None = None) -> float | None:
        """A number within limits."""
        value = self._scalar(key, "a number")
        if value is None:
            return None
        try:
            number = float(value)
        except ValueError:
            number = math.nan
        if not math.isfinite(number):
            raise self.error(key, f"must be a number, not {value!r}")
        self._within(key, number, least, most)
        return number

    def _within(self, key: str, number: float, least: float, most: float | None) -> None:
        if number < least or (most is not None and number > most):
            limits = f"at least {least}" if most is None else f"from {least} to {most}"
            raise self.error(key, f"must be {limits}, not {number:g}")

    def texts(self, key: str) -> tuple[str, ...]:
        """A list of words, or a single one."""
        node = self._take(key)
        if node is None:
            return ()
        if isinstance(node, yaml.ScalarNode):
            return (str(node.value),)
        if not isinstance(node, yaml.SequenceNode) or not all(isinstance(n, yaml.ScalarNode) for n in node.value):
            raise self.error(key, f"must be a list of words, not a {_kind(node)}")
        return tuple(str(n.value) for n in node.value)

    def pairs(self, key: str) -> tuple[tuple[str, str], ...]:
        """A mapping of names to words."""
        node = self._take(key)
        if node is None:
            return ()
        if not isinstance(node, yaml.MappingNode) or not all(isinstance(v, yaml.ScalarNode) for _, v in node.value):
            raise self.error(key, f"must be a mapping of names to values, not a {_kind(node)}")
        return tuple((str(k.value), str(v.value)) for k, v in node.value)

    def section(self, key: str) -> "Section":
        """A mapping within this one; empty when not given."""
        node = self._take(key)
        name = f"{self._name}{key}."
        if node is None:
            return Section(self._file, name, self._line, {}, {})
        return _section(self._file, name, node)

    def sections(self, key: str) -> tuple["Section | str", ...]:
        """A list whose entries are words or mappings."""
        node = self._take(key)
        if node is None:
            return ()
        entries = node.value if isinstance(node, yaml.SequenceNode) else [node]
        name = f"{self._name}{key}."
        return tuple(str(e.value) if isinstance(e, yaml.ScalarNode) else _section(self._file, name, e) for e in entries)

    def finish(self) -> None:
        """Refuse keys that nobody asked for."""
        for key in self._entries:
            if key not in self._known:
                known = sorted(set(self._known))
                raise self.error(key, f"unknown key{_near(key, known)}; the keys here are {', '.join(known)}")


def read_yaml(path: Path) -> Section:
    """A file whose top is a mapping."""
    try:
        node = yaml.compose(path.read_text(encoding="utf-8"), Loader=yaml.SafeLoader)
    except OSError as error:
        raise InputError(f"cannot read it: {error.strerror}", str(path)) from error
    except UnicodeDecodeError as error:
        raise InputError("not UTF-8 text", str(path)) from error
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        what = ", ".join(part for part in (error.context, error.problem) if part)
        raise InputError(f"not YAML: {what}", str(path), mark.line + 1 if mark else None) from error
    except yaml.YAMLError as error:
        raise InputError(f"not YAML: {error}", str(path)) from error
    if node is None:
        raise InputError("the file is empty", str(path))
    return _section(str(path), "", node)


def _section(file: str, name: str, node: yaml.Node) -> Section:
    line = node.start_mark.line + 1
    if not isinstance(node, yaml.MappingNode):
        raise InputError(f"{name.rstrip('.') or 'the file'} must be a mapping of keys to values", file, line)
    entries: dict[str, yaml.Node] = {}
    lines: dict[str, int] = {}
    for key, value in node.value:
        text = str(key.value)
        if text in entries:
            raise InputError(f"{name}{text}: given twice (first in line {lines[text]})", file, key.start_mark.line + 1)
        entries[text], lines[text] = value, key.start_mark.line + 1
    return Section(file, name, line, entries, lines)


def _kind(node: yaml.Node) -> str:
    if isinstance(node, yaml.MappingNode):
        return "mapping"
    return "list" if isinstance(node, yaml.SequenceNode) else "single value"


def _near(word: str, allowed: Sequence[str]) -> str:
    found = difflib.get_close_matches(word, allowed, 1)
    return f" (did you mean {found[0]}?)" if found else ""
