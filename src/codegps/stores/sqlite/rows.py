"""Between the model and the tables: whole files' nouns in, tuples of columns out, and back."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar, cast

import msgspec

from codegps.model.graph import Edge, FileRow, Reference, Sites, Symbol
from codegps.model.kinds import EdgeKind, Kind, Proof, Reason, Via
from codegps.stores.sqlite.schema import COLUMN_SHIFT, EDGE_SHIFT, FILE_SHIFT

Row = tuple[Any, ...]
"""What sqlite3 gives; each function below says what it holds."""
T = TypeVar("T")

_COLUMN = (1 << COLUMN_SHIFT) - 1
_KINDS = {int(k): k for k in Kind}
_ASCII_LOWER = {upper: upper + 32 for upper in range(ord("A"), ord("Z") + 1)}
_HOW: dict[int, tuple[EdgeKind, Proof, int, Via]] = {}

_encode = msgspec.msgpack.Encoder().encode
_sites = msgspec.msgpack.Decoder(Sites)


def readable(convert: Callable[[], T]) -> T:
    """Runs a conversion of stored rows; what it cannot read is damage, not a mistake of the caller."""
    try:
        return convert()
    except (TypeError, ValueError, LookupError, msgspec.MsgspecError) as error:
        raise sqlite3.DatabaseError(f"a row cannot be read: {error}") from error


def text(given: str) -> str:
    """As SQLite can hold it: half surrogate pairs have no UTF-8."""
    return given if given.isascii() else given.encode("utf-8", "replace").decode("utf-8")


def ascii_lower(given: str) -> str:
    """As SQLite's `lower`, which knows no other letters."""
    return given.translate(_ASCII_LOWER)


def file_row(row: FileRow) -> Row:
    return (row.key >> FILE_SHIFT, row.path, row.language, row.sha, row.size, row.mtime_ns, row.lines)


def file_from(row: Row) -> FileRow:
    number, path, language, sha, size, mtime_ns, lines = row
    return FileRow(number << FILE_SHIFT, path, language, sha, size, mtime_ns, lines)


def symbol_rows(symbols: Iterable[Symbol], language: str) -> list[Row]:
    rows: list[Row] = []
    for s in symbols:
        fold = s.name.casefold()
        rows.append(
            (
                s.key,
                fold,
                None if fold == s.name else s.name,
                s.qualified_name,
                int(s.kind),
                s.start_line,
                s.start_column,
                s.end_line,
                s.end_column,
                s.parent,
                None if s.language == language else s.language,
                s.flags,
                s.drawn,
            )
        )
    return rows


SYMBOL = """
SELECT s.key, ifnull(s.name, s.fold), s.qualified_name, s.kind, f.path, s.start_line, s.start_column, s.end_line,
    s.end_column, s.parent, ifnull(s.language, f.language), s.flags, s.drawn
"""


def symbols_from(rows: Iterable[Row]) -> list[Symbol]:
    """Rows of `SYMBOL`, put in order."""

    def convert() -> list[Symbol]:
        kinds = _KINDS
        found = [Symbol(key, name, qualified, kinds[kind], *rest) for key, name, qualified, kind, *rest in rows]
        found.sort(key=lambda s: (s.file, s.kind != 0, s.start_line, s.start_column, s.qualified_name))
        return found

    return readable(convert)


def edge_rows(edges: Sequence[Edge]) -> list[Row]:
    rows: list[Row] = []
    for n, e in enumerate(edges):
        source = e.source
        target = e.target
        drawn_source = e.drawn_source
        drawn_target = e.drawn_target
        rows.append(
            (
                source << EDGE_SHIFT | n,
                target,
                e.kind | e.proof << 4 | e.via << 6 | e.hops << 9 | e.site + 1 << 16,
                e.line << COLUMN_SHIFT | e.column,
                e.class_,
                None if drawn_source == source else drawn_source,
                None if drawn_target == target else drawn_target,
            )
        )
    return rows


def _how(how: int) -> tuple[EdgeKind, Proof, int, Via]:
    found = (EdgeKind(how & 15), Proof(how >> 4 & 3), how >> 9 & 127, Via(how >> 6 & 7))
    _HOW[how] = found
    return found


def edges_from(rows: Iterable[Row]) -> list[Edge]:
    """Rows of the table `edge`, in the order given."""

    def convert() -> list[Edge]:
        known = _HOW
        found: list[Edge] = []
        for place, target, how, at, class_, drawn_source, drawn_target in rows:
            low = how & 0xFFFF
            kind, proof, hops, via = known.get(low) or _how(low)
            source = place >> EDGE_SHIFT
            found.append(
                Edge(
                    kind,
                    source,
                    target,
                    at >> COLUMN_SHIFT,
                    at & _COLUMN,
                    proof,
                    hops,
                    via,
                    class_,
                    source if drawn_source is None else drawn_source,
                    target if drawn_target is None else drawn_target,
                    (how >> 16) - 1,
                )
            )
        return found

    return readable(convert)


def reference_rows(references: Sequence[Reference]) -> list[Row]:
    rows: list[Row] = []
    for n, r in enumerate(references):
        rows.append(
            (
                r.source << EDGE_SHIFT | n,
                r.name,
                r.last_name if r.reason == Reason.unknown else None,
                r.kind | r.reason << 4 | r.site + 1 << 16,
                r.line << COLUMN_SHIFT | r.column,
                r.external or None,
                ",".join(map(str, r.candidates)) or None,
                None if r.drawn_source == r.source else r.drawn_source,
            )
        )
    return rows


def references_from(rows: Iterable[Row]) -> list[Reference]:
    """Rows of the table `reference`, in the order given."""

    def convert() -> list[Reference]:
        found: list[Reference] = []
        for place, name, _last, how, at, external, candidates, drawn_source in rows:
            source = place >> EDGE_SHIFT
            found.append(
                Reference(
                    EdgeKind(how & 15),
                    source,
                    name,
                    at >> COLUMN_SHIFT,
                    at & _COLUMN,
                    Reason(how >> 4 & 15),
                    external or "",
                    tuple(map(int, candidates.split(","))) if candidates else (),
                    source if drawn_source is None else drawn_source,
                    (how >> 16) - 1,
                )
            )
        return found

    return readable(convert)


def sites_from(data: bytes) -> Sites:
    return readable(lambda: _sites.decode(data))


def clean(row: Row) -> Row:
    """The row as SQLite can hold it."""
    return tuple(text(cell) if isinstance(cell, str) else cell for cell in row)


def encoded(sites: Sites) -> bytes:
    """Sites as bytes; text that has no UTF-8 is replaced as everywhere."""

    def walk(value: object) -> object:
        if isinstance(value, list):
            return [walk(item) for item in cast("list[object]", value)]
        return text(value) if isinstance(value, str) else value

    try:
        return _encode(sites)
    except UnicodeEncodeError:
        return _encode(walk(msgspec.to_builtins(sites)))
