"""What a text holds that a gate must look at: pragmas, directives, attributes, system names, x, delays, odd keywords.

Facts are found in the text as written, in every branch and before any preprocessing, because each tool's preprocessor
shows it another circuit; and once more in the text after slang's preprocessing, because macros can hide them.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rtl_evolve.rtl.gate_text import Lexeme, lexemes

_PRAGMA = re.compile(
    r"^(?:synopsys|verilator|pragma|cadence|ambit|exemplar|leonardo|get2chip|vcs|slang|yosys|rtl_synthesis)\b"
    r"|^(?:synthesis|xilinx|altera|quartus|coverage|hdl_compiler|mentor|magellan)\s+\w"
    r"|translate_o(?:n|ff)|(?:full|parallel)_case|synthesis_o(?:n|ff)|black_?box|lint_o(?:n|ff)|infer_(?:mux|onehot)",
    re.IGNORECASE,
)
_CONDITIONS = ("`ifdef", "`ifndef", "`elsif")
_HARMLESS_DIRECTIVES = ("`else", "`endif", "`timescale", "`resetall", "`define", *_CONDITIONS)
_TO_LINE_END = (
    "`include", "`default_nettype", "`line", "`pragma", "`begin_keywords", "`end_keywords", "`undef", "`undefineall",
    "`celldefine", "`endcelldefine", "`unconnected_drive", "`nounconnected_drive", "`protect", "`endprotect",
    "`default_decay_time", "`default_trireg_strength", "`delay_mode_path", "`delay_mode_unit", "`delay_mode_zero",
    "`delay_mode_distributed", "`protected", "`endprotected", "`uselib", "`accelerate", "`noaccelerate",
)  # fmt: skip
FORMAL_WORDS = ("assert", "assume", "cover", "restrict", "expect")
_NETS = ("wand", "wor", "tri", "triand", "trior", "tri0", "tri1", "trireg", "supply0", "supply1")
_STRENGTHS = (
    "strong0", "strong1", "pull0", "pull1", "weak0", "weak1", "highz0", "highz1", "small", "medium", "large",
)  # fmt: skip
_SWITCHES = (
    "bufif0", "bufif1", "notif0", "notif1", "nmos", "pmos", "cmos", "rnmos", "rpmos", "rcmos", "tran", "rtran",
    "tranif0", "tranif1", "rtranif0", "rtranif1", "pullup", "pulldown",
)  # fmt: skip
_UNSYNTHESIZABLE = (
    "force", "release", "deassign", "specify", "specparam", "primitive", "config", "bind", "defparam", "alias", "wait",
    "wait_order", "fork", "join_any", "join_none", "event", "real", "shortreal", "realtime", "string", "chandle",
    "class", "program", "checker", "covergroup", "property", "sequence", "clocking", "randcase", "randsequence",
    "constraint", "rand", "randc", "final", "always_latch", "forever", "table", "export", "library", "extern",
    "nettype", "virtual", "ifnone", "showcancelled", "noshowcancelled", "global",
)  # fmt: skip
_WILD = ("casex", "unique", "unique0", "priority")
WATCHED = frozenset((*FORMAL_WORDS, *_NETS, *_STRENGTHS, *_SWITCHES, *_UNSYNTHESIZABLE, *_WILD))
_PURE = frozenset(
    "$signed $unsigned $clog2 $bits $countones $countbits $onehot $onehot0 $size $left $right $low $high $increment"
    " $dimensions $unpacked_dimensions".split()
)
_SHELF = frozenset("ram_style rom_style ramstyle romstyle syn_ramstyle syn_romstyle ram_block rom_block use_dsp".split())


@dataclass(frozen=True)
class Fact:
    """`text` identifies the fact (single spaces); `start` is its place in the text it was found in."""

    kind: str
    text: str
    start: int


def facts(text: str) -> Iterator[Fact]:
    """All facts of one text, in order of their place."""
    items = list(lexemes(text))
    code = [i for i in items if i.kind != "comment"]
    yield from (f for i in items if i.kind == "comment" for f in _comment(i))
    for index, item in enumerate(code):
        yield from _fact(text, code, index, item)


def _fact(text: str, code: Sequence[Lexeme], index: int, item: Lexeme) -> Iterator[Fact]:
    match item.kind:
        case "directive":
            yield from _directive(text, code, index)
        case "attribute":
            yield from _attribute(item)
        case "system" if item.text not in _PURE:
            yield Fact("system", item.text, item.start)
        case "escaped" if not re.fullmatch(r"\\[A-Za-z_][\w$]*", item.text):
            yield Fact("escaped", item.text, item.start)
        case "number" if "'" in item.text and re.search("[xX]", item.text.split("'")[1]):
            yield Fact("x", "".join(item.text.split()), item.start)
        case "number" if "'" in item.text and re.search("[zZ]", item.text.split("'")[1]):
            yield Fact("z", "".join(item.text.split()), item.start)
        case "symbol" if item.text in ("===", "!=="):
            yield Fact("case equality", item.text, item.start)
        case "symbol" if item.text in ("#", "##") and _is_delay(code, index):
            yield Fact("delay", "#" + (code[index + 1].text if index + 1 < len(code) else ""), item.start)
        case "paste":
            yield Fact("paste", item.text, item.start)
        case "unterminated":
            yield Fact("unterminated", item.text[:2], item.start)
        case "word" if item.text in FORMAL_WORDS:
            yield Fact("formal", _statement(code, index), item.start)
        case "word" if item.text in WATCHED:
            yield Fact("keyword", item.text, item.start)
        case "word" if item.text == "import" and index + 1 < len(code) and code[index + 1].kind == "string":
            yield Fact("keyword", "import " + code[index + 1].text, item.start)


def _comment(item: Lexeme) -> Iterator[Fact]:
    body = " ".join(item.text.removeprefix("//").removeprefix("/*").removesuffix("*/").split())
    if _PRAGMA.search(body):
        yield Fact("pragma", body, item.start)


def _directive(text: str, code: Sequence[Lexeme], index: int) -> Iterator[Fact]:
    item = code[index]
    end = text.find("\n", item.start)
    line = " ".join(re.sub(r"//.*", "", text[item.start : end if end >= 0 else len(text)]).split())
    follower = code[index + 1].text if index + 1 < len(code) else ""
    if item.text in _CONDITIONS:
        yield Fact("condition", follower, item.start)
    elif item.text == "`define":
        yield Fact("define", follower, item.start)
    elif item.text == "`default_nettype" and follower in ("none", "wire"):
        return
    elif item.text in _TO_LINE_END:
        yield Fact("directive", line, item.start)
    elif item.text not in _HARMLESS_DIRECTIVES:
        yield Fact("macro", item.text[1:], item.start)


def _attribute(item: Lexeme) -> Iterator[Fact]:
    """One fact for each attribute name in `(* a, b = 1 *)`."""
    depth, first = 0, True
    for piece in lexemes(item.text[2:-2]):
        if piece.kind == "symbol" and piece.text in "([{":
            depth += 1
        elif piece.kind == "symbol" and piece.text in ")]}":
            depth -= 1
        if first and piece.text not in _SHELF:
            yield Fact("attribute", piece.text, item.start)
        first = depth == 0 and piece.text == ","


def _is_delay(code: Sequence[Lexeme], index: int) -> bool:
    """Whether this # is a delay, not a parameter list: those follow a name, and open a parenthesis."""
    if code[index].text == "##" or index + 1 == len(code) or code[index + 1].text != "(":
        return True
    before = code[index - 1] if index else None
    return before is None or before.kind not in ("word", "escaped", "directive") or before.text in _DELAYED


_DELAYED = frozenset(
    "assign wire tri wand wor reg logic and nand or nor xor xnor buf not begin else always initial end signed".split()
) | frozenset((*_NETS, *_SWITCHES))


def _statement(code: Sequence[Lexeme], index: int) -> str:
    """The text from here to the semicolon, with single spaces."""
    words = []
    for item in code[index:]:
        words.append(item.text)
        if item.text == ";":
            break
    return " ".join(words)
