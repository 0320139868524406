"""Expressions in, terms out: names, literals, operators, and what TypeScript wraps around a value."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from codegps.languages.javascript import chains, classes, flow, functions, jsx, objects, stores, types
from codegps.languages.javascript.globals import VALUES as GLOBALS
from codegps.languages.javascript.scopes import VariableKind
from codegps.languages.javascript.type_names import refer
from codegps.model.facts import CallFlag, Effect, ImportKind, Op
from codegps.model.kinds import EdgeKind

if TYPE_CHECKING:
    from tree_sitter import Node

    from codegps.languages.javascript.walker import Value, Walker

_SHORT = 80


# -- names


def identifier(w: Walker, node: Node) -> int:
    """A name that is read, and is no callee."""
    start = node.start_byte
    name = w.text[start : node.end_byte]
    variable = w.find(name)
    if variable is None:
        return _unbound(w, name, start)
    if variable.body is w.body and variable.fixed is None and not variable.module and variable not in w.env:
        # The most common case, kept short: a parameter or local variable that nothing has assigned since.
        term = variable.value
        if term >= 0 and not variable.inner_writes and (not w.targets or variable.kind == VariableKind.CONST):
            return term
    term = flow.read(w, variable)
    if variable.module:
        if variable.fixed is None:
            named = w.leaf_term(Op.NAME, w.strings[name])
            if w.body.symbol == 0 and term not in w.origins:
                w.origins[term] = variable
        elif variable.fixed[0] == Op.DEF:
            named = term
        elif w.imports[variable.fixed[1]].kind == ImportKind.MODULE:
            return term
        else:
            named = w.leaf_term(Op.IMPORT, variable.fixed[1])
    elif variable.fixed is not None:
        named = w.leaf_term(variable.fixed[0], variable.fixed[1])
    elif variable.kind == VariableKind.CONST and w.terms[term][0] == Op.LOCAL:
        # It may turn out to be a function, whose name this is then.
        line, column = w.place(start)
        w.undecided.append((w.effects, [Effect.REFER, term, EdgeKind.REFERENCES, line, column], w.terms[term]))
        w.effects.append(w.undecided[-1][1])
        return term
    else:
        return term
    line, column = w.place(start)
    w.effects.append([Effect.REFER, named, EdgeKind.REFERENCES, line, column])
    return term


def _unbound(w: Walker, name: str, start: int) -> int:
    """A name that nothing in the file binds."""
    if name == "undefined":
        return w.constant("undefined")
    if name == "arguments" and not w.body.members:
        return stores.arguments(w)
    if name in ("module", "exports") and not w.modular:
        found = stores.exports_object(w, name)
        if found >= 0:
            return found
    term = w.leaf_term(Op.NAME, w.strings[name])
    if name not in GLOBALS:
        line, column = w.place(start)
        w.effects.append([Effect.REFER, term, EdgeKind.REFERENCES, line, column])
    return term


def this(w: Walker, node: Node) -> int:
    annotation = w.body.this_type
    if annotation is not None:
        term = w.leaf.get(-3)
        if term is None:
            declared = types.term(w, annotation, False)
            term = w.leaf[-3] = w.put([Op.TYPED, declared, w.this_term()])
        return term
    return w.this_term()


def super_(w: Walker, node: Node) -> int:
    return w.put([Op.SUPER, w.body.class_symbol, w.this_term()])


# -- literals


def string(w: Walker, node: Node) -> int:
    text = w.text[node.start_byte + 1 : node.end_byte - 1]
    return w.constant("string", text if len(text) <= _SHORT else None)


def number(w: Walker, node: Node) -> int:
    text = w.text[node.start_byte : node.end_byte]
    if text.endswith("n"):
        return w.constant("bigint")
    return w.constant("number", text if text.isdigit() and len(text) < 16 else None)


def template(w: Walker, node: Node) -> int:
    whole = True
    for each in node.named_children:
        if each.kind_id == w.kinds.template_substitution:
            whole = False
            for inner in each.named_children:
                w.values[inner.kind_id](w, inner)
    if whole and node.end_byte - node.start_byte <= _SHORT:
        return w.constant("string", w.text[node.start_byte + 1 : node.end_byte - 1])
    return w.constant("string")


def _literal(kind: str) -> Value:
    def value(w: Walker, node: Node) -> int:
        return w.constant(kind)

    return value


# -- operators


def parenthesized(w: Walker, node: Node) -> int:
    kinds = w.kinds
    start = node.start_byte
    while node.kind_id == kinds.parenthesized_expression:
        inner = next((c for c in node.named_children if c.kind_id not in (kinds.comment, kinds.type_annotation)), None)
        if inner is None:
            return w.unknown()
        node = inner
    term = w.values[node.kind_id](w, node)
    doc = None if w.docs is None else w.docs.at(start)
    declared = -1 if doc is None else doc.type_term(w, head=False)
    return term if declared < 0 else w.put([Op.TYPED, declared, term])


def sequence(w: Walker, node: Node) -> int:
    term = -1
    kind = node.kind_id
    parts: list[Node] = []
    while True:
        children = [each for each in node.named_children if each.kind_id != w.kinds.comment]
        if children and children[0].kind_id == kind:
            parts.extend(reversed(children[1:]))
            node = children[0]
            continue
        parts.extend(reversed(children))
        break
    for each in reversed(parts):
        term = w.values[each.kind_id](w, each)
    return term if term >= 0 else w.unknown()


def binary(w: Walker, node: Node) -> int:
    children = node.children
    operator = children[1].type if len(children) == 3 else ""
    if operator in ("&&", "||", "??"):
        return _logical(w, node, operator)
    rights: list[Node] = []
    kind = node.kind_id
    left = node
    while left.kind_id == kind:
        children = [each for each in left.children if each.kind_id != w.kinds.comment]
        if len(children) != 3 or children[1].type in ("&&", "||", "??"):
            break
        rights.append(children[2])
        left = children[0]
    if left is node:
        return anything(w, node)
    values = w.values
    values[left.kind_id](w, left)
    for each in reversed(rights):
        values[each.kind_id](w, each)
    return _result(w, operator)


def _result(w: Walker, operator: str) -> int:
    if operator in ("===", "!==", "==", "!=", "<", ">", "<=", ">=", "in", "instanceof"):
        return w.constant("boolean")
    return w.unknown() if operator == "+" else w.constant("number")


def _logical(w: Walker, node: Node, operator: str) -> int:
    """What `a && b` may be is `b`, of `a || b` and `a ?? b` either."""
    parts = flow.operands(w, node, operator)
    if operator == "&&":
        flow.fork(w)
        for part in parts[:-1]:
            yes, _ = flow.condition(w, part)
            flow.know(w, yes)
        last = parts[-1]
        term = w.values[last.kind_id](w, last)
        _merge(w)
        return term
    found: list[int] = []
    flow.fork(w)
    for number, part in enumerate(parts):
        if (
            operator == "||"
            and number + 1 < len(parts)
            and part.kind_id
            in (
                w.kinds.binary_expression,
                w.kinds.unary_expression,
            )
        ):
            _, no = flow.condition(w, part)
            flow.know(w, no)
        else:
            found.append(w.values[part.kind_id](w, part))
    _merge(w)
    return w.union(found)


def _merge(w: Walker) -> None:
    """Joins what only some operands did with what was before."""
    delta = flow.close(w)
    if delta:
        narrowed = w.narrowed
        flow.join(w, [{variable: term for variable, term in delta.items() if term not in narrowed}, {}])


def unary(w: Walker, node: Node) -> int:
    fields, kinds = w.fields, w.kinds
    argument = node.child_by_field_id(fields["argument"])
    operator = node.children[0].type
    if argument is None:
        return w.unknown()
    if operator == "delete":
        return _delete(w, argument)
    if operator == "!":
        flow.condition(w, argument)
        return w.constant("boolean")
    if operator == "-" and argument.kind_id == kinds.number:
        return w.constant("number")
    w.values[argument.kind_id](w, argument)
    if operator == "typeof":
        return w.constant("string")
    return w.constant("undefined") if operator == "void" else w.constant("number")


def _delete(w: Walker, node: Node) -> int:
    fields, kinds = w.fields, w.kinds
    inner = node.child_by_field_id(fields["object"])
    if inner is None:
        w.values[node.kind_id](w, node)
        return w.constant("boolean")
    base = w.values[inner.kind_id](w, inner)
    line, column = w.place(node.start_byte)
    if node.kind_id == kinds.subscript_expression:
        index = node.child_by_field_id(fields["index"])
        key = -1 if index is None else w.values[index.kind_id](w, index)
    else:
        name = node.child_by_field_id(fields["property"])
        key = -1 if name is None else w.constant("string", w.name(name))
    w.effects.append([Effect.DELETE, base, key, line, column])
    return w.constant("boolean")


def update(w: Walker, node: Node) -> int:
    """`x++` makes a number."""
    argument = node.child_by_field_id(w.fields["argument"])
    if argument is None:
        return w.unknown()
    w.values[argument.kind_id](w, argument)
    if argument.kind_id == w.kinds.identifier:
        variable = w.find(w.name(argument))
        if variable is not None and variable.kind != VariableKind.CONST and variable.body is w.body:
            flow.set_value(w, variable, w.constant("number"))
    return w.constant("number")


def ternary(w: Walker, node: Node) -> int:
    fields = w.fields
    found: list[int] = []
    open_branches = 0
    deltas: list[flow.Delta] = []
    kind = node.kind_id
    while True:
        test = node.child_by_field_id(fields["condition"])
        then = node.child_by_field_id(fields["consequence"])
        other = node.child_by_field_id(fields["alternative"])
        if test is None or then is None or other is None:
            break
        yes, no = flow.condition(w, test)
        flow.fork(w)
        flow.know(w, yes)
        found.append(w.values[then.kind_id](w, then))
        deltas.append(flow.close(w))
        flow.fork(w)
        open_branches += 1
        flow.know(w, no)
        if other.kind_id != kind:
            found.append(w.values[other.kind_id](w, other))
            break
        node = other
    while open_branches:
        open_branches -= 1
        last = flow.close(w)
        if last or deltas[open_branches]:
            flow.join(w, [deltas[open_branches], last])
    return w.union(found) if found else w.unknown()


# -- functions, classes


def await_(w: Walker, node: Node) -> int:
    inner = next((c for c in node.named_children if c.kind_id != w.kinds.comment), None)
    if inner is None:
        return w.unknown()
    term = w.values[inner.kind_id](w, inner)
    row = w.terms[term]
    if row[0] == Op.CALL:
        row[5] |= CallFlag.AWAITED
    line, column = w.place(inner.start_byte)
    return w.put([Op.AWAIT, term, line, column])


def yield_(w: Walker, node: Node) -> int:
    inner = next((c for c in node.named_children if c.kind_id != w.kinds.comment), None)
    term = -1 if inner is None else w.values[inner.kind_id](w, inner)
    if inner is not None and any(each.type == "*" for each in node.children[:2]):
        line, column = w.place(inner.start_byte)
        return w.put([Op.YIELD_FROM, term, line, column])
    if term >= 0:
        w.effects.append([Effect.YIELD, term])
    return w.put([Op.YIELD, term])


# -- wrappers


def cast(w: Walker, node: Node) -> int:
    """`x as T`, `x satisfies T`, `<T>x`."""
    kinds = w.kinds
    children = [each for each in node.named_children if each.kind_id != kinds.comment]
    if not children:
        return w.unknown()
    if node.kind_id == kinds.type_assertion:
        declared = children[0].named_children[0] if children[0].named_children else None
        inner = children[-1]
    else:
        inner = children[0]
        declared = children[1] if len(children) > 1 else None
    term = w.values[inner.kind_id](w, inner)
    if declared is None:
        return term
    refer(w, declared)
    if node.kind_id == kinds.satisfies_expression or declared.type == "predefined_type":
        return term
    return w.put([Op.TYPED, types.term(w, declared, False), term])


def first(w: Walker, node: Node) -> int:
    """`x!`, `f<T>`: the value inside."""
    found = -1
    for each in node.named_children:
        if each.kind_id == w.kinds.type_arguments:
            refer(w, each)
        elif each.kind_id != w.kinds.comment and found < 0:
            found = w.values[each.kind_id](w, each)
    return found if found >= 0 else w.unknown()


def anything(w: Walker, node: Node) -> int:
    """What has no room of its own: its parts are walked."""
    for each in node.named_children:
        w.values[each.kind_id](w, each)
    return w.unknown()


def nothing(w: Walker, node: Node) -> int:
    return w.unknown()


def declared_function(w: Walker, node: Node) -> int:
    """A declaration where an expression is expected (broken code)."""
    w.does[node.kind_id](w, node)
    return w.unknown()


VALUES: Mapping[str, Value] = {
    "*": anything,
    "comment": nothing,
    "identifier": identifier,
    "shorthand_property_identifier": identifier,
    "undefined": _literal("undefined"),
    "this": this,
    "super": super_,
    "string": string,
    "number": number,
    "template_string": template,
    "regex": _literal("regexp"),
    "true": _literal("boolean"),
    "false": _literal("boolean"),
    "null": _literal("null"),
    "parenthesized_expression": parenthesized,
    "sequence_expression": sequence,
    "binary_expression": binary,
    "unary_expression": unary,
    "update_expression": update,
    "ternary_expression": ternary,
    "assignment_expression": stores.assignment,
    "augmented_assignment_expression": stores.augmented,
    "member_expression": chains.value,
    "call_expression": chains.value,
    "subscript_expression": chains.value,
    "new_expression": chains.new,
    "arrow_function": functions.value,
    "function_expression": functions.value,
    "generator_function": functions.value,
    "class": classes.value,
    "object": objects.value,
    "array": objects.array,
    "await_expression": await_,
    "yield_expression": yield_,
    "as_expression": cast,
    "satisfies_expression": cast,
    "type_assertion": cast,
    "non_null_expression": first,
    "instantiation_expression": first,
    "meta_property": nothing,
    "property_identifier": nothing,
    "statement_identifier": nothing,
    "type_annotation": nothing,
    "type_identifier": nothing,
    "jsx_element": jsx.element,
    "jsx_self_closing_element": jsx.element,
    "jsx_expression": jsx.expression,
    "function_declaration": declared_function,
    "generator_function_declaration": declared_function,
    "class_declaration": declared_function,
    "lexical_declaration": declared_function,
    "variable_declaration": declared_function,
    "expression_statement": declared_function,
    "statement_block": declared_function,
}
