"""Compound statements: nodes in; joined flow out. A branch that is cut by `return` and the like joins nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from codegps.languages.python import nodes as n
from codegps.languages.python import scan
from codegps.languages.python.conditions import apply, as_type, condition
from codegps.languages.python.entries import main_entry
from codegps.languages.python.patterns import match_pattern
from codegps.languages.python.targets import assign
from codegps.languages.python.walk import ALIVE, FUNCTION, RAISED, STATEMENT, Loop, Walk, block, value
from codegps.model.facts import Op

if TYPE_CHECKING:
    from tree_sitter import Node


def if_(walk: Walk, node: Node) -> int:
    around = walk.block
    dead = walk.dead
    ends: list[dict[str, int]] = []
    before = walk.env
    test: Node | None = None
    kind = "if"
    typing = walk.typing_only
    chosen: dict[str, int] | None = None
    children = list(reversed(node.children))
    open_end = True
    while children:
        child = children.pop()
        of = child.kind_id
        if of == n.ELIF:
            children += reversed(child.children)
            kind = "elif"
        elif of == n.ELSE:
            walk.block = around
            walk.open_block("else", child.start_byte)
            body(walk, child)
            if walk.dead == dead:
                ends.append(walk.env)
            open_end = False
        elif of in n.BLOCK and test is not None:
            checking = is_type_checking(walk, test)
            main_entry(walk, test)
            _, holds, fails = condition(walk, test)
            before = walk.env
            walk.open_block(kind, node.start_byte if kind == "if" else test.start_byte)
            walk.env = dict(before)
            apply(walk, holds)
            walk.typing_only = typing or checking
            block(walk, child)
            walk.typing_only = typing
            walk.block = around
            if walk.dead == dead:
                ends.append(walk.env)
                chosen = walk.env if checking else chosen
            walk.dead = dead
            walk.env = dict(before)
            apply(walk, fails)
            test = None
        elif of not in n.PUNCTUATION and child.is_named:
            test = child
    if open_end:
        ends.append(walk.env)
    walk.block = around
    walk.meet(ends, before, dead)
    if chosen is not None:
        # Type checkers take this branch: what it imports is what the names mean.
        walk.env = {**walk.env, **{name: term for name, term in chosen.items() if term in walk.named}}
    return -1


def is_type_checking(walk: Walk, test: Node) -> bool:
    return walk.source.word(test) in ("TYPE_CHECKING", "typing.TYPE_CHECKING", "t.TYPE_CHECKING")


def body(walk: Walk, node: Node) -> None:
    """The block of a clause; stray errors in it too."""
    for child in node.children:
        if child.kind_id in n.BLOCK:
            block(walk, child)
        elif child.kind_id == n.ERROR:
            STATEMENT[child.kind_id](walk, child)


def start_loop(walk: Walk, node: Node) -> dict[str, int]:
    """Names that the loop binds may come from before it or from its last round: a UNION, closed by `end_loop`."""
    found = scan.names(walk.source, node)
    placeholders: dict[str, int] = {}
    walk.env = dict(walk.env)
    for name in found:
        if name in walk.declared:
            continue
        known = walk.env.get(name)
        term = walk.add(Op.UNION) if known is None else walk.add(Op.UNION, known)
        walk.placeholders.add(term)
        if known is not None and known in walk.named:
            walk.named.add(term)
        placeholders[name] = term
        if walk.kind != FUNCTION or found[name] or known is not None:
            walk.env[name] = term
    for key in list(walk.dotted):
        # The loop may store fields: what was known of them before holds in its first round only.
        walk.env.pop(key, None)
    walk.dotted.clear()
    walk.loops.append(Loop())
    return placeholders


def end_loop(walk: Walk, placeholders: dict[str, int]) -> Loop:
    loop = walk.loops.pop()
    ends = loop.continues if walk.dead else [walk.env, *loop.continues]
    for name, placeholder in placeholders.items():
        alternatives = walk.terms[placeholder]
        for end in ends:
            term = end.get(name)
            if term is not None and term != placeholder and term not in alternatives[1:]:
                alternatives.append(term)
        if placeholder in walk.named and not walk.named.issuperset(alternatives[1:]):
            walk.named.discard(placeholder)
    return loop


def loop_else(walk: Walk, node: Node, around: int) -> None:
    for child in node.children:
        if child.kind_id == n.ELSE:
            walk.block = around
            walk.open_block("else", child.start_byte)
            body(walk, child)
    walk.block = around


def for_(walk: Walk, node: Node) -> int:
    parts = [child for child in node.children if child.kind_id not in n.PUNCTUATION]
    at = next((i for i, part in enumerate(parts) if part.kind_id == n.IN), 0)
    if not at or at + 1 >= len(parts):
        return unknown_statement(walk, node)
    around = walk.block
    dead = walk.dead
    right = parts[at + 1]
    base = value(walk, right)
    mode = 1 if parts[0].kind_id == n.ASYNC else 0
    element = walk.add(Op.ELEM, base, *walk.source.place(right.start_byte), mode)
    walk.open_block("for", node.start_byte)
    placeholders = start_loop(walk, node)
    head = dict(walk.env)
    assign(walk, parts[at - 1], element)
    for part in parts[at + 2 :]:
        if part.kind_id in n.BLOCK:
            block(walk, part)
    loop = end_loop(walk, placeholders)
    walk.dead = dead
    walk.env = head
    loop_else(walk, node, around)
    ends = loop.breaks if walk.dead != dead else [walk.env, *loop.breaks]
    walk.dead = dead
    walk.meet(ends, head, dead)
    return -1


def while_(walk: Walk, node: Node) -> int:
    parts = [child for child in node.children if child.kind_id not in n.PUNCTUATION]
    if len(parts) < 3:
        return unknown_statement(walk, node)
    around = walk.block
    dead = walk.dead
    walk.open_block("while", node.start_byte)
    placeholders = start_loop(walk, node)
    test = parts[1]
    for_ever = test.kind_id == n.TRUE or (test.kind_id == n.INTEGER and walk.source.word(test) == "1")
    _, holds, fails = condition(walk, test)
    head = dict(walk.env)
    apply(walk, holds)
    for part in parts[2:]:
        if part.kind_id in n.BLOCK:
            block(walk, part)
    loop = end_loop(walk, placeholders)
    walk.dead = dead
    walk.env = dict(head)
    apply(walk, fails)
    loop_else(walk, node, around)
    ends = loop.breaks if walk.dead != dead or for_ever else [walk.env, *loop.breaks]
    walk.dead = dead
    walk.meet(ends, head, dead)
    return -1


def try_(walk: Walk, node: Node) -> int:
    around = walk.block
    dead = walk.dead
    before = dict(walk.env)
    mark = len(walk.bound)
    ends: list[dict[str, int]] = []
    finals: Node | None = None
    raised: dict[str, int] | None = None
    ended = False
    after = before
    for child in node.children:
        kind = child.kind_id
        if kind in n.BLOCK:
            walk.open_block("try", node.start_byte)
            block(walk, child)
            walk.block = around
            raised = handler_env(walk, before, mark)
            after, ended = walk.env, walk.dead != dead
            if not ended:
                ends.append(after)
            walk.dead = dead
        elif kind == n.ELSE:
            walk.open_block("else", child.start_byte)
            walk.env = dict(after)
            body(walk, child)
            walk.block = around
            if not ended:
                ends[0] = walk.env
                if walk.dead != dead:
                    del ends[0]
            walk.dead = dead
        elif kind == n.FINALLY:
            finals = child
        elif child.is_named and kind != n.COMMENT:
            walk.open_block("except", child.start_byte)
            walk.env = dict(raised if raised is not None else before)
            except_(walk, child)
            walk.block = around
            if walk.dead == dead:
                ends.append(walk.env)
            walk.dead = dead
    everything = handler_env(walk, before, mark) if finals is not None and not ends else before
    walk.meet(ends, everything, dead)
    if finals is not None:
        cut = walk.dead
        walk.dead = dead
        walk.open_block("finally", finals.start_byte)
        body(walk, finals)
        walk.block = around
        walk.dead = walk.dead or cut
    return -1


def handler_env(walk: Walk, before: dict[str, int], mark: int) -> dict[str, int]:
    """What a handler may see: all that was there before, and all that was bound on the way."""
    found = {name: term for name, term in before.items() if name not in walk.dotted}
    changed: dict[str, list[int]] = {}
    for name, term in walk.bound[mark:]:
        changed.setdefault(name, [before[name]] if name in before else []).append(term)
    for name, terms in changed.items():
        if name not in walk.shared:
            found[name] = walk.union(terms)
    return found


def except_(walk: Walk, node: Node) -> None:
    """`except E as e:`, `except (A, B):`, `except* E:`, Python 2's `except E, e:`"""
    alias: Node | None = None
    types: list[Node] = []
    comma = False
    for child in node.children:
        kind = child.kind_id
        if kind in n.BLOCK:
            bind_exception(walk, types, alias)
            block(walk, child)
        elif kind in n.AS_PATTERN:
            parts = [part for part in child.children if part.kind_id not in n.PUNCTUATION]
            types.append(parts[0])
            alias = parts[-1].named_children[0] if parts[-1].named_children else parts[-1]
        elif kind == n.ERROR:
            STATEMENT[kind](walk, child)
        elif child.is_named and kind not in n.PUNCTUATION:
            if comma:
                alias = child
            else:
                types.append(child)
        elif walk.source.text[child.start_byte] == ",":
            comma = True


