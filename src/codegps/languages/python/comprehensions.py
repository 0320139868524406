"""Comprehensions and generator expressions: nodes in, terms out; their targets live inside only."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from codegps.languages.python import nodes as n
from codegps.languages.python.conditions import apply, condition
from codegps.languages.python.targets import assign
from codegps.languages.python.walk import Walk, value
from codegps.model.facts import Op

if TYPE_CHECKING:
    from tree_sitter import Node


def comprehension(walk: Walk, node: Node, kind: str) -> int:
    """Targets live inside only: what they hide comes back afterwards."""
    source = walk.source
    around = walk.open_block("comprehension", node.start_byte)
    before = walk.env
    hidden = dict(walk.hidden)
    clauses = [child for child in node.children if child.kind_id in (n.FOR_IN, n.IF_CLAUSE)]
    targets: set[str] = set()
    walk.env = dict(before)
    for clause in clauses:
        if clause.kind_id == n.FOR_IN:
            for_in(walk, clause, targets)
        else:
            _, holds, _ = condition(walk, clause.children[-1])
            apply(walk, holds)
    body = next((child for child in node.children if child.kind_id not in n.PUNCTUATION), node)
    if kind == "dict":
        parts = [part for part in body.children if part.kind_id not in n.PUNCTUATION]
        found = [value(walk, part) for part in parts]
        term = walk.add(Op.DICT, walk.alloc(), source.strings[kind], *(found if len(found) == 2 else ()))
    else:
        element = value(walk, body)
        term = walk.add(Op.LIST, walk.alloc(), source.strings[kind], element)
    if source.walrus:
        kept = {k: v for k, v in walk.env.items() if k not in targets and walk.narrowed.get(v, v) != before.get(k)}
        before = {**before, **kept}
    walk.env = before
    walk.hidden = hidden
    walk.block = around
    return term


def for_in(walk: Walk, clause: Node, targets: set[str]) -> None:
    parts = clause.children
    at = next(i for i, part in enumerate(parts) if part.kind_id == n.IN)
    iterated = [part for part in parts[at + 1 :] if part.kind_id not in n.PUNCTUATION]
    if not iterated:
        return
    if len(iterated) == 1:
        base = value(walk, iterated[0])
    else:
        found = [value(walk, part) for part in iterated]
        base = walk.add(Op.LIST, walk.alloc(), walk.source.strings["tuple"], *found)
    mode = 1 if parts[0].kind_id == n.ASYNC else 3
    element = walk.add(Op.ELEM, base, *walk.source.place(iterated[0].start_byte), mode)
    bind_hidden(walk, parts[at - 1], element, targets)


def bind_hidden(walk: Walk, target: Node, term: int, targets: set[str]) -> None:
    """A comprehension's target: no variable of the scope around."""
    if target.kind_id == n.IDENTIFIER:
        name = walk.source.word(target)
        walk.env[name] = term
        walk.hidden[name] = term
        targets.add(name)
        if walk.dotted:
            walk.forget(name)
        return
    parts = [part for part in target.children if part.kind_id not in n.PUNCTUATION]
    if target.kind_id in (n.ATTRIBUTE, n.SUBSCRIPT):
        assign(walk, target, term)
        return
    starred = next((i for i, part in enumerate(parts) if part.kind_id == n.LIST_SPLAT_PATTERN), len(parts))
    for at, part in enumerate(parts):
        if at == starred:
            bind_hidden(walk, part.children[-1], walk.add(Op.UNPACK, term, at, 1), targets)
        else:
            index = at if at < starred else at - len(parts)
            bind_hidden(walk, part, walk.add(Op.UNPACK, term, index, 0), targets)


def list_comprehension(walk: Walk, node: Node) -> int:
    return comprehension(walk, node, "list")


def set_comprehension(walk: Walk, node: Node) -> int:
    return comprehension(walk, node, "set")


def dict_comprehension(walk: Walk, node: Node) -> int:
    return comprehension(walk, node, "dict")


def generator(walk: Walk, node: Node) -> int:
    return comprehension(walk, node, "generator")


VALUES: dict[int, Callable[[Walk, Node], int]] = {
    n.LIST_COMPREHENSION: list_comprehension,
    n.SET_COMPREHENSION: set_comprehension,
    n.DICT_COMPREHENSION: dict_comprehension,
    n.GENERATOR: generator,
}
