"""Interfaces, object types and enums: their symbols and members, and the types that they use."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codegps.languages.javascript import classes, functions, heads, types
from codegps.languages.javascript.scopes import Scope, VariableKind
from codegps.languages.javascript.type_names import refer
from codegps.model.facts import Member, Op
from codegps.model.kinds import Flag, Kind

if TYPE_CHECKING:
    from tree_sitter import Node

    from codegps.languages.javascript.walker import Walker

CALLED = "()"
CONSTRUCTED = "new()"
"""Names of the members that make objects of a type callable and constructible."""


def interface(w: Walker, node: Node, symbol: int) -> None:
    """An interface's members are symbols; what its types name is used by it."""
    fields, kinds = w.fields, w.kinds
    scope = Scope(w.scope, symbol)
    saved = w.enter(w.unit(symbol, [Op.THIS, symbol], -1), scope)
    functions.type_parameters(w, node, symbol)
    fact = w.symbols[symbol]
    bases, places = list(fact.bases), list(fact.base_places)
    for each in node.named_children:
        if each.kind_id != kinds.extends_type_clause:
            continue
        for base in each.named_children:
            if base.kind_id == kinds.comment:
                continue
            bases.append(types.term(w, base, True))
            places.insert(len(bases) - 1, w.place(classes.last_name(w, base).start_byte))
            refer(w, *(c for c in base.named_children if c.kind_id == kinds.type_arguments))
    fact.bases, fact.base_places = bases, places
    body = node.child_by_field_id(fields["body"])
    if body is not None:
        members(w, body, symbol)
    w.leave(saved)


def members(w: Walker, body: Node, symbol: int) -> None:
    """Members of an interface body or an object type."""
    kinds = w.kinds
    methods: dict[tuple[str, int], int] = {}
    bodiless: list[int] = []
    for each in body.named_children:
        kind = each.kind_id
        if kind == kinds.method_signature:
            member = classes.method(w, each, symbol, methods, [])
            if member >= 0:
                bodiless.append(member)
        elif kind == kinds.property_signature:
            _declared_property(w, each, symbol)
        elif kind in (kinds.call_signature, kinds.construct_signature):
            name = CALLED if kind == kinds.call_signature else CONSTRUCTED
            bodiless.append(_bare_signature(w, each, symbol, name, methods))
        elif kind == kinds.index_signature:
            refer(w, each)
    classes.declared(w, bodiless)


def _bare_signature(w: Walker, node: Node, owner: int, name: str, known: dict[tuple[str, int], int]) -> int:
    """What calling (or constructing with) an object of the type does."""
    symbol = known.get((name, 0), -1)
    if symbol >= 0:
        w.signatures[symbol].append(node)
        w.extend_to(symbol, node.end_byte)
        return symbol
    symbol = w.symbol(Kind.Method, name, owner, node.start_byte, node.end_byte, Flag.DECLARATION)
    known[name, 0] = symbol
    w.signatures[symbol] = [node]
    w.members.append(Member(owner, name, w.head_leaf_term(Op.DEF, symbol), symbol))
    return symbol


def _declared_property(w: Walker, node: Node, symbol: int) -> None:
    fields = w.fields
    key = node.child_by_field_id(fields["name"])
    if key is None:
        return
    name = types.key_name(w, key)
    annotation = node.child_by_field_id(fields["type"])
    inner = None if annotation is None else next(iter(annotation.named_children), None)
    if inner is not None and inner.kind_id == w.kinds.function_type:
        made = w.symbol(Kind.Method, name, symbol, node.start_byte, node.end_byte, Flag.DECLARATION)
        state = w.own(made)
        functions.overloaded(w, made, [inner])
        w.disown(state, made)
        w.members.append(Member(symbol, name, w.head_leaf_term(Op.DEF, made), made, instance=True))
        return
    made = w.symbol(Kind.Property, name, symbol, node.start_byte, node.end_byte, Flag.DECLARATION)
    declared = types.term(w, annotation, True)
    if annotation is not None:
        refer(w, annotation)
    w.symbols[made].declared = declared
    w.members.append(Member(symbol, name, -1, made, declared, instance=True))


def alias(w: Walker, node: Node, symbol: int) -> None:
    """A type alias; of an object type the members are symbols too."""
    value = node.child_by_field_id(w.fields["value"])
    scope = Scope(w.scope, symbol)
    saved = w.enter(w.unit(symbol, [Op.THIS, symbol], -1), scope)
    functions.type_parameters(w, node, symbol)
    if value is not None:
        w.symbols[symbol].alias = types.term(w, value, True)
        if value.kind_id == w.kinds.object_type:
            members(w, value, symbol)
        else:
            refer(w, value)
    w.leave(saved)


# -- enums


def enum(w: Walker, node: Node, symbol: int) -> None:
    kinds, fields = w.kinds, w.fields
    body = node.child_by_field_id(fields["body"])
    if body is None:
        return
    state = w.own(symbol)
    outer = w.scope
    w.scope = Scope(outer)
    number = 0
    for each in body.named_children:
        if each.kind_id == kinds.comment:
            continue
        key, value = each, None
        if each.kind_id == kinds.enum_assignment:
            found = each.child_by_field_id(fields["name"])
            value = each.child_by_field_id(fields["value"])
            if found is None:
                continue
            key = found
        name = types.key_name(w, key)
        made = w.symbol(Kind.EnumMember, name, symbol, each.start_byte, each.end_byte)
        w.declare(w.scope, name, VariableKind.DEF).fixed = (Op.DEF, made)
        if value is None:
            term = w.head_put([Op.CONST, w.strings["number"], w.strings[str(number)]])
            number += 1
        else:
            term = heads.plain(w, w.values[value.kind_id](w, value))
            text = w.name(value)
            number = int(text) + 1 if text.isdigit() and len(text) < 12 else number + 1
        w.members.append(Member(symbol, name, term, made, static=True))
    w.scope = outer
    w.disown(state, symbol)
