"""`export`, `declare`, `namespace`, `import x = A.B`: what a module shows, and scopes that are objects."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from codegps.languages.javascript import classes, commonjs, flow, functions, heads, objects, patterns, types
from codegps.languages.javascript.body import Path
from codegps.languages.javascript.declare import hoist, unquoted
from codegps.languages.javascript.scopes import Scope
from codegps.model.facts import Effect, ExportFact, ImportFact, ImportKind, Member, Op
from codegps.model.kinds import EdgeKind, Flag, Kind

if TYPE_CHECKING:
    from tree_sitter import Node

    from codegps.languages.javascript.walker import Walker

DEFAULT: Final = "<export default>"


def export(w: Walker, node: Node) -> None:
    """Any form of `export`."""
    fields = w.fields
    source = node.child_by_field_id(fields["source"])
    declaration = node.child_by_field_id(fields["declaration"])
    words = [each.type for each in node.children if not each.is_named]
    if source is not None:
        _from(w, node, unquoted(w, source), "type" in words)
        return
    outer = (w.outer_span, w.exporting, w.before)
    w.outer_span = (node.start_byte, node.end_byte)
    w.exporting = Flag.EXPORTED | (Flag.DEFAULT_EXPORT if "default" in words else 0)
    w.before = [each for each in node.children if each.kind_id == w.kinds.decorator]
    if declaration is not None:
        _declaration(w, node, declaration, "default" in words)
    elif "default" in words:
        _default(w, node)
    elif "=" in words:
        _whole(w, node)
    elif "as" not in words:
        clause = next((each for each in node.named_children if each.kind_id == w.kinds.export_clause), None)
        if clause is not None:
            _clause(w, clause)
    w.outer_span, w.exporting, w.before = outer


def _line(w: Walker, node: Node) -> int:
    return w.place(node.start_byte)[0]


def _add(w: Walker, name: str, term: int, node: Node) -> None:
    """An export of the module, or of the namespace that is being walked."""
    if w.body.symbol == 0 and not any(each.name == name and each.term == term for each in w.exports[-20:]):
        w.exports.append(ExportFact(name, term, _line(w, node)))


def _declaration(w: Walker, node: Node, declaration: Node, default: bool) -> None:
    kind = declaration.type
    if kind in ("lexical_declaration", "variable_declaration", "using_declaration"):
        names = [
            name
            for each in declaration.named_children
            if (target := each.child_by_field_id(w.fields["name"])) is not None
            for name in patterns.names(w, target)
        ]
        for name in names:
            variable = w.find(w.name(name))
            if variable is not None:
                w.exported.add(variable)
                _add(w, variable.name, w.head_leaf_term(Op.NAME, w.strings[variable.name]), name)
    else:
        symbol = w.made.get(declaration.id, -1)
        inner: Node | None = declaration
        if symbol < 0 and kind == "ambient_declaration":
            inner = next(iter(declaration.named_children), None)
            if inner is not None and inner.type in ("lexical_declaration", "variable_declaration"):
                w.does[declaration.kind_id](w, declaration)
                _declaration_names(w, inner)
                return
            symbol = -1 if inner is None else w.made.get(inner.id, -1)
        elif symbol < 0 and kind == "expression_statement":
            inner = next(iter(declaration.named_children), None)
            symbol = -1 if inner is None else w.made.get(inner.id, -1)
        if symbol >= 0:
            _add(w, "default" if default else w.symbols[symbol].name, w.head_leaf_term(Op.DEF, symbol), node)
        elif kind == "import_alias":
            name = next(iter(declaration.named_children), None)
            if name is not None:
                _add(w, w.name(name), heads.named(w, w.name(name)), node)
    w.does[declaration.kind_id](w, declaration)


def _declaration_names(w: Walker, declaration: Node) -> None:
    for each in declaration.named_children:
        target = each.child_by_field_id(w.fields["name"])
        for name in [] if target is None else patterns.names(w, target):
            variable = w.find(w.name(name))
            if variable is not None:
                w.exported.add(variable)
                _add(w, variable.name, w.head_leaf_term(Op.NAME, w.strings[variable.name]), name)


def _from(w: Walker, node: Node, spec: str, type_only: bool) -> None:
    """`export … from "m"`."""
    kinds, fields = w.kinds, w.fields
    line, column = w.place(node.start_byte)
    for each in node.named_children:
        if each.kind_id == kinds.namespace_export:
            name = next((c for c in each.named_children if c.kind_id != kinds.comment), None)
            if name is not None:
                text = unquoted(w, name) if name.kind_id == kinds.string else w.name(name)
                _import(w, text, ImportKind.MODULE, spec, "", name, type_only)
            return
        if each.kind_id == kinds.export_clause:
            for part in each.named_children:
                if part.kind_id != kinds.export_specifier:
                    continue
                name = part.child_by_field_id(fields["name"])
                alias = part.child_by_field_id(fields["alias"]) or name
                if name is None or alias is None:
                    continue
                text = unquoted(w, name) if name.kind_id == kinds.string else w.name(name)
                local = unquoted(w, alias) if alias.kind_id == kinds.string else w.name(alias)
                only = type_only or part.children[0].type == "type"
                kind = ImportKind.DEFAULT if text == "default" else ImportKind.NAME
                _import(w, local, kind, spec, "" if text == "default" else text, name, only)
            return
    w.imports.append(ImportFact(ImportKind.STAR, spec, "", line, column, type_only))
    w.star_exports.append(len(w.imports) - 1)


def _import(w: Walker, local: str, kind: int, spec: str, name: str, node: Node, type_only: bool) -> None:
    line, column = w.place(node.start_byte)
    w.imports.append(ImportFact(kind, spec, name, line, column, type_only))
    _add(w, local, w.head_leaf_term(Op.IMPORT, len(w.imports) - 1), node)


def _clause(w: Walker, clause: Node) -> None:
    """`export { a, b as c }`: resolved at the end, when all names are known."""
    for part in clause.named_children:
        if part.kind_id != w.kinds.export_specifier:
            continue
        name = part.child_by_field_id(w.fields["name"])
        alias = part.child_by_field_id(w.fields["alias"]) or name
        if name is None or alias is None:
            continue
        text = w.name(name)
        local = unquoted(w, alias) if alias.kind_id == w.kinds.string else w.name(alias)
        found: list[int] = []
        variable = w.find(text)
        if variable is not None:
            w.exported.add(variable)
            found.append(heads.of_variable(w, variable))
        declared = types.find(w, text)
        if declared is not None:
            term = w.head_leaf_term(*declared)
            if declared[0] == Op.DEF:
                w.symbols[declared[1]].flags |= Flag.EXPORTED
            if term not in found:
                found.append(term)
        if not found:
            found.append(w.head_leaf_term(Op.NAME, w.strings[text]))
        term = found[0] if len(found) == 1 else w.head_put([Op.UNION, *found])
        _add(w, local, term, part)


def _default(w: Walker, node: Node) -> None:
    """`export default value`."""
    value = node.child_by_field_id(w.fields["value"])
    if value is None:
        return
    bare = objects.unwrapped(w, value)
    kind = bare.type
    if kind in objects.FUNCTIONS or kind == "class":
        name = bare.child_by_field_id(w.fields["name"])
        text = "default" if name is None else w.name(name)
        made = Kind.Class if kind == "class" else Kind.Function
        symbol = w.symbol(made, text, w.body.symbol, node.start_byte, node.end_byte, w.exporting)
        if kind == "class":
            classes.decorated(w, w.before, symbol)
            w.before = []
            classes.write(w, bare, symbol)
        else:
            functions.write(w, bare, symbol)
        _add(w, "default", w.head_leaf_term(Op.DEF, symbol), node)
        return
    symbol = -1
    if bare.kind_id == w.kinds.object:
        symbol = w.symbol(Kind.Variable, "default", w.body.symbol, node.start_byte, node.end_byte, w.exporting)
        w.paths[bare.id] = Path(symbol, "")
        state = w.own(symbol)
        term = w.values[value.kind_id](w, value)
        w.disown(state, symbol)
    else:
        term = w.values[value.kind_id](w, value)
    exported = commonjs.named(w, DEFAULT, heads.handed(w, term), term, symbol)
    _mark(w, bare)
    _add(w, "default", exported, node)


def _mark(w: Walker, node: Node) -> None:
    """`export default f` exports `f`."""
    if node.kind_id == w.kinds.identifier:
        variable = w.find(w.name(node))
        if variable is not None:
            w.exported.add(variable)


def _whole(w: Walker, node: Node) -> None:
    """`export = value`."""
    value = next((each for each in node.named_children if each.kind_id != w.kinds.comment), None)
    if value is None:
        return
    term = w.values[value.kind_id](w, value)
    plain = heads.named(w, w.name(value)) if value.kind_id == w.kinds.identifier else heads.handed(w, term)
    _mark(w, value)
    w.exports.append(ExportFact("=", commonjs.named(w, DEFAULT, plain, term), _line(w, node)))


# -- ambient declarations, aliases, namespaces


def ambient(w: Walker, node: Node) -> None:
    """`declare …`: nothing in it has a body."""
    outer, w.ambient = w.ambient, True
    span = w.outer_span
    w.outer_span = span or (node.start_byte, node.end_byte)
    for each in node.named_children:
        if each.kind_id == w.kinds.statement_block:
            symbol = w.made.get(each.id, -1)
            if symbol >= 0:
                _namespace_body(w, each, symbol)
        else:
            w.does[each.kind_id](w, each)
    w.outer_span = span
    w.ambient = outer


def alias(w: Walker, node: Node) -> None:
    """`import x = A.B`."""
    children = [each for each in node.named_children if each.kind_id != w.kinds.comment]
    if len(children) < 2:
        return
    variable = w.find(w.name(children[0]))
    term = _qualified(w, children[1])
    line, column = w.place(children[1].start_byte)
    w.effects.append([Effect.REFER, term, EdgeKind.REFERENCES, line, column])
    if variable is not None:
        flow.assign(w, variable, term, True)


def _qualified(w: Walker, node: Node) -> int:
    """`A.B.C` as a value."""
    inner = node.child_by_field_id(w.fields["object"])
    name = node.child_by_field_id(w.fields["property"])
    if inner is None or name is None:
        variable = w.find(w.name(node))
        if variable is None:
            return w.leaf_term(Op.NAME, w.strings[w.name(node)])
        return flow.read(w, variable)
    base = _qualified(w, inner)
    line, column = w.place(name.start_byte)
    start_line, start_column = w.place(node.start_byte)
    return w.put([Op.ATTR, base, w.strings[w.name(name)], line, column, start_line, start_column])


def namespace(w: Walker, node: Node) -> None:
    """`namespace A.B { … }`, `declare module "m" { … }`."""
    symbol = w.made.get(node.id, -1)
    body = node.child_by_field_id(w.fields["body"])
    if symbol < 0 or body is None:
        return
    name = node.child_by_field_id(w.fields["name"])
    last = w.made.get(-node.id, symbol)
    if last != symbol and name is not None:
        above = symbol
        for part in w.name(name).replace(" ", "").split(".")[1:]:
            inner = w.nested[above, part]
            member = Member(above, part, w.head_leaf_term(Op.DEF, inner), inner, static=True, exported=True)
            if member not in w.members:
                w.members.append(member)
            above = inner
    _namespace_body(w, body, last)


def _namespace_body(w: Walker, body: Node, symbol: int) -> None:
    scope = w.opened.get(symbol)
    unit = w.unit(symbol, [Op.UNKNOWN], -1)
    first = scope is None
    if scope is None:
        scope = w.opened[symbol] = Scope(w.scope, symbol, members=True)
        unit.members = True
        w.namespaces.append((unit, scope))
    known_names = set(scope.names) | set(scope.types)
    saved = w.enter(unit, scope)
    if first:
        functions.open_body(w, symbol, body)
    statements = body.named_children
    hoist(w, statements, scope)
    w.run(statements)
    _namespace_members(w, scope, symbol, known_names)
    w.leave(saved)


def _namespace_members(w: Walker, scope: Scope, symbol: int, known: set[str]) -> None:
    for name, (op, number) in scope.types.items():
        if op == Op.DEF and name not in known:
            w.members.append(Member(symbol, name, w.head_leaf_term(Op.DEF, number), number, static=True))
