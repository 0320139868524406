"""What stands on the left: names that a pattern declares, and values taken apart into variables and fields."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codegps.languages.javascript import flow, types
from codegps.languages.javascript.scopes import Scope, VariableKind
from codegps.model.facts import Effect, Op
from codegps.model.graph import Local
from codegps.model.kinds import EdgeKind

if TYPE_CHECKING:
    from tree_sitter import Node

    from codegps.languages.javascript.body import Body
    from codegps.languages.javascript.walker import Walker


def names(w: Walker, node: Node) -> list[Node]:
    """The identifiers that a pattern binds, in order."""
    kinds, fields = w.kinds, w.fields
    if node.kind_id == kinds.identifier:
        return [node]
    found: list[Node] = []
    todo = [node]
    while todo:
        node = todo.pop()
        kind = node.kind_id
        if kind in (kinds.identifier, kinds.shorthand_property_identifier_pattern):
            found.append(node)
        elif kind in (kinds.object_pattern, kinds.array_pattern, kinds.rest_pattern):
            todo.extend(reversed(node.named_children))
        elif kind == kinds.pair_pattern:
            value = node.child_by_field_id(fields["value"])
            if value is not None:
                todo.append(value)
        elif kind in (kinds.assignment_pattern, kinds.object_assignment_pattern):
            left = node.child_by_field_id(fields["left"])
            if left is not None:
                todo.append(left)
    return found


def declare(w: Walker, scope: Scope, node: Node, kind: VariableKind, body: Body | None = None) -> None:
    for each in names(w, node):
        w.declare(scope, w.name(each), kind, body)


def local(w: Walker, name: str, offset: int) -> None:
    """A variable that the current block binds first."""
    if w.block >= 0:
        w.locals.append(Local(w.block, name, w.place(offset)[0]))


def bind(w: Walker, node: Node, term: int, declaration: bool) -> None:
    """Assigns a term to a pattern; `declaration`: to the variables that it declares."""
    kinds = w.kinds
    kind = node.kind_id
    if kind in (kinds.identifier, kinds.shorthand_property_identifier_pattern):
        name = w.name(node)
        variable = w.find(name)
        if variable is not None:
            if declaration:
                local(w, name, node.start_byte)
            flow.assign(w, variable, term, declaration)
        else:
            w.effects.append([Effect.BIND, 0, w.strings[name], term])
    elif kind == kinds.object_pattern:
        _object(w, node, term, declaration)
    elif kind == kinds.array_pattern:
        _array(w, node, term, declaration)
    elif kind in (kinds.assignment_pattern, kinds.object_assignment_pattern):
        _default(w, node, term, declaration)
    elif kind == kinds.member_expression:
        store(w, node, term)
    elif kind == kinds.subscript_expression:
        put(w, node, term)
    elif kind in (
        kinds.rest_pattern,
        kinds.parenthesized_expression,
        kinds.non_null_expression,
        kinds.as_expression,
        kinds.satisfies_expression,
    ):
        inner = _first(w, node)
        if inner is not None:
            bind(w, inner, term, declaration)
    else:
        w.values[kind](w, node)


def _first(w: Walker, node: Node) -> Node | None:
    return next((each for each in node.named_children if each.kind_id != w.kinds.comment), None)


def _default(w: Walker, node: Node, term: int, declaration: bool) -> None:
    """`pattern = value`."""
    left = node.child_by_field_id(w.fields["left"])
    right = node.child_by_field_id(w.fields["right"])
    if left is None:
        return
    if right is not None:
        term = w.union([term, w.values[right.kind_id](w, right)])
    bind(w, left, term, declaration)


def _object(w: Walker, node: Node, term: int, declaration: bool) -> None:
    kinds, fields = w.kinds, w.fields
    for each in node.named_children:
        kind = each.kind_id
        if kind == kinds.shorthand_property_identifier_pattern:
            bind(w, each, member(w, term, w.name(each), each), declaration)
        elif kind == kinds.pair_pattern:
            key, value = each.child_by_field_id(fields["key"]), each.child_by_field_id(fields["value"])
            if key is None or value is None:
                continue
            if key.kind_id == kinds.computed_property_name:
                inner = _first(w, key)
                index = w.unknown() if inner is None else w.values[inner.kind_id](w, inner)
                line, column = w.place(key.start_byte)
                part = w.put([Op.ITEM, term, index, line, column])
            else:
                part = member(w, term, types.key_name(w, key), key)
            bind(w, value, part, declaration)
        elif kind == kinds.object_assignment_pattern:
            left = each.child_by_field_id(fields["left"])
            if left is None:
                continue
            part = member(w, term, w.name(left), left) if left.kind_id != kinds.object_pattern else term
            _default(w, each, part, declaration)
        elif kind == kinds.rest_pattern:
            bind(w, each, w.put([Op.UNPACK, term, -1, 1]), declaration)


def member(w: Walker, base: int, name: str, node: Node) -> int:
    """`base.name`, read by taking it out of the object."""
    line, column = w.place(node.start_byte)
    term = w.put([Op.ATTR, base, w.strings[name], line, column, line, column])
    module = w.terms[base]
    while module[0] in (Op.AWAIT, Op.ATTR):
        module = w.terms[module[1]]
    if module[0] not in (Op.IMPORT, Op.PARAM):  # `const { f } = require("m")` imports, `({ f }) =>` declares.
        w.effects.append([Effect.REFER, term, EdgeKind.REFERENCES, line, column])
    return term


def _array(w: Walker, node: Node, term: int, declaration: bool) -> None:
    kinds = w.kinds
    index = 0
    for each in node.children:
        if not each.is_named:
            if each.type == ",":
                index += 1
            continue
        kind = each.kind_id
        if kind == kinds.comment:
            continue
        star = 1 if kind == kinds.rest_pattern else 0
        bind(w, each, w.put([Op.UNPACK, term, index, star]), declaration)


def store(w: Walker, node: Node, term: int) -> None:
    """`base.name = term`."""
    inner = node.child_by_field_id(w.fields["object"])
    name = node.child_by_field_id(w.fields["property"])
    if inner is None or name is None:
        return
    base = w.values[inner.kind_id](w, inner)
    line, column = w.place(node.start_byte)
    w.effects.append([Effect.STORE, base, w.strings[w.name(name)], term, line, column])


def put(w: Walker, node: Node, term: int) -> None:
    """`base[key] = term`."""
    inner = node.child_by_field_id(w.fields["object"])
    index = node.child_by_field_id(w.fields["index"])
    if inner is None or index is None:
        return
    base = w.values[inner.kind_id](w, inner)
    key = w.values[index.kind_id](w, index)
    w.used_as_key(key)
    line, column = w.place(node.start_byte)
    symbol = types.symbol_key(w, index)
    if symbol is not None:
        w.effects.append([Effect.STORE, base, w.strings[symbol], term, line, column])
        return
    w.effects.append([Effect.PUT, base, key, term, line, column])
