"""Refuses candidates that could look equal without being equal, each with one line that says what and where.

`gate` looks at the text and at what slang makes of it, `gate_elaborated` at the netlist. Only what a candidate brings
in is refused: a pragma, an attribute or an x that golden has too may stay.
"""

from collections import Counter
from collections.abc import Iterable, Iterator

from rtl_evolve.rtl.candidate import Candidate
from rtl_evolve.rtl.design import Design, SourceFile, Sources
from rtl_evolve.rtl.elaborate import LOOP_NOTE, Elaboration
from rtl_evolve.rtl.gate_facts import WORDS, Fact, facts
from rtl_evolve.rtl.gate_netlist import (
    FORMAL,
    FREE,
    black_boxes,
    cells_of,
    latches,
    listed,
    loop_names,
    several_drivers,
    source_place,
    tristates,
    undriven,
    x_names,
    x_places,
)
from rtl_evolve.rtl.gate_reasons import reason_of, reason_of_finding
from rtl_evolve.rtl.gate_scope import unproven_changes
from rtl_evolve.rtl.interface import interface_differences
from rtl_evolve.rtl.regions import outside_edits
from rtl_evolve.rtl.slang import Reading, SlangTop, read_sources

_COUNTED = ("formal", "system", "keyword", "paste", "condition")  # one more than golden has is one too many
_MOST_ERRORS = 5
_LONGEST_TEXT = 1_000_000  # characters of one file
_MOST_GROWTH = 10  # times golden's length, for golden that is longer


def gate(candidate: Candidate, design: Design) -> tuple[str, ...]:
    """Why the candidate is refused before elaboration; empty when it passes."""
    reasons = _unfit_files(candidate, design.sources) or (
        *_edits(candidate, design),
        *_texts(candidate, design.sources),
    )
    if reasons:
        return reasons
    golden = read_sources(design.sources)
    reading = read_sources(candidate.sources(design.sources))
    if reading.errors:
        return tuple(map(str, reading.errors[:_MOST_ERRORS]))
    return (
        *_interface(golden, reading, design.top),
        *unproven_changes(golden, reading, design.top),
        *_expanded(golden, reading),
        *_disputed(golden, reading),
    )


def gate_elaborated(golden: Elaboration, candidate: Elaboration) -> tuple[str, ...]:
    """Why the candidate is refused after elaboration; empty when it passes."""
    written = [note for note in candidate.notes if note.startswith(LOOP_NOTE) and note not in golden.notes]
    reasons = [f"{LOOP_NOTE}{listed(loop)}" for loop in loop_names(candidate)] or written
    checks = (
        (latches, "inferred latch: {} keeps its value on some path; assign it on every path"),
        (lambda e: several_drivers(e.netlist), "{} has several drivers"),
        (lambda e: tristates(e.netlist), "{} is driven by z (tri-state): use a multiplexer"),
        (lambda e: black_boxes(e.netlist), "module {} has no contents (a black box)"),
        (lambda e: _types(e, FORMAL), "formal cell {}: a candidate may not assume, assert or cover"),
        (lambda e: _types(e, FREE), "free cell {}: a candidate may not take values from nowhere"),
    )
    for find, text in checks:
        known = frozenset(find(golden))
        new = [name for name in find(candidate) if name not in known]
        if new:
            reasons.append(text.format(listed(new)))
    reasons += _unknowns(golden, candidate) if not reasons else []
    reasons += [f"{note}" for note in candidate.notes if "not be synthesized" in note and note not in golden.notes]
    return tuple(reasons)


def _types(design: Elaboration, types: Iterable[str]) -> tuple[str, ...]:
    cells = cells_of(design.netlist, types)
    return tuple(dict.fromkeys(f"{c.type} {c.parameters.get('FLAVOR', '')}".strip() for c in cells))


def _unknowns(golden: Elaboration, candidate: Elaboration) -> list[str]:
    """x that reaches an output or a register, of a kind that golden doesn't have."""
    kinds = {u.reason for u in golden.model.undefined}
    new = [u for u in candidate.model.undefined if u.reason not in kinds]
    if not new:
        return []
    division = next((u for u in new if u.reason == "division by zero"), None)
    if division is not None:
        return [f"division by zero gives x at {source_place(division.src) or 'an unknown place'}: golden has no such x"]
    open_ = [n for n in undriven(candidate.netlist) if n not in undriven(golden.netlist)]
    outputs = {p.name for p in candidate.netlist.ports if p.direction == "output"}
    if open_:
        what = "output" if open_[0] in outputs else "signal"
        return [f"{what}{'s' if len(open_) > 1 else ''} {listed(open_)} undriven"]
    places = [p for p in x_places(candidate.netlist) if p not in x_places(golden.netlist)]
    names = [n for n in x_names(candidate.netlist) if n not in x_names(golden.netlist)]
    through = f" ({listed(names)} undriven or x)" if names else ""
    return [f"x comes in at {listed(places or ['an unknown place'])}{through}: golden is defined there"]


