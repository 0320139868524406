"""`case` patterns: a node and the subject's term in; captured names, and the subject as the pattern narrows it, out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codegps.languages.python import nodes as n
from codegps.languages.python.targets import variable
from codegps.languages.python.walk import DEPTH, FUNCTION, VALUE, Walk, value
from codegps.model.facts import Effect, Op
from codegps.model.kinds import EdgeKind

if TYPE_CHECKING:
    from tree_sitter import Node


def match_pattern(walk: Walk, node: Node, subject: int) -> int:
    """Captures what the pattern names; hands back the subject as it is known where the pattern fits."""
    source = walk.source
    if source.depth >= DEPTH:
        return subject
    source.depth += 1
    subject = matched(walk, node, subject)
    source.depth -= 1
    return subject


def matched(walk: Walk, node: Node, subject: int) -> int:
    kind = node.kind_id
    parts = [child for child in node.children if child.kind_id not in n.PUNCTUATION and child.is_named]
    if kind == n.CASE_PATTERN:
        return match_pattern(walk, parts[0], subject) if parts else subject
    if kind == n.DOTTED_NAME:
        if len(parts) == 1:
            capture(walk, parts[0], subject)
        else:
            dotted(walk, node)
        return subject
    if kind == n.IDENTIFIER:
        capture(walk, node, subject)
        return subject
    if kind in n.AS_PATTERN:
        subject = match_pattern(walk, parts[0], subject)
        capture(walk, parts[-1], subject)
        return subject
    if kind == n.UNION_PATTERN:
        return either(walk, parts, subject)
    if kind == n.CLASS_PATTERN:
        return class_pattern(walk, parts, subject)
    if kind in n.LIST_PATTERN or kind in n.TUPLE_PATTERN:
        sequence(walk, parts, subject)
    elif kind == n.DICT_PATTERN:
        mapping(walk, parts, subject)
    elif kind == n.SPLAT_PATTERN:
        if parts:
            capture(walk, parts[-1], subject)
    elif kind in (n.STRING, n.CONCATENATED):
        VALUE[kind](walk, node)
    return subject


def either(walk: Walk, parts: list[Node], subject: int) -> int:
    """`A(x) | B(x)`: each alternative captures the same names."""
    before = walk.env
    ends: list[dict[str, int]] = []
    found: list[int] = []
    for part in parts:
        walk.env = dict(before)
        found.append(match_pattern(walk, part, subject))
        ends.append(walk.env)
    walk.env = walk.join(ends)
    return walk.union(found)


def capture(walk: Walk, node: Node, term: int) -> None:
    name = walk.source.word(node)
    if name == "_":
        return
    if walk.kind != FUNCTION:
        variable(walk, name, node)
    walk.bind(name, term, node.start_byte)


def dotted(walk: Walk, node: Node) -> int:
    """`mod.NAME`, `Color.RED` as a value, `mod.Class` before brackets."""
    source = walk.source
    parts = [child for child in node.children if child.kind_id == n.IDENTIFIER]
    term = walk.use(source.word(parts[0]), parts[0].start_byte)
    start = source.place(node.start_byte)
    for part in parts[1:]:
        place = source.place(part.start_byte)
        term = walk.add(Op.ATTR, term, source.strings[source.word(part)], *place, *start)
        walk.effects.append([Effect.REFER, term, walk.refer_kind, *place])
    return term


def class_pattern(walk: Walk, parts: list[Node], subject: int) -> int:
    source = walk.source
    before = walk.refer_kind
    walk.refer_kind = int(EdgeKind.USES_TYPE)
    of = dotted(walk, parts[0])
    walk.refer_kind = before
    narrowed = walk.add(Op.NARROW, subject, of, 1)
    place = source.place(parts[0].start_byte)
    for at, part in enumerate(parts[1:]):
        inner = part.named_children[0] if part.kind_id == n.CASE_PATTERN and part.named_children else part
        if inner.kind_id == n.KEYWORD_PATTERN:
            name, pattern = inner.named_children[0], inner.named_children[-1]
            where = source.place(name.start_byte)
            read = walk.add(Op.ATTR, narrowed, source.strings[source.word(name)], *where, *where)
            match_pattern(walk, pattern, read)
        elif len(parts) == 2 and source.word(parts[0]) in (
            "str",
            "int",
            "float",
            "bytes",
            "list",
            "dict",
            "tuple",
            "set",
        ):
            match_pattern(walk, part, narrowed)
        else:
            # By position: `__match_args__` names the field, which only the class knows.
            match_pattern(walk, part, walk.add(Op.ITEM, walk.add(Op.UNKNOWN), walk.constant("int", str(at)), *place))
    return narrowed


def sequence(walk: Walk, parts: list[Node], subject: int) -> None:
    def starred(part: Node) -> bool:
        inner = part.named_children[0] if part.kind_id == n.CASE_PATTERN and part.named_children else part
        return inner.kind_id == n.SPLAT_PATTERN

    star = next((at for at, part in enumerate(parts) if starred(part)), len(parts))
    for at, part in enumerate(parts):
        if at == star:
            match_pattern(walk, part, walk.add(Op.UNPACK, subject, at, 1))
        else:
            match_pattern(walk, part, walk.add(Op.UNPACK, subject, at if at < star else at - len(parts), 0))


def mapping(walk: Walk, parts: list[Node], subject: int) -> None:
    at = 0
    while at < len(parts):
        part = parts[at]
        if part.kind_id == n.SPLAT_PATTERN:
            match_pattern(walk, part, subject)
            at += 1
            continue
        if at + 1 >= len(parts):
            break
        key = dotted(walk, part) if part.kind_id == n.DOTTED_NAME else value(walk, part)
        item = walk.add(Op.ITEM, subject, key, *walk.source.place(part.start_byte))
        match_pattern(walk, parts[at + 1], item)
        at += 2
