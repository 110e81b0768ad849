"""What the gate says about each kind of fact that a candidate brings in: one line, with the remedy."""

from rtl_evolve.rtl.gate_facts import WORDS, Fact
from rtl_evolve.rtl.slang import Finding

_REASONS = {
    "pragma": "comment pragma {!r}: tools that read it see another circuit; remove it",
    "directive": "directive {}: a candidate may not add it",
    "condition": "tests macro {} where golden doesn't: each tool (or configuration) could see another circuit",
    "define": "defines macro {}, which golden defines or tests already, which tools define, or which is a keyword",
    "macro": "macro {} is not defined in the design",
    "attribute": "attribute {}{on}: a candidate may not add it (only memory and multiplier styles)",
    "system": "{} has side effects, looks at x, or has no circuit",
    "escaped": "escaped name {} is not a plain name (what starts with $ is the synthesiser's, not Verilog)",
    "x": "x literal {}: write a defined value; golden has no such x",
    "case equality": "{} compares x and z, which a circuit cannot: use {short}",
    "delay": "delay {}: it has no meaning in a circuit; remove it",
    "paste": "macro text pasting {} can hide what is written",
    "unterminated": "{} is never closed, or tools disagree about where it ends",
    "character": "invisible character {}: a reviewer would not see what a tool reads",
    "formal": "formal statement {!r}: a candidate may not assume, assert or cover",
    "keyword": "{} is not accepted in a candidate: {why}",
}
_FINDINGS = {
    "sensitivity": "{} is read but not in the sensitivity list: simulation keeps an old value; use always @*",
    "order": "{} is read before it is written in its block: simulation keeps an old value; write it first",
    "race": "{} is written with = at a clock edge and read at an edge by another block: the order decides; use <=",
}
_LONGEST = 80  # characters of a fact in its message


def reason_of(fact: Fact) -> str:
    """The line for one fact, without its place."""
    why = WORDS["keywords"].get(fact.text, "code outside the design has no circuit")
    text = fact.text if len(fact.text) <= _LONGEST else fact.text[:_LONGEST] + "..."
    on = f" on {fact.on}" if fact.on else ""
    return _REASONS[fact.kind].format(text, short=fact.text[:-1], why=why, on=on)


def reason_of_finding(finding: Finding) -> str | None:
    """The line for what slang's analysis found, with its place; None for what is no reason to refuse."""
    if finding.kind not in _FINDINGS:
        return None
    name = finding.signal.partition(".")[2]  # without the top
    return f"{finding.path}:{finding.line}:{finding.column}: {_FINDINGS[finding.kind].format(name)}"