def _unfit_files(candidate: Candidate, golden: Sources) -> tuple[str, ...]:
    """Files that aren't the design's, or are too long to look at."""
    texts = {f.path: f.text for f in golden.files}
    headers = {f.path for f in golden.headers}
    reasons = []
    for path, text in candidate.files:
        if path not in texts:
            reasons.append(f"{path}: {'headers may not be edited' if path in headers else 'not a file of the design'}")
        elif len(text) > max(_LONGEST_TEXT, _MOST_GROWTH * len(texts[path])):
            reasons.append(f"{path}: {len(text)} characters are too many (golden has {len(texts[path])})")
    return tuple(reasons)


def _edits(candidate: Candidate, design: Design) -> Iterator[str]:
    """Edits outside the editable blocks."""
    if design.regions:
        texts = {f.path: f.text for f in design.sources.files}
        for path, text in candidate.files:
            yield from outside_edits(path, texts[path], text, design.regions)


def _texts(candidate: Candidate, golden: Sources) -> Iterator[str]:
    """Facts that the text, as written, brings in."""
    known: Counter[tuple[str, str]] = Counter()
    for file in (*golden.files, *golden.headers):
        for fact in facts(file.text):
            known[(fact.kind, fact.text)] += 1
    tested = {text for kind, text in known if kind == "condition"}
    fixed = {*WORDS["tool_macros"], *WORDS["keywords"], *tested, *(name for name, _ in golden.defines)}
    changed = candidate.sources(golden)
    now: Counter[tuple[str, str]] = Counter()
    own = {f.text for file in changed.files for f in facts(file.text) if f.kind == "define"}
    for file in (*changed.headers, *changed.files):
        for fact in facts(file.text):
            now[(fact.kind, fact.text)] += 1
            if _brought_in(fact, known, now, fixed, own):
                yield f"{_place(file, fact)}: {reason_of(fact)}"


def _brought_in(
    fact: Fact,
    known: Counter[tuple[str, str]],
    now: Counter[tuple[str, str]],
    fixed: set[str],
    own: set[str],
) -> bool:
    key = (fact.kind, fact.text)
    if fact.kind == "define":
        return now[key] > known[key] and (fact.text in fixed or now[key] > 1)
    if fact.kind == "macro":
        return key not in known and fact.text not in own
    if fact.kind in _COUNTED:
        return now[key] > known[key]
    return key not in known


def _place(file: SourceFile, fact: Fact) -> str:
    line = file.text.count("\n", 0, fact.start) + 1
    return f"{file.path}:{line}:{fact.start - file.text.rfind(chr(10), 0, fact.start)}"


def _interface(golden: Reading, candidate: Reading, top: str) -> Iterator[str]:
    ours, theirs = golden.top(top), candidate.top(top)
    if theirs is None:
        yield f"module {top} missing"
    elif isinstance(ours, SlangTop):
        yield from interface_differences(ours, theirs)


def _expanded(golden: Reading, candidate: Reading) -> Iterator[str]:
    """Facts that only show after preprocessing, and hidden text."""
    known = Counter((f.kind, f.text) for f in facts(golden.expanded))
    now: Counter[tuple[str, str]] = Counter()
    for fact in facts(candidate.expanded):
        key = (fact.kind, fact.text)
        now[key] += 1
        if now[key] > known[key] and (fact.kind in _COUNTED or not known[key]):
            yield f"after macro expansion: {reason_of(fact)}"
    hidden = Counter(candidate.inactive)
    hidden.subtract(golden.inactive)
    for text, count in hidden.items():
        if count > 0:
            yield f"text under a conditional that is not active may not change: {text[:60]!r}"


def _disputed(golden: Reading, candidate: Reading) -> Iterator[str]:
    """Processes that simulators and synthesisers read differently."""
    known = {(f.kind, f.signal) for f in golden.findings}
    for finding in candidate.findings:
        reason = reason_of_finding(finding)
        if reason is not None and (finding.kind, finding.signal) not in known:
            yield reason
