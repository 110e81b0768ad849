"""What a rewrite rule sees of a design: its text with places and widths, and what its signals do when simulated."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from random import Random

from rtl_evolve.rtl.design import Region, Reset, Sources
from rtl_evolve.rtl.edit import Edit
from rtl_evolve.rtl.elaborate import Elaboration
from rtl_evolve.rtl.model import Model
from rtl_evolve.rtl.rewrites.view_graph import Graph
from rtl_evolve.rtl.rewrites.view_nodes import Assign, Node, Scope
from rtl_evolve.rtl.rewrites.view_scopes import read_scopes
from rtl_evolve.rtl.rewrites.view_text import compile_texts
from rtl_evolve.rtl.rewrites.view_values import NoValue, Words, evaluate
from rtl_evolve.rtl.rewrites.view_vectors import Samples, free_samples, reached_samples

_MOST_SAMPLED_COPIES = 4
_SEED = 20240229  # the same vectors for the same design, whoever asks
_ATOM = re.compile(r"[\w$.]+|[\w$.]+\s*\[[^\[\]?:]*(:[^\[\]?:]*)?\]|\d*\s*'s?[bdhoBDHO][0-9a-fA-F_]+")


@dataclass(frozen=True, eq=False)
class View:
    """A design as the rules see it. Everything is read once; values are simulated when first asked for.

    `words` and `signal_words` give numbers over the vectors of all copies of a scope one after the other (first at
    most four copies), so what holds of them holds in each copy.
    """

    sources: Sources
    model: Model
    scopes: tuple[Scope, ...]
    reset: Reset | None
    _words: dict[tuple[str, str, bool], Words | None] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        sources: Sources,
        elaboration: Elaboration,
        *,
        reset: Reset | None = None,
        regions: tuple[Region, ...] = (),
    ) -> "View":
        """Read a design that elaborates; `regions` (of this very text) restrict what is editable."""
        texts = compile_texts(sources, regions)
        return cls(sources, elaboration.model, read_scopes(texts), reset)

    @cached_property
    def texts(self) -> dict[str, str]:
        return {file.path: file.text for file in self.sources.files}

    def text(self, part: Node | Assign) -> str:
        """The text of an expression (without parentheses around it) or of an assignment."""
        return self.texts[part.path][part.start : part.end] if part.path in self.texts else ""

    def operand(self, node: Node) -> str:
        """The node's text, in parentheses unless it needs none anywhere."""
        return parenthesised(self.text(node))

    def alike(self, a: Node, b: Node) -> bool:
        """Whether two expressions are written alike but for white space."""
        return "".join(self.text(a).split()) == "".join(self.text(b).split())

    def replace(self, part: Node, text: str) -> Edit:
        """Put `text` in an expression's place (its own parentheses, if it had any, stay around)."""
        return Edit(part.path, part.start, part.end, text)

    @cached_property
    def graph(self) -> Graph:
        """Who drives and who reads each signal."""
        return Graph(self.scopes)

    @cached_property
    def free(self) -> Samples:
        """Registers at random values: what holds here holds whatever the state."""
        return free_samples(self.model, self.reset, self._fields, Random(_SEED))

    @cached_property
    def reached(self) -> Samples:
        """Runs from the initial state: what holds here may need the states that can be reached."""
        if not self.model.registers:
            return self.free
        return reached_samples(self.model, self.reset, self._fields, Random(_SEED))

    @cached_property
    def _fields(self) -> dict[str, list[tuple[int, int]]]:
        """(lowest bit, width) of the constant slices that the text takes of each signal, by hierarchical name."""
        fields: dict[str, list[tuple[int, int]]] = {}
        for scope in self.scopes:
            for root in scope.expressions():
                for node in root.walk():
                    part = constant_part(scope, node)
                    if part is not None and node.children[0].op in scope.signals:
                        place = fields.setdefault(scope.copies[0] + node.children[0].op, [])
                        if part not in place:
                            place.append(part)
        return fields

    def signal_words(self, scope: Scope, name: str, *, reached: bool = False) -> Words | None:
        """A signal's numbers; None when a bit of it is unknown or was optimised away."""
        key = (scope.copies[0], name, reached)
        if key not in self._words:
            self._words[key] = self._signal_words(scope, name, reached)
        return self._words[key]

    def _signal_words(self, scope: Scope, name: str, reached: bool) -> Words | None:
        samples = self.reached if reached else self.free
        words: list[int] = []
        for copy in scope.copies[:_MOST_SAMPLED_COPIES]:
            literals = self.literals(scope, name, copy)
            if literals is None:
                return None
            words += samples.word(literals)
        return words

    def literals(self, scope: Scope, name: str, copy: str | None = None) -> Sequence[int] | None:
        """The model's literals for a signal as named in `scope`, in its first copy unless told otherwise."""
        prefix = scope.copies[0] if copy is None else copy
        here: Scope | None = scope
        while here is not None:
            if name in here.signals:
                found = self.model.signals.get(prefix + name)
                return found if found is not None and len(found) == here.signals[name].width else None
            here = here.parent
            prefix = _outer(prefix, here.copies) if here is not None else ""
        return None

    def words(self, scope: Scope, node: Node, *, reached: bool = False) -> Words | None:
        """The numbers an expression takes, extended to its outer width; None when they can't be told from the text.

        That is so in scopes whose copies differ.

        Variables that blocking assignments change show their final values, which may not be those read at this place.
        """
        if not scope.uniform:
            return None
        count = (self.reached if reached else self.free).width * len(scope.copies[:_MOST_SAMPLED_COPIES])
        try:
            return evaluate(node, scope, lambda name: self.signal_words(scope, name, reached=reached), count)
        except NoValue:
            return None

    @cached_property
    def supports(self) -> list[int]:
        """For each variable of the model's graph the set (a bit mask over variables) of inputs and states it reads."""
        aig = self.model.aig
        masks = [0, *(1 << v for v in range(1, aig.inputs + 1))]
        for a, b in zip(aig.fanin0, aig.fanin1, strict=True):
            masks.append(masks[a >> 1] | masks[b >> 1])
        return masks

    def support(self, literals: Sequence[int]) -> int:
        """The inputs and states (bit mask) that some literals depend on."""
        mask = 0
        for literal in literals:
            mask |= self.supports[literal >> 1]
        return mask

    def gates(self, literals: Sequence[int], stop: Sequence[int] = ()) -> int:
        """How many AND gates compute `literals` from the inputs and the literals in `stop`: a measure of cost."""
        aig = self.model.aig
        seen = {0, *(s >> 1 for s in stop)}
        pending = [x >> 1 for x in literals]
        count = 0
        while pending:
            variable = pending.pop()
            if variable in seen or variable <= aig.inputs:
                continue
            seen.add(variable)
            count += 1
            gate = variable - aig.inputs - 1
            pending += (aig.fanin0[gate] >> 1, aig.fanin1[gate] >> 1)
        return count

    def fresh_name(self, stem: str) -> str:
        """A name no file of the design uses: `stem`, or `stem_2`, `stem_3` ..."""
        number, name = 1, stem
        while name in self._used_names:
            number += 1
            name = f"{stem}_{number}"
        return name

    @cached_property
    def _used_names(self) -> set[str]:
        files = (*self.sources.files, *self.sources.headers)
        return {word for file in files for word in re.findall(r"[A-Za-z_]\w*", file.text)}

    def insert_before(self, assign_item: tuple[int, int], path: str, text: str) -> Edit:
        """Insert lines of module items before the item at that range, indented as it is."""
        start = assign_item[0]
        line = self.texts[path].rfind("\n", 0, start) + 1
        indent = re.match(r"[ \t]*", self.texts[path][line:start])
        lead = indent.group() if indent and line + indent.end() == start else "  "
        return Edit(path, start, start, "".join(f"{one}\n{lead}" for one in text.strip("\n").split("\n")))

    def append_module(self, path: str, text: str) -> Edit:
        """Add a module at the end of a file."""
        whole = self.texts[path]
        gap = "\n" if whole.endswith("\n") else "\n\n"
        return Edit(path, len(whole), len(whole), gap + text.strip("\n") + "\n")

    def assigns(self) -> Iterator[tuple[Scope, Assign]]:
        """Every assignment of the design with its scope."""
        for scope in self.scopes:
            for assign in scope.all_assigns():
                yield scope, assign


