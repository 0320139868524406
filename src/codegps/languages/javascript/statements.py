"""Statements: blocks, declarations, branches and loops walked in order, their flow settled on the way."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from codegps.languages.javascript import (
    classes,
    declare,
    flow,
    functions,
    interfaces,
    modules_syntax,
    patterns,
    variables,
)
from codegps.languages.javascript.scopes import Scope, VariableKind
from codegps.model.facts import Effect, Op
from codegps.model.graph import Block
from codegps.model.kinds import Flag

if TYPE_CHECKING:
    from tree_sitter import Node

    from codegps.languages.javascript.walker import Do, Walker


def opened(w: Walker, node: Node, kind: str) -> int:
    """A new block of the sites; hands back the one around."""
    outer = w.block
    w.block = len(w.blocks)
    w.blocks.append(Block(w.body.symbol, outer, kind, w.place(node.start_byte)[0]))
    return outer


def block(w: Walker, node: Node, kind: str = "block") -> None:
    """`{ … }`, or a single statement in its place."""
    outer_block = opened(w, node, kind)
    inside(w, node)
    w.block = outer_block


def inside(w: Walker, node: Node) -> None:
    """What stands in a block."""
    if node.kind_id == w.kinds.statement_block:
        children = node.named_children
        scope = declare.block_scope(w, children)
        if scope is None:
            w.run(children)
        else:
            outer = w.scope
            w.scope = scope
            w.run(children)
            w.scope = outer
    else:
        w.does[node.kind_id](w, node)


def _block(w: Walker, node: Node) -> None:
    block(w, node)


def expression(w: Walker, node: Node) -> None:
    for each in node.named_children:
        kind = each.kind_id
        if kind == w.kinds.internal_module or kind == w.kinds.module:
            modules_syntax.namespace(w, each)
        else:
            w.values[kind](w, each)
            if w.guards and kind == w.kinds.call_expression:
                flow.know(w, flow.guarded(w, each, True))


def _loose(w: Walker, node: Node) -> None:
    """A statement without a room: its parts are statements where they can be, else values."""
    for each in node.named_children:
        either(w, each)


def either(w: Walker, node: Node) -> None:
    if node.type in DOES:
        w.does[node.kind_id](w, node)
    else:
        w.values[node.kind_id](w, node)


def _error(w: Walker, node: Node) -> None:
    """What the parser could not read: its pieces are walked as far as they make sense."""
    w.complain(node.start_byte, "syntax error")
    children = node.named_children
    declare.hoist(w, children, w.scope)
    for each in children:
        either(w, each)
    w.dead = False


def nothing(w: Walker, node: Node) -> None:
    return


# -- branches


def if_(w: Walker, node: Node) -> None:
    """`if … else if … else`, along the chain of alternatives."""
    fields, kinds = w.fields, w.kinds
    ends: list[flow.Delta] = []
    open_branches = 0
    word = "if"
    while True:
        test = node.child_by_field_id(fields["condition"])
        then = node.child_by_field_id(fields["consequence"])
        other = node.child_by_field_id(fields["alternative"])
        yes, no = flow.condition(w, test) if test is not None else ((), ())
        flow.fork(w)
        flow.know(w, yes)
        if then is not None:
            block(w, then, word)
            word = "else if"
        delta = flow.close(w)
        # Deltas of the first branches are relative to what stood before their own condition.
        ends.append(delta if not w.dead else _DEAD)
        w.dead = False
        flow.fork(w)
        open_branches += 1
        flow.know(w, no)
        if other is None:
            break
        inner = next((each for each in other.named_children if each.kind_id != kinds.comment), None)
        if inner is not None and inner.kind_id == kinds.if_statement:
            node = inner
            continue
        if inner is not None:
            block(w, inner, "else")
        break
    while open_branches:
        open_branches -= 1
        delta = flow.close(w)
        alive = [] if w.dead else [delta]
        then_end = ends[open_branches]
        if then_end is not _DEAD:
            alive.insert(0, then_end)
        w.dead = not alive
        flow.join(w, alive)


_DEAD: flow.Delta = {}


def switch(w: Walker, node: Node) -> None:
    fields, kinds = w.fields, w.kinds
    value = node.child_by_field_id(fields["value"])
    if value is not None:
        w.values[value.kind_id](w, value)
    body = node.child_by_field_id(fields["body"])
    if body is None:
        return
    cases = [each for each in body.named_children if each.kind_id != kinds.comment]
    within = [inner for case in cases for inner in case.named_children]
    outer, outer_block = w.scope, opened(w, node, "switch")
    scope = declare.block_scope(w, within)
    if scope is not None:
        w.scope = scope
    target = flow.enter_target(w, False, [], switch=True)
    last: flow.Delta | None = None
    default = False
    for case in cases:
        test = case.child_by_field_id(fields["value"]) if case.kind_id == kinds.switch_case else None
        if test is not None:
            w.values[test.kind_id](w, test)
        else:
            default = True
        flow.fork(w)
        if last:
            flow.join(w, [{}, last])
        w.dead = False
        for each in case.named_children:
            if test is None or each.start_byte != test.start_byte:
                w.does[each.kind_id](w, each)
        delta = flow.close(w)
        last = None if w.dead else delta
    w.targets.pop()
    base = flow.close(w)
    ends = [{**base, **each} for each in [*target.breaks, *([] if last is None else [last])]]
    if not default:
        ends.append(base)
    w.dead = not ends
    flow.join(w, ends)
    w.scope, w.block = outer, outer_block


def try_(w: Walker, node: Node) -> None:
    fields = w.fields
    body = node.child_by_field_id(fields["body"])
    handler = node.child_by_field_id(fields["handler"])
    finalizer = node.child_by_field_id(fields["finalizer"])
    flow.fork(w)
    if body is not None:
        block(w, body, "try")
    tried = flow.close(w)
    ends = [] if w.dead else [tried]
    if handler is not None:
        w.dead = False
        flow.fork(w)
        if tried:
            flow.join(w, [{}, tried])
        _catch(w, handler)
        caught = flow.close(w)
        if not w.dead:
            ends.append(caught)
    w.dead = not ends
    flow.join(w, ends or [tried])
    if finalizer is not None:
        dead = w.dead
        w.dead = False
        inner = finalizer.child_by_field_id(fields["body"])
        if inner is not None:
            block(w, inner, "finally")
        w.dead = w.dead or dead


def _catch(w: Walker, node: Node) -> None:
    fields = w.fields
    outer, outer_block = w.scope, opened(w, node, "catch")
    parameter = node.child_by_field_id(fields["parameter"])
    if parameter is not None:
        w.scope = Scope(outer)
        patterns.declare(w, w.scope, parameter, VariableKind.LET)
        patterns.bind(w, parameter, w.unknown(), True)
    body = node.child_by_field_id(fields["body"])
    if body is not None:
        inside(w, body)
    w.scope, w.block = outer, outer_block


# -- loops


def for_(w: Walker, node: Node, labels: list[str] | None = None) -> None:
    fields = w.fields
    outer, outer_block = w.scope, opened(w, node, "for")
    first = node.child_by_field_id(fields["initializer"])
    if first is not None:
        scope = declare.block_scope(w, [first])
        if scope is not None:
            w.scope = scope
        either(w, first)
    target = flow.enter_target(w, True, labels or [])
    test = node.child_by_field_id(fields["condition"])
    facts: flow.Facts = ()
    if test is not None and test.is_named:
        inner = test
        if test.type == "expression_statement":
            inner = next(iter(test.named_children), test)
        if inner.type != "empty_statement":
            facts, _ = flow.condition(w, inner)
    flow.know(w, facts)
    body = node.child_by_field_id(fields["body"])
    if body is not None:
        inside(w, body)
    step = node.child_by_field_id(fields["increment"])
    if step is not None:
        w.dead = False if target.continues else w.dead
        w.values[step.kind_id](w, step)
    flow.leave_loop(w, target)
    w.scope, w.block = outer, outer_block


def for_in(w: Walker, node: Node, labels: list[str] | None = None) -> None:
    """`for (x of xs)`, `for await`, `for (k in o)`."""
    fields = w.fields
    outer = w.scope
    left, right = node.child_by_field_id(fields["left"]), node.child_by_field_id(fields["right"])
    if left is None or right is None:
        return
    operator = node.child_by_field_id(fields["operator"])
    mode = 4 if operator is not None and operator.type == "in" else 0
    if mode == 0 and any(each.type == "await" for each in node.children[:3]):
        mode = 1
    iterated = w.values[right.kind_id](w, right)
    line, column = w.place(right.start_byte)
    word = node.child_by_field_id(fields["kind"])
    outer_block = opened(w, node, "for")
    target = flow.enter_target(w, True, labels or [])
    element = w.put([Op.ELEM, iterated, line, column, mode])
    declaring = word is not None and word.type != "var"
    if declaring and word is not None:
        w.scope = Scope(outer)
        kind = VariableKind.CONST if word.type == "const" else VariableKind.LET
        patterns.declare(w, w.scope, left, kind)
    patterns.bind(w, left, element, declaring or word is not None)
    body = node.child_by_field_id(fields["body"])
    if body is not None:
        inside(w, body)
    flow.leave_loop(w, target)
    w.scope, w.block = outer, outer_block


def while_(w: Walker, node: Node, labels: list[str] | None = None) -> None:
    fields = w.fields
    target = flow.enter_target(w, True, labels or [])
    test = node.child_by_field_id(fields["condition"])
    if test is not None:
        facts, _ = flow.condition(w, test)
        flow.know(w, facts)
    body = node.child_by_field_id(fields["body"])
    if body is not None:
        block(w, body, "while")
    flow.leave_loop(w, target)


def do(w: Walker, node: Node, labels: list[str] | None = None) -> None:
    fields = w.fields
    target = flow.enter_target(w, True, labels or [])
    body = node.child_by_field_id(fields["body"])
    if body is not None:
        block(w, body, "do")
    test = node.child_by_field_id(fields["condition"])
    if test is not None:
        flow.condition(w, test)
    flow.leave_loop(w, target, once=True)


_LOOPS = {
    "for_statement": for_,
    "for_in_statement": for_in,
    "while_statement": while_,
    "do_statement": do,
}


def labeled(w: Walker, node: Node) -> None:
    labels: list[str] = []
    inner: Node | None = node
    while inner is not None and inner.type == "labeled_statement":
        label = inner.child_by_field_id(w.fields["label"])
        if label is not None:
            labels.append(w.name(label))
        inner = inner.child_by_field_id(w.fields["body"])
    if inner is None:
        return
    loop = _LOOPS.get(inner.type)
    if loop is not None:
        loop(w, inner, labels)
        return
    target = flow.enter_target(w, False, labels)
    w.does[inner.kind_id](w, inner)
    w.targets.pop()
    delta = flow.close(w)
    ends = [*target.breaks, *([] if w.dead else [delta])]
    w.dead = not ends
    flow.join(w, ends)


# -- jumps


def break_(w: Walker, node: Node) -> None:
    label = node.child_by_field_id(w.fields["label"])
    flow.jump(w, None if label is None else w.name(label), node.type == "continue_statement")


def return_(w: Walker, node: Node) -> None:
    for each in node.named_children:
        if each.kind_id != w.kinds.comment:
            functions.returned(w, w.values[each.kind_id](w, each))
    w.dead = True


def throw(w: Walker, node: Node) -> None:
    for each in node.named_children:
        if each.kind_id != w.kinds.comment:
            w.effects.append([Effect.THROWN, w.values[each.kind_id](w, each)])
    w.dead = True


# -- declarations


def function(w: Walker, node: Node) -> None:
    """A function declaration: its unit was given a symbol when its block was entered."""
    symbol = w.made.get(node.id)
    if symbol is None:
        declare.hoist(w, [node], w.scope)
        symbol = w.made.get(node.id, -1)
    if symbol >= 0:
        functions.write(w, node, symbol)


def signature(w: Walker, node: Node) -> None:
    """An overload, or a declared function: read with the implementation where there is one."""
    symbol = w.made.get(node.id, -1)
    if symbol < 0:
        return
    signatures = w.signatures.get(symbol, [])
    if w.symbols[symbol].flags & Flag.DECLARATION and signatures and signatures[-1].id == node.id:
        state = w.own(symbol)
        functions.overloaded(w, symbol, signatures)
        w.disown(state, symbol)


def class_(w: Walker, node: Node) -> None:
    symbol = w.made.get(node.id)
    if symbol is None:
        declare.hoist(w, [node], w.scope)
        symbol = w.made.get(node.id, -1)
    if symbol < 0:
        return
    before = [each for each in node.children if each.kind_id == w.kinds.decorator]
    classes.decorated(w, [*w.before, *before], symbol)
    w.before = []
    classes.write(w, node, symbol)


def interface(w: Walker, node: Node) -> None:
    symbol = w.made.get(node.id, -1)
    if symbol >= 0:
        interfaces.interface(w, node, symbol)


def alias(w: Walker, node: Node) -> None:
    symbol = w.made.get(node.id, -1)
    if symbol >= 0:
        interfaces.alias(w, node, symbol)


def enum(w: Walker, node: Node) -> None:
    symbol = w.made.get(node.id, -1)
    if symbol >= 0:
        interfaces.enum(w, node, symbol)


DOES: Mapping[str, Do] = {
    "*": _loose,
    "ERROR": _error,
    "comment": nothing,
    "hash_bang_line": nothing,
    "empty_statement": nothing,
    "debugger_statement": nothing,
    "expression_statement": expression,
    "statement_block": _block,
    "lexical_declaration": variables.declaration,
    "using_declaration": variables.declaration,
    "variable_declaration": variables.declaration,
    "function_declaration": function,
    "generator_function_declaration": function,
    "function_signature": signature,
    "class_declaration": class_,
    "abstract_class_declaration": class_,
    "interface_declaration": interface,
    "type_alias_declaration": alias,
    "enum_declaration": enum,
    "internal_module": modules_syntax.namespace,
    "module": modules_syntax.namespace,
    "import_statement": nothing,
    "import_alias": modules_syntax.alias,
    "export_statement": modules_syntax.export,
    "ambient_declaration": modules_syntax.ambient,
    "if_statement": if_,
    "switch_statement": switch,
    "try_statement": try_,
    "for_statement": for_,
    "for_in_statement": for_in,
    "while_statement": while_,
    "do_statement": do,
    "labeled_statement": labeled,
    "break_statement": break_,
    "continue_statement": break_,
    "return_statement": return_,
    "throw_statement": throw,
}
