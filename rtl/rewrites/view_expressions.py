"""From pyslang's elaborated expressions to `Node`s."""

from dataclasses import replace
from typing import Any

from pyslang import ast
from rtl_evolve.rtl.rewrites.view_nodes import Node, NodeKind
from rtl_evolve.rtl.rewrites.view_text import Texts
from rtl_evolve.rtl.rewrites.view_values import folded

_BINARY = {
    "Add": "+",
    "Subtract": "-",
    "Multiply": "*",
    "Divide": "/",
    "Mod": "%",
    "BinaryAnd": "&",
    "BinaryOr": "|",
    "BinaryXor": "^",
    "BinaryXnor": "~^",
    "Equality": "==",
    "Inequality": "!=",
    "CaseEquality": "===",
    "CaseInequality": "!==",
    "GreaterThanEqual": ">=",
    "GreaterThan": ">",
    "LessThanEqual": "<=",
    "LessThan": "<",
    "LogicalAnd": "&&",
    "LogicalOr": "||",
    "LogicalShiftLeft": "<<",
    "LogicalShiftRight": ">>",
    "ArithmeticShiftLeft": "<<<",
    "ArithmeticShiftRight": ">>>",
    "Power": "**",
}
_UNARY = {
    "Plus": "+",
    "Minus": "-",
    "BitwiseNot": "~",
    "BitwiseAnd": "&",
    "BitwiseOr": "|",
    "BitwiseXor": "^",
    "BitwiseNand": "~&",
    "BitwiseNor": "~|",
    "BitwiseXnor": "~^",
    "LogicalNot": "!",
}
_SELECT = {"Simple": ":", "IndexedUp": "+:", "IndexedDown": "-:"}
_DEEPEST = 150  # nested deeper than any unit written by hand; keeps Python's stack safe
_MOST_BITS = 4096


def read_node(expression: Any, texts: Texts, depth: int = 0) -> Node:
    """The node of an elaborated expression; what we don't look into becomes one of kind "other" without children."""
    outer_width, outer_signed = _type(expression)
    sign_extended = False
    while expression.kind == ast.ExpressionKind.Conversion and expression.isImplicit:
        wide, wide_signed = _type(expression)
        expression = expression.operand
        if _type(expression)[0] < wide:
            sign_extended = wide_signed and _type(expression)[1]
    width, signed = _type(expression)
    path, start, end, editable = texts.range(expression.sourceRange)
    value = _value(expression)
    kind, op, children, count = _shape(expression, texts, depth)
    if not width or not outer_width or depth > _DEEPEST:
        kind, op, children = "other", "", ()
    node = Node(
        kind,
        op,
        children,
        path,
        start,
        end,
        width,
        signed,
        outer_width,
        outer_signed,
        sign_extended,
        count if kind == "replicate" else value,
        editable,
    )
    return replace(node, value=folded(node)) if _foldable(node) else node


def _foldable(node: Node) -> bool:
    inner = node.kind in ("unary", "binary", "conditional", "concat", "cast", "call")
    return inner and node.value is None and all(c.value is not None for c in node.children)


def _type(expression: Any) -> tuple[int, bool]:
    kind = expression.type
    if not kind.isIntegral or kind.bitWidth > _MOST_BITS:
        return 0, False
    return kind.bitWidth, kind.isSigned


def _value(expression: Any) -> int | None:
    """A constant that slang knows; it works out some only when asked for them, so `folded` does the others."""
    literals = (ast.ExpressionKind.IntegerLiteral, ast.ExpressionKind.UnbasedUnsizedIntegerLiteral)
    if not expression.type.isIntegral:
        return None
    try:
        if expression.kind in literals:
            number = expression.value
        elif expression.constant is not None:
            number = expression.constant.value
        elif expression.kind == ast.ExpressionKind.NamedValue:
            number = expression.symbol.value.value
        else:
            return None
        if number is None or number.hasUnknown:
            return None
        width: int = expression.type.bitWidth
        return int(number) & ((1 << width) - 1)
    except (AttributeError, TypeError, ValueError):  # not a constant; or a string, a real, an array
        return None


def _shape(e: Any, texts: Texts, depth: int) -> tuple[NodeKind, str, tuple[Node, ...], int | None]:
    """Kind, operator, children, and the count of a replication."""
    kinds = ast.ExpressionKind
    if depth > _DEEPEST:
        return "other", "", (), None

    def nodes(*expressions: Any) -> tuple[Node, ...]:
        return tuple(read_node(x, texts, depth + 1) for x in expressions)

    match e.kind:
        case kinds.NamedValue:
            constants = (ast.ParameterSymbol, ast.EnumValueSymbol, ast.GenvarSymbol)
            return ("parameter" if isinstance(e.symbol, constants) else "name"), e.symbol.name, (), None
        case kinds.IntegerLiteral | kinds.UnbasedUnsizedIntegerLiteral:
            return "literal", "", (), None
        case kinds.UnaryOp if e.op.name in _UNARY:
            return "unary", _UNARY[e.op.name], nodes(e.operand), None
        case kinds.BinaryOp if e.op.name in _BINARY:
            return "binary", _BINARY[e.op.name], nodes(e.left, e.right), None
        case kinds.ConditionalOp if len(e.conditions) == 1 and e.conditions[0].pattern is None:
            return "conditional", "?:", nodes(e.conditions[0].expr, e.left, e.right), None
        case kinds.Concatenation:
            return "concat", "{}", nodes(*e.operands), None
        case kinds.Replication:
            return "replicate", "{{}}", nodes(e.concat), _value(e.count)
        case kinds.ElementSelect if e.type.bitWidth == 1 and _type(e.value)[0]:
            return "bit", "[]", nodes(e.value, e.selector), None
        case kinds.RangeSelect if e.selectionKind.name in _SELECT and _type(e.value)[0]:
            return "slice", _SELECT[e.selectionKind.name], nodes(e.value, e.left, e.right), None
        case kinds.Call:
            return "call", e.subroutineName, nodes(*e.arguments), None
        case kinds.Conversion:
            return "cast", "", nodes(e.operand), None
    return "other", "", (), None
