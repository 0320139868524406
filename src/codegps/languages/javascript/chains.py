"""Members, elements and calls in, terms out, along the left spine of `a.b(c).d[e]()` without recursion."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from codegps.languages.javascript import commonjs, entries, flow, functions, objects, stores, types
from codegps.languages.javascript.declare import unquoted
from codegps.languages.javascript.type_names import refer
from codegps.model.facts import Arg, CallFlag, Effect, ImportFact, ImportKind, Op
from codegps.model.kinds import EdgeKind

if TYPE_CHECKING:
    from tree_sitter import Node

    from codegps.languages.javascript.walker import Walker

_RECEIVER: Final = 60
_CALL: Final = int(Op.CALL)
_ATTR: Final = int(Op.ATTR)
_REFER: Final = int(Effect.REFER)
_REFERENCES: Final = int(EdgeKind.REFERENCES)


def value(w: Walker, node: Node) -> int:
    """A member, element or call expression."""
    k_call, k_member, k_index, k_sure, k_comment, k_identifier, f_function, f_object, _, _ = w.grammar.chain
    spine: list[Node] = []
    awaited = -1
    root = node
    kind = node.kind_id
    while True:
        if kind == k_call:
            inner = root.child_by_field_id(f_function)
            if inner is not None and inner.kind_id == w.kinds.await_expression:
                # The parser reads `await f<T>(x)` as `(await f)<T>(x)`.
                inner = next((each for each in inner.named_children if each.kind_id != k_comment), None)
                awaited = root.id
        elif kind in (k_member, k_index):
            inner = root.child_by_field_id(f_object)
        elif kind == k_sure:
            inner = next((each for each in root.named_children if each.kind_id != k_comment), None)
        else:
            break
        if inner is None:
            break
        spine.append(root)
        root = inner
        kind = root.kind_id
    if not spine:
        return w.unknown()
    title = ""
    calling = spine[-1].kind_id == k_call
    if kind == k_identifier:
        name = w.text[root.start_byte : root.end_byte]
        if name in entries.TESTS:
            title = name
        if not calling:
            term = w.values[kind](w, root)
        elif name == "require" and (term := _required(w, spine[-1])) >= 0:
            spine.pop()
        else:
            term = callee(w, name)
    elif not calling:
        term = w.values[kind](w, root)
    elif kind == w.kinds.import_:
        term = _dynamic(w, spine.pop())
    elif kind == w.kinds.parenthesized_expression:
        bare = objects.unwrapped(w, root)
        term = functions.called(w, bare) if bare.type in objects.FUNCTIONS else w.values[kind](w, root)
    else:
        term = w.values[kind](w, root)
    if awaited >= 0:
        return _awaited(w, spine, root, term, title, awaited)
    return _unwind(w, spine, root, term, title)


def _awaited(w: Walker, spine: list[Node], root: Node, term: int, title: str, call: int) -> int:
    """As `_unwind`, where what one of the calls hands back is awaited."""
    at = next(number for number, each in enumerate(spine) if each.id == call)
    rest, inner = spine[:at], spine[at:]
    line, column = w.place(root.start_byte)
    term = w.put([Op.AWAIT, _unwind(w, inner, root, term, title), line, column])
    return _unwind(w, rest, spine[at], term, "") if rest else term


def _unwind(w: Walker, spine: list[Node], root: Node, term: int, title: str) -> int:
    k_call, k_member, k_index, _, _, _, _, _, f_property, f_arguments = w.grammar.chain
    strings, terms, text = w.strings, w.terms, w.text
    last = root
    """What the callee ends in."""
    base_start = root.start_byte
    ends = base_end = root.end_byte
    """Where what was walked ends, and what stood before the last dot."""
    member = False
    while spine:
        node = spine.pop()
        kind = node.kind_id
        if kind == k_member:
            part = node.child_by_field_id(f_property)
            if part is None:
                continue
            start = part.start_byte
            if not w.line_start <= base_start < w.line_end:
                w.seek(base_start)
            start_line, start_column = w.line, base_start - w.line_start + 1
            if not w.line_start <= start < w.line_end:
                w.seek(start)
            line, column = w.line, start - w.line_start + 1
            base_end, ends = ends, part.end_byte
            terms.append([_ATTR, term, strings[text[start:ends]], line, column, start_line, start_column])
            term = len(terms) - 1
            last = part
            member = True
            if not spine or spine[-1].kind_id != k_call:
                w.effects.append([_REFER, term, _REFERENCES, line, column])
        elif kind == k_call:
            arguments = node.child_by_field_id(f_arguments)
            if arguments is None:
                continue
            receiver = text[base_start : min(base_end, base_start + _RECEIVER)] if member else None
            term = _called(w, node, arguments, term, last, title, receiver)
            last = node
            ends = arguments.end_byte
            member = False
        elif kind == k_index:
            index = node.child_by_field_id(w.fields["index"])
            key = w.unknown() if index is None else w.values[index.kind_id](w, index)
            w.used_as_key(key)
            symbol = None if index is None else types.symbol_key(w, index)
            line, column = w.place(base_start)
            if symbol is not None and index is not None:
                place = w.place(index.start_byte)
                term = w.put([_ATTR, term, strings[symbol], *place, line, column])
            else:
                term = w.put([Op.ITEM, term, key, line, column])
            last = node
            ends = node.end_byte
            member = False
    return term


def callee(w: Walker, name: str) -> int:
    """A plain name that is called."""
    variable = w.find(name)
    if variable is None:
        return w.leaf_term(Op.NAME, w.strings[name])
    return flow.read(w, variable)


def _called(w: Walker, node: Node, arguments: Node, term: int, last: Node, title: str, receiver: str | None) -> int:
    """A call: `last` is what its callee ends in, `receiver` what stands before the last dot."""
    flags = 0
    generic: Node | None = None
    if node.child_count > 2:
        for each in node.children[1:-1]:
            if each.kind_id == w.kinds.type_arguments:
                refer(w, each)
                generic = each
            elif each.type in ("optional_chain", "?."):
                flags = CallFlag.OPTIONAL
    if last.kind_id in w.grammar.names:
        place = last.start_byte
        word = w.text[place : last.end_byte]
    else:
        place = arguments.start_byte
        word = ""
    if not w.line_start <= place < w.line_end:
        w.seek(place)
    line = w.line
    row = [_CALL, term, line, place - w.line_start + 1, -1, flags]
    w.calls.append((w.block, word, receiver, row))
    opened = entries.open_suite(w, arguments, title) if title else False
    shaping = word in stores.SHAPING
    if shaping:
        stores.before_call(w, word, arguments)
    if arguments.kind_id == w.kinds.template_string:
        row[5] |= CallFlag.TEMPLATE
        _template(w, arguments, row)
    else:
        given(w, arguments, row)
    terms = w.terms
    made = len(terms)
    terms.append(row)
    if shaping:
        stores.after_call(w, word, arguments, row)
    elif word == "__exportStar":
        commonjs.export_star(w, row)
    if title:
        entries.close_suite(w, arguments, title, row, opened, line)
    elif word in entries.ROUTING and receiver is not None:
        entries.route(w, row, word, line)
    if generic is not None:
        return _typed(w, made, row, generic)
    return made


def _typed(w: Walker, made: int, row: list[int], generic: Node) -> int:
    """`f<T>(x)`: the type arguments go behind the others, and before the call itself."""
    if made != len(w.terms) - 1:
        return made
    w.terms.pop()
    for each in types.arguments_of(w, generic, False):
        row += [Arg.TYPE, -1, each]
    return w.put(row)


def given(w: Walker, arguments: Node, row: list[int]) -> None:
    """The arguments of a call, appended to its term."""
    k_spread, k_comment = w.kinds.spread_element, w.kinds.comment
    values = w.values
    for each in arguments.named_children:
        kind = each.kind_id
        if kind == k_spread:
            row += [2, -1, objects.spread(w, each)]
        elif kind != k_comment:
            row += [0, -1, values[kind](w, each)]


def _template(w: Walker, node: Node, row: list[int]) -> None:
    """A tag gets the strings, then the values."""
    row += [0, -1, w.unknown()]
    for each in node.named_children:
        if each.kind_id == w.kinds.template_substitution:
            for inner in each.named_children:
                row += [0, -1, w.values[inner.kind_id](w, inner)]


def new(w: Walker, node: Node) -> int:
    """`new C(…)`."""
    fields, kinds = w.fields, w.kinds
    constructor = node.child_by_field_id(fields["constructor"])
    if constructor is None:
        return w.unknown()
    kind = constructor.kind_id
    last = constructor
    if kind == kinds.identifier:
        term = callee(w, w.name(constructor))
    elif kind == kinds.member_expression:
        before = len(w.effects)
        term = w.values[kind](w, constructor)
        if len(w.effects) > before and w.effects[-1][1] == term:
            w.effects.pop()
        last = constructor.child_by_field_id(fields["property"]) or constructor
    else:
        term = w.values[kind](w, constructor)
    named = kind in (kinds.identifier, kinds.member_expression)
    arguments = node.child_by_field_id(fields["arguments"])
    place = last.start_byte if named or arguments is None else arguments.start_byte
    line, column = w.place(place)
    row = [_CALL, term, line, column, -1, CallFlag.NEW]
    inner = constructor.child_by_field_id(fields["object"]) if kind == kinds.member_expression else None
    receiver = None
    if inner is not None:
        start = inner.start_byte
        receiver = w.text[start : min(inner.end_byte, start + _RECEIVER)]
    w.calls.append((w.block, w.name(last) if named else "", receiver, row))
    if arguments is not None:
        given(w, arguments, row)
    made = w.put(row)
    generic = node.child_by_field_id(fields["type_arguments"])
    if generic is None or not named:
        return made
    refer(w, generic)
    base = types.applied(w, term, types.arguments_of(w, generic, False), node, False)
    return w.put([Op.TYPED, base, made])


# -- modules


def literal(w: Walker, arguments: Node | None) -> Node | None:
    """The only argument where it is a string."""
    if arguments is None:
        return None
    first = next((each for each in arguments.named_children if each.kind_id != w.kinds.comment), None)
    if first is None or first.kind_id not in (w.kinds.string, w.kinds.template_string):
        return None
    if first.kind_id == w.kinds.template_string and any(
        c.kind_id == w.kinds.template_substitution for c in first.children
    ):
        return None
    return first


def _required(w: Walker, node: Node) -> int:
    """`require("x")`; -1 where it is something else."""
    spec = literal(w, node.child_by_field_id(w.fields["arguments"]))
    variable = w.find("require")
    if spec is None or (variable is not None and not variable.module):
        return -1
    w.commonjs = True
    return _import(w, ImportKind.REQUIRE, spec)


def _dynamic(w: Walker, node: Node) -> int:
    """`import("x")`."""
    arguments = node.child_by_field_id(w.fields["arguments"])
    spec = literal(w, arguments)
    if spec is not None:
        return _import(w, ImportKind.DYNAMIC, spec)
    for each in [] if arguments is None else arguments.named_children:
        w.values[each.kind_id](w, each)
    return w.unknown()


def _import(w: Walker, kind: int, spec: Node) -> int:
    line, column = w.place(spec.start_byte)
    w.imports.append(ImportFact(kind, unquoted(w, spec), "", line, column))
    return w.leaf_term(Op.IMPORT, len(w.imports) - 1)