def bind_exception(walk: Walk, types: list[Node], alias: Node | None) -> None:
    found = [as_type(walk, one) for one in types]
    if alias is not None and found:
        of = found[0] if len(found) == 1 else walk.union(found)
        listed = walk.terms[of]
        if listed[0] == Op.LIST and len(listed) > 3:
            of = walk.union(listed[3:])
        assign(walk, alias, walk.add(Op.TYPED, of, -1))


def with_(walk: Walk, node: Node) -> int:
    around = walk.block
    dead = walk.dead
    waits = 0
    walk.open_block("with", node.start_byte)
    for child in node.children:
        kind = child.kind_id
        if kind == n.ASYNC:
            waits = 1
        elif kind == n.WITH_CLAUSE:
            for item in child.children:
                if item.kind_id == n.WITH_ITEM:
                    with_item(walk, item.children[0], waits)
        elif kind in n.BLOCK:
            block(walk, child)
    walk.block = around
    if walk.dead == RAISED and dead == ALIVE:
        # The manager may have swallowed it.
        walk.dead = ALIVE
    return -1


def with_item(walk: Walk, node: Node, waits: int) -> None:
    if node.kind_id in (n.TUPLE, n.PARENTHESIZED):
        for child in node.named_children:
            with_item(walk, child, waits)
        return
    target: Node | None = None
    if node.kind_id in n.AS_PATTERN:
        parts = [part for part in node.children if part.kind_id not in n.PUNCTUATION]
        target = parts[-1]
        node = parts[0]
    manager = value(walk, node)
    term = walk.add(Op.ENTER, manager, *walk.source.place(node.start_byte), waits)
    if target is not None:
        assign(walk, target, term)


