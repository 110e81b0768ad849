"""The records a `View` is made of: what stands where in the text, with widths; no pyslang object gets out.

Offsets count characters of the file's text. An expression's range leaves out the parentheses around it, so text put
in its place is an operand there already when it was one in parentheses; when in doubt wrap it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

NodeKind = Literal[
    "name",  # a signal; `op` is its name as declared
    "parameter",  # a parameter, genvar or enum value; `op` is its name, `value` its value
    "literal",
    "unary",  # `op` is the operator: "~" "-" "+" "!" "&" "|" "^" "~&" "~|" "~^"
    "binary",  # `op` is the operator: "+" "-" "*" ... ">>>" "<" "==" "&&"
    "conditional",  # children: condition, then, else
    "concat",
    "replicate",  # children: the repeated operand; `value` is the count
    "bit",  # children: value, selector
    "slice",  # children: value, left, right; `op` is ":" "+:" "-:"
    "call",  # `op` is the name of the system or user function
    "cast",  # written by the user: $signed, $unsigned, 8'(x); the child is converted to width and sign
    "other",
]


@dataclass(frozen=True, eq=False)
class Node:
    """An expression. `width` and `signed` are those it is computed in, after Verilog's context rules.

    `outer_width` and `outer_signed` are those it is extended (or cut) to for its surroundings: operand `a` of 8 bits
    in a sum of 9 has width 8 and outer width 9; `sign_extended`: the added bits copy its sign. `value` is its
    constant value (as `width` bits, unsigned), or None.
    `editable`: written out in a file that may change, not by a macro or an included file.
    """

    kind: NodeKind
    op: str
    children: tuple["Node", ...]
    path: str
    start: int
    end: int
    width: int
    signed: bool
    outer_width: int
    outer_signed: bool
    sign_extended: bool
    value: int | None
    editable: bool

    def walk(self) -> Iterator["Node"]:
        """This node and all below it, parents first."""
        yield self
        for child in self.children:
            yield from child.walk()

    def names(self) -> set[str]:
        """The signals it reads."""
        return {n.op for n in self.walk() if n.kind == "name"}


@dataclass(frozen=True, eq=False)
class Assign:
    """One assignment. `start` to `end` spans `target = value` (no `assign`, no semicolon).

    `item` is the character range of the whole module item it stands in (with its semicolon); `alone` says that the
    item holds nothing else (a continuous assign of one target). Declarations are initialised by style "declared".
    """

    style: Literal["continuous", "declared", "blocking", "nonblocking", "connection"]
    target: Node
    value: Node
    path: str
    start: int
    end: int
    item: tuple[int, int]
    alone: bool
    editable: bool


@dataclass(frozen=True, eq=False)
class Statement:
    """A procedural statement.

    "if": conditions (one node), children then and maybe else. "case": `conditions` holds the selector, `labels` the
    labels of each child in order (empty: default). "assign": `assign` is set. "for", "block": children.
    """

    kind: Literal["if", "case", "assign", "block", "for", "other"]
    children: tuple["Statement", ...]
    conditions: tuple[Node, ...]
    labels: tuple[tuple[Node, ...], ...]
    assign: Assign | None
    op: str
    path: str
    start: int
    end: int
    editable: bool

    def only_assign(self) -> "Assign | None":
        """The assignment that this statement is, in however many blocks of one statement."""
        statement = self
        while statement.kind == "block" and len(statement.children) == 1:
            statement = statement.children[0]
        return statement.assign if statement.kind == "assign" else None

    def walk(self) -> Iterator["Statement"]:
        yield self
        for child in self.children:
            yield from child.walk()


@dataclass(frozen=True, eq=False)
class Process:
    """An always block. `edges` are (signal, "posedge" or "negedge"); none for a combinational one.

    `listed` is the range of a sensitivity list "@(a or b)" that names signals one by one: a rewrite that makes the
    block read another signal must put "@*" there.
    """

    edges: tuple[tuple[str, str], ...]
    body: Statement
    path: str
    start: int
    end: int
    editable: bool
    listed: tuple[int, int] | None = None

    @property
    def clocked(self) -> bool:
        return bool(self.edges)

    def assigns(self) -> Iterator[Assign]:
        """Every assignment in it, in the order of the text."""
        for statement in self.body.walk():
            if statement.assign is not None:
                yield statement.assign


@dataclass(frozen=True, eq=False)
class Signal:
    """A declared net or variable of a module. `start` to `end` is its declarator (name, unpacked dimensions, value).

    `declaration` is the range of the whole declaration; `range_text` that of its packed dimension "[7:0]" (None when
    it has none, or comes from a typedef); `shared`: the declaration declares others too. `msb` and `lsb` as declared.
    """

    name: str
    width: int
    signed: bool
    kind: Literal["net", "variable"]
    direction: Literal["input", "output", "inout", "local"]
    path: str
    start: int
    end: int
    declaration: tuple[int, int]
    range_text: tuple[int, int] | None
    shared: bool
    msb: int
    lsb: int
    simple: bool  # a plain packed vector or one bit: no array, struct or enum
    editable: bool


@dataclass(frozen=True, eq=False)
class Connection:
    """A port of an instance and what is connected to it (None: open)."""

    port: str
    direction: Literal["input", "output", "inout"]
    width: int
    node: Node | None


@dataclass(frozen=True, eq=False)
class Instance:
    """A module instance; `start` to `end` is the whole instantiation item, `alone` when it holds no other."""

    name: str
    module: str
    connections: tuple[Connection, ...]
    path: str
    start: int
    end: int
    alone: bool
    editable: bool


@dataclass(frozen=True, eq=False)
class Scope:
    """The body of a module or of a generate block, once for all its copies in the hierarchy.

    `copies` are the hierarchical prefixes ("" for the top, "u.", "gen[2].u."); nodes show the first copy. `uniform`:
    all copies have the same widths and constants, so a literal written here is right in each. `body` is the range
    between the header and `endmodule` (or of the block), `insert_at` where a module item may be added.
    """

    module: str
    copies: tuple[str, ...]
    uniform: bool
    path: str
    body: tuple[int, int]
    signals: dict[str, Signal]
    assigns: tuple[Assign, ...]  # continuous, declared
    processes: tuple[Process, ...]
    instances: tuple[Instance, ...]
    parameters: dict[str, int]
    parent: "Scope | None"
    editable: bool
    inner: list["Scope"] = field(default_factory=list)

    def walk(self) -> Iterator["Scope"]:
        """This scope and all generate blocks in it, outer before inner."""
        yield self
        for inner in self.inner:
            yield from inner.walk()

    def item_of(self, nodes: Sequence[Node]) -> tuple[int, int] | None:
        """The range of the first module item that one of the nodes stands in."""
        items = [a.item for a in self.assigns] + [(p.start, p.end) for p in self.processes]
        items += [(i.start, i.end) for i in self.instances]
        holding = [i for i in items if any(i[0] <= n.start and n.end <= i[1] for n in nodes)]
        return min(holding, default=None)

    def lookup(self, name: str) -> Signal | None:
        """The signal a name means here, looked for outwards through generate blocks."""
        found = self.signals.get(name)
        return found or (self.parent.lookup(name) if self.parent else None)

    def all_assigns(self) -> Iterator[Assign]:
        """Continuous and procedural assignments."""
        yield from self.assigns
        for process in self.processes:
            yield from process.assigns()

    def expressions(self) -> Iterator[Node]:
        """The root of every value computed here: right sides, conditions, selectors, connections."""
        for assign in self.assigns:
            yield assign.value
        for process in self.processes:
            for statement in process.body.walk():
                yield from statement.conditions
                if statement.assign is not None:
                    yield statement.assign.value
        for instance in self.instances:
            for connection in instance.connections:
                if connection.node is not None and connection.direction == "input":
                    yield connection.node
