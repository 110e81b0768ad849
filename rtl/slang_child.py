"""The child process behind `slang.py`: reads a JSON request on stdin, answers in `answer.json`.

It runs in a process of its own because candidate text can make a parser run away or crash.
"""

import json
import os
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pyslang
from pyslang import ast, parsing, syntax
from rtl_evolve.rtl.slang_processes import findings

TRANSLATE_OFF = ("pragma", "synopsys", "synthesis")  # what read_slang leaves out too, between ... translate_off/on
MOST_DIAGNOSTICS = 100


def answer(request: dict[str, Any]) -> dict[str, Any]:
    """Parse all files as one compilation unit, elaborate, and list what the parent asks for."""
    manager = pyslang.SourceManager()
    manager.setDisableProximatePaths(True)
    for folder in request["include_dirs"]:
        manager.addUserDirectories(folder)
    tree = syntax.SyntaxTree.fromFiles(request["files"], manager, _options(request, overrides=True))
    compilation = ast.Compilation(_options(request, overrides=True))
    compilation.addSyntaxTree(tree)
    rows = _diagnostics(manager, compilation.getAllDiagnostics())
    roots = list(compilation.getRoot().topInstances)
    tokens = list(_tokens(tree.root))
    processes: list[Any] = []
    if not any(row["severity"] == "error" for row in rows):
        processes, more = findings(compilation, manager)
        rows = _ordered(rows + _diagnostics(manager, more))
    return {
        "diagnostics": rows,
        "findings": processes,
        "modules": sorted(d.name for d in compilation.getDefinitions()),
        "units": _units(tree.root),
        "tops": [_interface(i) for i in roots],
        "defaults": _defaults(request) if request["parameters"] and roots else {},
        "includes": _includes(manager, request["files"]),
        "expanded": _text(tokens),
        "inactive": list(_inactive(tokens)),
    }


def _options(request: dict[str, Any], *, overrides: bool) -> pyslang.Bag:
    lexer = parsing.LexerOptions()
    handler = syntax.CommentHandler(syntax.CommentHandler.Kind.TranslateOff, "translate_on")
    lexer.commentHandlers = {word: {"translate_off": handler} for word in TRANSLATE_OFF}
    preprocessor = parsing.PreprocessorOptions()
    preprocessor.predefines = ["SYNTHESIS=1", *(f"{name}={value}" for name, value in request["defines"])]
    compilation = ast.CompilationOptions()
    if request["top"]:
        compilation.topModules = {request["top"]}
    if overrides:
        compilation.paramOverrides = [f"{name}={value}" for name, value in request["parameters"]]
    bag = pyslang.Bag()
    bag.lexerOptions, bag.preprocessorOptions, bag.compilationOptions = lexer, preprocessor, compilation
    return bag


def _diagnostics(manager: pyslang.SourceManager, found: pyslang.Diagnostics) -> list[dict[str, Any]]:
    engine = pyslang.DiagnosticEngine(manager)
    rows: list[dict[str, Any]] = []
    for diagnostic in found:
        severity = engine.getSeverity(diagnostic.code, diagnostic.location)
        error = severity in (pyslang.DiagnosticSeverity.Error, pyslang.DiagnosticSeverity.Fatal)
        if not error and severity != pyslang.DiagnosticSeverity.Warning:
            continue
        place = manager.getFullyExpandedLoc(diagnostic.location)
        rows.append(
            {
                "path": manager.getFileName(place),
                "line": manager.getLineNumber(place),
                "column": manager.getColumnNumber(place),
                "severity": "error" if error else "warning",
                "message": engine.formatMessage(diagnostic),
                "code": str(diagnostic.code).removeprefix("DiagCode(").removesuffix(")"),
            }
        )
    return _ordered(rows)


