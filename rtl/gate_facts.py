"""What a text holds that a gate must look at: pragmas, directives, attributes, system names, x, delays, odd keywords.

Facts are found in the text as written, in every branch and before any preprocessing, because each tool's preprocessor
shows it another circuit; and once more in the text after slang's preprocessing, because macros can hide them. The
words are in `gate_words.yaml`.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import yaml
from rtl_evolve.rtl.gate_text import Lexeme, lexemes

WORDS = yaml.safe_load(Path(__file__).with_name("gate_words.yaml").read_text())
_PRAGMA = re.compile(
    r"^(?:synopsys|verilator|pragma|cadence|ambit|exemplar|leonardo|get2chip|vcs|slang|yosys|rtl_synthesis|vlint)\b"
    r"|^(?:synthesis|xilinx|altera|quartus|coverage|hdl_compiler|mentor|magellan|xprop)\s+\w"
    r"|translate_o(?:n|ff)|(?:full|parallel)_case|synthesis_o(?:n|ff)|black_?box|lint_o(?:n|ff)|infer_(?:mux|onehot)",
    re.IGNORECASE,
)
# control and invisible characters, those that change the direction of text, and returns without a newline: what a
# reviewer sees is not what a tool reads
_ODD = re.compile("[\x00-\x08\x0b\x0e-\x1f\x7f-\x9f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]|\r(?!\n)")
_CONDITIONS = ("`ifdef", "`ifndef", "`elsif")
_NETS = ("wire", "uwire", "wand", "wor", "tri", "triand", "trior", "tri0", "tri1", "trireg", "supply0", "supply1")
_GATES = ("and", "nand", "or", "nor", "xor", "xnor", "buf", "not")
_STATEMENTS = ("assign", "begin", "else", "always", "initial", "end", "reg", "logic", "signed", "unsigned", "vectored")
# words that # may follow where it is a delay; after any other name it opens a parameter list
_DELAYED = frozenset((*_NETS, *_GATES, *_STATEMENTS, *(k for k, why in WORDS["keywords"].items() if "switch" in why)))


@dataclass(frozen=True)
class Fact:
    """`text` identifies the fact (single spaces); `start` is its place in the text; `on` what it stands before."""

    kind: str
    text: str
    start: int
    on: str = ""


def facts(text: str) -> Iterator[Fact]:
    """All facts of one text, comments first."""
    items = list(lexemes(text))
    code = [i for i in items if i.kind != "comment"]
    yield from (f for i in items if i.kind == "comment" for f in _comment(i))
    for odd in _ODD.finditer(text):
        yield Fact("character", f"U+{ord(odd.group()[0]):04X}", odd.start())
    for index, item in enumerate(code):
        yield from _fact(text, code, index, item)


def _fact(text: str, code: Sequence[Lexeme], index: int, item: Lexeme) -> Iterator[Fact]:
    match item.kind:
        case "directive":
            yield from _directive(text, code, index)
        case "attribute":
            yield from _attribute(code, index)
        case "system" if item.text not in WORDS["pure_functions"]:
            yield Fact("system", item.text, item.start)
        case "escaped" if not re.fullmatch(r"\\[A-Za-z_][\w$]*", item.text):
            yield Fact("escaped", item.text, item.start)
        case "number" if "'" in item.text and re.search("[xX]", item.text.split("'")[1]):
            yield Fact("x", "".join(item.text.split()), item.start)
        case "symbol" if item.text in ("===", "!=="):
            yield Fact("case equality", item.text, item.start)
        case "symbol" if item.text in ("#", "##") and _is_delay(code, index):
            yield Fact("delay", "#" + (code[index + 1].text if index + 1 < len(code) else ""), item.start)
        case "paste":
            yield Fact("paste", item.text, item.start)
        case "unterminated":
            yield Fact("unterminated", item.text[:2], item.start)
        case "word" if item.text in WORDS["formal"]:
            yield Fact("formal", _statement(code, index), item.start)
        case "word" if item.text in WORDS["keywords"]:
            yield Fact("keyword", item.text, item.start)
        case "word" if item.text == "import" and index + 1 < len(code) and code[index + 1].kind == "string":
            yield Fact("keyword", "import " + code[index + 1].text, item.start)


def _comment(item: Lexeme) -> Iterator[Fact]:
    body = " ".join(item.text.removeprefix("//").removeprefix("/*").removesuffix("*/").split())
    if _PRAGMA.search(body):
        yield Fact("pragma", body, item.start)


def _directive(text: str, code: Sequence[Lexeme], index: int) -> Iterator[Fact]:
    item = code[index]
    name = item.text.removeprefix("`")
    follower = code[index + 1].text if index + 1 < len(code) else ""
    if item.text in _CONDITIONS:
        yield Fact("condition", follower, item.start)
    elif name == "define":
        yield Fact("define", follower, item.start)
    elif name in WORDS["directives"]:
        end = text.find("\n", item.start)
        line = " ".join(re.sub(r"//.*", "", text[item.start : end if end >= 0 else len(text)]).split())
        if line not in ("`default_nettype none", "`default_nettype wire"):
            yield Fact("directive", line, item.start)
    elif name not in WORDS["harmless_directives"]:
        yield Fact("macro", name, item.start)


def _attribute(code: Sequence[Lexeme], index: int) -> Iterator[Fact]:
    """One fact for each attribute name in `(* a, b = 1 *)`, with the words it stands before."""
    on = " ".join(i.text for i in code[index + 1 : index + 3] if i.kind == "word")
    depth, first = 0, True
    for piece in lexemes(re.sub(r"^\(\s*\*|\*\s*\)$", "", code[index].text)):
        if piece.kind == "symbol" and piece.text in "([{":
            depth += 1
        elif piece.kind == "symbol" and piece.text in ")]}":
            depth -= 1
        if first and piece.text not in WORDS["harmless_attributes"]:
            yield Fact("attribute", piece.text, code[index].start, on)
        first = depth == 0 and piece.text == ","


def _is_delay(code: Sequence[Lexeme], index: int) -> bool:
    """Whether this # is a delay, not a parameter list: those follow a name, and open a parenthesis."""
    if code[index].text == "##" or index + 1 == len(code) or code[index + 1].text != "(":
        return True
    before = code[index - 1] if index else None
    return before is None or before.kind not in ("word", "escaped", "directive") or before.text in _DELAYED


def _statement(code: Sequence[Lexeme], index: int) -> str:
    """The text from here to the semicolon, with single spaces."""
    words = []
    for item in code[index:]:
        words.append(item.text)
        if item.text == ";":
            break
    return " ".join(words)
