"""Puts a generated function in an expression's place: the function before the item it is used in, and a call."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from rtl_evolve.rtl.edit import Edit
from rtl_evolve.rtl.generate.body import Body, function_text
from rtl_evolve.rtl.generate.word import Word
from rtl_evolve.rtl.rewrites.linear import Leaf
from rtl_evolve.rtl.rewrites.linear_reader import demands
from rtl_evolve.rtl.rewrites.view import View
from rtl_evolve.rtl.rewrites.view_nodes import Assign, Node, Scope


@dataclass(frozen=True, eq=False)
class Place:
    """An expression's root, the item it stands in, a stem for names (what it is assigned to), the bits that count."""

    scope: Scope
    root: Node
    item: tuple[int, int]
    stem: str
    width: int

    @cached_property
    def demands(self) -> dict[Node, int]:
        """The low bits that count of each node."""
        return demands(self.root, self.width)


def places(view: View) -> Iterator[Place]:
    """Every expression of the scopes in which a width written as a number is right in all copies."""
    for scope in view.scopes:
        if not scope.uniform:
            continue
        for assign in scope.assigns:
            yield _of_assign(scope, assign, assign.item)
        for process in scope.processes:
            item = (process.start, process.end)
            for statement in process.body.walk():
                if statement.assign is not None:
                    yield _of_assign(scope, statement.assign, item)
                yield from (Place(scope, node, item, "chosen", node.width) for node in statement.conditions)
        for instance in scope.instances:
            for connection in instance.connections:
                if connection.node is not None and connection.direction == "input":
                    stem = f"{instance.name}_{connection.port}"
                    yield Place(scope, connection.node, (instance.start, instance.end), stem, connection.width)


def _of_assign(scope: Scope, assign: Assign, item: tuple[int, int]) -> Place:
    names = [node.op for node in assign.target.walk() if node.kind == "name"]
    stem = re.sub(r"\W", "_", names[0]) if names else "value"
    return Place(scope, assign.value, item, stem, assign.target.width)


class Function:
    """A function under construction for the operands of an expression: one input each."""

    def __init__(self, view: View, name: str, operands: Sequence[Leaf]) -> None:
        self.view = view
        self.name = view.fresh_name(name)
        self.body = Body()
        self.body.reserve(self.name)
        self.operands = tuple(operands)
        self.words: dict[Leaf, Word] = {}
        for index, leaf in enumerate(self.operands):
            plain = re.fullmatch(r"[A-Za-z_]\w*", leaf.text) is not None
            self.words[leaf] = self.body.input(leaf.text if plain else f"x{index}", leaf.width)

    def call(self) -> str:
        """The call with the operands' texts."""
        return f"{self.name}({', '.join(leaf.text for leaf in self.operands)})"

    def text(self, result: Word, summary: Sequence[str]) -> str:
        """The function, with comment lines before it."""
        return function_text(self.name, self.body, result, summary)

    def replace(self, place: Place, node: Node, result: Word, summary: Sequence[str]) -> tuple[Edit, ...]:
        """The edits: the function's text before the item, the call where the expression was."""
        call = self.call()
        if node.signed and not (node is place.root and place.width <= len(result)):
            call = f"$signed({call})"
        before = self.view.insert_before(place.item, node.path, self.text(result, summary))
        return (before, self.view.replace(node, call))
