"""The order of answers: rows of edges and references in, the same rows by path, place and position out."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from itertools import groupby

from codegps.stores.sqlite.rows import Row, readable
from codegps.stores.sqlite.schema import EDGE_SHIFT, FILE_EDGE_SHIFT, FILE_SHIFT

Order = tuple[str, bool, int, int, str]
"""Path, whether it is not the File, line, column, qualified name."""


def array(numbers: Iterable[int]) -> str:
    """A JSON array, each number once."""
    return "[" + ",".join(map(str, sorted(set(numbers)))) + "]"


def orders(db: sqlite3.Connection, keys: Iterable[int]) -> dict[int, Order]:
    """Where these symbols stand in lists; one that is not there stands before all."""
    keys = set(keys)
    found = db.execute(
        "SELECT s.key, f.path, s.kind <> 0, s.start_line, s.start_column, s.qualified_name "
        "FROM json_each(?) k CROSS JOIN symbol s ON s.key = k.value "
        f"JOIN file f ON f.number = s.key >> {FILE_SHIFT}",
        (array(keys),),
    )
    known: dict[int, Order] = {key: ("", False, key, 0, "") for key in keys}
    known.update((key, (path, bool(later), line, column, name)) for key, path, later, line, column, name in found)
    return known


def _paths(db: sqlite3.Connection, rows: Iterable[Row]) -> dict[int, str]:
    """The paths of the files that own these rows, by number."""
    numbers = array(row[0] >> FILE_EDGE_SHIFT for row in rows)
    sql = "SELECT f.number, f.path FROM json_each(?) k CROSS JOIN file f ON f.number = k.value"
    return dict(db.execute(sql, (numbers,)))


def edges(db: sqlite3.Connection, rows: list[Row]) -> list[Row]:
    """Rows of the table `edge`, ordered."""
    return readable(lambda: _edges(db, rows))


def references(db: sqlite3.Connection, rows: list[Row]) -> list[Row]:
    """Rows of the table `reference`, ordered."""
    return readable(lambda: _references(db, rows))


def _edges(db: sqlite3.Connection, rows: list[Row]) -> list[Row]:
    """Only where places tie are the symbols looked at."""
    paths = _paths(db, rows)
    places = [(paths.get(row[0] >> FILE_EDGE_SHIFT, ""), row[3], row[2] & 15) for row in rows]
    ordered = sorted(range(len(rows)), key=places.__getitem__)
    if len(set(places)) == len(rows):
        return [rows[n] for n in ordered]

    def tie(row: Row) -> tuple[object, ...]:
        place, target, how, _, class_, drawn_source, drawn_target = row
        source = place >> EDGE_SHIFT
        proof = (how >> 4 & 3, how >> 9 & 127, how >> 6 & 7)
        drawn = (
            known[source if drawn_source is None else drawn_source],
            known[target if drawn_target is None else drawn_target],
        )
        return (known[target], known[source], proof, known[class_], how >> 16, drawn)

    groups = [[rows[n] for n in group] for _, group in groupby(ordered, places.__getitem__)]
    tied = [row for group in groups if len(group) > 1 for row in group]
    known = orders(db, {key for row in tied for key in (row[0] >> EDGE_SHIFT, row[1], *row[4:7]) if key is not None})
    return [row for group in groups for row in (sorted(group, key=tie) if len(group) > 1 else group)]


def _references(db: sqlite3.Connection, rows: list[Row]) -> list[Row]:
    paths = _paths(db, rows)
    known = orders(db, (row[0] >> EDGE_SHIFT for row in rows))

    def order(row: Row) -> tuple[object, ...]:
        place, name, _, how, at, external, _, _ = row
        rest = (known[place >> EDGE_SHIFT], how >> 4 & 15, external or "", how >> 16)
        return (paths.get(place >> FILE_EDGE_SHIFT, ""), at, how & 15, name, rest)

    return sorted(rows, key=order)
