"""Functions: a node in, its symbol's signature and its own unit out."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from codegps.languages.javascript import flow, patterns, types
from codegps.languages.javascript.declare import hoist
from codegps.languages.javascript.scopes import Scope, Variable, VariableKind
from codegps.languages.javascript.type_names import refer
from codegps.model.facts import Effect, Member, Op, ParamFact, ParamKind
from codegps.model.graph import Block
from codegps.model.kinds import EdgeKind, Flag, Kind

if TYPE_CHECKING:
    from tree_sitter import Node

    from codegps.languages.javascript.walker import Walker


class Words(NamedTuple):
    """The words before a function's or a member's name."""

    flags: int = 0
    accessor: str = ""
    generator: bool = False


_WORDS = {
    "async": Flag.ASYNC,
    "static": Flag.STATIC,
    "abstract": Flag.ABSTRACT,
    "*": Flag.GENERATOR,
    "static get": Flag.STATIC,
}


def words(w: Walker, node: Node) -> tuple[int, str]:
    """Flags and accessor that the words before the name say."""
    flags = 0
    accessor = ""
    for each in node.children:
        if each.is_named:
            kind = each.type
            if kind == "accessibility_modifier":
                if w.text.startswith("private", each.start_byte):
                    flags |= Flag.PRIVATE
            elif kind not in ("override_modifier", "decorator", "comment"):
                break
            continue
        word = each.type
        if word in _WORDS:
            flags |= _WORDS[word]
        if word.endswith(("get", "set")):
            accessor = word[-3:]
    return flags, accessor


def value(w: Walker, node: Node) -> int:
    """An arrow or function expression that nothing names."""
    name = node.child_by_field_id(w.fields["name"])
    if name is None:
        symbol = w.anonymous(node)
    else:
        text = w.name(name)
        symbol = w.symbol(Kind.Function, text, w.body.symbol, node.start_byte, node.end_byte)
        line, column = w.place(name.start_byte)
        w.effects.append([Effect.REFER, w.leaf_term(Op.DEF, symbol), EdgeKind.REFERENCES, line, column])
    write(w, node, symbol)
    return w.leaf_term(Op.DEF, symbol)


def called(w: Walker, node: Node) -> int:
    """A function that is called where it is written."""
    name = node.child_by_field_id(w.fields["name"])
    if name is None:
        symbol = w.anonymous(node)
    else:
        symbol = w.symbol(Kind.Function, w.name(name), w.body.symbol, node.start_byte, node.end_byte)
    write(w, node, symbol)
    return w.leaf_term(Op.DEF, symbol)


def write(
    w: Walker,
    node: Node,
    symbol: int,
    class_symbol: int = -2,
    this: list[int] | None = None,
    home: Variable | None = None,
    kin: int = -1,
) -> None:
    """Writes the unit of a function: its parameters and its body. `class_symbol` is the class of a method."""
    around = w.body
    kind = node.kind_id
    arrow = kind == w.kinds.arrow_function
    if class_symbol == -2:
        class_symbol = around.class_symbol if arrow else -1
    if this is None:
        this = around.this if arrow else [Op.THIS, symbol]
    body = w.unit(symbol, this, class_symbol)
    body.arrow = arrow
    body.this_type = around.this_type if arrow else None
    body.home = around.home if arrow else home
    body.kin = around.kin if arrow else kin
    fact = w.symbols[symbol]
    if kind != w.kinds.method_definition:
        flags = 0
        for each in node.children:
            if each.is_named:
                break
            word = each.type
            if word == "async":
                flags |= Flag.ASYNC
            elif word == "*":
                flags |= Flag.GENERATOR
        fact.flags |= flags
    body.asynchronous = bool(fact.flags & Flag.ASYNC)
    body.generator = bool(fact.flags & Flag.GENERATOR)
    body.static = bool(fact.flags & Flag.STATIC)
    scope = Scope(w.scope, symbol)
    inner = node.child_by_field_id(w.fields["body"])
    doc = None if w.docs is None else w.docs.at(w.offsets[symbol])
    saved = w.enter(body, scope)
    open_body(w, symbol, node if inner is None else inner)
    if kind in (w.kinds.function_expression, w.kinds.generator_function):
        name = node.child_by_field_id(w.fields["name"])
        if name is not None:
            itself = w.declare(scope, w.name(name), VariableKind.DEF)
            itself.fixed = (Op.DEF, symbol)
    signature(w, node, symbol)
    if doc is not None:
        doc.apply(w, symbol)
    if inner is not None:
        if inner.kind_id == w.kinds.statement_block:
            statements = inner.named_children
            hoist(w, statements, scope)
            w.run(statements)
        else:
            returned(w, w.values[inner.kind_id](w, inner))
    close_body(w)
    w.leave(saved)


def open_body(w: Walker, symbol: int, node: Node) -> None:
    """The sites' side of a body."""
    w.body_owners.append(symbol)
    w.block = len(w.blocks)
    w.blocks.append(Block(symbol, -1, "body", w.place(node.start_byte)[0]))


