"""Names before flow: what the statements of a block declare, with a symbol for each declaration that others may use
before its line is reached (functions, classes, types, enums, namespaces) and a fact for each import."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from codegps.languages.javascript import flow, patterns
from codegps.languages.javascript.scopes import Scope, Variable, VariableKind
from codegps.model.facts import ImportFact, ImportKind, Op
from codegps.model.kinds import Flag, Kind

if TYPE_CHECKING:
    from tree_sitter import Node

    from codegps.languages.javascript.walker import Walker

Declare = Callable[["Walker", "Node", Scope, "Node", int], None]
"""Walker, declaration, scope, the statement around it (for the span), flags."""


def hoist(w: Walker, statements: list[Node], scope: Scope) -> None:
    """Declares what these statements declare in their own scope; `var` in the scope of the function."""
    for node in statements:
        declare = DECLARATIONS.get(node.type)
        if declare is not None:
            declare(w, node, scope, node, 0)
    if w.has_var and scope.symbol >= 0:
        _vars(w, statements, scope)


def block_scope(w: Walker, statements: list[Node]) -> Scope | None:
    """A scope for a block that declares something."""
    if not any(node.type in _BLOCK_LEVEL for node in statements):
        return None
    scope = Scope(w.scope)
    hoist(w, statements, scope)
    return scope


_BLOCK_LEVEL = frozenset(
    {
        "lexical_declaration",
        "using_declaration",
        "function_declaration",
        "generator_function_declaration",
        "class_declaration",
        "abstract_class_declaration",
        "enum_declaration",
        "interface_declaration",
        "type_alias_declaration",
        "ambient_declaration",
        "function_signature",
        "expression_statement",
        "export_statement",
        "import_statement",
    }
) - {"expression_statement"}

_NESTING = frozenset(
    {
        "if_statement",
        "else_clause",
        "for_statement",
        "for_in_statement",
        "while_statement",
        "do_statement",
        "try_statement",
        "catch_clause",
        "finally_clause",
        "switch_statement",
        "switch_body",
        "switch_case",
        "switch_default",
        "labeled_statement",
        "statement_block",
        "with_statement",
        "export_statement",
        "ambient_declaration",
    }
)


def _vars(w: Walker, statements: list[Node], scope: Scope) -> None:
    todo = list(reversed(statements))
    while todo:
        node = todo.pop()
        kind = node.type
        if kind == "variable_declaration":
            for each in node.named_children:
                name = each.child_by_field_id(w.fields["name"])
                if name is not None:
                    patterns.declare(w, scope, name, VariableKind.VAR)
        elif kind == "for_in_statement":
            word = node.child_by_field_id(w.fields["kind"])
            left = node.child_by_field_id(w.fields["left"])
            if word is not None and word.type == "var" and left is not None:
                patterns.declare(w, scope, left, VariableKind.VAR)
            body = node.child_by_field_id(w.fields["body"])
            if body is not None:
                todo.append(body)
        elif kind in _NESTING:
            todo.extend(reversed(node.named_children))


# -- one declaration each


def _made(w: Walker, variable: Variable, node: Node, symbol: int) -> None:
    variable.fixed = (Op.DEF, symbol)
    variable.symbol = symbol
    w.made[node.id] = symbol


def _respan(w: Walker, symbol: int, statement: Node) -> None:
    fact = w.symbols[symbol]
    fact.start_line, fact.start_column = w.place(statement.start_byte)
    fact.end_line, fact.end_column = w.place(statement.end_byte)
    w.offsets[symbol] = statement.start_byte


def _defined(w: Walker, scope: Scope, name: str) -> int:
    """The symbol that a name of this very scope is defined as, -1 where there is none."""
    variable = scope.names.get(name)
    if variable is not None and variable.fixed is not None and variable.fixed[0] == Op.DEF:
        return variable.fixed[1]
    found = scope.types.get(name)
    return found[1] if found is not None and found[0] == Op.DEF else -1


def _parent(w: Walker, scope: Scope) -> int:
    return scope.symbol if scope.symbol >= 0 else w.body.symbol


def _function(w: Walker, node: Node, scope: Scope, statement: Node, flags: int) -> None:
    name = node.child_by_field_id(w.fields["name"])
    text = "default" if name is None else w.name(name)
    body = node.child_by_field_id(w.fields["body"])
    known = _defined(w, scope, text)
    if known >= 0 and known in w.signatures:
        fact = w.symbols[known]
        fact.flags |= flags
        if body is None:
            w.signatures[known].append(node)
        else:
            fact.flags &= ~Flag.DECLARATION
        w.extend_to(known, statement.end_byte)
        w.made[node.id] = known
        return
    if body is None or w.ambient:
        flags |= Flag.DECLARATION
    symbol = w.symbol(Kind.Function, text, _parent(w, scope), statement.start_byte, statement.end_byte, flags)
    if body is None:
        w.signatures[symbol] = [node]
    flow.guard(w, node, symbol)
    variable = w.declare(scope, text, VariableKind.DEF)
    _made(w, variable, node, symbol)


def _class(w: Walker, node: Node, scope: Scope, statement: Node, flags: int) -> None:
    name = node.child_by_field_id(w.fields["name"])
    text = "default" if name is None else w.name(name)
    if node.type == "abstract_class_declaration":
        flags |= Flag.ABSTRACT
    if w.ambient:
        flags |= Flag.DECLARATION
    known = _defined(w, scope, text)
    if known >= 0 and w.symbols[known].kind == Kind.Interface:
        w.symbols[known].kind = Kind.Class
        w.symbols[known].flags = flags | (w.symbols[known].flags & ~Flag.DECLARATION)
        _respan(w, known, statement)
        symbol = known
    else:
        symbol = w.symbol(Kind.Class, text, _parent(w, scope), statement.start_byte, statement.end_byte, flags)
    _made(w, w.declare(scope, text, VariableKind.DEF), node, symbol)


def _enum(w: Walker, node: Node, scope: Scope, statement: Node, flags: int) -> None:
    name = node.child_by_field_id(w.fields["name"])
    if name is None:
        return
    text = w.name(name)
    known = _defined(w, scope, text)
    if known >= 0 and w.symbols[known].kind in (Kind.Enum, Kind.Namespace):
        w.made[node.id] = known
        return
    if node.children[0].type == "const":
        flags |= Flag.CONST
    if w.ambient:
        flags |= Flag.DECLARATION
    symbol = w.symbol(Kind.Enum, text, _parent(w, scope), statement.start_byte, statement.end_byte, flags)
    _made(w, w.declare(scope, text, VariableKind.DEF), node, symbol)


def _type(kind: Kind) -> Declare:
    def declare(w: Walker, node: Node, scope: Scope, statement: Node, flags: int) -> None:
        name = node.child_by_field_id(w.fields["name"])
        if name is None:
            return
        text = w.name(name)
        if kind == Kind.Interface:
            known = _defined(w, scope, text)
            if known >= 0 and w.symbols[known].kind in (Kind.Interface, Kind.Class):
                w.made[node.id] = known
                scope.types[text] = (Op.DEF, known)
                return
            flags |= Flag.DECLARATION
        symbol = w.symbol(kind, text, _parent(w, scope), statement.start_byte, statement.end_byte, flags)
        scope.types[text] = (Op.DEF, symbol)
        w.made[node.id] = symbol

    return declare


def _namespace(w: Walker, node: Node, scope: Scope, statement: Node, flags: int) -> None:
    """`namespace A.B`, `module A`, `declare module "m"`: a symbol for each part of the name."""
    name = node.child_by_field_id(w.fields["name"])
    if name is None:
        return
    if w.ambient:
        flags |= Flag.DECLARATION
    if name.kind_id == w.kinds.string:
        text = w.text[name.start_byte + 1 : name.end_byte - 1]
        symbol = w.symbol(Kind.Namespace, text, _parent(w, scope), statement.start_byte, statement.end_byte, flags)
        w.made[node.id] = symbol
        return
    first, *others = w.name(name).replace(" ", "").split(".")
    known = _defined(w, scope, first)
    if known < 0:
        known = w.symbol(Kind.Namespace, first, _parent(w, scope), statement.start_byte, statement.end_byte, flags)
    variable = w.declare(scope, first, VariableKind.DEF)
    variable.fixed = (Op.DEF, known)
    variable.symbol = known
    w.made[node.id] = known
    for other in others:
        inner = w.nested.get((known, other))
        if inner is None:
            inner = w.symbol(Kind.Namespace, other, known, statement.start_byte, statement.end_byte, flags)
            w.nested[known, other] = inner
        known = inner
    if others:
        w.made[-node.id] = known


def _lexical(w: Walker, node: Node, scope: Scope, statement: Node, flags: int) -> None:
    fields = w.fields
    word = node.child_by_field_id(fields["kind"])
    kind = VariableKind.LET if word is not None and word.type == "let" else VariableKind.CONST
    for each in node.named_children:
        name = each.child_by_field_id(fields["name"])
        if name is not None:
            patterns.declare(w, scope, name, kind)


def _variable(w: Walker, node: Node, scope: Scope, statement: Node, flags: int) -> None:
    if not scope.members:
        return
    for each in node.named_children:
        name = each.child_by_field_id(w.fields["name"])
        if name is not None:
            patterns.declare(w, scope, name, VariableKind.VAR)


def _exported(w: Walker, node: Node, scope: Scope, statement: Node, flags: int) -> None:
    w.modular = True
    inner = node.child_by_field_id(w.fields["declaration"])
    if inner is None:
        return
    flags |= Flag.EXPORTED
    if any(each.type == "default" for each in node.children[:4]):
        flags |= Flag.DEFAULT_EXPORT
    declare = DECLARATIONS.get(inner.type)
    if declare is not None:
        declare(w, inner, scope, statement, flags)


def _ambient(w: Walker, node: Node, scope: Scope, statement: Node, flags: int) -> None:
    outer, w.ambient = w.ambient, True
    for inner in node.named_children:
        if inner.kind_id == w.kinds.statement_block:
            symbol = w.symbol(
                Kind.Namespace,
                "global",
                _parent(w, scope),
                statement.start_byte,
                statement.end_byte,
                flags | Flag.DECLARATION,
            )
            w.made[inner.id] = symbol
            continue
        declare = DECLARATIONS.get(inner.type)
        if declare is not None:
            declare(w, inner, scope, statement, flags | Flag.DECLARATION)
    w.ambient = outer


def _expression(w: Walker, node: Node, scope: Scope, statement: Node, flags: int) -> None:
    inner = next(iter(node.named_children), None)
    if inner is not None and inner.kind_id in (w.kinds.internal_module, w.kinds.module):
        _namespace(w, inner, scope, statement, flags)


def _alias(w: Walker, node: Node, scope: Scope, statement: Node, flags: int) -> None:
    """`import x = A.B`."""
    name = next(iter(node.named_children), None)
    if name is not None:
        w.declare(scope, w.name(name), VariableKind.CONST)


# -- imports


def unquoted(w: Walker, node: Node) -> str:
    return w.text[node.start_byte + 1 : node.end_byte - 1]


def _import(w: Walker, node: Node, scope: Scope, statement: Node, flags: int) -> None:
    kinds, fields = w.kinds, w.fields
    w.modular = True
    type_only = any(each.type in ("type", "typeof") for each in node.children[1:2])
    clause = None
    for each in node.named_children:
        if each.kind_id == kinds.import_require_clause:
            _import_require(w, each, scope)
            return
        if each.kind_id == kinds.import_clause:
            clause = each
    source = node.child_by_field_id(fields["source"])
    if source is None:
        return
    spec = unquoted(w, source)
    if clause is None:
        line, column = w.place(source.start_byte)
        w.imports.append(ImportFact(ImportKind.SIDE_EFFECT, spec, "", line, column))
        return
    for each in clause.named_children:
        kind = each.kind_id
        if kind == kinds.identifier:
            imported(w, scope, each, w.name(each), ImportKind.DEFAULT, spec, "", type_only)
        elif kind == kinds.namespace_import:
            name = next((c for c in each.named_children if c.kind_id == kinds.identifier), None)
            if name is not None:
                imported(w, scope, name, w.name(name), ImportKind.MODULE, spec, "", type_only)
        elif kind == kinds.named_imports:
            for part in each.named_children:
                if part.kind_id == kinds.import_specifier:
                    _specifier(w, part, scope, spec, type_only)


def _specifier(w: Walker, node: Node, scope: Scope, spec: str, type_only: bool) -> None:
    name = node.child_by_field_id(w.fields["name"])
    alias = node.child_by_field_id(w.fields["alias"])
    if name is None:
        return
    text = unquoted(w, name) if name.kind_id == w.kinds.string else w.name(name)
    only = type_only or node.children[0].type in ("type", "typeof")
    local = text if alias is None else w.name(alias)
    kind = ImportKind.DEFAULT if text == "default" else ImportKind.NAME
    imported(w, scope, alias or name, local, kind, spec, "" if text == "default" else text, only)


def _import_require(w: Walker, node: Node, scope: Scope) -> None:
    name = next(iter(node.named_children), None)
    source = node.child_by_field_id(w.fields["source"])
    if name is not None and source is not None:
        imported(w, scope, name, w.name(name), ImportKind.REQUIRE, unquoted(w, source), "", False)


def imported(w: Walker, scope: Scope, node: Node, local: str, kind: int, spec: str, name: str, type_only: bool) -> None:
    line, column = w.place(node.start_byte)
    w.imports.append(ImportFact(kind, spec, name, line, column, type_only))
    if local in scope.names:
        return
    variable = w.declare(scope, local, VariableKind.IMPORT)
    variable.fixed = (Op.IMPORT, len(w.imports) - 1)


DECLARATIONS: Mapping[str, Declare] = {
    "function_declaration": _function,
    "generator_function_declaration": _function,
    "function_signature": _function,
    "class_declaration": _class,
    "abstract_class_declaration": _class,
    "enum_declaration": _enum,
    "interface_declaration": _type(Kind.Interface),
    "type_alias_declaration": _type(Kind.TypeAlias),
    "internal_module": _namespace,
    "module": _namespace,
    "lexical_declaration": _lexical,
    "using_declaration": _lexical,
    "variable_declaration": _variable,
    "export_statement": _exported,
    "ambient_declaration": _ambient,
    "expression_statement": _expression,
    "import_statement": _import,
    "import_alias": _alias,
}
