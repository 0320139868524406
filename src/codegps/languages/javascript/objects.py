"""Object and array literals: their terms, and names for the functions written in them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codegps.languages.javascript import functions, types
from codegps.languages.javascript.body import Path
from codegps.model.facts import Effect, Op
from codegps.model.kinds import EdgeKind, Flag, Kind

if TYPE_CHECKING:
    from tree_sitter import Node

    from codegps.languages.javascript.walker import Walker

FUNCTIONS = frozenset({"arrow_function", "function_expression", "generator_function"})
_WRAPPERS = frozenset(
    {"parenthesized_expression", "as_expression", "satisfies_expression", "non_null_expression", "type_assertion"}
)


def unwrapped(w: Walker, node: Node) -> Node:
    """The value inside parentheses, casts and `Object.freeze(…)`."""
    while True:
        kind = node.type
        if kind in _WRAPPERS:
            children = [each for each in node.named_children if each.kind_id != w.kinds.comment]
            if not children:
                return node
            node = children[-1] if kind == "type_assertion" else children[0]
        elif kind == "call_expression" and w.text.startswith(("Object.freeze(", "Object.seal("), node.start_byte):
            arguments = node.child_by_field_id(w.fields["arguments"])
            inner = None if arguments is None else next(iter(arguments.named_children), None)
            if inner is None or inner.kind_id != w.kinds.object:
                return node
            return inner
        else:
            return node


def value(w: Walker, node: Node) -> int:
    """An object literal."""
    kinds, fields, strings = w.kinds, w.fields, w.strings
    path = w.paths.pop(node.id, None) if w.paths else None
    row = [Op.DICT, w.allocations, strings["object"]]
    w.allocations += 1
    for each in node.named_children:
        kind = each.kind_id
        if kind == kinds.pair:
            key, inner = each.child_by_field_id(fields["key"]), each.child_by_field_id(fields["value"])
            if key is None or inner is None:
                continue
            if key.kind_id == kinds.computed_property_name:
                key_term = _computed(w, key)
                row += [key_term, _entry(w, each, key, inner, path)]
            else:
                name = types.key_name(w, key)
                if name == "__proto__":  # What it inherits stands behind its own.
                    row[3:3] = [-1, _entry(w, each, key, inner, path)]
                else:
                    row += [w.constant("string", name), _entry(w, each, key, inner, path)]
        elif kind == kinds.shorthand_property_identifier:
            row += [w.constant("string", w.name(each)), w.values[kind](w, each)]
        elif kind == kinds.method_definition:
            _method(w, each, path, row)
        elif kind == kinds.spread_element:
            for inner in each.named_children:
                if inner.kind_id != kinds.comment:
                    row += [-1, w.values[inner.kind_id](w, inner)]
        elif kind != kinds.comment:
            w.values[kind](w, each)
    return w.put(row)


def _computed(w: Walker, key: Node) -> int:
    inner = next((each for each in key.named_children if each.kind_id != w.kinds.comment), None)
    symbol = None if inner is None else types.symbol_key(w, inner)
    if inner is not None and symbol is not None:
        w.values[inner.kind_id](w, inner)
        return w.constant("string", symbol)
    return w.unknown() if inner is None else w.values[inner.kind_id](w, inner)


def below(w: Walker, path: Path | None, name: str) -> Path:
    """Where the functions of an object under that key are named."""
    if path is None:
        return Path(w.body.symbol, name)
    return Path(path.parent, f"{path.prefix}.{name}" if path.prefix else name)


def _entry(w: Walker, pair: Node, key: Node, inner: Node, path: Path | None) -> int:
    """The value of `key: value`."""
    bare = unwrapped(w, inner)
    kind = bare.kind_id
    if kind in (w.kinds.object, w.kinds.array):
        w.paths[bare.id] = below(w, path, types.key_name(w, key))
    elif bare.type in FUNCTIONS:
        symbol = _named(w, pair, key, path, 0)
        functions.write(w, bare, symbol, home=None if path is None else path.home)
        term = w.leaf_term(Op.DEF, symbol)
        _refer(w, term, key)
        return term
    return w.values[inner.kind_id](w, inner)


def _named(w: Walker, node: Node, key: Node, path: Path | None, flags: int) -> int:
    name = types.key_name(w, key)
    where = below(w, path, name)
    return w.symbol(Kind.Function, name, where.parent, node.start_byte, node.end_byte, flags, where.prefix)


def _refer(w: Walker, term: int, key: Node) -> None:
    """A function written into an object is stored there: whoever reaches for the object depends on it."""
    line, column = w.place(key.start_byte)
    w.effects.append([Effect.REFER, term, EdgeKind.REFERENCES, line, column])


def _method(w: Walker, node: Node, path: Path | None, row: list[int]) -> None:
    key = node.child_by_field_id(w.fields["name"])
    if key is None:
        return
    flags, accessor = functions.words(w, node)
    if key.kind_id == w.kinds.computed_property_name:
        key_term = _computed(w, key)
    else:
        key_term = w.constant("string", types.key_name(w, key))
    symbol = _named(w, node, key, path, flags & ~Flag.STATIC)
    fact = w.symbols[symbol]
    if accessor:
        fact.kind = Kind.Property
        fact.accessor = accessor
        if accessor == "set":
            fact.flags |= Flag.SETTER
    functions.write(w, node, symbol, home=None if path is None else path.home)
    term = w.leaf_term(Op.DEF, symbol)
    if accessor != "set":
        row += [key_term, term]
    elif key.kind_id != w.kinds.computed_property_name:
        row += [w.constant("string", f"set {types.key_name(w, key)}"), term]
    if not accessor:
        _refer(w, term, key)


def array(w: Walker, node: Node) -> int:
    """An array literal."""
    kinds = w.kinds
    path = w.paths.pop(node.id, None) if w.paths else None
    row = [Op.LIST, w.allocations, w.strings["array"]]
    w.allocations += 1
    for each in node.named_children:
        kind = each.kind_id
        if path is not None and kind in (kinds.object, kinds.array):
            w.paths[each.id] = Path(path.parent, path.prefix)
        if kind == kinds.spread_element:
            row.append(w.put([Op.SPREAD, spread(w, each)]))
        elif kind != kinds.comment:
            row.append(w.values[kind](w, each))
    return w.put(row)


def spread(w: Walker, node: Node) -> int:
    """The value behind `...`."""
    term = -1
    for each in node.named_children:
        if each.kind_id != w.kinds.comment:
            term = w.values[each.kind_id](w, each)
    return term if term >= 0 else w.unknown()