def close_body(w: Walker) -> None:
    flow.finish(w)
    body = w.body
    if body.returns_this == 1 and w.symbols[body.symbol].returns < 0:
        w.symbols[body.symbol].returns = w.head_put([Op.THISTYPE])
    if body.returns_class >= 0 and w.symbols[body.symbol].returns < 0:
        made = w.head_leaf_term(Op.DEF, body.returns_class)
        w.symbols[body.symbol].returns = w.head_put([Op.TYPEOF, made])


def returned(w: Walker, term: int) -> None:
    """`return value`."""
    body = w.body
    row = w.terms[term]
    op = row[0]
    if op == Op.DEF and w.symbols[row[1]].kind == Kind.Class and w.symbols[row[1]].parent == body.symbol:
        body.returns_class = row[1] if body.returns_class in (-1, row[1]) else -2
    else:
        body.returns_class = -2
    plain = not (body.arrow or body.asynchronous or body.generator or body.static)
    fluent = op == Op.THIS and plain and body.class_symbol >= 0 and body.returns_this >= 0
    body.returns_this = 1 if fluent else -1
    if op == Op.PARAM and row[1] == body.symbol and not (body.asynchronous or body.generator):
        fact = w.symbols[body.symbol]
        if row[2] not in fact.returned_params:
            fact.returned_params = [*fact.returned_params, row[2]]
        return
    w.effects.append([Effect.RETURN, term])


# -- signatures


def signature(w: Walker, node: Node, symbol: int) -> None:
    """Parameters, type parameters and the declared result; the parameters become variables of the scope."""
    fields, kinds = w.fields, w.kinds
    fact = w.symbols[symbol]
    type_parameters(w, node, symbol)
    single = node.child_by_field_id(fields["parameter"])
    if single is not None:
        fact.params = [ParamFact(w.name(single), ParamKind.NORMAL)]
        variable = w.declare(w.scope, w.name(single), VariableKind.PARAM)
        _receive(w, variable.name, 0, symbol)
        w.body.count = 1
        return
    parameters = node.child_by_field_id(fields["parameters"])
    if parameters is not None:
        _parameters(w, parameters, symbol)
    returns = node.child_by_field_id(fields["return_type"])
    if returns is not None:
        fact.returns = types.term(w, returns, True)
        refer(w, returns)
    overloads = w.signatures.get(symbol)
    if overloads:
        overloaded(w, symbol, overloads)
    if kinds.type_identifier < 0:
        return


def type_parameters(w: Walker, node: Node, symbol: int) -> None:
    declared = node.child_by_field_id(w.fields["type_parameters"])
    if declared is None:
        return
    fields = w.fields
    found: list[str] = []
    constraints: list[Node | None] = []
    for each in declared.named_children:
        name = each.child_by_field_id(fields["name"])
        if name is None:
            continue
        text = w.name(name)
        found.append(text)
        w.scope.types[text] = (Op.TYPEPARAM, symbol)
        constraints.append(each.child_by_field_id(fields["constraint"]))
    fact = w.symbols[symbol]
    fact.type_params = found
    bounds = [types.term(w, each, True) for each in constraints]
    fact.type_bounds = bounds if any(bound >= 0 for bound in bounds) else []
    refer(w, declared)


def _parameters(w: Walker, parameters: Node, symbol: int) -> None:
    fields, kinds = w.fields, w.kinds
    facts: list[ParamFact] = []
    later: list[tuple[Node, int]] = []
    defaults: list[tuple[Node, int]] = []
    for each in parameters.named_children:
        kind = each.kind_id
        if kind == kinds.comment or kind == kinds.decorator:
            continue
        annotation = default = None
        pattern: Node | None = each
        if kind in (kinds.required_parameter, kinds.optional_parameter):
            pattern = each.child_by_field_id(fields["pattern"])
            annotation = each.child_by_field_id(fields["type"])
            default = each.child_by_field_id(fields["value"])
        elif kind == kinds.assignment_pattern:
            pattern = each.child_by_field_id(fields["left"])
            default = each.child_by_field_id(fields["right"])
        if pattern is None:
            continue
        if annotation is not None:
            refer(w, annotation)
        if pattern.kind_id == kinds.this:
            w.body.this_type = annotation
            continue
        star = ParamKind.NORMAL
        if pattern.kind_id == kinds.rest_pattern:
            star = ParamKind.STAR
            inner = next(iter(pattern.named_children), None)
            if inner is None:
                continue
            pattern = inner
        index = len(facts)
        declared = types.term(w, annotation, True)
        if pattern.kind_id == kinds.identifier:
            name = w.name(pattern)
            w.declare(w.scope, name, VariableKind.PARAM)
            _receive(w, name, index, symbol)
        else:
            name = ""
            patterns.declare(w, w.scope, pattern, VariableKind.PARAM)
            later.append((pattern, index))
        if default is not None:
            defaults.append((default, index))
        facts.append(ParamFact(name, star, declared, default is not None))
        _field(w, each, pattern, symbol, index, declared)
    w.symbols[symbol].params = facts
    w.body.count = len(facts)
    for default, index in defaults:
        term = w.values[default.kind_id](w, default)
        w.effects.append([Effect.DEFAULT, symbol, index, term])
    for pattern, index in later:
        patterns.bind(w, pattern, w.put([Op.PARAM, symbol, index]), True)


