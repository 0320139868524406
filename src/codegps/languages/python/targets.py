"""Assignment targets: a node and a term in; bindings, stores and puts out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codegps.languages.python import nodes as n
from codegps.languages.python.subscripts import put
from codegps.languages.python.walk import CLASS, FUNCTION, VALUE, Walk, value
from codegps.model.facts import Effect, Member, Op
from codegps.model.kinds import Kind

if TYPE_CHECKING:
    from tree_sitter import Node

_SEQUENCES = n.TUPLE_PATTERN | n.LIST_PATTERN | {n.PATTERN_LIST, n.TUPLE, n.LIST, n.EXPRESSION_LIST}


def assign(walk: Walk, target: Node, term: int, whole: Node | None = None, right: int = -1) -> None:
    """`target = term`; `whole` is the statement, which is a variable's span, `right` where the value is written."""
    kind = target.kind_id
    if kind == n.IDENTIFIER:
        name = walk.source.word(target)
        if walk.kind != FUNCTION or walk.declared.get(name) == 0:
            variable(walk, name, whole or target)
        walk.bind(name, term, target.start_byte)
    elif kind == n.ATTRIBUTE:
        store(walk, target, term)
    elif kind == n.SUBSCRIPT:
        put(walk, target, term)
    elif kind in _SEQUENCES:
        unpack(walk, target, term, whole, right)
    elif kind == n.PARENTHESIZED or kind == n.AS_TARGET:
        for child in target.named_children:
            assign(walk, child, term, whole, right)
    elif kind in (n.LIST_SPLAT_PATTERN, n.LIST_SPLAT):
        assign(walk, target.children[-1], term, whole)
    elif kind not in n.PUNCTUATION:
        VALUE[kind](walk, target)


def variable(walk: Walk, name: str, whole: Node) -> int:
    """The symbol of a module- or class-level name; a definition of that name stays the only one."""
    if walk.kind == FUNCTION:
        # `global name`: a variable of the module, perhaps bound here alone.
        module = walk
        while module.outer is not None:
            module = module.outer
        return variable(module, name, whole)
    number = walk.variables.get(name)
    if number is None:
        if name in walk.counts:
            return -1
        kind = Kind.Variable
        if walk.kind == CLASS and walk.symbol in walk.source.enums and not name.startswith("_"):
            kind = Kind.EnumMember
        number = walk.variables[name] = walk.define(name, kind, whole.start_byte, whole.end_byte)
    return number


def store(walk: Walk, target: Node, term: int) -> None:
    """`base.name = term`"""
    base_node, name_node = target.children[0], target.children[-1]
    base = value(walk, base_node)
    source = walk.source
    name = source.word(name_node)
    walk.effects.append([Effect.STORE, base, source.strings[name], term, *source.place(target.start_byte)])
    own_field(walk, base, name)
    if base_node.kind_id == n.IDENTIFIER:
        key = source.word(target)
        if walk.dotted:
            walk.forget(key)
        if walk.terms[term][0] != Op.CONST:
            walk.env[key] = term
            walk.dotted[key] = walk.calls
        elif key in walk.env:
            del walk.env[key]
            walk.dotted.pop(key, None)


def own_field(walk: Walk, base: int, name: str) -> None:
    """A method stores to its own object: the class has that field."""
    term = walk.terms[base]
    around = walk.outer
    if term[0] == Op.PARAM and term[2] == 0 and around is not None and around.kind == CLASS:
        fields = walk.source.fields.setdefault(around.symbol, set())
        if name not in fields:
            fields.add(name)
            walk.source.members.append(Member(around.symbol, f"self.{name}", -1))


def unpack(walk: Walk, target: Node, term: int, whole: Node | None, right: int) -> None:
    """`a, *b = term`: a literal of the same length is taken apart here."""
    parts = [part for part in target.children if part.kind_id not in n.PUNCTUATION]
    starred = next(
        (at for at, part in enumerate(parts) if part.kind_id in (n.LIST_SPLAT_PATTERN, n.LIST_SPLAT)), len(parts)
    )
    made = walk.terms[term]
    if (
        made[0] == Op.LIST
        and len(made) == len(parts) + 3
        and starred == len(parts)
        and all(walk.terms[element][0] != Op.SPREAD for element in made[3:])
    ):
        for part, element in zip(parts, made[3:], strict=True):
            assign(walk, part, element, whole)
        return
    if right >= 0:
        walk.add(Op.ELEM, term, *walk.source.place(right), 2)
    for at, part in enumerate(parts):
        if at == starred:
            element = walk.add(Op.UNPACK, term, at, 1)
        else:
            element = walk.add(Op.UNPACK, term, at if at < starred else at - len(parts), 0)
        assign(walk, part, element, whole)
