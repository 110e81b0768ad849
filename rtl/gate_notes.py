"""What a reviewer should know about a candidate that passed the gate: stated beside the verdict, no reason to refuse."""

from collections import Counter

from rtl_evolve.rtl.candidate import Candidate
from rtl_evolve.rtl.design import Design
from rtl_evolve.rtl.gate_facts import facts
from rtl_evolve.rtl.gate_text import lexemes
from rtl_evolve.rtl.slang import Reading, read_sources


def gate_notes(candidate: Candidate, design: Design) -> tuple[str, ...]:
    """Notes on parameters the verdict holds for, text for other configurations, and initial values taken as constants."""
    golden = read_sources(design.sources)
    reading = read_sources(candidate.sources(design.sources))
    return (
        *_parameter_notes(golden, reading, design),
        *_macro_notes(design),
        *_dropped(golden, reading),
        *_initial(golden, reading),
    )


def _parameter_notes(golden: Reading, candidate: Reading, design: Design) -> list[str]:
    if not design.parameters:
        return []
    values = ", ".join(f"{p.name}={p.value}" for p in design.parameters)
    notes = [f"holds for {values} only; check other values with -G"]
    before, after = _words(golden.expanded), _words(candidate.expanded)
    for name in (p.name for p in design.parameters):
        if before[name] > 1 >= after[name]:
            notes.append(f"parameter {name} is hard-coded: the candidate doesn't use it any more")
    return notes


def _macro_notes(design: Design) -> list[str]:
    """Macros that golden's own files test, unless they define them too (as include guards do)."""
    found = [(f.kind, f.text) for file in design.sources.files for f in facts(file.text)]
    own = {text for kind, text in found if kind == "define"}
    tested = sorted({text for kind, text in found if kind == "condition"} - own)
    given = dict(design.sources.defines) | {"SYNTHESIS": "1"}
    states = [f"{name} {'defined' if name in given else 'not defined'}" for name in tested]
    return [f"holds with {', '.join(states)} only"] if states else []


def _words(text: str) -> Counter[str]:
    return Counter(item.text for item in lexemes(text) if item.kind == "word")


def _dropped(golden: Reading, candidate: Reading) -> list[str]:
    lost = Counter(golden.inactive)
    lost.subtract(candidate.inactive)
    return [f"drops text for another configuration: {text[:60]!r}" for text, count in lost.items() if count > 0]


def _initial(golden: Reading, candidate: Reading) -> list[str]:
    known = {f.signal for f in golden.findings if f.kind == "initial"}
    new = [f.signal.partition(".")[2] for f in candidate.findings if f.kind == "initial" and f.signal not in known]
    return [f"{name} is never written: its initial value was taken as a constant" for name in new]
