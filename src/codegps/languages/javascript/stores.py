"""Assignments: to variables, fields, elements, prototypes and exports, with the names that functions get by them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from codegps.languages.javascript import classes, commonjs, flow, functions, heads, objects, patterns, types
from codegps.languages.javascript.body import Path
from codegps.languages.javascript.scopes import Variable, VariableKind
from codegps.model.facts import Effect, Member, Op, ParamFact, ParamKind
from codegps.model.kinds import Flag, Kind

if TYPE_CHECKING:
    from tree_sitter import Node

    from codegps.languages.javascript.walker import Walker

_DOTTED: Final = re.compile(r"[\w$]+(?:\.#?[\w$]+)*\Z")
_CALLABLE: Final = (Kind.Function, Kind.Method, Kind.Class)


class Where(NamedTuple):
    """What an assignment's left side says of the function that is assigned: how it is named."""

    parent: int
    path: str
    name: str
    kind: Kind = Kind.Function
    flags: int = 0
    scope: int = -1
    """The function or class whose member it becomes, -1 for none."""
    static: bool = False
    home: Variable | None = None
    """The variable with the object that it is put into."""


def assignment(w: Walker, node: Node) -> int:
    """`left = right`."""
    fields, kinds = w.fields, w.kinds
    left, right = node.child_by_field_id(fields["left"]), node.child_by_field_id(fields["right"])
    if left is None or right is None:
        return w.unknown()
    while left.kind_id in (kinds.parenthesized_expression, kinds.non_null_expression):
        inner = next((each for each in left.named_children if each.kind_id != kinds.comment), None)
        if inner is None:
            break
        left = inner
    kind = left.kind_id
    if kind == kinds.identifier:
        name = w.name(left)
        variable = w.find(name)
        if variable is not None or name != "exports" or w.modular:
            parent = w.body.symbol
            where = Where(parent, name, name)
            if variable is not None and variable.member and variable.symbol >= 0:
                where = Where(variable.symbol, "", name)
            term = assigned(w, right, where, node, variable is None or variable.symbol < 0)
            if variable is None and w.scope.members:
                return commonjs.implicit(w, name, term)
            patterns.bind(w, left, term, False)
            return term
        return w.values[right.kind_id](w, right)
    if kind == kinds.member_expression or kind == kinds.subscript_expression:
        return _member(w, node, left, right)
    term = w.values[right.kind_id](w, right)
    patterns.bind(w, left, term, False)
    return term


def assigned(w: Walker, right: Node, where: Where, node: Node, whole: bool = True) -> int:
    """The value of an assignment; a function or class in it is named by what it is assigned to."""
    bare = objects.unwrapped(w, right)
    kind = bare.kind_id
    if kind == w.kinds.object:
        w.paths[bare.id] = Path(where.parent, where.path)
    elif bare.type in objects.FUNCTIONS or kind == w.kinds.class_:
        start, end = w.span_of(node)
        is_class = kind == w.kinds.class_
        symbol = w.symbol(
            Kind.Class if is_class else where.kind,
            where.name,
            where.parent if where.path else w.symbols[where.parent].parent,
            start,
            end,
            where.flags,
            where.path or where.name,
        )
        if is_class:
            classes.write(w, bare, symbol)
        else:
            functions.write(w, bare, symbol, home=where.home)
        return w.leaf_term(Op.DEF, symbol)
    return w.values[right.kind_id](w, right)


# -- members


def definition(w: Walker, node: Node) -> int:
    """The function or class of this file that an identifier names, -1 for others."""
    if node.kind_id != w.kinds.identifier:
        return -1
    variable = w.find(w.name(node))
    if variable is None:
        return -1
    if variable.fixed is not None:
        return variable.fixed[1] if variable.fixed[0] == Op.DEF else -1
    symbol = variable.symbol
    return symbol if symbol >= 0 and w.symbols[symbol].kind in _CALLABLE else -1


def prototype_of(w: Walker, node: Node) -> int:
    """The function or class whose prototype an expression is: `F.prototype`, `C.prototype`, a variable with one."""
    if node.kind_id == w.kinds.member_expression:
        inner = node.child_by_field_id(w.fields["object"])
        name = node.child_by_field_id(w.fields["property"])
        if inner is not None and name is not None and w.name(name) == "prototype":
            return definition(w, inner)
    elif node.kind_id == w.kinds.identifier:
        variable = w.find(w.name(node))
        if variable is not None and variable.body is w.body and variable.value >= 0:
            return prototype_term(w, variable.value)
    return -1


