"""A Python file in, its facts out."""

from __future__ import annotations

from codegps.languages.python import calls, definitions, imports, statements, values
from codegps.languages.python.heads import members
from codegps.languages.python.walk import MODULE, STATEMENT, VALUE, Source, Walk, block
from codegps.model.facts import Effect, FileFacts, SymbolFact
from codegps.model.kinds import Kind
from codegps.parse import parse

VERSION = 1

VALUE.update(values.VALUES | calls.VALUES | definitions.VALUES)
STATEMENT.update(statements.STATEMENTS | definitions.STATEMENTS | imports.STATEMENTS)


def extract(content: bytes, path: str) -> FileFacts:
    source = Source(content, path)
    root = parse("python", source.source).root_node
    source.lines = len(source.starts) - (content.endswith(b"\n") or not content)
    end_line, end_column = source.place(len(content.rstrip(b"\r\n")))
    source.symbols.append(
        SymbolFact(path.rpartition("/")[2], "", Kind.File, 0, -1, 0, 1, 1, max(end_line, 1), end_column)
    )
    walk = Walk(source, MODULE, 0, None)
    walk.open_body("", 0)
    block(walk, root)
    for name, term in members(walk):
        walk.effects.append([Effect.BIND, 0, source.strings[name], term])
    walk.finish()
    return source.finish(f"python/{VERSION}")
