"""Type names that are written in annotations, as effects of the unit: a symbol uses these types."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codegps.languages.javascript import types
from codegps.languages.javascript.globals import TYPES as KNOWN
from codegps.model.facts import Effect, Op
from codegps.model.kinds import EdgeKind

if TYPE_CHECKING:
    from tree_sitter import Node

    from codegps.languages.javascript.walker import Walker


def refer(w: Walker, *nodes: Node | None) -> None:
    """The type names written in these nodes, as effects of the unit."""
    leaves, names = w.grammar.type_leaves, w.grammar.type_names
    own: set[str] | None = None
    found: list[Node] = []
    todo = [node for node in reversed(nodes) if node is not None]
    while todo:
        node = todo.pop()
        kind = node.kind_id
        if kind in names:
            found.append(node)
        elif kind not in leaves:
            if kind in w.grammar.type_binders:
                own = own or set()
                _binds(w, node, own)
            if kind == w.kinds.type_query:
                found.extend(each for each in types.parts_of(w, node)[:1] if each.kind_id != w.kinds.call_expression)
            else:
                children = node.named_children
                children.reverse()
                todo.extend(children)
    for node in found:
        _refer(w, node, own)


def _binds(w: Walker, node: Node, own: set[str]) -> None:
    """Names that a type declares inside itself."""
    name = node.child_by_field_id(w.fields["name"])
    if name is None and node.type == "infer_type":
        name = next(iter(types.parts_of(w, node)), None)
    if name is not None:
        own.add(w.name(name))


def _refer(w: Walker, node: Node, own: set[str] | None) -> None:
    kind = node.type
    if kind in ("type_identifier", "identifier"):
        name = w.name(node)
        if own is not None and name in own:
            return
        resolved = types.find(w, name)
        if resolved is None:
            variable = w.find(name)
            if variable is not None and not variable.module:
                return
            if variable is None and name in KNOWN:
                return
            resolved = (Op.NAME, w.strings[name])
        elif resolved[0] == Op.TYPEPARAM:
            return
        line, column = types.place(w, node)
        w.effects.append([Effect.REFER, w.leaf_term(*resolved), EdgeKind.USES_TYPE, line, column])
        return
    if kind not in ("nested_type_identifier", "nested_identifier", "member_expression"):
        return
    w.type_depth = 0
    value = types.nested(w, node, False)
    if w.terms[value][0] == Op.ATTR:
        line, column = w.terms[value][3:5]
        w.effects.append([Effect.REFER, value, EdgeKind.USES_TYPE, line, column])
