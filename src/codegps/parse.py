"""Text in, syntax trees out: the sole owner of tree-sitter parsers.

A parser costs 20 µs and a grammar is a shared library, so both are made when first asked for and kept for the process.
Parsers are not safe to share between threads; each thread has its own.
"""

from __future__ import annotations

import threading
import warnings
from collections.abc import Callable
from importlib import import_module
from typing import Final

from tree_sitter import Language, Parser, Point, Range, Tree

GRAMMARS: dict[str, tuple[str, str]] = {
    "python": ("tree_sitter_python", "language"),
    "javascript": ("tree_sitter_javascript", "language"),
    "typescript": ("tree_sitter_typescript", "language_typescript"),
    "tsx": ("tree_sitter_typescript", "language_tsx"),
}
"""Grammar name → package and function of the wheel that holds it."""

PATIENCE: Final = 10
"""Seconds after which a text counts as unreadable: a hundred times what the largest real files take."""

_languages: dict[str, Language] = {}
_own = threading.local()


def grammar(name: str) -> Language:
    """The grammar, for its tables of node kinds and fields."""
    found = _languages.get(name)
    if found is None:
        package, function = GRAMMARS[name]
        load: Callable[[], object] = getattr(import_module(package), function)
        found = _languages[name] = Language(load())
    return found


def parser(name: str) -> Parser:
    """This thread's parser of a grammar."""
    parsers: dict[str, Parser] | None = getattr(_own, "parsers", None)
    if parsers is None:
        parsers = _own.parsers = {}
    found = parsers.get(name)
    if found is None:
        found = parsers[name] = Parser(grammar(name))
    return found


def parse(name: str, source: bytes) -> Tree:
    """The tree of UTF-8 text. Reading node points is slow and, in tree-sitter 0.26, unsafe: use byte offsets."""
    return parser(name).parse(source)


def parse_patiently(name: str, source: bytes) -> Tree | None:
    """The tree, or None for text on which the parser loses its way: it may take hours over many errors in a row."""
    parsers: dict[str, Parser] | None = getattr(_own, "patient", None)
    if parsers is None:
        parsers = _own.patient = {}
    found = parsers.get(name)
    if found is None:
        found = parsers[name] = Parser(grammar(name))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # The other way calls back into Python all the time.
            found.timeout_micros = PATIENCE * 1_000_000  # pyright: ignore[reportDeprecated]
    try:
        return found.parse(source)
    except ValueError:
        found.reset()
        return None


def parse_part(name: str, source: bytes, start: int, end: int) -> Tree:
    """The tree of one stretch of the text, with the offsets of the whole: a type inside a string."""
    parsers: dict[str, Parser] | None = getattr(_own, "parts", None)
    if parsers is None:
        parsers = _own.parts = {}
    part = parsers.get(name)
    if part is None:
        part = parsers[name] = Parser(grammar(name))
    # Rows and columns only have to grow with the offset; nobody reads them.
    part.included_ranges = [Range(Point(0, start), Point(0, end), start, end)]
    return part.parse(source)
