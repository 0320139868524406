"""Import statements: nodes in, ImportFacts and the names that they bind out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codegps.languages.python import nodes as n
from codegps.languages.python.walk import MODULE, Walk
from codegps.model.facts import ImportFact, ImportKind, Op

if TYPE_CHECKING:
    from tree_sitter import Node


def import_statement(walk: Walk, node: Node) -> int:
    """`import a.b`, `import a.b as c`"""
    for child in node.named_children:
        kind = child.kind_id
        if kind == n.DOTTED_NAME:
            spec = dotted(walk, child)
            add(walk, ImportKind.TOP, spec, "", spec.partition(".")[0], child)
        elif kind == n.ALIASED_IMPORT:
            alias = child.children[-1]
            add(walk, ImportKind.MODULE, dotted(walk, child.children[0]), "", walk.source.word(alias), alias)
    return -1


def dotted(walk: Walk, node: Node) -> str:
    """`a.b`, `..a.b`, blanks between its parts dropped."""
    return "".join(walk.source.word(node).replace("\\\n", "").split())


def import_from(walk: Walk, node: Node) -> int:
    """`from m import a, b as c`, `from m import *`"""
    named = [child for child in node.named_children if child.kind_id not in n.PUNCTUATION]
    if not named:
        return -1
    spec = dotted(walk, named[0])
    for child in named[1:]:
        kind = child.kind_id
        if kind == n.DOTTED_NAME:
            name = walk.source.word(child)
            add(walk, ImportKind.NAME, spec, name, name, child)
        elif kind == n.ALIASED_IMPORT:
            alias = child.children[-1]
            add(walk, ImportKind.NAME, spec, walk.source.word(child.children[0]), walk.source.word(alias), alias)
        elif kind == n.WILDCARD:
            imports = walk.source.imports
            if walk.kind == MODULE:
                walk.source.stars.append(len(imports))
            imports.append(ImportFact(ImportKind.STAR, spec, "", *walk.source.place(child.start_byte)))
    return -1


def add(walk: Walk, kind: int, spec: str, member: str, name: str, place: Node) -> None:
    imports = walk.source.imports
    number = len(imports)
    imports.append(ImportFact(kind, spec, member, *walk.source.place(place.start_byte), walk.typing_only))
    before = walk.env.get(name)
    if kind == ImportKind.TOP and before is not None and walk.terms[before][0] == Op.IMPORT:
        known = imports[walk.terms[before][1]]
        if known.kind == ImportKind.TOP and known.spec.partition(".")[0] == name:
            # `import a.b` and `import a.c` bind one module; only what they load differs.
            return
    walk.bind(name, walk.constant_term((Op.IMPORT, number)), place.start_byte)


def future(walk: Walk, node: Node) -> int:
    return -1


STATEMENTS = {n.IMPORT: import_statement, n.IMPORT_FROM: import_from, n.FUTURE_IMPORT: future}
