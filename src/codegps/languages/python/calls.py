"""Calls, attributes and subscripts: one loop from the innermost operand outwards, so that long chains need no stack."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codegps.extract import RECEIVER_LENGTH
from codegps.languages.python import nodes as n
from codegps.languages.python.annotations import annotation
from codegps.languages.python.dynamic import METHODS, NAMES, TYPE_ARGUMENTS
from codegps.languages.python.subscripts import subscript, update
from codegps.languages.python.values import identifier, string
from codegps.languages.python.walk import FUNCTION, Walk, value
from codegps.model.facts import Arg, Effect, Op

if TYPE_CHECKING:
    from tree_sitter import Node

_OPAQUE = frozenset({Op.CALL, Op.TYPED, Op.ITEM, Op.OPER})
_SPINE = frozenset({n.CALL, n.ATTRIBUTE, n.SUBSCRIPT})


def spine(walk: Walk, node: Node) -> int:
    """`a.b(c)[d].e`"""
    chain: list[Node] = []
    kind = node.kind_id
    while kind in _SPINE:
        chain.append(node)
        node = node.children[0]
        kind = node.kind_id
    at = len(chain) - 1
    start = node.start_byte
    term = -1
    if kind == n.IDENTIFIER:
        first = chain[at]
        if first.kind_id == n.CALL:
            source = walk.source
            name = source.text[start : node.end_byte]
            if not source.ascii:
                name = source.fix(name)
            term = called_name(walk, name, start, first.children[-1])
            at -= 1
        else:
            if walk.dotted and first.kind_id == n.ATTRIBUTE:
                term = known_field(walk, node, first, at > 0 and chain[at - 1].kind_id == n.CALL)
                if term >= 0:
                    at -= 1
                    if at >= 0 and chain[at].kind_id == n.CALL:
                        term = called_field(walk, term, first, chain[at], start)
                        at -= 1
            if term < 0:
                term = identifier(walk, node)
    else:
        term = value(walk, node)
    return climb(walk, chain, at, term, start)


def climb(walk: Walk, chain: list[Node], at: int, term: int, start: int) -> int:
    """Applies the rest of a spine to the value of its innermost operand."""
    source = walk.source
    terms = walk.terms
    start_line, start_column = source.place(start)
    while at >= 0:
        node = chain[at]
        at -= 1
        kind = node.kind_id
        if kind == n.ATTRIBUTE:
            name_node = node.children[-1]
            offset = name_node.start_byte
            name = source.text[offset : name_node.end_byte]
            if not source.ascii:
                name = source.fix(name)
            line, column = source.place(offset)
            terms.append([Op.ATTR, term, source.strings[name], line, column, start_line, start_column])
            base, term = term, len(terms) - 1
            if at >= 0 and chain[at].kind_id == n.CALL:
                call_node = chain[at]
                at -= 1
                end = node.children[0].end_byte
                if source.ascii:
                    receiver = source.text[start : min(end, start + RECEIVER_LENGTH)]
                else:
                    receiver = source.fix(source.text[start:end])[:RECEIVER_LENGTH]
                arguments = call_node.children[-1]
                term = call(walk, term, name, receiver, line, column, arguments)
                special = METHODS.get(name)
                if special is not None:
                    term = special(walk, base, term, arguments)
                elif name == "update":
                    update(walk, base, term, arguments)
            else:
                walk.effects.append([Effect.REFER, term, walk.refer_kind, line, column])
        elif kind == n.CALL:
            arguments = node.children[-1]
            unrefer(walk, term)
            term = call(walk, term, "", None, *source.place(arguments.start_byte), arguments)
        else:
            term = subscript(walk, node, term, start_line, start_column)
    return term


def unrefer(walk: Walk, term: int) -> None:
    """What `getattr(x, "f")` names is called here after all."""
    effect = walk.effects[-1] if walk.effects else [Effect.RETURN, -1]
    if effect[0] == Effect.REFER:
        found = walk.terms[term]
        if effect[1] == term or (
            found[0] == Op.UNION and effect[1] == found[1] and walk.terms[effect[1]][0] == Op.ATTR
        ):
            walk.effects.pop()


def known_field(walk: Walk, base: Node, attribute: Node, called: bool) -> int:
    """The value of `x.f` where flow knows it: stored or narrowed above in this body; -1 where it does not."""
    source = walk.source
    key = source.word(attribute)
    known = walk.env.get(key)
    if known is None or key not in walk.dotted:
        return -1
    seen = walk.dotted[key]
    name_node = attribute.children[-1]
    term = identifier(walk, base)
    place = source.place(name_node.start_byte)
    read = walk.add(Op.ATTR, term, source.strings[source.word(name_node)], *place, *source.place(base.start_byte))
    if not called:
        walk.effects.append([Effect.REFER, read, walk.refer_kind, *place])
    if seen < 0 or seen == walk.calls:
        return known
    # Some call in between may have stored another value.
    return walk.union([known, read])


def called_field(walk: Walk, term: int, attribute: Node, node: Node, start: int) -> int:
    source = walk.source
    name_node = attribute.children[-1]
    receiver = source.fix(source.text[start : attribute.children[0].end_byte])[:RECEIVER_LENGTH]
    line, column = source.place(name_node.start_byte)
    return call(walk, term, source.word(name_node), receiver, line, column, node.children[-1])


def called_value(walk: Walk, node: Node, typed: bool = False) -> tuple[int, int]:
    """A value that is called or extended where it is named, so that naming it is no reference; and its place.
    `typed`: a base class, which is known by its name unless it is a definition or an import."""
    kind = node.kind_id
    if kind == n.IDENTIFIER:
        name = walk.source.word(node)
        term = walk.use(name, node.start_byte, False)
        if typed and walk.kind != FUNCTION and walk.terms[term][0] in _OPAQUE:
            effects = len(walk.effects)
            term = walk.type_name(name, node.start_byte)
            del walk.effects[effects:]
        return term, node.start_byte
    if kind == n.ATTRIBUTE:
        before = len(walk.effects)
        term = spine(walk, node)
        offset = node.children[-1].start_byte
        place = [*walk.source.place(offset)]
        walk.effects[before:] = [e for e in walk.effects[before:] if e[0] != Effect.REFER or e[3:] != place]
        return term, offset
    return value(walk, node), node.start_byte


def called_name(walk: Walk, name: str, start: int, arguments: Node) -> int:
    """`name(...)`"""
    callee = walk.use(name, start, False)
    term = call(walk, callee, name, None, *walk.source.place(start), arguments)
    special = NAMES.get(name)
    if special is not None and walk.terms[callee][0] in (Op.NAME, Op.IMPORT):
        return special(walk, term, arguments)
    return term


def call(walk: Walk, callee: int, name: str, receiver: str | None, line: int, column: int, arguments: Node) -> int:
    source = walk.source
    site = len(source.calls)
    source.calls.append((walk.block, name, receiver, line, column))
    term = [Op.CALL, callee, line, column, site, 0]
    if arguments.kind_id == n.ARGUMENTS:
        typed = TYPE_ARGUMENTS.get(name)
        if typed is None or walk.terms[callee][0] == Op.DEF:
            argue(walk, arguments, term)
        else:
            argue_type(walk, arguments, term, typed)
    else:
        term += (Arg.POSITIONAL, -1, value(walk, arguments))
    walk.calls += 1
    walk.terms.append(term)
    return len(walk.terms) - 1


def argue(walk: Walk, arguments: Node, term: list[int]) -> None:
    """Adds the arguments of a call to its term."""
    for child in arguments.children:
        kind = child.kind_id
        if kind in n.PUNCTUATION:
            continue
        if kind == n.IDENTIFIER:
            term += (Arg.POSITIONAL, -1, identifier(walk, child))
        elif kind == n.STRING:
            term += (Arg.POSITIONAL, -1, string(walk, child))
        elif kind == n.KEYWORD_ARGUMENT:
            parts = child.children
            key = walk.source.strings[walk.source.word(parts[0])]
            term += (Arg.KEYWORD, key, value(walk, parts[-1]))
        elif kind == n.LIST_SPLAT:
            inner = child.children[-1]
            found = value(walk, inner)
            walk.add(Op.ELEM, found, *walk.source.place(inner.start_byte), 2)
            term += (Arg.STAR, -1, found)
        elif kind == n.DICT_SPLAT:
            term += (Arg.DOUBLE_STAR, -1, value(walk, child.children[-1]))
        else:
            term += (Arg.POSITIONAL, -1, value(walk, child))


def argue_type(walk: Walk, arguments: Node, term: list[int], typed: int) -> None:
    """As `argue`, of a function with a type among its arguments."""
    written = [child for child in arguments.children if child.kind_id not in n.PUNCTUATION]
    if any(child.kind_id in (n.KEYWORD_ARGUMENT, n.LIST_SPLAT, n.DICT_SPLAT) for child in written):
        argue(walk, arguments, term)
        return
    for at, child in enumerate(written):
        term += (Arg.POSITIONAL, -1, annotation(walk, child) if at == typed else value(walk, child))


VALUES = dict.fromkeys(_SPINE, spine)
