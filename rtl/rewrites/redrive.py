"""Gives a signal a new value: the edits that replace whatever drives it by one expression."""

import re
from collections.abc import Mapping

from rtl_evolve.rtl.edit import Edit
from rtl_evolve.rtl.rewrites.view import View
from rtl_evolve.rtl.rewrites.view_graph import Driver
from rtl_evolve.rtl.rewrites.view_nodes import Assign, Instance, Process, Scope, Signal, Statement


def redrive(view: View, scope: Scope, signal: Signal, text: str) -> tuple[Edit, ...] | None:
    """Edits after which `signal` equals `text`, an expression over names visible there; None when it's not simple.

    The signal must have one driver in `scope` that drives all of it. A block that also drives other signals that are
    still needed keeps its text and gets the new assignment as its last.
    """
    drivers = view.graph.drivers(signal)
    if len(drivers) != 1 or drivers[0].scope is not scope or not scope.editable:
        return None
    driver = drivers[0]
    source = driver.source
    if isinstance(source, Assign):
        if not driver.whole or not source.value.editable or source.target.kind != "name":
            return None
        return (view.replace(source.value, text),)
    if isinstance(source, Process):
        return _process(view, source, signal, text) if not source.clocked else None
    return _instance(view, driver, source, signal, text)


def redrive_with(
    view: View, scope: Scope, signal: Signal, lines: tuple[str, ...], text: str
) -> tuple[Edit, ...] | None:
    """As `redrive`, with module items (declarations that `text` uses) put before the old driver."""
    edits = redrive(view, scope, signal, text)
    if edits is None or not lines:
        return edits
    source = view.graph.drivers(signal)[0].source
    item = source.item if isinstance(source, Assign) else (source.start, source.end)
    return joined(view.insert_before(item, source.path, "\n".join(lines)), edits)


def redrive_all(
    view: View, scope: Scope, texts: Mapping[Signal, str], lines: tuple[str, ...]
) -> tuple[Edit, ...] | None:
    """As `redrive_with` for several signals at once; blocks that drive only these are replaced as a whole."""
    sources = {view.graph.drivers(s)[0].source for s in texts if len(view.graph.drivers(s)) == 1}
    edits: list[Edit] = []
    done: set[Signal] = set()
    for source in sources:
        if isinstance(source, Process):
            mine = {s: t for s, t in texts.items() if view.graph.drivers(s)[0].source is source}
            if source.clocked or not source.editable or others_needed(view, source, set(mine)):
                return None
            body = "\n".join(f"    {s.name} = {t};" for s, t in mine.items())
            edits.append(
                Edit(source.path, source.start, source.end, _indented(view, source, f"always @* begin\n{body}\nend"))
            )
            done |= set(mine)
    for signal, text in texts.items():
        if signal not in done:
            more = redrive(view, scope, signal, text)
            if more is None:
                return None
            edits += more
    places = [s.item if isinstance(s, Assign) else (s.start, s.end) for s in sources]
    return joined(view.insert_before(min(places), scope.path, "\n".join(lines)), tuple(edits))


def _indented(view: View, process: Process, text: str) -> str:
    whole = view.texts[process.path]
    line = whole.rfind("\n", 0, process.start) + 1
    indent = whole[line : process.start] if whole[line : process.start].isspace() else ""
    return text.replace("\n", "\n" + indent)


def joined(insertion: Edit, edits: tuple[Edit, ...]) -> tuple[Edit, ...]:
    """An insertion with other edits; one that begins where it stands takes it in, so that the order is kept."""
    for edit in edits:
        if edit.start == insertion.start and edit.path == insertion.path:
            merged = Edit(edit.path, edit.start, edit.end, insertion.text + edit.text)
            return tuple(merged if other is edit else other for other in edits)
    return (insertion, *edits)


def _process(view: View, process: Process, signal: Signal, text: str) -> tuple[Edit, ...] | None:
    if not process.editable:
        return None
    if others_needed(view, process, {signal}):
        edits = _last(view, process.body, f"{signal.name} = {text};")
        return edits and (*edits, *(Edit(process.path, *listed, "@*") for listed in (process.listed,) if listed))
    head = re.match(r"always_comb\b", view.texts[process.path][process.start : process.end])
    how = "always_comb" if head else "always @*"
    return (Edit(process.path, process.start, process.end, f"{how} {signal.name} = {text};"),)


def others_needed(view: View, process: Process, but: set[Signal]) -> set[Signal]:
    """Signals other than `but` that a block drives and something outside it reads."""
    needed = set()
    for scope in view.scopes:
        if process not in scope.processes:
            continue
        for assign in process.assigns():
            for name in assign.target.names():
                signal = scope.lookup(name)
                if signal is None or signal in but:
                    continue
                outside = any(source is not process for _, source in view.graph.readers(signal))
                if outside or signal.direction != "local":
                    needed.add(signal)
    return needed


def _last(view: View, body: Statement, statement: str) -> tuple[Edit, ...] | None:
    """Insert a statement before the `end` of a block."""
    text = view.texts[body.path]
    if body.kind != "block" or not text[body.start : body.end].endswith("end"):
        return None
    at = body.end - len("end")
    line = text.rfind("\n", 0, at) + 1
    indent = text[line:at]
    return (Edit(body.path, at, at, f"    {statement}\n{indent}"),) if indent.strip() == "" else None


def _instance(view: View, driver: Driver, instance: Instance, signal: Signal, text: str) -> tuple[Edit, ...] | None:
    """An instance is replaced when this signal is all it drives."""
    outputs = [c.node for c in instance.connections if c.direction != "input" and c.node is not None]
    if len(outputs) != 1 or not (instance.alone and instance.editable and driver.whole) or outputs[0].kind != "name":
        return None
    return (Edit(instance.path, instance.start, instance.end, f"assign {signal.name} = {text};"),)
