"""Expressions other than calls: nodes in, terms out."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING

from codegps.languages.python import nodes as n
from codegps.languages.python.conditions import apply, condition
from codegps.languages.python.targets import assign
from codegps.languages.python.walk import FUNCTION, VALUE, Walk, value
from codegps.model.facts import Effect, Op

if TYPE_CHECKING:
    from tree_sitter import Node


def identifier(walk: Walk, node: Node) -> int:
    start = node.start_byte
    name = walk.source.text[start : node.end_byte]
    if not walk.source.ascii:
        name = walk.source.fix(name)
    term = walk.env.get(name)
    if term is None or walk.kind != FUNCTION or term in walk.named:
        return walk.use(name, start)
    return term


_QUOTES = frozenset("\"'")


def literal_text(walk: Walk, node: Node) -> str:
    """What a string literal reads as, without prefix and quotes."""
    source = walk.source
    text = source.text[node.start_byte : node.end_byte]
    if text[:1] in _QUOTES and text[1:2] != text[0] and "\\" not in text and source.ascii:
        return text[1:-1]
    start = next((at for at, char in enumerate(text) if char in "'\""), len(text))
    quotes = 3 if text.startswith(('"""', "'''"), start) else 1
    if "\\" in text and len(text) < 400 and "r" not in text[:start].lower():
        try:
            read: object = ast.literal_eval(text[start:])
        except (ValueError, SyntaxError):
            read = None
        if isinstance(read, str):
            # Escapes may make what no file can hold: half of a surrogate pair.
            read = read.encode("utf-8", "replace").decode()
            return read if source.ascii or any(ord(char) > 255 for char in read) else source.fix(read)
    inner = text[start + quotes : len(text) - quotes]
    return inner if source.ascii or inner.isascii() else inner.encode("latin-1").decode("utf-8", "replace")


def string(walk: Walk, node: Node) -> int:
    first = walk.source.text[node.start_byte]
    if first in "\"'":
        return walk.text_constant(literal_text(walk, node))
    prefix = walk.source.text[node.start_byte : node.start_byte + 2].lower()
    if "b" in prefix.split("'")[0].split('"')[0]:
        return walk.constant("bytes")
    if "f" in prefix or "t" in prefix:
        formatted(walk, node)
        return walk.some("str")
    return walk.text_constant(literal_text(walk, node))


def formatted(walk: Walk, node: Node) -> None:
    """Evaluates what stands between the braces of an f-string."""
    for child in node.children:
        kind = child.kind_id
        if kind in (n.INTERPOLATION, n.FORMAT_EXPRESSION):
            for inner in child.named_children:
                if inner.kind_id == n.FORMAT_SPECIFIER:
                    formatted(walk, inner)
                else:
                    value(walk, inner)


def concatenated(walk: Walk, node: Node) -> int:
    parts = [child for child in node.children if child.kind_id == n.STRING]
    text = walk.source.text
    if all(text[part.start_byte] in "\"'" for part in parts):
        return walk.text_constant("".join(literal_text(walk, part) for part in parts))
    found = [string(walk, part) for part in parts]
    return found[0] if found and walk.terms[found[0]][1] != walk.source.strings["str"] else walk.some("str")


def integer(walk: Walk, node: Node) -> int:
    text = walk.source.text[node.start_byte : node.end_byte]
    return walk.constant("int", text) if len(text) < 12 else walk.constant("int")


def elements(walk: Walk, node: Node) -> list[int]:
    """Terms of the elements of a display or an expression list."""
    out: list[int] = []
    for child in node.children:
        kind = child.kind_id
        if kind in n.PUNCTUATION:
            continue
        if kind == n.LIST_SPLAT or kind == n.LIST_SPLAT_PATTERN:
            out.append(walk.add(Op.SPREAD, spread(walk, child)))
        else:
            out.append(value(walk, child))
    return out


def spread(walk: Walk, node: Node) -> int:
    """`*x`: the value that is iterated."""
    inner = node.children[-1]
    term = value(walk, inner)
    walk.add(Op.ELEM, term, *walk.source.place(inner.start_byte), 2)
    return term