def prototype_term(w: Walker, term: int) -> int:
    row = w.terms[term]
    if row[0] != Op.ATTR or row[2] != w.strings["prototype"]:
        return -1
    base = w.terms[row[1]]
    return base[1] if base[0] == Op.DEF else -1


def _key(w: Walker, left: Node) -> Node | None:
    """The name (or literal string) of a member that is assigned."""
    if left.kind_id == w.kinds.member_expression:
        return left.child_by_field_id(w.fields["property"])
    index = left.child_by_field_id(w.fields["index"])
    if index is None:
        return None
    return index if index.kind_id == w.kinds.string or types.symbol_key(w, index) is not None else None


def _member(w: Walker, node: Node, left: Node, right: Node) -> int:
    key = _key(w, left)
    inner = left.child_by_field_id(w.fields["object"])
    if key is None or inner is None:
        owner = -1 if inner is None else prototype_of(w, inner)
        if owner >= 0 and right.type in ("function_expression", "generator_function"):
            # `F.prototype[name] = function () {}`: it has no name, but a class.
            symbol = w.anonymous(right)
            functions.write(w, right, symbol, kin=owner)
            term = w.leaf_term(Op.DEF, symbol)
        else:
            term = w.values[right.kind_id](w, right)
        patterns.bind(w, left, term, False)
        return term
    name = types.symbol_key(w, key) or types.key_name(w, key)
    exported = commonjs.export_name(w, inner, name)
    if exported is not None:
        return commonjs.assign(w, node, right, exported)
    where = _where(w, inner, name)
    if name == "prototype":
        return _prototype(w, inner, left, right)
    if name == "__proto__":
        return _proto(w, inner, left, right)
    if w.docs is not None and inner.kind_id == w.kinds.this:
        _documented(w, left, name)
    base = w.values[inner.kind_id](w, inner)
    term = assigned(w, right, where, node)
    _declare(w, inner, where, term)
    line, column = w.place(left.start_byte)
    if key.kind_id != w.kinds.string:
        w.effects.append([Effect.STORE, base, w.strings[name], term, line, column])
    else:
        w.effects.append([Effect.PUT, base, w.constant("string", name), term, line, column])
    return term


def _documented(w: Walker, left: Node, name: str) -> None:
    """`/** @type {T} */ this.x = …` declares a field."""
    doc = None if w.docs is None else w.docs.at(left.start_byte)
    declared = -1 if doc is None or w.body.members else doc.type_term(w)
    if declared >= 0:
        w.members.append(Member(this_owner(w), name, -1, -1, declared, instance=True))


def _declare(w: Walker, inner: Node, where: Where, term: int) -> None:
    """What top-level code stores into a function, class, prototype or object is its member; so is a function that a
    constructor makes for `this`."""
    row = w.terms[term]
    if where.kind == Kind.Method and where.scope < 0 and row[0] == Op.DEF and w.symbols[row[1]].name == where.name:
        fact = w.symbols[row[1]]
        if fact.kind == Kind.Method and w.symbols[w.body.symbol].kind in (Kind.Constructor, Kind.Function):
            w.members.append(Member(fact.parent, where.name, w.head_leaf_term(Op.DEF, row[1]), row[1], instance=True))
        return
    if where.scope >= 0:
        plain = heads.handed(w, term)
        if plain >= 0:
            symbol = row[1] if row[0] == Op.DEF else -1
            w.members.append(Member(where.scope, where.name, plain, symbol, static=where.static))
        return
    if inner.kind_id == w.kinds.identifier and w.body.symbol == 0 and not w.journals:
        variable = w.find(w.name(inner))
        if variable is not None and variable.module:
            w.additions.setdefault(variable, []).append((where.name, term))


