"""A Python file in, its facts out: decoded, mended where it is broken, walked once."""

from __future__ import annotations

import re

from codegps.languages.python import calls, definitions, imports, statements, values
from codegps.languages.python.decode import Problem, decode
from codegps.languages.python.heads import members
from codegps.languages.python.notebook import Cells, cells
from codegps.languages.python.recover import broken, recover
from codegps.languages.python.walk import MODULE, STATEMENT, VALUE, Source, Walk, block
from codegps.model.facts import Effect, FileFacts, SymbolFact
from codegps.model.kinds import Kind
from codegps.parse import parse

VERSION = 1

VALUE.update(values.VALUES | calls.VALUES | definitions.VALUES)
STATEMENT.update(statements.STATEMENTS | definitions.STATEMENTS | imports.STATEMENTS)

_TYPE_COMMENT = re.compile(r"#[ \t]*type:[ \t]*(?!ignore\b)([^\n#]*)")


def extract(content: bytes, path: str) -> FileFacts:
    text, problems = decode(content)
    whole = text
    book: Cells | None = None
    if path.endswith(".ipynb"):
        book = cells(text.decode("utf-8", "replace"))
        if book.problem:
            problems.append((1, book.problem))
        text = book.text
    tree = parse("python", text)
    if tree.root_node.has_error and broken(text):
        text, found = recover(text, book.cuts if book is not None else frozenset())
        problems += real_places(found, book)
        tree = parse("python", text)
    source = Source(text, path)
    source.real_lines = (book.places or None) if book is not None else None
    for line, message in problems:
        source.diagnose(line, message)
    if b"type:" in text:
        for comment in _TYPE_COMMENT.finditer(source.text):
            written = comment.group(1).rstrip()
            source.type_comments[source.line(comment.start())] = (comment.start(1), written)
    add_file(source, whole, path)
    walk = Walk(source, MODULE, 0, None)
    walk.open_body("", 0)
    block(walk, tree.root_node)
    for name, term in members(walk):
        walk.effects.append([Effect.BIND, 0, source.strings[name], term])
    walk.finish()
    return source.finish(f"python/{VERSION}")


def real_places(problems: list[Problem], book: Cells | None) -> list[Problem]:
    """Lines of a notebook's text as lines of its file."""
    if book is None:
        return problems
    return [(book.places[line - 1][0], message) for line, message in problems]


def add_file(source: Source, whole: bytes, path: str) -> None:
    """The File symbol: all of the file, the last line feed left out."""
    end = whole.rstrip(b"\n")
    source.lines = whole.count(b"\n") + (not whole.endswith(b"\n") and bool(whole))
    last = end.rpartition(b"\n")[2].decode("utf-8", "replace")
    source.symbols.append(
        SymbolFact(path.rpartition("/")[2], "", Kind.File, 0, -1, 0, 1, 1, end.count(b"\n") + 1, len(last) + 1)
    )