def display(walk: Walk, node: Node, kind: str) -> int:
    if node.child_count > 33 and (types := constant_types(walk, node.children)) is not None:
        # A long table of constants says nothing but the types of its elements.
        found = types
    else:
        found = elements(walk, node)
    return walk.add(Op.LIST, walk.alloc(), walk.source.strings[kind], *found)


_TYPES = {n.STRING: "str", n.INTEGER: "int", n.FLOAT: "float", n.TRUE: "bool", n.FALSE: "bool", n.NONE: "None"}


def constant_types(walk: Walk, children: list[Node]) -> list[int] | None:
    """The types of elements that are all plain constants, else None."""
    types: set[str] = set()
    for child in children:
        kind = child.kind_id
        if kind not in n.PUNCTUATION:
            if kind not in _TYPES or (kind == n.STRING and walk.source.text[child.start_byte] not in "\"'"):
                return None
            types.add(_TYPES[kind])
    return [walk.some(kind) for kind in sorted(types)]


def list_display(walk: Walk, node: Node) -> int:
    return display(walk, node, "list")


def tuple_display(walk: Walk, node: Node) -> int:
    return display(walk, node, "tuple")


def set_display(walk: Walk, node: Node) -> int:
    return display(walk, node, "set")


def dictionary(walk: Walk, node: Node) -> int:
    flat: list[int] = []
    children = node.children
    if len(children) > 33 and all(child.kind_id == n.PAIR or child.kind_id in n.PUNCTUATION for child in children):
        types = constant_types(walk, [part for child in children for part in child.children])
        if types is not None:
            key = walk.unknown()
            flat = [term for one in types for term in (key, one)]
            return walk.add(Op.DICT, walk.alloc(), walk.source.strings["dict"], *flat)
    for child in children:
        kind = child.kind_id
        if kind == n.PAIR:
            parts = [part for part in child.children if part.kind_id not in n.PUNCTUATION]
            if len(parts) < 2:
                continue
            key = value(walk, parts[0])
            item = value(walk, parts[1])
            flat += (key, item)
        elif kind == n.DICT_SPLAT:
            flat += (-1, value(walk, child.children[-1]))
        elif kind == n.ERROR:
            value(walk, child)
    return walk.add(Op.DICT, walk.alloc(), walk.source.strings["dict"], *flat)


def parenthesized(walk: Walk, node: Node) -> int:
    for child in node.children:
        if child.kind_id not in n.PUNCTUATION:
            return value(walk, child)
    return walk.unknown()


def binary(walk: Walk, node: Node) -> int:
    """A chain of left operands is walked without nesting: `a + b + …` may be long."""
    chain: list[tuple[Node, Node]] = []
    while node.kind_id == n.BINARY:
        parts = node.children
        if len(parts) != 3:
            parts = [part for part in parts if part.kind_id not in n.PUNCTUATION]
            if len(parts) != 3:
                break
        chain.append((parts[1], parts[2]))
        node = parts[0]
    left = VALUE[node.kind_id](walk, node) if node.kind_id != n.BINARY else walk.unknown()
    while chain:
        operator, right_node = chain.pop()
        right = value(walk, right_node)
        left = operate(walk, operator, left, right)
    return left


def operate(walk: Walk, operator: Node, left: int, right: int) -> int:
    terms = walk.terms
    method = n.METHODS.get(operator.kind_id)
    if method is None or (terms[left][0] == Op.CONST and terms[right][0] == Op.CONST):
        return left
    source = walk.source
    return walk.add(Op.OPER, source.strings[method], left, right, *source.place(operator.start_byte))


def unary(walk: Walk, node: Node) -> int:
    operator, operand = node.children[0], node.children[-1]
    term = value(walk, operand)
    if walk.terms[term][0] == Op.CONST:
        text = walk.source.text[node.start_byte : node.end_byte]
        return walk.constant("int", text) if operand.kind_id == n.INTEGER and len(text) < 12 else term
    method = n.UNARY_METHODS[operator.kind_id]
    return walk.add(Op.OPER, walk.source.strings[method], term, -1, *walk.source.place(operator.start_byte))


