"""Types as they are written: annotations, strings and comments that hold them, type parameters. Nodes in, terms out.

Every name in a type is noted as a USES_TYPE reference of the body that the walk is in.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from codegps.languages.python import nodes as n
from codegps.languages.python.conditions import as_type
from codegps.languages.python.heads import plain
from codegps.languages.python.walk import DEPTH, Walk, value
from codegps.model.facts import Op
from codegps.model.kinds import EdgeKind
from codegps.parse import parse_part

if TYPE_CHECKING:
    from tree_sitter import Node

_PIPE = next(kind for kind, method in n.METHODS.items() if method == "__or__")


def annotation(walk: Walk, node: Node) -> int:
    """The term of a type."""
    before = walk.refer_kind
    walk.refer_kind = int(EdgeKind.USES_TYPE)
    term = written(walk, node)
    walk.refer_kind = before
    return term


def written(walk: Walk, node: Node) -> int:
    kind = node.kind_id
    if kind == n.TYPE or kind == n.PARENTHESIZED:
        inner = [child for child in node.children if child.kind_id not in n.PUNCTUATION]
        return nested(walk, inner[0]) if len(inner) == 1 else as_type(walk, node)
    if kind == n.IDENTIFIER:
        return walk.type_name(walk.source.word(node), node.start_byte)
    if kind == n.STRING:
        return quoted(walk, node)
    if kind in (n.SUBSCRIPT, n.GENERIC_TYPE):
        return generic(walk, node)
    if kind == n.BINARY or kind == n.UNION_TYPE:
        return either(walk, node)
    if kind == n.LIST or kind == n.TUPLE:
        found = [nested(walk, child) for child in node.children if child.kind_id not in n.PUNCTUATION]
        name = "list" if kind == n.LIST else "tuple"
        return walk.add(Op.LIST, walk.alloc(), walk.source.strings[name], *found)
    if kind == n.MEMBER_TYPE:
        base = nested(walk, node.children[0])
        name_node = node.children[-1]
        name = walk.source.strings[walk.source.word(name_node)]
        place = walk.source.place
        return walk.add(Op.ATTR, base, name, *place(name_node.start_byte), *place(node.start_byte))
    if kind in (n.SPLAT_TYPE, n.LIST_SPLAT, n.CONSTRAINED_TYPE):
        parts = [child for child in node.named_children if child.kind_id not in n.PUNCTUATION]
        return nested(walk, parts[0]) if parts else walk.unknown()
    return value(walk, node)


def nested(walk: Walk, node: Node) -> int:
    if walk.source.depth >= DEPTH:
        return walk.unknown()
    walk.source.depth += 1
    term = written(walk, node)
    walk.source.depth -= 1
    return term


def generic(walk: Walk, node: Node) -> int:
    """`Base[A, B]`; what `Literal` and `Annotated` hold beside types are values."""
    source = walk.source
    children = node.children
    base_node = children[0]
    base = nested(walk, base_node)
    name = source.text[base_node.start_byte : base_node.end_byte].rpartition(".")[2]
    inside = children[1].children if children[1].kind_id == n.TYPE_PARAMETER else children[1:]
    keys: list[int] = []
    for child in inside:
        if child.kind_id in n.PUNCTUATION:
            continue
        plain = name == "Literal" or (name == "Annotated" and keys)
        keys.append(value_of(walk, child) if plain else nested(walk, child))
    if len(keys) == 1:
        key = keys[0]
    else:
        key = walk.add(Op.LIST, walk.alloc(), source.strings["tuple"], *keys)
    return walk.add(Op.ITEM, base, key, *source.place(node.start_byte))


def value_of(walk: Walk, node: Node) -> int:
    """A value inside of a type."""
    before = walk.refer_kind
    walk.refer_kind = int(EdgeKind.REFERENCES)
    inner = node
    while inner.kind_id == n.TYPE and inner.children:
        inner = inner.children[0]
    term = value(walk, inner)
    walk.refer_kind = before
    return term


def either(walk: Walk, node: Node) -> int:
    """`A | B | C`"""
    right: list[Node] = []
    while node.kind_id == n.UNION_TYPE or (
        node.kind_id == n.BINARY and len(node.children) == 3 and node.children[1].kind_id == _PIPE
    ):
        right.append(node.children[-1])
        node = node.children[0]
        while node.kind_id == n.TYPE and node.children:
            node = node.children[0]
    if not right:
        return value(walk, node)
    found = [nested(walk, node)]
    found += [nested(walk, part) for part in reversed(right)]
    return walk.union(found)


def quoted(walk: Walk, node: Node) -> int:
    """A type in a string: read where it stands."""
    text = walk.source.text[node.start_byte : node.end_byte]
    if text[0] not in "\"'" or "\\" in text:
        return walk.unknown()
    quotes = 3 if text.startswith(('"""', "'''")) else 1
    return in_text(walk, node.start_byte + quotes, node.end_byte - quotes)


def in_text(walk: Walk, start: int, end: int) -> int:
    """The type that stands between two offsets of the file."""
    text = walk.source.text
    while start < end and text[start] in " \t\r\n":
        start += 1
    while start < end and text[end - 1] in " \t\r\n":
        end -= 1
    root = parse_part("python", walk.source.source, start, end).root_node
    if root.has_error or root.named_child_count != 1:
        return walk.unknown()
    statement = root.named_children[0]
    parts = [child for child in statement.children if child.kind_id not in n.PUNCTUATION]
    if statement.kind_id != n.EXPRESSION_STATEMENT or not parts:
        return walk.unknown()
    if len(parts) == 1:
        return annotation(walk, parts[0])
    return walk.add(Op.LIST, walk.alloc(), walk.source.strings["tuple"], *[annotation(walk, part) for part in parts])


def type_params(walk: Walk, node: Node, symbol: int) -> list[str]:
    """Declares `[T, *Ts, **P]` in this body; bounds and defaults are read as types."""
    names: list[str] = []
    later: list[Node] = []
    bounds: dict[str, Node] = {}
    for child in node.children:
        kind = child.kind_id
        if kind in n.PUNCTUATION:
            continue
        if kind == n.ERROR:
            # `T = int`: the grammar does not know defaults; its error holds the name, the type follows.
            parts = child.named_children
            if parts and parts[0].kind_id == n.IDENTIFIER:
                names.append(walk.source.word(parts[0]))
                later += parts[1:]
            continue
        inner = child.named_children[0] if child.named_children else child
        if inner.kind_id == n.CONSTRAINED_TYPE:
            bound = inner.named_children[-1]
            inner = inner.named_children[0].named_children[0]
            bounds[walk.source.word(inner)] = bound
        elif inner.kind_id == n.SPLAT_TYPE:
            inner = inner.named_children[0]
        if inner.kind_id == n.IDENTIFIER and not defaulted(child):
            names.append(walk.source.word(inner))
        else:
            later.append(inner)
    for name in names:
        walk.type_params[name] = symbol
    for node in later:
        annotation(walk, node)
    if bounds:
        found = {name: plain(walk, annotation(walk, bound), True) for name, bound in bounds.items()}
        walk.source.symbols[symbol].type_bounds = [found.get(name, -1) for name in names]
    return names


def defaulted(node: Node) -> bool:
    """Whether this type is the default behind a `T =` that the grammar calls an error."""
    before = node.prev_sibling
    return before is not None and before.kind_id == n.ERROR
