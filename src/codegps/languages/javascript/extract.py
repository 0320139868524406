"""Source of a JavaScript or TypeScript file in, its facts out. Never raises for what is in the file."""

from __future__ import annotations

import gc
from functools import cache, partial

from tree_sitter import Node

from codegps.languages.javascript import functions, jsdoc
from codegps.languages.javascript.declare import hoist
from codegps.languages.javascript.expressions import VALUES
from codegps.languages.javascript.finish import finish
from codegps.languages.javascript.grammar import Grammar
from codegps.languages.javascript.reading import MESSAGE, UNREADABLE, first_error, read
from codegps.languages.javascript.scopes import Scope
from codegps.languages.javascript.source import Source
from codegps.languages.javascript.statements import DOES
from codegps.languages.javascript.walker import Walker
from codegps.model.facts import FileFacts
from codegps.model.graph import Block
from codegps.model.kinds import Flag, Kind


@cache
def _grammar(name: str) -> Grammar:
    return Grammar(name, VALUES, DOES)


def extract(content: bytes, path: str, version: str) -> FileFacts:
    """Facts of one file; the path is asked for its name and, where folders are routes, its place."""
    collecting = gc.isenabled()
    gc.disable()  # Facts are many small lists without cycles: collections would take a third of the time.
    try:
        source = Source(content, path)
        reading = read(source)
        if reading is None:
            source.blank()
            reading = read(source)
            assert reading is not None
            w = Walker(source, path, _grammar(reading.grammar), partial(_grammar, "typescript"))
            w.complain(0, UNREADABLE)
        else:
            w = Walker(source, path, _grammar(reading.grammar), partial(_grammar, "typescript"))
        for offset in reading.gaps:
            w.complain(offset, MESSAGE)
        _walk(w, reading.root)
        if not w.diagnostics and reading.root.has_error:
            w.complain(max(first_error(reading.root), 0), "syntax error")
        return finish(w, version)
    finally:
        if collecting:
            gc.enable()


def _walk(w: Walker, root: Node) -> None:
    name = w.path.rpartition("/")[2]
    flags = Flag.DECLARATION if w.source.declarations else 0
    w.symbol(Kind.File, name, -1, 0, len(w.text), flags)
    w.symbols[0].qualified_name = ""
    w.body.members = True
    w.units[0] = w.body
    w.scope = Scope(None, 0, members=True)
    functions.open_body(w, 0, root)
    w.blocks[0] = Block(0, -1, "body", 1)
    statements = root.named_children
    if w.grammar.name == "javascript":
        w.docs = jsdoc.documented(w.text)
    hoist(w, statements, w.scope)
    if w.docs is not None:
        jsdoc.declare(w, w.docs)
        jsdoc.define(w)
    w.run(statements)
    w.body.env = w.env
