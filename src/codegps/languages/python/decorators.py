"""Decorators: nodes in; flags of the definition and the calls that stand for it under its name out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codegps.languages.python import nodes as n
from codegps.languages.python.calls import called_value
from codegps.languages.python.heads import plain
from codegps.languages.python.walk import Walk
from codegps.model.facts import Arg, CallFlag, Op
from codegps.model.kinds import Flag

if TYPE_CHECKING:
    from tree_sitter import Node

_FLAGS = {
    "staticmethod": Flag.STATIC,
    "classmethod": Flag.CLASSMETHOD,
    "abstractmethod": Flag.ABSTRACT,
    "abstractproperty": Flag.ABSTRACT,
    "abstractclassmethod": Flag.ABSTRACT | Flag.CLASSMETHOD,
    "abstractstaticmethod": Flag.ABSTRACT | Flag.STATIC,
}
_ACCESSORS = {"property": "get", "abstractproperty": "get", "cached_property": "cached"}
_PARTS = {"setter": "set", "getter": "get", "deleter": "delete"}


class Decoration:
    """What the decorators of one definition say."""

    def __init__(self) -> None:
        self.callees: list[tuple[int, int]] = []
        """Term and place (an offset) of each decorator that is called, outermost first."""
        self.heads: list[int] = []
        self.nodes: list[Node] = []
        self.flags = 0
        self.accessor = ""
        self.overload = False
        self.part = False
        """`@x.setter`: joins the property that has the name already."""

    def apply(self, walk: Walk, term: int, symbol: int) -> int:
        """The calls of the decorators, innermost first, on the definition `term`."""
        first = len(walk.terms)
        # Uses of the name are DEF terms too; only this one is the definition before its decorators.
        term = walk.add(*walk.terms[term])
        for callee, offset in reversed(self.callees):
            place = walk.source.place(offset)
            term = walk.add(Op.CALL, callee, *place, -1, CallFlag.DECORATOR, Arg.POSITIONAL, -1, term)
        walk.owned(first, symbol)
        return term


def decorate(walk: Walk, node: Node, symbol: int) -> Decoration:
    """Evaluates the decorators of a decorated definition, in the code of `symbol`."""
    made = Decoration()
    text = walk.source.text
    for child in node.children:
        if child.kind_id != n.DECORATOR or len(child.children) < 2:
            continue
        written = child.children[1]
        kind = written.kind_id
        callee = written.children[0] if kind == n.CALL else written
        name = text[callee.start_byte : callee.end_byte].rpartition(".")[2]
        made.nodes.append(written)
        made.flags |= _FLAGS.get(name, 0)
        made.overload = made.overload or name == "overload"
        made.accessor = _ACCESSORS.get(name, made.accessor)
        if name in _PARTS and kind == n.ATTRIBUTE:
            made.part = True
            made.accessor = _PARTS[name]
            made.flags |= Flag.SETTER if name == "setter" else 0
            continue
        term, place = called_value(walk, written)
        found = walk.terms[term]
        head = plain(walk, found[1] if found[0] == Op.CALL else term, True)
        made.heads.append(head if head >= 0 else walk.source.head_term(Op.UNKNOWN))
        made.callees.append((term, place))
    return made
