"""CommonJS: what assignments to `exports` and `module.exports` export, and variables that nothing declares."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from codegps.languages.javascript import flow, heads, objects
from codegps.languages.javascript.body import Path
from codegps.languages.javascript.scopes import VariableKind
from codegps.model.facts import Effect, ExportFact, Member, Op
from codegps.model.kinds import Flag, Kind

if TYPE_CHECKING:
    from tree_sitter import Node

    from codegps.languages.javascript.walker import Walker

WHOLE: Final = "<module.exports>"


def _free(w: Walker, node: Node, name: str) -> bool:
    return (
        node.kind_id == w.kinds.identifier
        and w.text[node.start_byte : node.end_byte] == name
        and not w.modular
        and w.find(name) is None
    )


def is_exports(w: Walker, node: Node) -> bool:
    """`exports` or `module.exports`."""
    if node.kind_id == w.kinds.member_expression:
        inner, name = node.child_by_field_id(w.fields["object"]), node.child_by_field_id(w.fields["property"])
        return inner is not None and name is not None and w.name(name) == "exports" and _free(w, inner, "module")
    return _free(w, node, "exports")


def export_name(w: Walker, inner: Node, name: str) -> str | None:
    """What assigning `inner.name` exports: `=` for the whole, None where nothing."""
    if name == "exports" and _free(w, inner, "module"):
        return "="
    return name if is_exports(w, inner) else None


def assign(w: Walker, node: Node, right: Node, name: str) -> int:
    """`module.exports = value`, `exports.name = value`."""
    from codegps.languages.javascript.stores import Where, assigned

    bare = objects.unwrapped(w, right)
    flags = Flag.EXPORTED
    own = name
    if name == "=":
        flags |= Flag.DEFAULT_EXPORT
        written = (
            bare.child_by_field_id(w.fields["name"]) if bare.type in objects.FUNCTIONS or bare.type == "class" else None
        )
        own = "default" if written is None else w.name(written)
    if bare.kind_id == w.kinds.object:
        w.paths[bare.id] = Path(0, "" if name == "=" else name)
        term = w.values[right.kind_id](w, right)
    else:
        term = assigned(w, right, Where(w.body.symbol, own, own, Kind.Function, flags), node)
    export(w, name, term, node)
    return term


def export(w: Walker, name: str, term: int, node: Node) -> None:
    """Notes an export of what a term of this unit is."""
    w.commonjs = True
    line = w.place(node.start_byte)[0]
    plain = heads.handed(w, term)
    if name == "=" and plain >= 0:
        w.whole.append(plain)
    w.exports.append(ExportFact(name, named(w, WHOLE if name == "=" else f"<exports.{name}>", plain, term), line))


def named(w: Walker, name: str, plain: int, term: int, symbol: int = -1) -> int:
    """The head term of an exported value; one that no name stands for is a member of its own."""
    if plain >= 0 and w.head[plain][0] in (Op.DEF, Op.NAME, Op.IMPORT, Op.ATTR):
        return plain
    w.members.append(Member(0, name, plain, symbol))
    if plain < 0:
        w.effects.append([Effect.BIND, 0, w.strings[name], term])
    return w.head_leaf_term(Op.NAME, w.strings[name])


def defined(w: Walker, given: list[Node], row: list[int]) -> None:
    """`Object.defineProperty(exports, "x", { get: function () { return y.x } })`."""
    if not is_exports(w, given[0]) or given[1].kind_id != w.kinds.string or len(row) < 15:
        return
    name = w.text[given[1].start_byte + 1 : given[1].end_byte - 1]
    value = w.terms[row[14]]
    if name == "__esModule" or value[0] != Op.DICT:
        return
    for at in range(3, len(value), 2):
        key = w.terms[value[at]] if value[at] >= 0 else [Op.UNKNOWN]
        if key[0] != Op.CONST or key[2] < 0:
            continue
        word = w.spelled(key[2])
        if word == "value":
            export(w, name, value[at + 1], given[0])
        elif word == "get" and w.terms[value[at + 1]][0] == Op.DEF:
            _getter(w, name, w.terms[value[at + 1]][1], given[0])


def _getter(w: Walker, name: str, symbol: int, node: Node) -> None:
    """An export behind a getter is what the getter hands back."""
    unit = w.units.get(symbol)
    if unit is None:
        return
    w.commonjs = True
    for effect in unit.effects:
        if effect[0] == Effect.RETURN:
            terms, body, w.terms, w.body = w.terms, w.body, unit.terms, unit
            plain = heads.plain(w, effect[1])
            w.terms, w.body = terms, body
            if plain >= 0:
                w.exports.append(ExportFact(name, plain, w.place(node.start_byte)[0]))


def spread(w: Walker, target: Node, row: list[int]) -> None:
    """`Object.assign(exports, require("./x"), { a })`."""
    if not is_exports(w, target):
        return
    for at in range(11, len(row), 3):
        term = w.terms[row[at]]
        if term[0] == Op.IMPORT:
            w.star_exports.append(term[1])
            w.commonjs = True
        elif term[0] == Op.DICT:
            for pair in range(3, len(term), 2):
                key = w.terms[term[pair]] if term[pair] >= 0 else [Op.UNKNOWN]
                if key[0] == Op.CONST and key[2] >= 0:
                    export(w, w.spelled(key[2]), term[pair + 1], target)


def export_star(w: Walker, row: list[int]) -> None:
    """`__exportStar(require("./x"), exports)`, as compilers write `export *`."""
    if len(row) > 8 and w.terms[row[8]][0] == Op.IMPORT:
        w.star_exports.append(w.terms[row[8]][1])
        w.commonjs = True


def exports_object(w: Walker, name: str) -> int:
    """`exports` as a value; -1 for `module`."""
    if name == "module":
        return -1
    w.reads_exports = True
    return w.leaf_term(Op.NAME, w.strings[WHOLE])


def implicit(w: Walker, name: str, term: int) -> int:
    """Assigning a name that nothing declares makes a variable of the script."""
    scope = w.scope
    while scope.parent is not None:
        scope = scope.parent
    if w.body.symbol == 0:
        variable = w.declare(scope, name, VariableKind.VAR)
        flow.assign(w, variable, term)
    else:
        w.effects.append([Effect.BIND, 0, w.strings[name], term])
    return term


def finish(w: Walker) -> None:
    """What was set on `exports` belongs to the function, class or object that `module.exports` is."""
    parts = [(export.name, export.term) for export in w.exports if export.name != "="]
    if not w.commonjs or w.modular:
        return
    for term in w.whole:
        row = w.head[term]
        if row[0] == Op.DEF:
            w.members.extend(Member(row[1], name, part, static=True) for name, part in parts)
        elif row[0] == Op.DICT:  # What an object literal holds can be imported by name.
            named = {name for name, _ in parts}
            for at in range(3, len(row), 2):
                key = w.head[row[at]] if row[at] >= 0 else [Op.UNKNOWN]
                if key[0] == Op.CONST and key[2] >= 0 and w.head[row[at + 1]][0] != Op.UNKNOWN:
                    name = w.spelled(key[2])
                    if name not in named:
                        w.exports.append(ExportFact(name, row[at + 1], w.symbols[0].start_line))
            for name, part in parts:
                row += [w.head_put([Op.CONST, w.strings["string"], w.strings[name]]), part]
    if w.reads_exports:
        for term in w.whole:
            if w.head[term][0] in (Op.DEF, Op.NAME, Op.IMPORT, Op.ATTR):
                w.members.append(Member(0, WHOLE, term))
        if not any(export.name == "=" for export in w.exports):
            row = [Op.DICT, w.allocations, w.strings["object"]]
            w.allocations += 1
            for name, part in parts:
                row += [w.head_put([Op.CONST, w.strings["string"], w.strings[name]]), part]
            w.members.append(Member(0, WHOLE, w.head_put(row)))
