"""Subscripts: nodes in; terms of what is read, and effects of what is stored, out.

What was stored under a literal key of a container that was written in this body is known until something is called.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from codegps.languages.python import nodes as n
from codegps.languages.python.dynamic import text_of
from codegps.languages.python.walk import Walk, value
from codegps.model.facts import Effect, Op

if TYPE_CHECKING:
    from tree_sitter import Node

_WRITTEN = frozenset({Op.DICT, Op.LIST})


def subscript(walk: Walk, node: Node, base: int, line: int, column: int) -> int:
    """`base[key]`, `base[a:b]`; several keys are a tuple."""
    written = [child for child in node.children[1:] if child.kind_id not in n.PUNCTUATION]
    if len(written) == 1 and written[0].kind_id == n.SLICE:
        return walk.add(Op.SLICE, base, line, column, *bounds(walk, written[0]))
    keys = [value(walk, child) for child in written]
    if len(keys) != 1:
        return walk.add(
            Op.ITEM, base, walk.add(Op.LIST, walk.alloc(), walk.source.strings["tuple"], *keys), line, column
        )
    key = keys[0]
    name = text_of(walk, key)
    if name and base in walk.namespaces:
        return walk.constant_term((Op.NAME, walk.source.strings[name]))
    if name and (owner := instance_of(walk, base)) >= 0:
        return walk.add(Op.ATTR, owner, walk.source.strings[name], line, column, line, column)
    asked_by_key(walk, key)
    read = walk.add(Op.ITEM, base, key, line, column)
    known = item_key(walk, node.children[0], base, key) if walk.dotted else ""
    if known not in walk.dotted or known not in walk.env:
        return read
    stored = walk.env[known]
    # Some call in between may have stored another value.
    return stored if walk.dotted[known] == walk.calls else walk.union([stored, read])


def bounds(walk: Walk, node: Node) -> list[int]:
    """The terms of a slice's start and stop, -1 where they are left out; none where there is a step."""
    found = [-1, -1, -1]
    at = 0
    for child in node.children:
        if child.kind_id == n.COLON:
            at += 1
        elif child.kind_id not in n.PUNCTUATION and at < 3:
            found[at] = value(walk, child)
    return found[:2] if found[2] < 0 else []


def instance_of(walk: Walk, base: int) -> int:
    """The object whose `__dict__` this is; -1 for anything else."""
    term = walk.terms[base]
    if term[0] == Op.ATTR and walk.source.strings.listed[term[2]] == "__dict__":
        return term[1]
    return -1


def asked_by_key(walk: Walk, key: int) -> None:
    """Notes that a parameter is used as a key: its literals matter to callers."""
    term = walk.terms[key]
    if term[0] == Op.PARAM and term[1] == walk.symbol:
        walk.source.symbols[walk.symbol].params[term[2]].key = True


def item_key(walk: Walk, node: Node, base: int, key: int) -> str:
    """How a container's element is named in the environment; empty where the container or the key is not plain."""
    term = walk.terms[key]
    if node.kind_id != n.IDENTIFIER or walk.terms[base][0] not in _WRITTEN or term[0] != Op.CONST or term[2] < 0:
        return ""
    listed = walk.source.strings.listed
    return f"{walk.source.word(node)}.[{listed[term[1]]} {listed[term[2]]}"


def put(walk: Walk, target: Node, term: int) -> None:
    """`base[key] = term`"""
    node = target.children[0]
    base = value(walk, node)
    source = walk.source
    place = source.place(target.start_byte)
    written = [child for child in target.children[1:] if child.kind_id not in n.PUNCTUATION]
    keys = [value(walk, one) for one in written]
    key = -1
    if len(keys) > 1:
        key = walk.add(Op.LIST, walk.alloc(), source.strings["tuple"], *keys)
    elif keys and written[0].kind_id != n.SLICE:
        key = keys[0]
    name = text_of(walk, key) if key >= 0 else None
    if name and (owner := instance_of(walk, base)) >= 0:
        walk.effects.append([Effect.STORE, owner, source.strings[name], term, *place])
        return
    if name and base in walk.namespaces:
        walk.effects.append([Effect.BIND, 0, source.strings[name], term])
        module_walk(walk).rebound.add(name)
        return
    walk.effects.append([Effect.PUT, base, key, term, *place])
    known(walk, node, base, key, term)


def module_walk(walk: Walk) -> Walk:
    while walk.outer is not None:
        walk = walk.outer
    return walk


def known(walk: Walk, node: Node, base: int, key: int, term: int) -> None:
    """From here on the element is `term`, and what another name for the container may hold is not known."""
    name = item_key(walk, node, base, key) if key >= 0 else ""
    own = name.partition("[")[0] + "["
    for each in [each for each in walk.dotted if ".[" in each and not (name and each.startswith(own))]:
        del walk.dotted[each]
        walk.env.pop(each, None)
    if name:
        walk.dotted[name] = walk.calls
        walk.env[name] = term


def update(walk: Walk, base: int, term: int, arguments: Node) -> int:
    """`d.update({...})` of a literal: its elements are known from here on."""
    call = walk.terms[term]
    attribute = arguments.parent.children[0] if arguments.parent is not None else arguments
    if len(call) != 9 or walk.terms[call[8]][0] != Op.DICT or attribute.kind_id != n.ATTRIBUTE:
        return term
    given = walk.terms[call[8]]
    for at in range(3, len(given), 2):
        if given[at] >= 0 and item_key(walk, attribute.children[0], base, given[at]):
            known(walk, attribute.children[0], base, given[at], given[at + 1])
    return term