def _where(w: Walker, inner: Node, name: str) -> Where:
    symbol = prototype_of(w, inner)
    if symbol >= 0:
        return Where(symbol, name, name, Kind.Method, 0, symbol)
    symbol = definition(w, inner)
    if symbol >= 0:
        return Where(symbol, name, name, Kind.Method, Flag.STATIC, symbol, True)
    body = w.body
    if inner.kind_id == w.kinds.this and not body.members:
        return Where(this_owner(w), name, name, Kind.Method)
    text = w.name(inner)
    if inner.kind_id == w.kinds.identifier:
        variable = w.find(text)
        if variable is not None and variable.member and variable.symbol >= 0:
            return Where(variable.symbol, name, name, home=variable)
    if text.startswith("this.") and _DOTTED.match(text) and not body.members:
        return Where(this_owner(w), f"{text[5:]}.{name}", name)
    return Where(body.symbol, f"{text}.{name}" if len(text) < 100 and _DOTTED.match(text) else name, name)


def this_owner(w: Walker) -> int:
    """The class (or constructing function) whose instances `this` is."""
    body = w.body
    if body.class_symbol >= 0:
        return body.class_symbol
    this = body.this
    symbol = this[1]
    fact = w.symbols[symbol]
    if fact.kind == Kind.Method and fact.parent > 0:
        return fact.parent
    return symbol


# -- prototypes


def _prototype(w: Walker, inner: Node, left: Node, right: Node) -> int:
    """`F.prototype = …`."""
    symbol = definition(w, inner)
    base = w.values[inner.kind_id](w, inner)
    bare = objects.unwrapped(w, right)
    if symbol >= 0 and bare.kind_id == w.kinds.object:
        w.paths[bare.id] = Path(symbol, "")
    term = w.values[right.kind_id](w, right)
    if symbol >= 0:
        extend(w, symbol, term)
    line, column = w.place(left.start_byte)
    w.effects.append([Effect.STORE, base, w.strings["prototype"], term, line, column])
    return term


def _proto(w: Walker, inner: Node, left: Node, right: Node) -> int:
    """`F.prototype.__proto__ = P.prototype`, `F.__proto__ = P`."""
    base = w.values[inner.kind_id](w, inner)
    symbol = prototype_of(w, inner)
    if symbol < 0:
        symbol = definition(w, inner)
    term = w.values[right.kind_id](w, right)
    if symbol >= 0:
        inherit(w, symbol, term)
    line, column = w.place(left.start_byte)
    w.effects.append([Effect.STORE, base, w.strings["__proto__"], term, line, column])
    return term


def extend(w: Walker, symbol: int, term: int) -> None:
    """A prototype gets the members of an object, or inherits what `Object.create` was given."""
    row = w.terms[term]
    strings = w.strings
    if row[0] == Op.DICT:
        members_of(w, symbol, row)
    elif row[0] == Op.CALL and len(row) > 8:
        if row[5] & 1:
            inherit(w, symbol, row[1])
            return
        callee = w.terms[row[1]]
        if callee[0] == Op.ATTR and callee[2] == strings["create"]:
            inherit(w, symbol, row[8])
            if len(row) > 11 and w.terms[row[11]][0] == Op.DICT:
                return
        elif callee[0] == Op.ATTR and callee[2] in (strings["assign"], strings["extend"]):
            for at in range(8, len(row), 3):
                extend(w, symbol, row[at])
    elif row[0] == Op.ATTR:
        inherit(w, symbol, term)


def members_of(w: Walker, symbol: int, row: list[int], static: bool = False) -> None:
    """The entries of an object literal become members."""
    for at in range(3, len(row), 2):
        key = row[at]
        if key < 0 or w.terms[key][0] != Op.CONST or w.terms[key][2] < 0:
            continue
        name = w.spelled(w.terms[key][2])
        plain = heads.handed(w, row[at + 1])
        value = w.terms[row[at + 1]]
        made = value[1] if value[0] == Op.DEF else -1
        if made >= 0 and w.symbols[made].parent == symbol and w.symbols[made].kind == Kind.Function:
            w.symbols[made].kind = Kind.Method
        if plain >= 0:
            w.members.append(Member(symbol, name, plain, made, static=static))


def inherit(w: Walker, symbol: int, term: int) -> None:
    """`symbol` extends what this term is, or is the prototype of."""
    row = w.terms[term]
    base = term
    place: tuple[int, int] | None = None
    if row[0] == Op.ATTR and row[2] == w.strings["prototype"]:
        base = row[1]
        place = row[5], row[6]
        inner = w.terms[base]
        if inner[0] == Op.ATTR:
            place = inner[3], inner[4]
    elif row[0] == Op.ATTR:
        place = row[3], row[4]
    plain = heads.handed(w, base)
    fact = w.symbols[symbol]
    if plain < 0 or plain in fact.bases or w.head[plain] == [Op.DEF, symbol]:
        return
    fact.bases = [*fact.bases, plain]
    fact.base_places = [*fact.base_places, place or (w.line, 1)]


