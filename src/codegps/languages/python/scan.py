"""Which names a body binds, read from its statements before they are walked.

In: a block's node. Out: name → how it is bound (bits), nested functions and classes left out but for their names.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from codegps.languages.python import nodes as n
from codegps.languages.python.walk import DEFINITION, IMPORTED, VARIABLE, Source

if TYPE_CHECKING:
    from tree_sitter import Node

_SKIP = frozenset({n.RETURN, n.PASS, n.BREAK, n.CONTINUE, n.ASSERT, n.RAISE, n.DELETE, n.GLOBAL, n.NONLOCAL, n.COMMENT})
_COMPOUND = frozenset({n.IF, n.ELIF, n.ELSE, n.TRY, n.FINALLY, n.MATCH, n.WHILE, n.ERROR}) | n.BLOCK
_SEQUENCES = (
    n.TUPLE_PATTERN
    | n.LIST_PATTERN
    | {
        n.PATTERN_LIST,
        n.TUPLE,
        n.LIST,
        n.EXPRESSION_LIST,
        n.LIST_SPLAT_PATTERN,
        n.LIST_SPLAT,
        n.PARENTHESIZED,
        n.AS_TARGET,
    }
)
_INNER = frozenset({n.FUNCTION, n.CLASS}) | n.LAMBDA


def names(source: Source, body: Node) -> dict[str, int]:
    """The names that the statements of `body` bind."""
    found: dict[str, int] = {}
    statements(source, body, found, 0)
    if source.walrus and b":=" in source.source[body.start_byte : body.end_byte]:
        walrus(source, body, found)
    return found


def add(found: dict[str, int], name: str, how: int) -> None:
    found[name] = found.get(name, 0) | how


def statements(source: Source, node: Node, found: dict[str, int], depth: int) -> None:
    if depth > 100:
        return
    for child in node.children:
        kind = child.kind_id
        if kind == n.EXPRESSION_STATEMENT:
            first = child.children[0]
            while first.kind_id in (n.ASSIGNMENT, n.AUGMENTED):
                parts = first.children
                left = parts[0]
                if left.kind_id == n.IDENTIFIER:
                    name = source.word(left)
                    found[name] = found.get(name, 0) | VARIABLE
                else:
                    target(source, left, found)
                first = parts[-1]
        elif kind in _SKIP:
            continue
        elif kind == n.FUNCTION or kind == n.CLASS:
            named = child.child_by_field_name("name")
            if named is not None:
                add(found, source.word(named), DEFINITION)
        elif kind == n.DECORATED:
            statements(source, child, found, depth)
        elif kind == n.IMPORT or kind == n.IMPORT_FROM:
            imported(source, child, found)
        elif kind == n.TYPE_ALIAS:
            left = child.named_children[0]
            while left.named_children:
                left = left.named_children[0]
            add(found, source.word(left), VARIABLE)
        else:
            compound(source, child, kind, found, depth)


def compound(source: Source, node: Node, kind: int, found: dict[str, int], depth: int) -> None:
    if kind in _COMPOUND:
        statements(source, node, found, depth + 1)
    elif kind == n.FOR:
        for at, part in enumerate(node.children):
            if part.kind_id == n.IN:
                target(source, node.children[at - 1], found)
                break
        statements(source, node, found, depth + 1)
    elif kind == n.WITH:
        for part in node.children:
            if part.kind_id == n.WITH_CLAUSE:
                as_targets(source, part, found, depth)
        statements(source, node, found, depth + 1)
    elif kind == n.EXCEPT:
        as_targets(source, node, found, depth)
        alias = node.child_by_field_name("alias")
        if alias is not None:
            target(source, alias, found)
        statements(source, node, found, depth + 1)
    elif kind == n.CASE:
        for part in node.children:
            if part.kind_id == n.CASE_PATTERN:
                pattern(source, part, found)
        statements(source, node, found, depth + 1)


def target(source: Source, node: Node, found: dict[str, int]) -> None:
    kind = node.kind_id
    if kind == n.IDENTIFIER:
        add(found, source.word(node), VARIABLE)
    elif kind in _SEQUENCES:
        for child in node.named_children:
            target(source, child, found)


def as_targets(source: Source, node: Node, found: dict[str, int], depth: int) -> None:
    """`as x` in the items of `with` and `except`."""
    if depth > 110:
        return
    for child in node.children:
        kind = child.kind_id
        if kind in n.AS_PATTERN:
            target(source, child.children[-1], found)
        elif kind in (n.WITH_ITEM, n.PARENTHESIZED, n.TUPLE):
            as_targets(source, child, found, depth + 1)


def imported(source: Source, node: Node, found: dict[str, int]) -> None:
    """The names behind `import` (the first dotted name after `from` is the module)."""
    named = node.named_children
    for child in named[1:] if node.kind_id == n.IMPORT_FROM else named:
        kind = child.kind_id
        if kind == n.ALIASED_IMPORT:
            add(found, source.word(child.children[-1]), IMPORTED)
        elif kind == n.DOTTED_NAME:
            add(found, source.word(child.children[0]), IMPORTED)


def pattern(source: Source, node: Node, found: dict[str, int]) -> None:
    """Names that a `case` pattern captures."""
    rest = [node]
    while rest:
        one = rest.pop()
        kind = one.kind_id
        children = one.children
        if kind == n.DOTTED_NAME:
            if len(children) == 1:
                add(found, source.word(one), VARIABLE)
            continue
        if kind == n.IDENTIFIER:
            add(found, source.word(one), VARIABLE)
        elif kind == n.CLASS_PATTERN or kind == n.KEYWORD_PATTERN:
            children = children[1:]
        rest += reversed(children)


def walrus(source: Source, node: Node, found: dict[str, int]) -> None:
    """`name := …` anywhere but in nested functions."""
    rest = [node]
    while rest:
        one = rest.pop()
        kind = one.kind_id
        if kind == n.NAMED:
            add(found, source.word(one.children[0]), VARIABLE)
        if kind in _INNER:
            continue
        rest += one.named_children
