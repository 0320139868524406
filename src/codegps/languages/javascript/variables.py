"""`const`, `let`, `var`, `using`: declarators in, symbols for module-level names and bindings out."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from codegps.languages.javascript import classes, flow, functions, objects, patterns, types
from codegps.languages.javascript.body import Path
from codegps.languages.javascript.chains import literal
from codegps.languages.javascript.declare import unquoted
from codegps.languages.javascript.scopes import Variable, VariableKind
from codegps.languages.javascript.type_names import refer
from codegps.model.facts import ImportFact, ImportKind, Op
from codegps.model.kinds import Flag, Kind

if TYPE_CHECKING:
    from tree_sitter import Node

    from codegps.languages.javascript.walker import Walker

_SMALL: Final = 300_000


def declaration(w: Walker, node: Node) -> None:
    """A whole declaration statement."""
    declarators = [each for each in node.named_children if each.kind_id == w.kinds.variable_declarator]
    word = node.child_by_field_id(w.fields["kind"])
    constant = word is not None and word.type == "const"
    span = w.outer_span or (node.start_byte, node.end_byte)
    flags = w.exporting | (Flag.CONST if constant else 0) | (Flag.DECLARATION if w.ambient else 0)
    for each in declarators:
        name = each.child_by_field_id(w.fields["name"])
        if name is None:
            continue
        own = span if len(declarators) == 1 else (each.start_byte, each.end_byte)
        if name.kind_id == w.kinds.identifier:
            _named(w, each, name, own, flags)
        else:
            _pattern(w, each, name, own, flags)


def _named(w: Walker, node: Node, name: Node, span: tuple[int, int], flags: int) -> None:
    text = w.name(name)
    variable = w.find(text)
    if variable is None or variable.body is not w.body:
        variable = w.declare(w.scope, text, VariableKind.LET)
    patterns.local(w, text, name.start_byte)
    annotation = node.child_by_field_id(w.fields["type"])
    value = node.child_by_field_id(w.fields["value"])
    bare = None if value is None else objects.unwrapped(w, value)
    if bare is not None and bare.type in objects.FUNCTIONS:
        symbol = w.symbol(Kind.Function, text, w.body.symbol, *span, flags & ~Flag.CONST)
        flow.guard(w, bare, symbol)
        _define(w, variable, symbol, bare, flags)
        if annotation is not None:
            refer(w, annotation)
            variable.declared = types.term(w, annotation, True)
            functions.contextual(w, symbol, variable.declared)
        return
    if bare is not None and bare.kind_id == w.kinds.class_:
        symbol = w.symbol(Kind.Class, text, w.body.symbol, *span, flags & ~Flag.CONST)
        _define(w, variable, symbol, bare, flags)
        return
    if bare is not None and variable.module and _required(w, variable, bare, text):
        return
    _initialise(w, node, variable, annotation, value, bare, span, flags)


def _define(w: Walker, variable: Variable, symbol: int, node: Node, flags: int) -> None:
    """A function or class that a variable names."""
    if variable.symbol < 0:
        variable.symbol = symbol
    if flags & Flag.CONST:
        variable.fixed = (Op.DEF, symbol)
    if node.kind_id == w.kinds.class_:
        classes.write(w, node, symbol)
    else:
        functions.write(w, node, symbol)
    flow.assign(w, variable, w.leaf_term(Op.DEF, symbol), True)


def _initialise(
    w: Walker,
    node: Node,
    variable: Variable,
    annotation: Node | None,
    value: Node | None,
    bare: Node | None,
    span: tuple[int, int],
    flags: int,
) -> None:
    state = None
    symbol = -1
    if variable.member:
        symbol = variable.symbol
        if symbol < 0:
            symbol = variable.symbol = w.symbol(Kind.Variable, variable.name, w.body.symbol, *span, flags)
        state = w.own(symbol)
    if bare is not None and bare.kind_id in (w.kinds.object, w.kinds.array):
        above, prefix = (symbol, "") if symbol >= 0 else (w.body.symbol, variable.name)
        w.paths[bare.id] = Path(above, prefix, variable)
    declared = -1
    doc = None if w.docs is None else w.docs.at(span[0])
    if annotation is not None:
        refer(w, annotation)
        variable.annotation = annotation
        declared = types.term(w, annotation, False)
        if variable.member:
            variable.declared = types.term(w, annotation, True)
    elif doc is not None:
        declared = doc.type_term(w, head=False)
        if variable.member:
            variable.declared = doc.type_term(w)
    if symbol >= 0:
        w.symbols[symbol].declared = variable.declared
    term = -1 if value is None else w.values[value.kind_id](w, value)
    if declared >= 0:
        term = w.put([Op.TYPED, declared, term])
    if term >= 0:
        flow.assign(w, variable, term, True)
    if state is not None:
        w.disown(state, symbol)


def _pattern(w: Walker, node: Node, pattern: Node, span: tuple[int, int], flags: int) -> None:
    """`const { a, b: [c] } = value`."""
    value = node.child_by_field_id(w.fields["value"])
    annotation = node.child_by_field_id(w.fields["type"])
    made: list[int] = []
    if value is not None and _required_names(w, pattern, value):
        return
    for each in patterns.names(w, pattern):
        variable = w.find(w.name(each))
        if variable is not None and variable.member and variable.symbol < 0:
            variable.symbol = w.symbol(Kind.Variable, variable.name, w.body.symbol, *span, flags)
            made.append(variable.symbol)
    state = w.own(made[0]) if made else None
    term = w.unknown() if value is None else w.values[value.kind_id](w, value)
    if annotation is not None:
        refer(w, annotation)
        term = w.put([Op.TYPED, types.term(w, annotation, False), term])
    patterns.bind(w, pattern, term, True)
    if state is not None:
        w.disown(state, made[0])


# -- require


def _spec(w: Walker, node: Node) -> Node | None:
    """The module of `require("x")`."""
    if node.kind_id != w.kinds.call_expression:
        return None
    function = node.child_by_field_id(w.fields["function"])
    if function is None or function.kind_id != w.kinds.identifier or w.name(function) != "require":
        return None
    variable = w.find("require")
    if variable is not None and not variable.module:
        return None
    return literal(w, node.child_by_field_id(w.fields["arguments"]))


def _once(w: Walker, variable: Variable) -> bool:
    """Whether a variable is bound only where it is declared, as far as the text tells."""
    if variable.kind == VariableKind.CONST:
        return True
    if len(w.text) > _SMALL:
        return False
    pattern = rf"(?<![\w$.]){re.escape(variable.name)}\s*=(?![=>])"
    return sum(1 for _ in re.finditer(pattern, w.text)) == 1


def _required(w: Walker, variable: Variable, node: Node, name: str) -> bool:
    """`const x = require("m")` and `require("m").x` are imports."""
    member = ""
    if node.kind_id == w.kinds.member_expression:
        part = node.child_by_field_id(w.fields["property"])
        inner = node.child_by_field_id(w.fields["object"])
        if part is None or inner is None:
            return False
        member, node = w.name(part), inner
    spec = _spec(w, node)
    if spec is None or not _once(w, variable):
        return False
    w.commonjs = True
    kind = ImportKind.REQUIRE if not member else ImportKind.NAME
    if member == "default":
        kind, member = ImportKind.DEFAULT, ""
    _bind(w, variable, spec, kind, member)
    return True


def _bind(w: Walker, variable: Variable, spec: Node, kind: int, member: str) -> None:
    line, column = w.place(spec.start_byte)
    w.imports.append(ImportFact(kind, unquoted(w, spec), member, line, column))
    variable.fixed = (Op.IMPORT, len(w.imports) - 1)
    flow.assign(w, variable, w.leaf_term(Op.IMPORT, len(w.imports) - 1), True)


def _required_names(w: Walker, pattern: Node, value: Node) -> bool:
    """`const { a, b: c } = require("m")` at the top is an import of names."""
    kinds, fields = w.kinds, w.fields
    if not w.body.members or pattern.kind_id != kinds.object_pattern:
        return False
    spec = _spec(w, value)
    if spec is None:
        return False
    found: list[tuple[Variable, str]] = []
    for each in pattern.named_children:
        if each.kind_id == kinds.comment:
            continue
        key, target = each, each
        if each.kind_id == kinds.pair_pattern:
            key_node, value_node = each.child_by_field_id(fields["key"]), each.child_by_field_id(fields["value"])
            if key_node is None or value_node is None or value_node.kind_id != kinds.identifier:
                return False
            key, target = key_node, value_node
        elif each.kind_id != kinds.shorthand_property_identifier_pattern:
            return False
        variable = w.find(w.name(target))
        if variable is None or not variable.module or not _once_named(w, variable):
            return False
        found.append((variable, types.key_name(w, key)))
    w.commonjs = True
    for variable, name in found:
        _bind(w, variable, spec, ImportKind.NAME, name)
    return True


def _once_named(w: Walker, variable: Variable) -> bool:
    if variable.kind == VariableKind.CONST:
        return True
    if len(w.text) > _SMALL:
        return False
    return re.search(rf"(?<![\w$.]){re.escape(variable.name)}\s*=(?![=>])", w.text) is None
