"""Conditions: what is known of a name where a test holds, and where it does not.

In: nodes of tests. Out: the value of the test and two lists of facts, which `apply` turns into NARROW terms.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from codegps.languages.python import nodes as n
from codegps.languages.python.walk import DEPTH, VALUE, Walk, value
from codegps.model.facts import Op
from codegps.model.kinds import EdgeKind

if TYPE_CHECKING:
    from tree_sitter import Node

Fact = tuple[str, int, int, int]
"""Name or dotted name; term of its value where flow does not know it; term of the type; is one (1) or is not (0)."""


def condition(walk: Walk, node: Node) -> tuple[int, list[Fact], list[Fact]]:
    """The value of a test, what it tells where it holds, and where it fails."""
    kind = node.kind_id
    if kind == n.CALL:
        return tested_call(walk, node)
    if kind == n.BOOLEAN:
        return boolean(walk, node)
    if kind == n.NOT:
        _, holds, fails = nested(walk, node.children[-1])
        return walk.constant("bool"), fails, holds
    if kind == n.PARENTHESIZED:
        inner = [child for child in node.children if child.kind_id not in n.PUNCTUATION]
        if len(inner) == 1:
            return nested(walk, inner[0])
    if kind == n.COMPARISON:
        return compared(walk, node)
    return VALUE[kind](walk, node), [], []


def nested(walk: Walk, node: Node) -> tuple[int, list[Fact], list[Fact]]:
    """One level deeper, within the bound that `value` keeps."""
    if walk.source.depth >= DEPTH:
        return value(walk, node), [], []
    walk.source.depth += 1
    found = condition(walk, node)
    walk.source.depth -= 1
    return found


def boolean(walk: Walk, node: Node) -> tuple[int, list[Fact], list[Fact]]:
    """`a and b`: b is read where a holds; `or`: where it fails. Long chains are walked without nesting."""
    operator = -1
    operands: list[Node] = []
    while node.kind_id == n.BOOLEAN:
        parts = [part for part in node.children if part.kind_id not in n.PUNCTUATION]
        if len(parts) != 3 or (operator >= 0 and parts[1].kind_id != operator):
            break
        operator = parts[1].kind_id
        operands.append(parts[2])
        node = parts[0]
    if operator < 0:
        return value(walk, node), [], []
    operands.append(node)
    before = walk.env
    values: list[int] = []
    all_hold: list[Fact] = []
    all_fail: list[Fact] = []
    applied = False
    while operands:
        term, holds, fails = nested(walk, operands.pop())
        values.append(term)
        all_hold += holds
        all_fail += fails
        known = holds if operator == n.AND else fails
        if known and operands:
            if not applied:
                walk.env = dict(walk.env)
                applied = True
            apply(walk, known)
    if applied:
        walk.env = {**before, **{k: v for k, v in walk.env.items() if walk.narrowed.get(v, v) != before.get(k)}}
    if operator == n.AND:
        return walk.union(values), all_hold, []
    return walk.union(values), [], all_fail


def key_of(walk: Walk, node: Node) -> str | None:
    """`x`, `x.y`: what can be narrowed, as a key of the environment."""
    kind = node.kind_id
    if kind == n.PARENTHESIZED and len(node.children) == 3:
        return key_of(walk, node.children[1])
    if kind == n.NAMED:
        return walk.source.word(node.named_children[0])
    if kind == n.IDENTIFIER:
        return walk.source.word(node)
    if kind == n.ATTRIBUTE and node.children[0].kind_id == n.IDENTIFIER and len(node.children) == 3:
        return walk.source.word(node)
    return None


def tested_call(walk: Walk, node: Node) -> tuple[int, list[Fact], list[Fact]]:
    """`isinstance(x, T)`, `issubclass(x, T)`, `callable(x)`, of the library."""
    callee, arguments = node.children[0], node.children[-1]
    test = walk.source.text[callee.start_byte : callee.end_byte] if callee.kind_id == n.IDENTIFIER else ""
    if test not in ("isinstance", "issubclass", "callable"):
        return VALUE[node.kind_id](walk, node), [], []
    written = [child for child in arguments.children if child.kind_id not in n.PUNCTUATION]
    result = VALUE[node.kind_id](walk, node)
    call = walk.terms[result]
    if call[0] != Op.CALL or not written or test in walk.env:
        return result, [], []
    key = key_of(walk, written[0])
    if key is None:
        return result, [], []
    strings = walk.source.strings
    if test == "callable":
        of = walk.constant_term((Op.BUILTIN, strings["builtins.callable"]))
    elif len(written) == 2 and len(call) == 12:
        of = call[11]
        if test == "issubclass":
            of = walk.add(
                Op.ITEM,
                walk.constant_term((Op.BUILTIN, strings["builtins.type"])),
                of,
                *walk.source.place(node.start_byte),
            )
    else:
        return result, [], []
    subject = call[8]
    return result, [(key, subject, of, 1)], [(key, subject, of, 0)]


def compared(walk: Walk, node: Node) -> tuple[int, list[Fact], list[Fact]]:
    """`type(x) is T` and `type(x) == T`; other comparisons tell nothing that matters to calls."""
    parts = [part for part in node.children if part.kind_id not in n.PUNCTUATION]
    if len(parts) == 3 and parts[0].kind_id == n.CALL and n.METHODS.get(parts[1].kind_id, "__eq__") == "__eq__":
        call = parts[0]
        callee = call.children[0]
        if callee.kind_id == n.IDENTIFIER and walk.source.word(callee) == "type" and parts[1].kind_id != n.IS_NOT:
            written = [child for child in call.children[-1].children if child.kind_id not in n.PUNCTUATION]
            key = key_of(walk, written[0]) if len(written) == 1 else None
            if key is not None:
                result = value(walk, call)
                of = as_type(walk, parts[2])
                term = walk.terms[result]
                if term[0] == Op.CALL and len(term) == 9:
                    return walk.constant("bool"), [(key, term[8], of, 1)], []
                return walk.constant("bool"), [], []
    return VALUE[node.kind_id](walk, node), [], []


def as_type(walk: Walk, node: Node) -> int:
    """A value that names types: `isinstance`'s second argument, `except`, class patterns."""
    before = walk.refer_kind
    walk.refer_kind = int(EdgeKind.USES_TYPE)
    term = value(walk, node)
    walk.refer_kind = before
    return term


def apply(walk: Walk, facts: list[Fact]) -> None:
    """Narrows names in the environment as it stands."""
    for key, subject, of, positive in facts:
        known = walk.env.get(key, subject)
        narrowed = walk.add(Op.NARROW, known, of, positive)
        walk.narrowed[narrowed] = walk.narrowed.get(known, known)
        walk.env[key] = narrowed
        if "." in key:
            walk.dotted[key] = -1
