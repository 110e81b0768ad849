"""The compilation a view is read from: pyslang on the texts in memory, and from its places back to characters."""

from dataclasses import dataclass
from itertools import accumulate
from pathlib import PurePosixPath
from typing import Any

import pyslang
from pyslang import ast, parsing, syntax
from rtl_evolve.rtl.design import Region, Sources

_ROOT = "/rtl-evolve-view"  # never touched: all texts are handed over in memory
_TRANSLATE_OFF = ("pragma", "synopsys", "synthesis")


@dataclass(frozen=True, eq=False)
class Texts:
    """The parsed compilation with the tables that turn its places into (path, character)."""

    manager: pyslang.SourceManager
    compilation: ast.Compilation
    top: ast.InstanceSymbol | None
    paths: dict[Any, str]
    offsets: dict[str, list[int] | None]
    lengths: dict[str, int]
    regions: tuple[Region, ...]

    def place(self, location: pyslang.SourceLocation) -> tuple[str, int]:
        """Path ("" when it's no given file) and character of a place; one in a macro counts where it's expanded."""
        location = self.manager.getFullyExpandedLoc(location)
        path = self.paths.get(location.buffer, "")
        table = self.offsets.get(path)
        return path, table[location.offset] if table else location.offset

    def range(self, source: pyslang.SourceRange) -> tuple[str, int, int, bool]:
        """Path, start, end of a range, and whether a rewrite may change it."""
        path, start = self.place(source.start)
        other, end = self.place(source.end)
        plain = not (self.manager.isMacroLoc(source.start) or self.manager.isMacroLoc(source.end))
        editable = plain and path == other and path != "" and start < end and self.may_change(path, start, end)
        return path, start, end, editable

    def may_change(self, path: str, start: int, end: int) -> bool:
        """Whether the user's regions (none: everything) let these characters change."""
        return not self.regions or any(r.path == path and r.start <= start and end <= r.end for r in self.regions)


def compile_texts(sources: Sources, regions: tuple[Region, ...] = ()) -> Texts:
    """Parse and elaborate all files as one compilation unit, as `read_slang` does. Never raises for bad text."""
    manager = pyslang.SourceManager()
    manager.setDisableProximatePaths(True)
    _assign_headers(manager, sources)
    bag = _options(sources)
    buffers = [manager.assignText(f"{_ROOT}/{f.path}", f.text) for f in sources.files]
    tree = syntax.SyntaxTree.fromBuffers(buffers, manager, bag)
    compilation = ast.Compilation(bag)
    compilation.addSyntaxTree(tree)
    tops = list(compilation.getRoot().topInstances)
    return Texts(
        manager,
        compilation,
        next((t for t in tops if t.name == sources.top), None),
        {b.id: f.path for b, f in zip(buffers, sources.files, strict=True)},
        {f.path: _characters(f.text) for f in sources.files},
        {f.path: len(f.text) for f in sources.files},
        regions,
    )


def _assign_headers(manager: pyslang.SourceManager, sources: Sources) -> None:
    """Put every header where an `include` from any file's folder, or from an include folder, looks for it."""
    folders = {str(PurePosixPath(f.path).parent) for f in (*sources.files, *sources.headers)} | {"."}
    for header in sources.headers:
        path = PurePosixPath(header.path)
        names = {str(path)} | {str(path.relative_to(d)) for d in sources.include_dirs if path.is_relative_to(d)}
        names |= {path.name}
        places = {f"{_ROOT}/{header.path}"} | {str(PurePosixPath(_ROOT) / d / n) for d in folders for n in names}
        for place in sorted(places):
            manager.assignText(place, header.text)


def _options(sources: Sources) -> pyslang.Bag:
    lexer = parsing.LexerOptions()
    handler = syntax.CommentHandler(syntax.CommentHandler.Kind.TranslateOff, "translate_on")
    lexer.commentHandlers = {word: {"translate_off": handler} for word in _TRANSLATE_OFF}
    preprocessor = parsing.PreprocessorOptions()
    preprocessor.predefines = ["SYNTHESIS=1", *(f"{name}={value}" for name, value in sources.defines)]
    compilation = ast.CompilationOptions()
    compilation.topModules = {sources.top}
    compilation.paramOverrides = [f"{name}={value}" for name, value in sources.parameters]
    bag = pyslang.Bag()
    bag.lexerOptions, bag.preprocessorOptions, bag.compilationOptions = lexer, preprocessor, compilation
    return bag


def _characters(text: str) -> list[int] | None:
    """For each byte offset of the UTF-8 text the character there; None when they are the same."""
    if text.isascii():
        return None
    ends = accumulate(len(c.encode()) for c in text)
    table: list[int] = []
    for character, end in enumerate(ends):
        table += [character] * (end - len(table))
    return [*table, len(text), len(text)]
