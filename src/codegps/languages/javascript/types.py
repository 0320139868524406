"""Type annotations in, type terms out: into the head (signatures, members) or into the unit being written (casts,
local variables), and the uses of type names as effects."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final

from tree_sitter import Node

from codegps.languages.javascript import heads
from codegps.languages.javascript.scopes import Scope
from codegps.model.facts import ImportFact, ImportKind, Op

if TYPE_CHECKING:
    from codegps.languages.javascript.walker import Walker

Build = Callable[["Walker", Node, bool], int]
_DEEPEST: Final = 60
_PATH: Final = re.compile(r"[\w$]+(?:\.[\w$]+)*\Z")
_SYMBOLIC: Final = re.compile(r"(?:k[A-Z]\w*|\$\w+|\w*[sS]ymbol\w*|SYMBOL\w*|\w+_SYMBOL)\Z")
"""Imported names that are taken for symbols."""


def find(w: Walker, name: str) -> tuple[int, int] | None:
    """What a type name stands for: operation and operand of its term."""
    scope: Scope | None = w.scope
    while scope is not None:
        found = scope.types.get(name)
        if found is not None:
            return found
        variable = scope.names.get(name)
        if variable is not None and (variable.fixed is not None or variable.module):
            return variable.fixed
        scope = scope.parent
    return None


def term(w: Walker, node: Node | None, head: bool) -> int:
    """The term of a type node or annotation; -1 for none."""
    if node is None:
        return -1
    return _built(w, node, head, 0)


def _built(w: Walker, node: Node, head: bool, depth: int) -> int:
    build = TYPES.get(node.type)
    if build is None or depth > _DEEPEST:
        return _unknown(w, head)
    w.type_depth = depth
    return build(w, node, head)


def _inner(w: Walker, node: Node, head: bool) -> int:
    return _built(w, node, head, w.type_depth + 1)


def _put(w: Walker, head: bool, row: list[int]) -> int:
    return w.head_put(row) if head else w.put(row)


def _leaf(w: Walker, head: bool, op: int, arg: int) -> int:
    return w.head_leaf_term(op, arg) if head else w.leaf_term(op, arg)


def _unknown(w: Walker, head: bool) -> int:
    return w.head_unknown() if head else w.unknown()


def _constant(w: Walker, head: bool, kind: str, text: str | None = None) -> int:
    if not head:
        return w.constant(kind, text)
    return w.head_put([Op.CONST, w.strings[kind], -1 if text is None else w.strings[text]])


def parts_of(w: Walker, node: Node) -> list[Node]:
    comment = w.kinds.comment
    return [each for each in node.named_children if each.kind_id != comment]


def place(w: Walker, node: Node) -> tuple[int, int]:
    return w.place(node.start_byte + w.shift)


# -- kinds of types


def _wrapped(w: Walker, node: Node, head: bool) -> int:
    children = parts_of(w, node)
    return _inner(w, children[0], head) if children else _unknown(w, head)


def named(w: Walker, name: str, head: bool) -> int:
    """The term of a plain type name."""
    found = find(w, name)
    if found is None:
        return _leaf(w, head, Op.NAME, w.strings[name])
    op, arg = found
    if op != Op.TYPEPARAM:
        return _leaf(w, head, op, arg)
    return _put(w, head, [Op.TYPEPARAM, arg, w.strings[name]])


def _identifier(w: Walker, node: Node, head: bool) -> int:
    return named(w, w.name(node), head)


def _predefined(w: Walker, node: Node, head: bool) -> int:
    name = w.name(node)
    if name in ("any", "unknown", "never", "void", "object"):
        return _leaf(w, head, Op.BUILTIN, w.strings[name])
    return _leaf(w, head, Op.BUILTIN, w.strings[name])


def nested(w: Walker, node: Node, head: bool) -> int:
    """`A.B.C`: of a namespace."""
    names: list[Node] = []
    fields = w.fields
    inner: Node | None = node
    while inner is not None and inner.type in ("nested_type_identifier", "nested_identifier", "member_expression"):
        part = inner.child_by_field_id(fields["name"]) or inner.child_by_field_id(fields["property"])
        if part is None:
            break
        names.append(part)
        inner = inner.child_by_field_id(fields["module"]) or inner.child_by_field_id(fields["object"])
    if inner is None:
        return _unknown(w, head)
    base = _module_of(w, inner, head)
    if base < 0:
        base = named(w, w.name(inner), head)
    start_line, start_column = place(w, inner)
    for part in reversed(names):
        line, column = place(w, part)
        base = _put(w, head, [Op.ATTR, base, w.strings[w.name(part)], line, column, start_line, start_column])
    return base


def _module_of(w: Walker, node: Node, head: bool) -> int:
    """`import("x")` in a type; -1 where it is something else."""
    if node.kind_id != w.kinds.call_expression:
        return -1
    arguments = node.child_by_field_id(w.fields["arguments"])
    first = None if arguments is None else next(iter(parts_of(w, arguments)), None)
    if first is None or first.kind_id != w.kinds.string or not w.name(node).startswith("import"):
        return _unknown(w, head)
    line, column = place(w, node)
    spec = w.text[first.start_byte + 1 : first.end_byte - 1]
    fact = ImportFact(ImportKind.MODULE, spec, "", line, column, True)
    number = next((at for at in range(len(w.imports) - 1, -1, -1) if w.imports[at] == fact), -1)
    if number < 0:
        number = len(w.imports)
        w.imports.append(fact)
    return _leaf(w, head, Op.IMPORT, number)


def _imported(w: Walker, node: Node, head: bool) -> int:
    return _module_of(w, node, head)


def _generic(w: Walker, node: Node, head: bool) -> int:
    name = node.child_by_field_id(w.fields["name"])
    arguments = node.child_by_field_id(w.fields["type_arguments"])
    if name is None or arguments is None:
        return _unknown(w, head)
    depth = w.type_depth
    given = [_built(w, each, head, depth + 1) for each in parts_of(w, arguments)]
    text = w.name(name)
    if text in ("Array", "ReadonlyArray") and len(given) == 1 and find(w, text) is None:
        return _put(w, head, [Op.ARRAYTYPE, given[0]])
    base = _built(w, name, head, depth + 1)
    return applied(w, base, given, node, head)


def applied(w: Walker, base: int, given: list[int], node: Node, head: bool) -> int:
    """A generic type with its arguments."""
    if not given:
        return base
    key = given[0] if len(given) == 1 else _put(w, head, [Op.TUPLETYPE, *given])
    line, column = place(w, node)
    return _put(w, head, [Op.ITEM, base, key, line, column])


def arguments_of(w: Walker, node: Node | None, head: bool) -> list[int]:
    """The terms of `<A, B>`."""
    return [] if node is None else [term(w, each, head) for each in parts_of(w, node)]


def _several(op: int) -> Build:
    def build(w: Walker, node: Node, head: bool) -> int:
        depth = w.type_depth
        kind = node.kind_id
        parts: list[Node] = []
        while True:
            children = parts_of(w, node)
            if children and children[0].kind_id == kind:
                parts.extend(reversed(children[1:]))
                node = children[0]
                continue
            parts.extend(reversed(children))
            break
        parts.reverse()
        terms = [_built(w, each, head, depth + 1) for each in parts]
        return terms[0] if len(terms) == 1 else _put(w, head, [op, *dict.fromkeys(terms)])

    return build


def _array(w: Walker, node: Node, head: bool) -> int:
    children = parts_of(w, node)
    return _put(w, head, [Op.ARRAYTYPE, _inner(w, children[0], head)]) if children else _unknown(w, head)


def _tuple(w: Walker, node: Node, head: bool) -> int:
    depth = w.type_depth
    parts: list[int] = []
    for each in parts_of(w, node):
        inner = each
        if each.kind_id in (w.kinds.required_parameter, w.kinds.optional_parameter):
            annotation = each.child_by_field_id(w.fields["type"])
            inner = each if annotation is None else annotation
        parts.append(_built(w, inner, head, depth + 1))
    return _put(w, head, [Op.TUPLETYPE, *parts])


def _rest(w: Walker, node: Node, head: bool) -> int:
    return _wrapped(w, node, head)


def _function(w: Walker, node: Node, head: bool) -> int:
    depth = w.type_depth
    fields = w.fields
    outer = w.scope
    own = parameters_of_type(w, node)
    if own:
        w.scope = Scope(outer)
        w.scope.types.update(own)
    returns = node.child_by_field_id(fields["return_type"]) or node.child_by_field_id(fields["type"])
    row = [Op.FUNCTYPE, -1 if returns is None else _built(w, returns, head, depth + 1)]
    parameters = node.child_by_field_id(fields["parameters"])
    for each in [] if parameters is None else parts_of(w, parameters):
        annotation = each.child_by_field_id(fields["type"])
        pattern = each.child_by_field_id(fields["pattern"])
        if pattern is not None and pattern.kind_id == w.kinds.this:
            continue
        if pattern is not None and pattern.kind_id == w.kinds.rest_pattern:
            break
        row.append(-1 if annotation is None else _built(w, annotation, head, depth + 1))
    w.scope = outer
    return _put(w, head, row)


def parameters_of_type(w: Walker, node: Node) -> dict[str, tuple[int, int]]:
    """Type parameters that a function type declares: each stands for itself."""
    declared = node.child_by_field_id(w.fields["type_parameters"])
    if declared is None:
        return {}
    names = [each.child_by_field_id(w.fields["name"]) for each in parts_of(w, declared)]
    return {w.name(name): (Op.TYPEPARAM, w.body.symbol) for name in names if name is not None}


def _object(w: Walker, node: Node, head: bool) -> int:
    depth = w.type_depth
    fields, kinds, strings = w.fields, w.kinds, w.strings
    row = [Op.OBJTYPE]
    called = values = -1
    for each in parts_of(w, node):
        kind = each.kind_id
        if kind in (kinds.property_signature, kinds.method_signature):
            name = each.child_by_field_id(fields["name"])
            if name is None:
                continue
            if kind == kinds.method_signature and not is_accessor(w, each):
                w.type_depth = depth
                member = _function(w, each, head)
            else:
                annotation = each.child_by_field_id(fields["type"]) or each.child_by_field_id(fields["return_type"])
                member = _unknown(w, head) if annotation is None else _built(w, annotation, head, depth + 1)
            row += [strings[key_name(w, name)], member]
        elif kind in (kinds.call_signature, kinds.construct_signature):
            w.type_depth = depth
            called = _function(w, each, head)
        elif kind == kinds.index_signature:
            mapped = _mapped(w, each)
            if mapped is not None:
                return _built(w, mapped, head, depth + 1)
            annotation = each.child_by_field_id(fields["type"])
            values = -1 if annotation is None else _built(w, annotation, head, depth + 1)
    if len(row) == 1 and called >= 0:
        return called
    if len(row) == 1 and values >= 0:
        record = _leaf(w, head, Op.NAME, strings["Record"])
        key = _leaf(w, head, Op.BUILTIN, strings["string"])
        return applied(w, record, [key, values], node, head)
    return _put(w, head, row)


def _mapped(w: Walker, node: Node) -> Node | None:
    """`T` where the type is `{ [K in keyof T]: T[K] }`: the members stay what they are."""
    clause = next((each for each in node.named_children if each.kind_id == w.kinds.mapped_type_clause), None)
    value = node.child_by_field_id(w.fields["type"])
    if clause is None or value is None:
        return None
    keys = clause.child_by_field_id(w.fields["type"])
    if keys is None or keys.type != "index_type_query":
        return None
    target = next(iter(parts_of(w, keys)), None)
    inner = next(iter(parts_of(w, value)), None)
    if target is None or inner is None or inner.type != "lookup_type":
        return None
    return target if w.name(inner).startswith(w.name(target) + "[") else None


def is_accessor(w: Walker, node: Node) -> bool:
    """`get x(): T` in an interface or a class."""
    for each in node.children:
        if each.is_named:
            if each.kind_id != w.kinds.comment and each.type not in ("accessibility_modifier", "override_modifier"):
                return False
        elif each.type in ("get", "set"):
            return True
    return False


def key_name(w: Walker, node: Node) -> str:
    """The name of a property: quotes and literal brackets taken away, other brackets kept."""
    kind = node.kind_id
    if kind == w.kinds.string:
        return w.text[node.start_byte + 1 : node.end_byte - 1]
    if kind == w.kinds.computed_property_name:
        children = parts_of(w, node)
        if children and children[0].kind_id == w.kinds.string:
            return w.text[children[0].start_byte + 1 : children[0].end_byte - 1]
        return _bracketed("".join(w.name(node)[1:-1].split()))
    return w.name(node)


def _bracketed(text: str) -> str:
    """`[Symbol.iterator]`, `[kState]`; of a longer path to a symbol only its own name, which is the same everywhere."""
    if not text.startswith("Symbol.") and _PATH.match(text):
        text = text.rpartition(".")[2]
    return f"[{text}]"


def symbol_key(w: Walker, node: Node) -> str | None:
    """The name of the member that `x[node]` is where the key is a symbol."""
    text = w.name(node)
    if node.kind_id == w.kinds.member_expression:
        base, _, last = text.rpartition(".")
        if base == "Symbol" or (_SYMBOLIC.match(last) and _PATH.match(text)):
            return _bracketed(text)
    elif node.kind_id == w.kinds.identifier and (
        text in w.keys
        or (
            _SYMBOLIC.match(text)
            and (variable := w.find(text)) is not None
            and variable.fixed is not None
            and variable.fixed[0] == Op.IMPORT
        )
    ):
        return _bracketed(text)
    return None


def _literal(w: Walker, node: Node, head: bool) -> int:
    children = parts_of(w, node)
    if not children:
        return _unknown(w, head)
    kind = children[0].type
    text = w.name(children[0])
    if kind == "string":
        text = text[1:-1]
        return _constant(w, head, "string", text if len(text) <= 80 else None)
    if kind in ("true", "false"):
        return _constant(w, head, "boolean")
    if kind in ("null", "undefined"):
        return _constant(w, head, kind)
    return _constant(w, head, "number", text if text.isdigit() else None)


def _template(w: Walker, node: Node, head: bool) -> int:
    return _constant(w, head, "string")


def _lookup(w: Walker, node: Node, head: bool) -> int:
    children = parts_of(w, node)
    if len(children) != 2 or children[1].type != "literal_type":
        return _unknown(w, head)
    key = parts_of(w, children[1])
    if not key or key[0].kind_id != w.kinds.string:
        return _unknown(w, head)
    base = _inner(w, children[0], head)
    return _put(w, head, [Op.KEYOF, base, w.strings[w.text[key[0].start_byte + 1 : key[0].end_byte - 1]]])


def _query(w: Walker, node: Node, head: bool) -> int:
    """`typeof x`."""
    children = parts_of(w, node)
    if not children:
        return _unknown(w, head)
    value = _value(w, children[0], head)
    return _unknown(w, head) if value < 0 else _put(w, head, [Op.TYPEOF, value])


def _value(w: Walker, node: Node, head: bool) -> int:
    kinds, fields = w.kinds, w.fields
    if node.kind_id == kinds.identifier:
        name = w.name(node)
        if head:
            return heads.named(w, name)
        return w.values[node.kind_id](w, node)
    if node.kind_id == kinds.call_expression:
        return _module_of(w, node, head)
    if node.kind_id in (kinds.member_expression, kinds.nested_identifier):
        inner, name = node.child_by_field_id(fields["object"]), node.child_by_field_id(fields["property"])
        if inner is None or name is None:
            return -1
        base = _value(w, inner, head)
        line, column = place(w, name)
        start_line, start_column = place(w, node)
        row = [Op.ATTR, base, w.strings[w.name(name)], line, column, start_line, start_column]
        return -1 if base < 0 else _put(w, head, row)
    if node.kind_id == kinds.instantiation_expression:
        children = parts_of(w, node)
        return _value(w, children[0], head) if children else -1
    return -1


def _this(w: Walker, node: Node, head: bool) -> int:
    leaves = w.head_leaf if head else w.leaf
    known = leaves.get(-4)
    if known is None:
        known = leaves[-4] = _put(w, head, [Op.THISTYPE])
    return known


def _predicate(w: Walker, node: Node, head: bool) -> int:
    return _leaf(w, head, Op.BUILTIN, w.strings["boolean"])


TYPES: Mapping[str, Build] = {
    "type_annotation": _wrapped,
    "adding_type_annotation": _wrapped,
    "omitting_type_annotation": _wrapped,
    "opting_type_annotation": _wrapped,
    "parenthesized_type": _wrapped,
    "readonly_type": _wrapped,
    "optional_type": _wrapped,
    "flow_maybe_type": _wrapped,
    "constraint": _wrapped,
    "default_type": _wrapped,
    "rest_type": _rest,
    "type_identifier": _identifier,
    "identifier": _identifier,
    "predefined_type": _predefined,
    "nested_type_identifier": nested,
    "nested_identifier": nested,
    "member_expression": nested,
    "call_expression": _imported,
    "generic_type": _generic,
    "union_type": _several(Op.UNION),
    "intersection_type": _several(Op.INTERSECT),
    "array_type": _array,
    "tuple_type": _tuple,
    "function_type": _function,
    "constructor_type": _function,
    "object_type": _object,
    "interface_body": _object,
    "literal_type": _literal,
    "template_literal_type": _template,
    "lookup_type": _lookup,
    "type_query": _query,
    "this_type": _this,
    "this": _this,
    "type_predicate": _predicate,
    "type_predicate_annotation": _predicate,
    "asserts_annotation": _predicate,
}
