"""Classes: their symbols, members, bases and decorators, and the unit of a class body."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codegps.languages.javascript import entries, functions, heads, types
from codegps.languages.javascript.declare import hoist
from codegps.languages.javascript.globals import TYPES as GLOBALS
from codegps.languages.javascript.scopes import Scope, VariableKind
from codegps.languages.javascript.type_names import refer
from codegps.model.facts import CallFlag, Effect, Member, Op
from codegps.model.kinds import Flag, Kind

if TYPE_CHECKING:
    from tree_sitter import Node

    from codegps.languages.javascript.walker import Walker

_FUNCTIONS = frozenset({"arrow_function", "function_expression", "generator_function"})


# -- classes


def write(w: Walker, node: Node, symbol: int) -> None:
    """A class: what its base list and decorators do belongs around it, its body is a unit."""
    scope = Scope(w.scope, symbol)
    outer_scope = w.scope
    name = node.child_by_field_id(w.fields["name"])
    if node.kind_id == w.kinds.class_ and name is not None:
        itself = w.declare(scope, w.name(name), VariableKind.DEF)
        itself.fixed = (Op.DEF, symbol)
    w.scope = scope
    state = w.own(symbol)
    functions.type_parameters(w, node, symbol)
    _heritage(w, node, symbol)
    w.disown(state, symbol)
    if w.docs is not None:
        doc = w.docs.at(w.offsets[symbol])
        if doc is not None:
            doc.apply_class(w, symbol)
    w.scope = outer_scope
    body = next((each for each in node.named_children if each.kind_id == w.kinds.class_body), None)
    if body is None:
        return
    saved = w.enter(w.unit(symbol, [Op.THIS, symbol], symbol), scope)
    functions.open_body(w, symbol, body)
    _members(w, body, symbol)
    functions.close_body(w)
    w.leave(saved)


def value(w: Walker, node: Node) -> int:
    """A class expression that nothing names."""
    name = node.child_by_field_id(w.fields["name"])
    if name is None:
        symbol = w.symbol(
            Kind.Class,
            "",
            w.body.symbol,
            node.start_byte,
            node.end_byte,
            Flag.ANONYMOUS,
            drawn=w.drawn(),
        )
    else:
        symbol = w.symbol(Kind.Class, w.name(name), w.body.symbol, node.start_byte, node.end_byte)
    write(w, node, symbol)
    return w.leaf_term(Op.DEF, symbol)


def _heritage(w: Walker, node: Node, symbol: int) -> None:
    kinds = w.kinds
    heritage = next((each for each in node.named_children if each.type == "class_heritage"), None)
    if heritage is None:
        return
    fact = w.symbols[symbol]
    bases: list[int] = []
    places: list[tuple[int, int]] = []
    implements: list[int] = []
    implement_places: list[tuple[int, int]] = []
    for each in heritage.named_children:
        kind = each.kind_id
        if kind == kinds.extends_clause:
            _extends(w, each, bases, places)
        elif kind == kinds.implements_clause:
            for base in each.named_children:
                if base.kind_id == kinds.comment:
                    continue
                implements.append(types.term(w, base, True))
                implement_places.append(w.place(last_name(w, base).start_byte))
                refer(w, *(c for c in base.named_children if c.kind_id == kinds.type_arguments))
        elif kind != kinds.comment:
            _base(w, each, None, bases, places)
    fact.bases = bases
    fact.implements = implements
    fact.base_places = [*places, *implement_places]


def _extends(w: Walker, node: Node, bases: list[int], places: list[tuple[int, int]]) -> None:
    base: Node | None = None
    for each in node.named_children:
        if each.kind_id == w.kinds.type_arguments:
            if base is not None:
                _base(w, base, each, bases, places)
                base = None
        elif each.kind_id != w.kinds.comment:
            if base is not None:
                _base(w, base, None, bases, places)
            base = each
    if base is not None:
        _base(w, base, None, bases, places)


def _base(w: Walker, node: Node, arguments: Node | None, bases: list[int], places: list[tuple[int, int]]) -> None:
    """One base. A mixin call extends what it makes, and what it was given."""
    kinds = w.kinds
    while node.kind_id in (kinds.parenthesized_expression, kinds.as_expression, kinds.non_null_expression):
        node = node.named_children[0]
    if node.kind_id == kinds.identifier:
        term = heads.named(w, w.name(node))
    elif node.kind_id == kinds.member_expression:
        before = len(w.effects)
        term = heads.plain(w, w.values[node.kind_id](w, node))
        del w.effects[before:]
    elif node.kind_id == kinds.call_expression:
        _mixed(w, node, bases, places)
        return
    else:
        term = heads.plain(w, w.values[node.kind_id](w, node))
    if term < 0:
        term = w.head_unknown()
    if arguments is not None:
        refer(w, arguments)
        term = types.applied(w, term, types.arguments_of(w, arguments, True), node, True)
    bases.append(term)
    places.append(w.place(last_name(w, node).start_byte))


def _mixed(w: Walker, node: Node, bases: list[int], places: list[tuple[int, int]]) -> None:
    """`extends Mixin(Base)`: a CALL in the head, then the classes among its arguments."""
    value = w.values[node.kind_id](w, node)
    bases.append(_call(w, value))
    function = node.child_by_field_id(w.fields["function"])
    places.append(w.place(last_name(w, node if function is None else function).start_byte))
    arguments = node.child_by_field_id(w.fields["arguments"])
    for each in [] if arguments is None else arguments.named_children:
        if each.kind_id == w.kinds.call_expression:
            _mixed_argument(w, each, bases, places)
        elif each.kind_id == w.kinds.identifier:
            bases.append(heads.named(w, w.name(each)))
            places.append(w.place(each.start_byte))


def _mixed_argument(w: Walker, node: Node, bases: list[int], places: list[tuple[int, int]]) -> None:
    function = node.child_by_field_id(w.fields["function"])
    if function is not None and function.kind_id == w.kinds.identifier:
        line, column = w.place(function.start_byte)
        bases.append(w.head_put([Op.CALL, heads.named(w, w.name(function)), line, column, -1, 0]))
        places.append((line, column))
    arguments = node.child_by_field_id(w.fields["arguments"])
    for each in [] if arguments is None else arguments.named_children:
        if each.kind_id == w.kinds.call_expression:
            _mixed_argument(w, each, bases, places)
        elif each.kind_id == w.kinds.identifier:
            bases.append(heads.named(w, w.name(each)))
            places.append(w.place(each.start_byte))


def _call(w: Walker, at: int) -> int:
    """The head form of a call in a base list: its callee and plain arguments."""
    term = w.terms[at]
    if term[0] != Op.CALL:
        found = heads.plain(w, at)
        return w.head_unknown() if found < 0 else found
    callee = heads.plain(w, term[1])
    if callee < 0:
        return w.head_unknown()
    row = [Op.CALL, callee, term[2], term[3], -1, 0]
    for at in range(6, len(term), 3):
        given = w.terms[term[at + 2]]
        value = _call(w, term[at + 2]) if given[0] == Op.CALL else heads.plain(w, term[at + 2])
        row += [term[at], -1, w.head_unknown() if value < 0 else value]
    return w.head_put(row)


def last_name(w: Walker, node: Node) -> Node:
    """The token of `c` in `a.b.c<T>`."""
    fields = w.fields
    while True:
        inner = node.child_by_field_id(fields["property"])
        if inner is None:
            inner = node.child_by_field_id(fields["name"])
        if inner is None:
            return node
        node = inner


# -- members


def _members(w: Walker, body: Node, symbol: int) -> None:
    kinds = w.kinds
    methods: dict[tuple[str, int], int] = {}
    bodiless: list[int] = []
    made: list[tuple[Node, int, list[Node]]] = []
    decorators: list[Node] = []
    for each in body.named_children:
        kind = each.kind_id
        if kind == kinds.decorator:
            decorators.append(each)
            continue
        if kind == kinds.method_definition or kind in (kinds.method_signature, kinds.abstract_method_signature):
            member = method(w, each, symbol, methods, decorators)
            if member >= 0 and kind == kinds.method_definition:
                made.append((each, member, decorators))
            elif member >= 0:
                bodiless.append(member)
        elif kind == kinds.public_field_definition or kind == kinds.field_definition:
            made.append((each, _field(w, each, symbol), decorators))
        elif kind == kinds.class_static_block:
            made.append((each, symbol, []))
        elif kind == kinds.comment:
            continue
        decorators = []
    for node, member, before in made:
        kind = node.kind_id
        own = [each for each in node.children if each.kind_id == kinds.decorator]
        if kind == kinds.method_definition:
            decorated(w, [*before, *own], member)
            _parameter_decorators(w, node, member)
            functions.write(w, node, member, symbol)
        elif kind == kinds.class_static_block:
            _static_block(w, node, symbol)
        else:
            decorated(w, [*before, *own], member)
            _initialise(w, node, symbol, member)
    declared(w, bodiless)


def declared(w: Walker, bodiless: list[int]) -> None:
    """Signatures of members that have no body."""
    for member in dict.fromkeys(bodiless):
        if w.symbols[member].flags & Flag.DECLARATION:
            state = w.own(member)
            functions.overloaded(w, member, w.signatures[member])
            w.disown(state, member)


def method(w: Walker, node: Node, owner: int, known: dict[tuple[str, int], int], decorators: list[Node]) -> int:
    key = node.child_by_field_id(w.fields["name"])
    if key is None:
        return -1
    name = types.key_name(w, key)
    flags, accessor = functions.words(w, node)
    if key.kind_id == w.kinds.private_property_identifier:
        flags |= Flag.PRIVATE
    if key.kind_id == w.kinds.computed_property_name:
        for inner in key.named_children:
            w.values[inner.kind_id](w, inner)
    start = decorators[0].start_byte if decorators else node.start_byte
    has_body = node.child_by_field_id(w.fields["body"]) is not None
    static = flags & Flag.STATIC
    if accessor:
        kind = Kind.Property
        if accessor == "set":
            flags |= Flag.SETTER
    elif name == "constructor" and not static:
        kind = Kind.Constructor
    else:
        kind = Kind.Method
        symbol = known.get((name, static))
        if symbol is not None and symbol in w.signatures:
            return _implemented(w, symbol, node, has_body)
    if kind == Kind.Constructor and (name, static) in known:
        symbol = known[name, static]
        if symbol in w.signatures:
            return _implemented(w, symbol, node, has_body)
    if not has_body:
        flags |= Flag.DECLARATION
    drawn = owner if kind == Kind.Constructor else -1
    symbol = w.symbol(kind, name, owner, start, node.end_byte, flags, drawn=drawn)
    fact = w.symbols[symbol]
    fact.accessor = accessor
    if not accessor:
        known[name, static] = symbol
    if not has_body:
        w.signatures[symbol] = [node]
    w.members.append(Member(owner, name, w.head_leaf_term(Op.DEF, symbol), symbol, static=bool(static)))
    return symbol


def _implemented(w: Walker, symbol: int, node: Node, has_body: bool) -> int:
    """One more signature of a method, or the implementation behind its signatures."""
    w.extend_to(symbol, node.end_byte)
    if not has_body:
        w.signatures[symbol].append(node)
    else:
        w.symbols[symbol].flags &= ~Flag.DECLARATION
    return symbol


def _field(w: Walker, node: Node, owner: int) -> int:
    fields = w.fields
    key = node.child_by_field_id(fields["name"]) or node.child_by_field_id(fields["property"])
    name = "" if key is None else types.key_name(w, key)
    flags, _ = functions.words(w, node)
    if key is not None and key.kind_id == w.kinds.private_property_identifier:
        flags |= Flag.PRIVATE
    if w.ambient:
        flags |= Flag.DECLARATION
    value = node.child_by_field_id(fields["value"])
    annotation = node.child_by_field_id(fields["type"])
    declared = types.term(w, annotation, True)
    if annotation is not None:
        refer(w, annotation)
    if declared < 0 and w.docs is not None:
        doc = w.docs.at(node.start_byte)
        if doc is not None:
            declared = doc.type_term(w)
    static = bool(flags & Flag.STATIC)
    if value is not None and value.type in _FUNCTIONS:
        symbol = w.symbol(Kind.Method, name, owner, node.start_byte, node.end_byte, flags)
        term = w.head_leaf_term(Op.DEF, symbol)
    else:
        symbol = w.symbol(Kind.Property, name, owner, node.start_byte, node.end_byte, flags)
        term = -1
    w.symbols[symbol].declared = declared
    if declared < 0 and value is not None and w.source.grammar != "javascript":
        declared = _constructed(w, value)
    w.members.append(Member(owner, name, term, symbol, declared, instance=not static, static=static))
    return symbol


def _constructed(w: Walker, value: Node) -> int:
    """In TypeScript `x = new C()` declares a field of that type; -1 for other values."""
    if value.kind_id != w.kinds.new_expression:
        return -1
    constructor = value.child_by_field_id(w.fields["constructor"])
    if constructor is None or constructor.kind_id != w.kinds.identifier:
        return -1
    name = w.name(constructor)
    generic = value.child_by_field_id(w.fields["type_arguments"])
    if generic is None:
        return -1 if name in GLOBALS and w.find(name) is None else types.named(w, name, True)
    return types.applied(w, types.named(w, name, True), types.arguments_of(w, generic, True), value, True)


def _initialise(w: Walker, node: Node, owner: int, member: int) -> None:
    """What a field starts with: instance fields are stores on `this`, static ones names of the class."""
    value = node.child_by_field_id(w.fields["value"])
    if value is None:
        return
    fact = w.symbols[member]
    static = bool(fact.flags & Flag.STATIC)
    body = w.body
    outer = body.this
    if static:
        body.this = [Op.DEF, owner]
        w.leaf.pop(-2, None)
    if fact.kind == Kind.Method:
        this = body.this if value.kind_id == w.kinds.arrow_function else None
        functions.write(w, value, member, owner, this)
        functions.contextual(w, member, fact.declared)
    else:
        term = w.values[value.kind_id](w, value)
        name = w.strings[fact.name]
        if static:
            w.effects.append([Effect.BIND, owner, name, term])
        else:
            line, column = w.place(node.start_byte)
            w.effects.append([Effect.STORE, w.leaf_term(Op.THIS, owner), name, term, line, column])
    if static:
        body.this = outer
        w.leaf.pop(-2, None)


def _static_block(w: Walker, node: Node, owner: int) -> None:
    """`static { … }`: `this` is the class itself."""
    block = node.child_by_field_id(w.fields["body"])
    if block is None:
        return
    body = w.body
    outer_this, outer_scope = body.this, w.scope
    body.this = [Op.DEF, owner]
    w.leaf.pop(-2, None)
    w.scope = Scope(outer_scope, owner)
    hoist(w, block.named_children, w.scope)
    w.run(block.named_children)
    w.scope = outer_scope
    body.this = outer_this
    w.leaf.pop(-2, None)
    w.dead = False


# -- decorators


def decorated(w: Walker, decorators: list[Node], symbol: int) -> None:
    """The calls that decorators are, and the value that stands for the decorated definition."""
    if not decorators:
        return
    state = w.own(symbol)
    heads_of: list[int] = []
    terms: list[tuple[int, int, int]] = []
    for each in decorators:
        inner = next((c for c in each.named_children if c.kind_id != w.kinds.comment), None)
        if inner is None:
            continue
        place = inner
        if inner.kind_id == w.kinds.call_expression:
            place = inner.child_by_field_id(w.fields["function"]) or inner
        before = len(w.effects)
        term = w.values[inner.kind_id](w, inner)
        if place is inner and len(w.effects) > before and w.effects[-1][0] == Effect.REFER:
            # The decorator is called here: that names it too.
            w.effects.pop()
        line, column = w.place(last_name(w, place).start_byte)
        terms.append((term, line, column))
        row = w.terms[term]
        plain = heads.plain(w, row[1] if row[0] == Op.CALL else term)
        heads_of.append(w.head_unknown() if plain < 0 else plain)
        path = entries.text_of(w, row[8]) if row[0] == Op.CALL and len(row) > 8 else ""
        w.decorations.setdefault(symbol, []).append((w.name(last_name(w, place)), path or ""))
    given = w.leaf_term(Op.DEF, symbol)
    for term, line, column in reversed(terms):
        given = w.put([Op.CALL, term, line, column, -1, CallFlag.DECORATOR, 0, -1, given])
    if terms:
        w.effects.append([Effect.DECORATED, symbol, given])
        w.symbols[symbol].decorators = heads_of
    w.disown(state, symbol)


def _parameter_decorators(w: Walker, node: Node, symbol: int) -> None:
    """`handler(@Body() dto)`: evaluated with the class."""
    parameters = node.child_by_field_id(w.fields["parameters"])
    if parameters is None:
        return
    for parameter in parameters.named_children:
        for each in parameter.children:
            if each.kind_id != w.kinds.decorator:
                if each.is_named:
                    break
                continue
            state = w.own(symbol)
            for inner in each.named_children:
                w.values[inner.kind_id](w, inner)
            w.disown(state, symbol)
