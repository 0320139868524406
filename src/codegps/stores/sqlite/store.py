"""Questions to the SQLite store: keys, names and paths in, ordered nouns of the graph out."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING

from codegps.errors import IndexError_
from codegps.model.graph import Counts, Diagnostic, Edge, Entry, FileRow, Reference, Sites, Skip, Symbol
from codegps.model.kinds import EdgeKind, Kind, Proof, Via
from codegps.store import Direction
from codegps.stores.sqlite import order
from codegps.stores.sqlite import rows as read
from codegps.stores.sqlite.folder import Folder
from codegps.stores.sqlite.order import array
from codegps.stores.sqlite.pool import Pool
from codegps.stores.sqlite.rows import Row
from codegps.stores.sqlite.schema import EDGE_SHIFT, FILE_EDGE_SHIFT, FILE_SHIFT, ROW_SHIFT

if TYPE_CHECKING:
    from codegps.stores.sqlite.writer import SqliteWriter

_CHUNK = 200
"""Files per step of a stream over all symbols."""

_EDGE = "SELECT e.place, e.target, e.how, e.at, e.class, e.drawn_source, e.drawn_target "
_FROM = f"""
FROM json_each(?) k CROSS JOIN edge e
ON e.place BETWEEN k.value << {EDGE_SHIFT} AND (k.value << {EDGE_SHIFT}) + {(1 << EDGE_SHIFT) - 1}
"""
_TO = "FROM json_each(?) k CROSS JOIN edge e ON e.target = k.value "
_DRAWN_FROM = "FROM json_each(?) k CROSS JOIN edge e ON e.drawn_source = k.value "
_DRAWN_TO = "FROM json_each(?) k CROSS JOIN edge e ON e.drawn_target = k.value "
_OF_KIND = "WHERE (1 << (e.how & 15)) & ? "
_ENDS: dict[tuple[bool, Direction], tuple[str, ...]] = {
    (False, "out"): (_FROM + _OF_KIND,),
    (False, "in"): (_TO + _OF_KIND,),
    (True, "out"): (_FROM + _OF_KIND + "AND e.drawn_source IS NULL", _DRAWN_FROM + _OF_KIND),
    (True, "in"): (_TO + _OF_KIND + "AND e.drawn_target IS NULL", _DRAWN_TO + _OF_KIND),
}
_SOURCE_END = f"ifnull(e.drawn_source, e.place >> {EDGE_SHIFT})"
_TARGET_END = "ifnull(e.drawn_target, e.target)"
_FLOWS = int(EdgeKind.CALLS) | Proof.inferred << 4
_NO_FLOW = f"AND NOT ((e.how & 63) = {_FLOWS} AND (e.how >> 6 & 7) IN ({int(Via.parameter)}, {int(Via.element)}))"
_SYMBOLS_BY_KEY = read.SYMBOL + (
    f"FROM json_each(?) k CROSS JOIN symbol s ON s.key = k.value JOIN file f ON f.number = s.key >> {FILE_SHIFT}"
)
_SYMBOLS_OF_FILE = (
    f"FROM symbol s JOIN file f ON f.number = ? "
    f"WHERE s.key BETWEEN f.number << {FILE_SHIFT} AND (f.number << {FILE_SHIFT}) + {(1 << FILE_SHIFT) - 1} "
)
_SYMBOLS_OF_FILES = read.SYMBOL + (
    f"FROM json_each(?) k CROSS JOIN symbol s "
    f"ON s.key BETWEEN k.value << {FILE_SHIFT} AND (k.value << {FILE_SHIFT}) + {(1 << FILE_SHIFT) - 1} "
    "JOIN file f ON f.number = k.value WHERE (1 << s.kind) & ? "
)
_CONTAINING = "AND instr(lower(CASE s.qualified_name WHEN '' THEN f.path ELSE s.qualified_name END), ?)"
_REFERENCES_OF = f"""
FROM json_each(?) k CROSS JOIN reference r
ON r.place BETWEEN k.value << {EDGE_SHIFT} AND (k.value << {EDGE_SHIFT}) + {(1 << EDGE_SHIFT) - 1}
WHERE r.drawn_source IS NULL
"""
_REFERENCES_DRAWN = "FROM json_each(?) k CROSS JOIN reference r ON r.drawn_source = k.value"
_REFERENCE = "SELECT r.place, r.name, r.last, r.how, r.at, r.external, r.candidates, r.drawn_source "


def _mask(kinds: Iterable[int]) -> int:
    mask = 0
    for kind in kinds:
        mask |= 1 << kind
    return mask


class SqliteStore:
    """A graph in a folder. `open` it; any number of threads and processes may ask while one writes."""

    def __init__(self, folder: Folder, wait: float, ignored: str | None, may_miss: bool) -> None:
        self._folder = folder
        self._wait = wait
        self._pool = Pool(folder, ignored, may_miss)
        self._ignored = ignored
        self._asking = self._pool.asking

    @classmethod
    def open(cls, path: Path, *, create: bool = False, fresh: bool = False, wait: float = 30.0) -> SqliteStore:
        """Opens the index folder `path`.

        `create` makes the folder where it is missing; the store is empty then until something is committed. With
        `fresh` what is stored is not looked at: the store is empty until its first commit, which rebuilds.
        `wait` is how many seconds a writer waits for another one. Raises `IndexOutdated` where an older version wrote
        the index, and `IndexError_` where there is none, where it is damaged, and where a newer version wrote it.
        """
        folder = Folder(path)
        if create:
            folder.prepare()
        ignored: str | None = None
        if fresh:
            try:
                ignored = folder.current()
            except IndexError_:
                ignored = None
        store = cls(folder, wait, ignored, create or fresh)
        if not fresh:
            store.generation()
        return store

    def snapshot(self) -> AbstractContextManager[None]:
        """All questions of this thread inside the block are answered from one graph, whoever commits meanwhile."""
        return self._pool.snapshot()

    def close(self) -> None:
        """Closes every connection; a question that is under way closes its own at its end."""
        self._pool.close()

    def write(self, rebuild: bool = False) -> SqliteWriter:
        """Begins a transaction; see the contract."""
        # Imported here because most processes only read, and start faster without it.
        from codegps.stores.sqlite.writer import SqliteWriter

        if self._pool.closed:
            raise ValueError("this store is closed")
        return SqliteWriter(self._folder, rebuild, self._wait, self._ignored)

    # Files and symbols

    def files(self) -> list[FileRow]:
        with self._asking() as db:
            found = db.execute("SELECT * FROM file").fetchall()
            return read.readable(lambda: sorted(map(read.file_from, found), key=lambda f: f.path))

    def file(self, path: str) -> FileRow | None:
        with self._asking() as db:
            row = db.execute("SELECT * FROM file WHERE path = ?", (read.text(path),)).fetchone()
            return read.readable(lambda: read.file_from(row)) if row else None

    def _number(self, db: sqlite3.Connection, path: str) -> int:
        """The file's number, -1 where it is not there."""
        row = db.execute("SELECT number FROM file WHERE path = ?", (read.text(path),)).fetchone()
        return row[0] if row else -1

    def symbols(self, keys: Iterable[int]) -> dict[int, Symbol]:
        with self._asking() as db:
            return {s.key: s for s in read.symbols_from(db.execute(_SYMBOLS_BY_KEY, (array(keys),)))}

    def symbols_in(self, path: str) -> list[Symbol]:
        with self._asking() as db:
            number = self._number(db, path)
            return read.symbols_from(db.execute(read.SYMBOL + _SYMBOLS_OF_FILE, (number,)))

    def symbols_named(self, name: str) -> list[Symbol]:
        with self._asking() as db:
            found = db.execute(
                read.SYMBOL + f"FROM symbol s JOIN file f ON f.number = s.key >> {FILE_SHIFT} WHERE s.fold = ?",
                (read.text(name.casefold()),),
            )
            return read.symbols_from(found)

    def symbol(self, symbol_id: str) -> Symbol | None:
        symbol_id = read.text(symbol_id)
        with self._asking() as db:
            number = self._number(db, symbol_id)
            if number >= 0:
                return self._in_file(db, number, "")
            # A path may hold a colon, and a qualified name two.
            at = symbol_id.find(":")
            while 0 <= at < len(symbol_id) - 1:
                number = self._number(db, symbol_id[:at])
                if number >= 0:
                    found = self._in_file(db, number, symbol_id[at + 1 :])
                    if found:
                        return found
                at = symbol_id.find(":", at + 1)
            return None

    def _in_file(self, db: sqlite3.Connection, number: int, qualified_name: str) -> Symbol | None:
        found = db.execute(
            read.SYMBOL + _SYMBOLS_OF_FILE + "AND s.qualified_name = ?", (number, qualified_name)
        ).fetchall()
        return read.symbols_from(found)[0] if found else None

    def all_symbols(self, kinds: Sequence[Kind] | None = None) -> Iterator[Symbol]:
        return self._stream(kinds, None)

    def symbols_containing(self, text: str, kinds: Sequence[Kind] | None = None) -> Iterator[Symbol]:
        return self._stream(kinds, read.ascii_lower(read.text(text)))

    def _stream(self, kinds: Sequence[Kind] | None, text: str | None) -> Iterator[Symbol]:
        """File by file in order of path, so neither memory nor the first answer waits for the whole graph."""
        mask = _mask(Kind if kinds is None else kinds)
        condition, more = ("", ()) if text is None else (_CONTAINING, (text,))
        with self._asking() as db:
            pinned = self._pool.pinned
            numbers: list[int] = [row[0] for row in db.execute("SELECT number FROM file ORDER BY path")]
            for start in range(0, len(numbers), _CHUNK):
                if pinned is not self._pool.pinned and pinned is not None:
                    raise ValueError("the snapshot that this stream reads has ended")
                chunk = array(numbers[start : start + _CHUNK])
                yield from read.symbols_from(db.execute(_SYMBOLS_OF_FILES + condition, (chunk, mask, *more)))

    # Edges and references

    def neighbours(self, keys: Sequence[int], kinds: Sequence[EdgeKind], direction: Direction) -> list[Edge]:
        return self._edges(keys, kinds, _ENDS[False, direction])

    def drawn(self, keys: Sequence[int], kinds: Sequence[EdgeKind], direction: Direction) -> list[Edge]:
        return self._edges(keys, kinds, _ENDS[True, direction])

    def _edges(self, keys: Sequence[int], kinds: Sequence[EdgeKind], ends: tuple[str, ...]) -> list[Edge]:
        with self._asking() as db:
            found: list[Row] = []
            for end in ends:
                found += db.execute(_EDGE + end, (array(keys), _mask(kinds)))
            return read.edges_from(order.edges(db, found))

    def drawn_ends(
        self, keys: Sequence[int], kinds: Sequence[EdgeKind], direction: Direction, flows: bool = False
    ) -> list[int]:
        end = _TARGET_END if direction == "out" else _SOURCE_END
        with self._asking() as db:
            found: set[int] = set()
            for ends in _ENDS[True, direction]:
                sql = f"SELECT DISTINCT {end} {ends} {'' if flows else _NO_FLOW}"
                found.update(row[0] for row in db.execute(sql, (array(keys), _mask(kinds))))
            return read.readable(lambda: sorted(found))

    def edges_in(self, path: str) -> list[Edge]:
        with self._asking() as db:
            low = self._number(db, path) << FILE_EDGE_SHIFT
            found = db.execute(
                _EDGE + "FROM edge e WHERE e.place BETWEEN ? AND ?", (low, low + (1 << FILE_EDGE_SHIFT) - 1)
            ).fetchall()
            return read.edges_from(order.edges(db, found))

    def references_in(self, path: str) -> list[Reference]:
        with self._asking() as db:
            low = self._number(db, path) << FILE_EDGE_SHIFT
            found = db.execute(
                _REFERENCE + "FROM reference r WHERE r.place BETWEEN ? AND ?", (low, low + (1 << FILE_EDGE_SHIFT) - 1)
            ).fetchall()
            return read.references_from(order.references(db, found))

    def references_from(self, keys: Sequence[int]) -> list[Reference]:
        among = array(keys)
        with self._asking() as db:
            found = db.execute(_REFERENCE + _REFERENCES_OF, (among,)).fetchall()
            found += db.execute(_REFERENCE + _REFERENCES_DRAWN, (among,))
            return read.references_from(order.references(db, found))

    def references_named(self, names: Sequence[str]) -> list[Reference]:
        with self._asking() as db:
            found: list[Row] = []
            for name in sorted(set(names)):
                found += db.execute(_REFERENCE + "FROM reference r WHERE r.last = ?", (read.text(name),))
            return read.references_from(order.references(db, found))

    # The rest of a file, and of the index

    def sites(self, path: str) -> Sites | None:
        with self._asking() as db:
            row = db.execute("SELECT data FROM sites WHERE number = ?", (self._number(db, path),)).fetchone()
            return read.sites_from(row[0]) if row else None

    def entries(self) -> list[Entry]:
        with self._asking() as db:
            found: list[Row] = db.execute("SELECT kind, key, symbol, line FROM entry").fetchall()
            known = read.readable(lambda: order.orders(db, (row[2] for row in found)))
            found = read.readable(lambda: sorted(found, key=lambda row: (known[row[2]], row[3], row[0], row[1])))
            return [Entry(*row) for row in found]

    def diagnostics(self) -> list[Diagnostic]:
        with self._asking() as db:
            found = db.execute("SELECT path, line, message FROM diagnostic ORDER BY path, line, message")
            return [Diagnostic(*row) for row in found]

    def skips(self) -> list[Skip]:
        with self._asking() as db:
            return [Skip(*row) for row in db.execute("SELECT path, reason FROM skip ORDER BY path, reason")]

    def counts(self) -> Counts:
        with self._asking() as db:
            row = db.execute(
                "SELECT count(*), total(symbols), total(resolved), total(dispatch), total(inferred), "
                "total(external), total(unknown) FROM tally"
            ).fetchone()
            return Counts(*map(int, row))

    def links(self, keys: Iterable[str]) -> dict[str, list[tuple[int, bytes]]]:
        found: dict[str, list[Row]] = {}
        with self._asking() as db:
            for key in dict.fromkeys(keys):
                # One prepared look-up a key: json_each would cut a key at a NUL.
                links = db.execute("SELECT place, value FROM link WHERE key = ? ORDER BY place", (read.text(key),))
                found[key] = links.fetchall()
            return read.readable(
                lambda: {
                    key: [(place >> ROW_SHIFT << FILE_SHIFT, value) for place, value in links]
                    for key, links in found.items()
                    if links
                }
            )

    def links_of(self, file_key: int) -> dict[str, bytes]:
        low = file_key >> FILE_SHIFT << ROW_SHIFT
        with self._asking() as db:
            found = db.execute(
                "SELECT key, value FROM link WHERE place BETWEEN ? AND ? ORDER BY key",
                (low, low + (1 << ROW_SHIFT) - 1),
            )
            return dict(found)

    def meta(self, name: str) -> str | None:
        with self._asking() as db:
            row = db.execute("SELECT value FROM meta WHERE name = ?", (name,)).fetchone()
            return row[0] if row else None

    def generation(self) -> int:
        return self._pool.generation()
