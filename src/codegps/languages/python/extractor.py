"""A Python file in, its facts out: decoded, mended where it is broken, walked once."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from codegps.languages.python import branches, calls, comprehensions, definitions, imports, statements, values
from codegps.languages.python.decode import Problem, decode
from codegps.languages.python.heads import members
from codegps.languages.python.notebook import Cells, cells
from codegps.languages.python.recover import Recovery, broken, recover
from codegps.languages.python.walk import MODULE, STATEMENT, VALUE, Source, Walk, block
from codegps.model.facts import Effect, FileFacts, SymbolFact
from codegps.model.kinds import Kind
from codegps.parse import parse, parse_patiently

if TYPE_CHECKING:
    from tree_sitter import Node

VERSION = 1

VALUE.update(values.VALUES | comprehensions.VALUES | calls.VALUES | definitions.VALUES)
STATEMENT.update(statements.STATEMENTS | branches.STATEMENTS | definitions.STATEMENTS | imports.STATEMENTS)

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
    tree = parse_patiently("python", text)
    cuts = book.cuts if book is not None else frozenset[int]()
    mended: Recovery | None = None
    source: Source | None = None
    if tree is not None and not (tree.root_node.has_error and broken(text)):
        source = walk_module(tree.root_node, text, path, whole, book)
    if source is None or source.crooked:
        # Crooked: the parser took lines for granted whose indentation fits no block.
        mended = recover(text, cuts)
        text = mended.result
        tree = parse_patiently("python", text)
        if tree is None:
            problems.append((1, "the parser loses its way in this file: nothing is taken from it"))
            text, tree = b"", parse("python", b"")
        source = walk_module(tree.root_node, text, path, whole, book, mended.shifts)
    for line, message in problems + (real_places(mended.problems, book) if mended is not None else []):
        source.diagnose(line, message)
    return source.finish(f"python/{VERSION}")


def walk_module(
    root: Node, text: bytes, path: str, whole: bytes, book: Cells | None, shifts: dict[int, int] | None = None
) -> Source:
    """Reads all of a tree of `text`; `whole` is what the file really holds."""
    source = Source(text, path)
    if book is not None:
        source.real_lines = book.places or None
    elif shifts:
        source.real_lines = [(at + 1, shifts.get(at, 0)) for at in range(len(source.starts))]
    source.settle_places()
    if b"type:" in text:
        for comment in _TYPE_COMMENT.finditer(source.text):
            written = comment.group(1).rstrip()
            source.type_comments[source.line(comment.start())] = (comment.start(1), written)
    add_file(source, whole, path)
    walk = Walk(source, MODULE, 0, None)
    walk.open_body("", 0)
    block(walk, root)
    for name, term in members(walk):
        walk.effects.append([Effect.BIND, 0, source.strings[name], term])
    walk.finish()
    return source


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