def _ordered(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return sorted(rows, key=lambda row: row["severity"] != "error")[:MOST_DIAGNOSTICS]


def _interface(instance: ast.InstanceSymbol) -> dict[str, Any]:
    body = instance.body
    return {
        "name": instance.name,
        "ports": [_port(p) for p in body.portList],
        "parameters": [
            (p.name, str(p.value if isinstance(p, ast.ParameterSymbol) else p.targetType.type))
            for p in body.parameters
            if not p.isLocalParam
        ],
        "local_parameters": [p.name for p in body.parameters if p.isLocalParam],
    }


def _port(port: Any) -> dict[str, Any]:
    """`kind` is "port" for what we can take; else what it is instead, in words."""
    if not isinstance(port, ast.PortSymbol):
        what = "an interface port" if isinstance(port, ast.InterfacePortSymbol) else "a concatenation of ports"
        return {"kind": what, "name": port.name}
    if port.isNullPort or not port.name or (port.internalExpr is not None and not port.isAnsiPort):
        return {"kind": "a port expression", "name": port.name}
    if not port.type.isIntegral:
        what = "an unpacked array" if port.type.isUnpackedArray else f"of type {port.type}"
        return {"kind": what, "name": port.name}
    return {
        "kind": "port",
        "name": port.name,
        "direction": {"In": "input", "Out": "output", "InOut": "inout"}.get(port.direction.name, "ref"),
        "width": port.type.bitWidth,
        "signed": port.type.isSigned,
        "default": str(port.initializer.syntax) if port.initializer is not None else "",
    }


def _defaults(request: dict[str, Any]) -> dict[str, list[tuple[str, str]]]:
    """Values of the top's parameters without any override."""
    manager = pyslang.SourceManager()
    for folder in request["include_dirs"]:
        manager.addUserDirectories(folder)
    bag = _options(request, overrides=False)
    compilation = ast.Compilation(bag)
    compilation.addSyntaxTree(syntax.SyntaxTree.fromFiles(request["files"], manager, bag))
    return {i.name: _interface(i)["parameters"] for i in compilation.getRoot().topInstances}


def _includes(manager: pyslang.SourceManager, files: list[str]) -> list[str]:
    given = {os.path.realpath(f) for f in files}
    paths = (os.path.realpath(str(manager.getFullPath(b))) for b in manager.getAllBuffers())
    return sorted({p for p in paths if os.path.isfile(p)} - given)


def _tokens(node: syntax.SyntaxNode) -> Iterator[parsing.Token]:
    """All tokens of the active text in order, without recursion: a candidate may nest as deep as it likes."""
    stack: list[Any] = [node]
    while stack:
        item = stack.pop()
        if isinstance(item, parsing.Token):
            yield item
        elif item is not None:
            stack.extend(reversed(list(item)))


def _text(tokens: Iterable[parsing.Token]) -> str:
    return " ".join(t.rawText for t in tokens if t.rawText)


def _units(root: syntax.SyntaxNode) -> list[tuple[str, str]]:
    """(name, active text) of each module, package and interface, and under "" of all that stands outside them."""
    units: list[tuple[str, str]] = []
    outside: list[str] = []
    for member in getattr(root, "members", [root]):
        text = _text(_tokens(member))
        if isinstance(member, syntax.ModuleDeclarationSyntax):
            units.append((member.header.name.valueText, text))
        elif text:
            outside.append(text)
    return [*units, ("", " ".join(outside))]


def _inactive(tokens: list[parsing.Token]) -> Iterator[str]:
    """Text that conditional compilation leaves out, each stretch with single spaces."""
    for token in tokens:
        for trivia in token.trivia:
            if trivia.kind == parsing.TriviaKind.DisabledText:
                yield " ".join(trivia.getRawText().split())
            elif trivia.kind == parsing.TriviaKind.Directive:
                disabled = getattr(trivia.syntax(), "disabledTokens", None) or ()
                text = " ".join(t.rawText for t in disabled if t.rawText)
                if text:
                    yield text


if __name__ == "__main__":
    asked = json.load(sys.stdin)
    written = Path("answer.json").absolute()
    os.chdir(asked["folder"])
    written.write_text(json.dumps(answer(asked)))