def comparison(walk: Walk, node: Node) -> int:
    left = -1
    operator: Node | None = None
    results: list[int] = []
    for child in node.children:
        kind = child.kind_id
        if kind in n.METHODS or kind in (n.IS, n.IS_NOT):
            operator = child
            continue
        if kind in n.PUNCTUATION:
            continue
        right = value(walk, child)
        if operator is not None and operator.kind_id in n.METHODS:
            if operator.kind_id in (n.IN, n.NOT_IN):
                operate(walk, operator, right, left)
            else:
                results.append(operate(walk, operator, left, right))
        left = right
    return results[0] if len(results) == 1 else walk.constant("bool")


def truth(walk: Walk, node: Node) -> int:
    """`and`, `or` and `not`: the flow of conditions, read as a value."""
    return condition(walk, node)[0]


def conditional(walk: Walk, node: Node) -> int:
    """`a if test else b`: a long chain of else-branches is walked without nesting."""
    found: list[int] = []
    before = walk.env
    while node.kind_id == n.CONDITIONAL:
        parts = [part for part in node.named_children if part.kind_id not in n.PUNCTUATION]
        if len(parts) != 3:
            break
        _, holds, fails = condition(walk, parts[1])
        start = walk.env
        if holds or fails:
            walk.env = dict(start)
            apply(walk, holds)
            found.append(value(walk, parts[0]))
            walk.env = dict(start)
            apply(walk, fails)
        else:
            found.append(value(walk, parts[0]))
        node = parts[2]
    found.append(value(walk, node))
    if walk.env is not before:
        # Narrowings end here; what a walrus bound stays.
        walk.env = {**before, **{k: v for k, v in walk.env.items() if walk.narrowed.get(v, v) != before.get(k)}}
    return walk.union(found)


def named(walk: Walk, node: Node) -> int:
    parts = node.named_children
    term = value(walk, parts[-1])
    first = parts[0]
    walk.hidden.pop(walk.source.word(first), None)
    assign(walk, first, term)
    return term


def await_(walk: Walk, node: Node) -> int:
    inner = node.children[-1]
    term = value(walk, inner)
    return walk.add(Op.AWAIT, term, *walk.source.place(node.start_byte))


def yield_(walk: Walk, node: Node) -> int:
    walk.generator = True
    parts = node.named_children
    if not parts:
        return walk.add(Op.YIELD, -1)
    whole = any(child.kind_id == n.FROM for child in node.children)
    inner = parts[0]
    if whole:
        return walk.add(Op.YIELD_FROM, value(walk, inner), *walk.source.place(inner.start_byte))
    term = value(walk, inner)
    walk.effects.append([Effect.YIELD, term])
    return walk.add(Op.YIELD, term)


def slice_(walk: Walk, node: Node) -> int:
    for child in node.named_children:
        value(walk, child)
    return walk.constant("slice")


VALUES: dict[int, Callable[[Walk, Node], int]] = {
    n.IDENTIFIER: identifier,
    n.STRING: string,
    n.CONCATENATED: concatenated,
    n.INTEGER: integer,
    n.FLOAT: lambda walk, node: walk.constant("float"),
    n.TRUE: lambda walk, node: walk.constant("bool"),
    n.FALSE: lambda walk, node: walk.constant("bool"),
    n.NONE: lambda walk, node: walk.constant("None"),
    n.ELLIPSIS: lambda walk, node: walk.constant("ellipsis"),
    n.COMMENT: lambda walk, node: walk.unknown(),
    n.PARENTHESIZED: parenthesized,
    n.LIST: list_display,
    n.LIST_SPLAT: spread,
    n.TUPLE: tuple_display,
    n.EXPRESSION_LIST: tuple_display,
    n.PATTERN_LIST: tuple_display,
    n.SET: set_display,
    n.DICTIONARY: dictionary,
    n.BINARY: binary,
    n.UNARY: unary,
    n.COMPARISON: comparison,
    n.BOOLEAN: truth,
    n.NOT: truth,
    n.CONDITIONAL: conditional,
    n.NAMED: named,
    n.AWAIT: await_,
    n.YIELD: yield_,
    n.SLICE: slice_,
}
