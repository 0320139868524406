"""JSX: an element names its component; attributes and children are values."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codegps.model.facts import Effect, Op
from codegps.model.kinds import EdgeKind

if TYPE_CHECKING:
    from tree_sitter import Node

    from codegps.languages.javascript.walker import Walker


def element(w: Walker, node: Node) -> int:
    """`<Name attributes>children</Name>` or `<Name attributes />`."""
    kinds, fields = w.kinds, w.fields
    opening = node.child_by_field_id(fields["open_tag"]) or node
    _name(w, opening)
    tag = opening.child_by_field_id(fields["name"])
    for each in opening.named_children:
        if each.kind_id == kinds.jsx_attribute:
            for inner in each.named_children[1:]:
                w.values[inner.kind_id](w, inner)
        elif tag is None or each.start_byte != tag.start_byte:
            w.values[each.kind_id](w, each)
    if opening is not node:
        for each in node.named_children:
            if each.type in _CHILDREN:
                w.values[each.kind_id](w, each)
    return w.unknown()


_NAMED = frozenset({Op.DEF, Op.NAME, Op.IMPORT, Op.LOCAL, Op.PARAM, Op.ATTR})
_CHILDREN = frozenset({"jsx_element", "jsx_self_closing_element", "jsx_expression", "jsx_fragment"})


def _name(w: Walker, opening: Node) -> None:
    """A component is capitalised or a member; others are elements of the page."""
    name = opening.child_by_field_id(w.fields["name"])
    if name is None or name.kind_id == w.kinds.jsx_namespace_name:
        return
    if name.kind_id == w.kinds.identifier and not w.text[name.start_byte].isupper():
        return
    before = len(w.effects)
    term = w.values[name.kind_id](w, name)
    last = name.child_by_field_id(w.fields["property"]) or name
    line, column = w.place(last.start_byte)
    del w.effects[before:]
    if name.kind_id == w.kinds.identifier:
        variable = w.find(w.name(name))
        if variable is not None and variable.module and variable.fixed is None:
            term = w.leaf_term(Op.NAME, w.strings[variable.name])
    if w.terms[term][0] not in _NAMED:
        return
    w.effects.append([Effect.REFER, term, EdgeKind.INCLUDES, line, column])


def expression(w: Walker, node: Node) -> int:
    """`{value}` or `{...value}`."""
    term = -1
    for each in node.named_children:
        if each.kind_id == w.kinds.spread_element:
            for inner in each.named_children:
                w.values[inner.kind_id](w, inner)
        elif each.kind_id != w.kinds.comment:
            term = w.values[each.kind_id](w, each)
    return term if term >= 0 else w.unknown()