def constant_part(scope: Scope, node: Node) -> tuple[int, int] | None:
    """(lowest bit from 0, width) that a bit or slice with constant bounds takes of a plain signal; else None."""
    if node.kind not in ("bit", "slice") or node.children[0].kind != "name":
        return None
    signal = scope.lookup(node.children[0].op)
    bounds = [c.value for c in node.children[1:]]
    if signal is None or not signal.simple or signal.msb < signal.lsb or bounds[0] is None or bounds[-1] is None:
        return None
    low = bounds[-1] if node.op == ":" else bounds[0]
    low = (low - node.width + 1 if node.op == "-:" else low) - signal.lsb
    return (low, node.width) if 0 <= low <= signal.width - node.width else None


def shortened(text: str, most: int = 60) -> str:
    """A piece of source text on one line, cut to `most` characters, for a sentence."""
    text = " ".join(text.split())
    return text if len(text) <= most else text[: most - 3] + "..."


def parenthesised(text: str) -> str:
    """Text that is an operand anywhere: names, selects, literals and what is in one pair of brackets stay as is."""
    text = text.strip()
    if _ATOM.fullmatch(text) or _closed(text):
        return text
    return f"({text})"


def _closed(text: str) -> bool:
    """Whether one pair of brackets, the first and last character, holds everything."""
    if text[:1] + text[-1:] not in ("()", "{}"):
        return False
    depth = 0
    for position, character in enumerate(text):
        depth += (character in "({[") - (character in ")}]")
        if depth == 0:
            return position == len(text) - 1
    return False


def _outer(prefix: str, copies: tuple[str, ...]) -> str:
    """The copy of the outer scope that this copy is inside of."""
    inside = [copy for copy in copies if prefix.startswith(copy)]
    return max(inside, key=len) if inside else copies[0]