def contextual(w: Walker, symbol: int, declared: int) -> None:
    """A function gets what the declared type of its variable or field says of parameters and result."""
    fact = w.symbols[symbol]
    fact.declared = declared
    row = w.head[declared] if declared >= 0 else [Op.UNKNOWN]
    if row[0] != Op.FUNCTYPE:
        return
    if fact.returns < 0:
        fact.returns = row[1]
    for param, given in zip(fact.params, row[2:], strict=False):
        if param.type < 0:
            param.type = given


def _receive(w: Walker, name: str, index: int, symbol: int) -> None:
    variable = w.scope.names[name]
    variable.value = w.put([Op.PARAM, symbol, index])
    variable.assigned = [variable.value]


def _field(w: Walker, node: Node, pattern: Node, symbol: int, index: int, declared: int) -> None:
    """`constructor(private x: Foo)` declares and fills a field."""
    if node.kind_id not in (w.kinds.required_parameter, w.kinds.optional_parameter):
        return
    first = node.children[0]
    flags = 0
    for each in node.children:
        if each.type == "decorator":
            continue
        first = each
        break
    if first.type == "accessibility_modifier":
        if w.text.startswith("private", first.start_byte):
            flags = Flag.PRIVATE
    elif first.type not in ("readonly", "override_modifier"):
        return
    owner = w.body.class_symbol
    if owner < 0 or pattern.kind_id != w.kinds.identifier or w.symbols[symbol].kind != Kind.Constructor:
        return
    name = w.name(pattern)
    made = w.symbol(Kind.Property, name, owner, node.start_byte, node.end_byte, flags)
    w.symbols[made].declared = declared
    w.members.append(Member(owner, name, -1, made, declared, instance=True))
    line, column = w.place(pattern.start_byte)
    w.effects.append([Effect.STORE, w.this_term(), w.strings[name], w.scope.names[name].value, line, column])


def overloaded(w: Walker, symbol: int, signatures: list[Node]) -> None:
    """Callers see the overloads, not the implementation."""
    fact = w.symbols[symbol]
    returns: list[int] = []
    kept: list[ParamFact] = fact.params
    for node in signatures:
        params, result = declared_signature(w, node, symbol)
        if result >= 0:
            returns.append(result)
        if len(params) > len(kept) or not kept:
            kept = [*kept, *params[len(kept) :]]
    if returns:
        different = list(dict.fromkeys(returns))
        fact.returns = different[0] if len(different) == 1 else w.head_put([Op.UNION, *different])
    fact.params = kept


def declared_signature(w: Walker, node: Node, symbol: int) -> tuple[list[ParamFact], int]:
    """Parameters and result of a signature without a body."""
    fields, kinds = w.fields, w.kinds
    outer = w.scope
    w.scope = Scope(outer)
    type_parameters(w, node, symbol)
    facts: list[ParamFact] = []
    parameters = node.child_by_field_id(fields["parameters"])
    for each in [] if parameters is None else parameters.named_children:
        if each.kind_id not in (kinds.required_parameter, kinds.optional_parameter):
            continue
        pattern = each.child_by_field_id(fields["pattern"])
        annotation = each.child_by_field_id(fields["type"])
        if annotation is not None:
            refer(w, annotation)
        if pattern is None or pattern.kind_id == kinds.this:
            continue
        star = ParamKind.NORMAL
        if pattern.kind_id == kinds.rest_pattern:
            star = ParamKind.STAR
            pattern = next(iter(pattern.named_children), pattern)
        name = w.name(pattern) if pattern.kind_id == kinds.identifier else ""
        facts.append(ParamFact(name, star, types.term(w, annotation, True)))
    returns = node.child_by_field_id(fields["return_type"]) or node.child_by_field_id(fields["type"])
    if returns is not None:
        refer(w, returns)
    result = types.term(w, returns, True)
    w.scope = outer
    return facts, result