def match_(walk: Walk, node: Node) -> int:
    around = walk.block
    dead = walk.dead
    subjects = [c for c in node.children if c.is_named and c.kind_id not in n.BLOCK and c.kind_id not in n.PUNCTUATION]
    if len(subjects) == 1:
        subject = value(walk, subjects[0])
    else:
        subject = walk.add(Op.LIST, walk.alloc(), walk.source.strings["tuple"], *[value(walk, one) for one in subjects])
    key = walk.source.word(subjects[0]) if len(subjects) == 1 and subjects[0].kind_id == n.IDENTIFIER else ""
    ends: list[dict[str, int]] = []
    before = walk.env
    irrefutable = False
    cases = [case for child in node.children if child.kind_id in n.BLOCK for case in child.children]
    for case in cases:
        if case.kind_id != n.CASE:
            continue
        walk.open_block("case", case.start_byte)
        walk.env = dict(before)
        irrefutable = case_(walk, case, subject, key) or irrefutable
        walk.block = around
        if walk.dead == dead:
            ends.append(walk.env)
        walk.dead = dead
    if not irrefutable:
        ends.append(before)
    walk.meet(ends, before, dead)
    return -1


def case_(walk: Walk, node: Node, subject: int, key: str) -> bool:
    """One case; true where it takes everything."""
    patterns = [child for child in node.children if child.kind_id == n.CASE_PATTERN]
    guard = False
    catches = False
    if len(patterns) == 1:
        narrowed = match_pattern(walk, patterns[0], subject)
        text = walk.source.word(patterns[0])
        catches = text.isidentifier() and text not in ("True", "False", "None")
        if narrowed != subject and key:
            walk.narrowed[narrowed] = walk.narrowed.get(subject, subject)
            walk.env[key] = narrowed
    else:
        for at, one in enumerate(patterns):
            match_pattern(walk, one, walk.add(Op.UNPACK, subject, at, 0))
    for child in node.children:
        if child.kind_id == n.IF_CLAUSE:
            guard = True
            _, holds, _ = condition(walk, child.children[-1])
            apply(walk, holds)
        elif child.kind_id in n.BLOCK:
            block(walk, child)
    return catches and not guard


def unknown_statement(walk: Walk, node: Node) -> int:
    """A statement that lacks its parts: what is in it is still read."""
    for child in node.named_children:
        if child.kind_id in n.BLOCK:
            block(walk, child)
        elif child.kind_id in STATEMENT:
            STATEMENT[child.kind_id](walk, child)
        else:
            value(walk, child)
    return -1


STATEMENTS: dict[int, Callable[[Walk, Node], int]] = {
    n.IF: if_,
    n.FOR: for_,
    n.WHILE: while_,
    n.TRY: try_,
    n.WITH: with_,
    n.MATCH: match_,
}