SHAPING: Final = frozenset({"assign", "extend", "inherits", "setPrototypeOf", "defineProperty", "defineProperties"})
"""Calls that may give a class or an object its members."""


def before_call(w: Walker, name: str, arguments: Node) -> None:
    """`Object.assign(F.prototype, { … })`: the functions in it are named by what they are given to."""
    given = [each for each in arguments.named_children if each.kind_id != w.kinds.comment]
    if len(given) < 2:
        return
    symbol = prototype_of(w, given[0])
    if symbol < 0:
        symbol = definition(w, given[0])
    if name in ("assign", "extend"):
        if symbol >= 0:
            for each in given[1:]:
                if each.kind_id == w.kinds.object:
                    w.paths[each.id] = Path(symbol, "")
        return
    kinds = [each.kind_id for each in given]
    if name == "defineProperty" and kinds[1:] == [w.kinds.string, w.kinds.object]:
        key = types.key_name(w, given[1])
        if symbol >= 0:
            w.paths[given[2].id] = Path(symbol, key)
        else:
            text = w.name(given[0])
            path = f"{text}.{key}" if _DOTTED.match(text) and text not in ("exports", "this") else key
            w.paths[given[2].id] = Path(w.body.symbol, path)


def after_call(w: Walker, name: str, arguments: Node, row: list[int]) -> None:
    """What such a call did."""
    given = [each for each in arguments.named_children if each.kind_id != w.kinds.comment]
    if len(given) < 2 or len(row) < 12:
        return
    symbol = prototype_of(w, given[0])
    static = symbol < 0
    if symbol < 0:
        symbol = definition(w, given[0])
    if name in ("assign", "extend"):
        if symbol >= 0:
            for at in range(11, len(row), 3):
                if w.terms[row[at]][0] == Op.DICT:
                    members_of(w, symbol, w.terms[row[at]], static)
        else:
            commonjs.spread(w, given[0], row)
    elif name in ("inherits", "setPrototypeOf"):
        if symbol >= 0:
            inherit(w, symbol, row[11])
    elif name == "defineProperty":
        commonjs.defined(w, given, row)


# -- others


def augmented(w: Walker, node: Node) -> int:
    """`x ||= v`, `x += v`."""
    fields, kinds = w.fields, w.kinds
    left, right = node.child_by_field_id(fields["left"]), node.child_by_field_id(fields["right"])
    operator = node.child_by_field_id(fields["operator"])
    if left is None or right is None:
        return w.unknown()
    before = w.values[left.kind_id](w, left)
    term = w.values[right.kind_id](w, right)
    if operator is not None and operator.type in ("||=", "??=", "&&="):
        term = w.union([before, term])
    else:
        term = w.unknown() if operator is None or operator.type == "+=" else w.constant("number")
        if left.kind_id != kinds.identifier:
            return term
    if left.kind_id == kinds.identifier:
        variable = w.find(w.name(left))
        if variable is not None and variable.kind == VariableKind.CONST:
            return term
        if variable is not None:
            flow.assign(w, variable, term)
            return term
    patterns.bind(w, left, term, False)
    return term


def arguments(w: Walker) -> int:
    """`arguments`: the parameters in a row."""
    body = w.body
    while body.arrow and body.around is not None:
        body = body.around
    if body is not w.body:
        return w.unknown()
    fact = w.symbols[body.symbol]
    if len(fact.params) == body.count and all(each.kind == ParamKind.NORMAL for each in fact.params):
        fact.params = [*fact.params, ParamFact("arguments", ParamKind.STAR)]
    if body.count == 0 and fact.params:
        return w.put([Op.PARAM, body.symbol, 0])
    row = [Op.LIST, w.allocations, w.strings["array"]]
    w.allocations += 1
    row += [w.put([Op.PARAM, body.symbol, index]) for index in range(body.count)]
    if len(fact.params) > body.count:
        row.append(w.put([Op.SPREAD, w.put([Op.PARAM, body.symbol, body.count])]))
    return w.put(row)


def exports_object(w: Walker, name: str) -> int:
    return commonjs.exports_object(w, name)
