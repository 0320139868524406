"""Statements: nodes in; effects, bindings and joined flow out."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from codegps.languages.python import nodes as n
from codegps.languages.python import scan
from codegps.languages.python.annotations import annotation, in_text, type_params
from codegps.languages.python.conditions import apply, as_type, condition
from codegps.languages.python.entries import main_entry
from codegps.languages.python.heads import plain
from codegps.languages.python.patterns import match_pattern
from codegps.languages.python.targets import assign, variable
from codegps.languages.python.walk import (
    ALIVE,
    CLASS,
    FUNCTION,
    LEFT,
    MODULE,
    RAISED,
    STATEMENT,
    VALUE,
    Loop,
    Walk,
    block,
    value,
)
from codegps.model.facts import Effect, Member, Op
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


def assignment(walk: Walk, node: Node) -> None:
    """`a = b = value`, `a: T = value`, `a: T`"""
    source = walk.source
    targets: list[Node] = []
    typed: Node | None = None
    right: Node = node
    while right.kind_id == n.ASSIGNMENT:
        parts = right.children
        targets.append(parts[0])
        found = next((part for part in parts if part.kind_id == n.TYPE), None)
        typed = found or typed
        last = parts[-1]
        if found is not None and last is found:
            declare(walk, targets[0], found, node)
            return
        right = last
    if right.kind_id == n.AUGMENTED:
        augmented(walk, right)
        return
    symbol = -1
    if walk.kind == MODULE:
        symbol = next((variable(walk, name, node) for name in simple_names(walk, targets[0])), -1)
    first = len(walk.terms)
    owner, walk.owner = walk.owner, symbol
    of = annotation(walk, typed) if typed is not None else comment_type(walk, node)
    if symbol >= 0 and source.symbols[symbol].name == "urlpatterns":
        walk.routes = symbol
    term = value(walk, right)
    walk.routes = -1
    if of >= 0:
        term = declared(walk, targets[0], of, term, node)
    walk.owner = owner
    if symbol >= 0:
        walk.owned(first, symbol)
    if walk.kind != FUNCTION and targets[0].kind_id == n.IDENTIFIER:
        named(walk, source.word(targets[0]), right, term, node)
    for target in targets:
        assign(walk, target, term, node, right.start_byte)


def simple_names(walk: Walk, target: Node) -> list[str]:
    """The first name that a target binds, if any."""
    while target.kind_id != n.IDENTIFIER:
        inner = target.named_children
        if not inner or target.kind_id in (n.ATTRIBUTE, n.SUBSCRIPT):
            return []
        target = inner[0]
    return [walk.source.word(target)]


def named(walk: Walk, name: str, right: Node, term: int, node: Node) -> None:
    """What else a module- or class-level name may be: `__all__`, a type alias."""
    source = walk.source
    found = walk.terms[term]
    if name == "__all__" and walk.kind == MODULE:
        source.all_names = literal_names(walk, term)
    elif found[0] in (Op.ITEM, Op.OPER):
        symbol = variable(walk, name, node)
        if symbol >= 0:
            source.symbols[symbol].alias = plain(walk, term, True)
    elif found[0] == Op.CALL and right.kind_id == n.CALL:
        callee = source.word(right.children[0]).rpartition(".")[2]
        if callee == "NewType" and len(found) == 12:
            symbol = variable(walk, name, node)
            if symbol >= 0:
                source.symbols[symbol].kind = Kind.TypeAlias
                source.symbols[symbol].alias = plain(walk, found[11], True)


def literal_names(walk: Walk, term: int) -> list[str] | None:
    """The strings of a literal list or tuple, else None."""
    found = walk.terms[term]
    listed = walk.source.strings.listed
    if found[0] != Op.LIST:
        return None
    out: list[str] = []
    for element in found[3:]:
        one = walk.terms[element]
        if one[0] != Op.CONST or listed[one[1]] != "str" or one[2] < 0:
            return None
        out.append(listed[one[2]])
    return out


def comment_type(walk: Walk, node: Node) -> int:
    """`x = [] # type: List[int]`"""
    source = walk.source
    if source.type_comments:
        found = source.type_comments.get(source.line(node.end_byte))
        if found is not None and found[0] > node.end_byte and not found[1].startswith("ignore"):
            return in_text(walk, found[0], found[0] + len(found[1]))
    return -1


def declared(walk: Walk, target: Node, of: int, term: int, node: Node) -> int:
    """The value of an annotated variable; members and aliases are noted."""
    source = walk.source
    if target.kind_id == n.ATTRIBUTE:
        field(walk, target, of)
        return walk.add(Op.TYPED, of, term)
    if target.kind_id != n.IDENTIFIER:
        return term
    name = source.word(target)
    word = type_word(walk, of)
    if walk.kind == FUNCTION and walk.declared.get(name) != 0:
        return term if word == "Final" else walk.add(Op.TYPED, of, term)
    symbol = variable(walk, name, node)
    fact = source.symbols[symbol] if symbol >= 0 else None
    if word == "TypeAlias":
        if fact is not None:
            fact.kind = Kind.TypeAlias
            quoted = walk.terms[term]
            fact.alias = plain(walk, term, True) if quoted[0] != Op.CONST else -1
        return term
    if word == "ClassVar":
        walk.class_vars.add(name)
    if word == "Final" and fact is not None:
        fact.kind = Kind.Constant
    if walk.terms[of][0] in (Op.NAME, Op.IMPORT, Op.ATTR) and word == "Final":
        return term
    walk.types[name] = of
    if fact is not None:
        fact.declared = plain(walk, of, True)
    return walk.add(Op.TYPED, of, term)


def type_word(walk: Walk, of: int) -> str:
    """`Final`, `ClassVar`, `TypeAlias`: the last name of a type, without what stands in its brackets."""
    found = walk.terms[of]
    if found[0] == Op.ITEM:
        found = walk.terms[found[1]]
    if found[0] == Op.NAME:
        return walk.source.strings.listed[found[1]]
    if found[0] == Op.ATTR:
        return walk.source.strings.listed[found[2]]
    return walk.source.imports[found[1]].name if found[0] == Op.IMPORT else ""


def declare(walk: Walk, target: Node, typed: Node, node: Node) -> None:
    """`x: T` without a value."""
    of = annotation(walk, typed)
    if target.kind_id == n.ATTRIBUTE:
        value(walk, target.children[0])
        field(walk, target, of)
    elif target.kind_id == n.IDENTIFIER:
        name = walk.source.word(target)
        if walk.kind == FUNCTION and walk.declared.get(name) != 0:
            walk.bind(name, walk.add(Op.TYPED, of, -1), target.start_byte)
            return
        symbol = variable(walk, name, node)
        walk.types[name] = of
        if type_word(walk, of) == "ClassVar":
            walk.class_vars.add(name)
        if symbol >= 0:
            fact = walk.source.symbols[symbol]
            fact.declared = plain(walk, of, True)
            if type_word(walk, of) == "Final":
                fact.kind = Kind.Constant
    else:
        VALUE[target.kind_id](walk, target)


def field(walk: Walk, target: Node, of: int) -> None:
    """`self.x: T`: a field of the class that declares the method."""
    base = target.children[0]
    around = walk.outer
    if around is None or around.kind != CLASS or base.kind_id != n.IDENTIFIER or not walk.params:
        return
    source = walk.source
    if source.word(base) == source.symbols[walk.symbol].params[0].name:
        name = source.word(target.children[-1])
        source.members.append(Member(around.symbol, name, -1, -1, plain(walk, of, True), True))


def augmented(walk: Walk, node: Node) -> None:
    """`x += value`: reads, calls the special method, writes."""
    source = walk.source
    parts = [part for part in node.children if part.kind_id not in n.PUNCTUATION]
    target, operator, right = parts[0], parts[1], parts[-1]
    if target.kind_id == n.IDENTIFIER:
        left = walk.use(source.word(target), target.start_byte)
    else:
        left = value(walk, target)
    name = source.word(target)
    if name == "urlpatterns" and walk.kind == MODULE:
        walk.routes = variable(walk, name, node)
    term = value(walk, right)
    walk.routes = -1
    if name == "__all__" and walk.kind == MODULE and source.all_names is not None:
        more = literal_names(walk, term)
        source.all_names = source.all_names + more if more is not None else None
    method = source.strings[n.METHODS.get(operator.kind_id, "__iadd__")]
    plain_left = walk.terms[left]
    if plain_left[0] != Op.CONST or walk.terms[term][0] != Op.CONST:
        left = walk.add(Op.OPER, method, left, term, *source.place(operator.start_byte))
    assign(walk, target, left, node)


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
        term = value(walk, child)
        if at == 0 and walk.terms[term][0] != Op.CALL:
            offset = child.children[-1].start_byte if child.kind_id == n.ATTRIBUTE else child.start_byte
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


# Branches


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
    found = dict(before)
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
    n.IF: if_,
    n.FOR: for_,
    n.WHILE: while_,
    n.TRY: try_,
    n.WITH: with_,
    n.MATCH: match_,
    n.PASS: nothing,
    n.COMMENT: nothing,
    **dict.fromkeys(n.PUNCTUATION, nothing),
}
