"""Simple statements: nodes in; effects and bindings out."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from codegps.languages.python import nodes as n
from codegps.languages.python.annotations import annotation, type_params
from codegps.languages.python.assignments import assignment, augmented
from codegps.languages.python.calls import called_value
from codegps.languages.python.conditions import apply, condition
from codegps.languages.python.heads import plain
from codegps.languages.python.walk import (
    ALIVE,
    FUNCTION,
    LEFT,
    MODULE,
    RAISED,
    VALUE,
    Walk,
    value,
)
from codegps.model.facts import Effect, Op
from codegps.model.kinds import Kind

if TYPE_CHECKING:
    from tree_sitter import Node


def expression_statement(walk: Walk, node: Node) -> int:
    children = node.children
    first = children[0]
    kind = first.kind_id
    if kind == n.ASSIGNMENT:
        assignment(walk, first)
    elif kind == n.AUGMENTED:
        augmented(walk, first)
    elif len(children) > 1:
        for child in children:
            if child.kind_id not in n.PUNCTUATION:
                value(walk, child)
    elif kind == n.STRING:
        # Docstrings and strings as comments; only what an f-string evaluates counts.
        if walk.source.text[first.start_byte] not in "\"'":
            VALUE[kind](walk, first)
    else:
        VALUE[kind](walk, first)
    return -1


def return_(walk: Walk, node: Node) -> int:
    for child in node.named_children:
        if child.kind_id not in n.PUNCTUATION:
            walk.give_back(value(walk, child))
    walk.dead = walk.dead or LEFT
    return -1


def delete(walk: Walk, node: Node) -> int:
    rest = list(reversed(node.named_children))
    while rest:
        target = rest.pop()
        kind = target.kind_id
        place = walk.source.place(target.start_byte)
        if kind == n.IDENTIFIER:
            name = walk.source.word(target)
            walk.env.pop(name, None)
            walk.forget(name)
        elif kind == n.SUBSCRIPT:
            base = value(walk, target.children[0])
            keys = [value(walk, part) for part in target.children[1:] if part.kind_id not in n.PUNCTUATION]
            walk.effects.append([Effect.DELETE, base, keys[0] if len(keys) == 1 else -1, *place])
        elif kind == n.ATTRIBUTE:
            value(walk, target.children[0])
            walk.forget(walk.source.word(target))
        else:
            rest += reversed(target.named_children)
    return -1


def raise_(walk: Walk, node: Node) -> int:
    for at, child in enumerate(child for child in node.named_children if child.kind_id not in n.PUNCTUATION):
        if at:
            value(walk, child)
            continue
        term, offset = called_value(walk, child)
        if walk.terms[term][0] != Op.CALL:
            walk.effects.append([Effect.RAISE, term, *walk.source.place(offset)])
    walk.dead = walk.dead or RAISED
    return -1


def assert_(walk: Walk, node: Node) -> int:
    parts = [child for child in node.named_children if child.kind_id not in n.PUNCTUATION]
    if parts:
        _, holds, _ = condition(walk, parts[0])
        apply(walk, holds)
        for part in parts[1:]:
            value(walk, part)
    return -1


def declare_names(walk: Walk, node: Node) -> int:
    """`global x`, `nonlocal x`"""
    whole = node.kind_id == n.GLOBAL
    for child in node.named_children:
        if child.kind_id != n.IDENTIFIER or walk.kind == MODULE:
            continue
        name = walk.source.word(child)
        walk.env.pop(name, None)
        walk.names.pop(name, None)
        scope = walk.outer
        if whole:
            walk.declared[name] = 0
            while scope is not None:
                if scope.kind == MODULE and name in walk.locals:
                    scope.rebound.add(name)
                scope = scope.outer
            continue
        while scope is not None and not (scope.kind == FUNCTION and name in scope.locals):
            scope = scope.outer
        if scope is not None:
            walk.declared[name] = scope.declared.get(name, scope.symbol)
            scope.captured.add(name)
            scope.shared.add(name)
            scope.env.pop(name, None)
    return -1


def leave_loop(walk: Walk, node: Node) -> int:
    if walk.loops and walk.dead == ALIVE:
        loop = walk.loops[-1]
        (loop.breaks if node.kind_id == n.BREAK else loop.continues).append(dict(walk.env))
    walk.dead = walk.dead or LEFT
    return -1


def type_alias(walk: Walk, node: Node) -> int:
    """`type X[T] = …`"""
    source = walk.source
    types = [child for child in node.children if child.kind_id == n.TYPE]
    if len(types) != 2:
        return -1
    left = types[0].children[0]
    name_node = left.children[0] if left.kind_id == n.GENERIC_TYPE else left
    name = source.word(name_node)
    symbol = walk.define(name, Kind.TypeAlias, node.start_byte, node.end_byte)
    fact = source.symbols[symbol]
    if left.kind_id == n.GENERIC_TYPE:
        fact.type_params = type_params(walk, left.children[1], symbol)
        hidden = dict(walk.hidden)
        before = dict(walk.env)
        for one in fact.type_params:
            walk.env[one] = walk.hidden[one] = walk.constant_term((Op.TYPEPARAM, symbol, source.strings[one]))
        fact.alias = plain(walk, annotation(walk, types[1]), True)
        walk.env = before
        walk.hidden = hidden
        walk.type_params = {k: v for k, v in walk.type_params.items() if v != symbol}
    else:
        fact.alias = plain(walk, annotation(walk, types[1]), True)
    walk.bind(name, walk.constant_term((Op.DEF, symbol)), name_node.start_byte)
    return -1


def print_(walk: Walk, node: Node) -> int:
    for child in node.named_children:
        for part in child.named_children if child.kind_id == n.CHEVRON else (child,):
            value(walk, part)
    return -1


def nothing(walk: Walk, node: Node) -> int:
    return -1


STATEMENTS: dict[int, Callable[[Walk, Node], int]] = {
    n.EXPRESSION_STATEMENT: expression_statement,
    n.RETURN: return_,
    n.DELETE: delete,
    n.RAISE: raise_,
    n.ASSERT: assert_,
    n.GLOBAL: declare_names,
    n.NONLOCAL: declare_names,
    n.BREAK: leave_loop,
    n.CONTINUE: leave_loop,
    n.TYPE_ALIAS: type_alias,
    n.PRINT: print_,
    n.EXEC: print_,
    n.PASS: nothing,
    n.COMMENT: nothing,
    **dict.fromkeys(n.PUNCTUATION, nothing),
}
