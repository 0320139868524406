"""One transaction on the SQLite store: whole files in, a new state of the graph out, or the old one as it was.

A rebuild fills a new file without a journal, makes the indexes last and swaps the pointer; anything else is
written in place through SQLite's write-ahead log.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Generator, Iterable
from contextlib import contextmanager, suppress
from itertools import chain

from codegps.errors import IndexError_
from codegps.model.graph import Diagnostic, Edge, Entry, FileRow, Reference, Skip
from codegps.store import FileGraph
from codegps.stores.sqlite import rows as write
from codegps.stores.sqlite.folder import Folder, explain, unwritable
from codegps.stores.sqlite.lock import WriteLock
from codegps.stores.sqlite.pool import check
from codegps.stores.sqlite.rows import Row
from codegps.stores.sqlite.schema import FILE_EDGE_SHIFT, FILE_SHIFT, INDEXES, ROW_SHIFT, SHIFTS, TABLES

_RESOLVED = ("edge", "reference", "link")
"""Tables that resolving fills."""
_NOBODY = -1
"""Stands for the file's number of diagnostics that no file owns."""
_CACHE = -32_000
"""Of pages, in KiB where negative."""
_LOG_LIMIT = 1 << 20
"""Bytes of the write-ahead log beyond which it is emptied: who opens the database first reads all of it."""


_COLUMNS = {
    "file": 7,
    "tally": 7,
    "symbol": 13,
    "edge": 7,
    "reference": 8,
    "entry": 5,
    "diagnostic": 4,
    "skip": 3,
    "sites": 2,
    "link": 3,
    "meta": 2,
}
_VALUES = {table: f"INTO {table} VALUES ({', '.join('?' * columns)})" for table, columns in _COLUMNS.items()}
_BATCH = 32
"""Rows in one statement: twice as fast as one row each, and within the 999 parameters of old SQLites."""
_BATCHES = {
    table: f"INSERT INTO {table} VALUES " + ", ".join([f"({', '.join('?' * columns)})"] * _BATCH)
    for table, columns in _COLUMNS.items()
}
_DELETE = {
    table: f"DELETE FROM {table} WHERE rowid BETWEEN ? << {shift} AND (? << {shift}) + {(1 << shift) - 1}"
    for table, shift in SHIFTS.items()
}


class SqliteWriter:
    """Begun by `SqliteStore.write`; ends with `commit` or `rollback`, or by itself where a step fails."""

    def __init__(self, folder: Folder, rebuild: bool, wait: float, ignored: str | None) -> None:
        self._folder = folder
        self._path = folder.path
        self._new = False
        """A new file is being filled that nobody sees yet."""
        self._filled: set[int] = set()
        """Numbers of files that have rows in the new file: the others need no clearing."""
        self._connection: sqlite3.Connection | None = None
        self._lock: WriteLock | None = None
        folder.prepare()
        with self._step():
            self._lock = WriteLock(folder.path, wait)
            self._begin(rebuild, ignored)

    def _begin(self, rebuild: bool, ignored: str | None) -> None:
        old: str | None = None
        try:
            old = self._folder.current()
        except IndexError_:
            if not rebuild:
                raise
        self._folder.sweep(old)
        self._new = rebuild or old is None or old == ignored
        self._path = self._folder.path / (self._folder.next_name() if self._new or old is None else old)
        db = sqlite3.connect(self._path, timeout=10, isolation_level=None, check_same_thread=False)
        self._connection = db
        if self._new:
            db.executescript("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;" + TABLES)
        else:
            check(db, self._folder)
            db.execute("PRAGMA synchronous = NORMAL")
            db.execute("PRAGMA wal_autocheckpoint = 0")
        db.execute(f"PRAGMA cache_size = {_CACHE}")
        db.execute("BEGIN IMMEDIATE")

    @property
    def _db(self) -> sqlite3.Connection:
        if self._connection is None:
            raise ValueError("this transaction has ended")
        return self._connection

    def put(self, graph: FileGraph) -> None:
        row = graph.row
        number = row.key >> FILE_SHIFT
        base = number << ROW_SHIFT
        with self._step():
            self._clear(number, SHIFTS)
            self._filled.add(number)
            self._add("file", [write.file_row(row)])
            self._add("symbol", write.symbol_rows(graph.symbols, row.language))
            self._entries(base, graph.entries)
            self._add("diagnostic", [(base + n, d.file, d.line, d.message) for n, d in enumerate(graph.diagnostics)])
            if graph.sites is not None:
                self._add("sites", [(number, write.encoded(graph.sites))])
            counts = self._resolved(number, graph.edges, graph.references, graph.links)
            self._add("tally", [(number, len(graph.symbols), *counts)])

    def put_edges(self, file_key: int, edges: list[Edge], references: list[Reference], links: dict[str, bytes]) -> None:
        number = file_key >> FILE_SHIFT
        with self._step():
            self._clear(number, _RESOLVED)
            counts = self._resolved(number, edges, references, links)
            changed = self._db.execute(
                "UPDATE tally SET resolved = ?, dispatch = ?, inferred = ?, external = ?, unknown = ? WHERE number = ?",
                (*counts, number),
            )
            if not changed.rowcount:
                raise ValueError(f"no file with key {file_key} is in the graph")

    def put_entries(self, file_key: int, entries: list[Entry]) -> None:
        number = file_key >> FILE_SHIFT
        with self._step():
            self._clear(number, ("entry",))
            self._entries(number << ROW_SHIFT, entries)

    def _entries(self, base: int, entries: list[Entry]) -> None:
        self._add("entry", [(base + n, e.kind, e.key, e.symbol, e.line) for n, e in enumerate(entries)])

    def touch(self, row: FileRow) -> None:
        with self._step():
            changed = self._db.execute(
                "UPDATE file SET language = ?, sha = ?, size = ?, mtime_ns = ?, lines = ? "
                "WHERE number = ? AND path = ?",
                (row.language, row.sha, row.size, row.mtime_ns, row.lines, row.key >> FILE_SHIFT, row.path),
            )
            if not changed.rowcount:
                raise ValueError(f"no file {row.path} with key {row.key} is in the graph")

    def remove(self, file_key: int) -> None:
        with self._step():
            self._clear(file_key >> FILE_SHIFT, SHIFTS)

    def put_skips(self, skips: list[Skip]) -> None:
        with self._step():
            self._db.execute("DELETE FROM skip")
            self._add("skip", [(n, s.file, s.reason) for n, s in enumerate(skips)])

    def put_diagnostics(self, diagnostics: list[Diagnostic]) -> None:
        with self._step():
            self._clear(_NOBODY, ("diagnostic",))
            self._filled.add(_NOBODY)
            base = _NOBODY << ROW_SHIFT
            self._add("diagnostic", [(base + n, d.file, d.line, d.message) for n, d in enumerate(diagnostics)])

    def put_meta(self, name: str, value: str) -> None:
        with self._step():
            self._db.execute("DELETE FROM meta WHERE name = ?", (name,))
            self._add("meta", [(name, value)])

    def commit(self) -> None:
        with self._step():
            db = self._db
            if self._new:
                for name, on in INDEXES.items():
                    db.execute(f"CREATE INDEX {name} ON {on}")
            db.execute("UPDATE history SET commits = commits + 1")
            db.execute("COMMIT")
            if self._new:
                db.execute("PRAGMA journal_mode = WAL")
            else:
                self._empty_log(db)
            self._connection = None
            db.close()
            if self._new:
                self._swap()
            self._release()

    def rollback(self) -> None:
        """Leaves the graph as it was; harmless where the transaction has ended."""
        db, self._connection = self._connection, None
        if db is not None:
            with suppress(sqlite3.Error):
                db.close()
        if self._new and self._lock is not None:
            for suffix in ("", "-wal", "-shm"):
                with suppress(OSError):
                    self._path.with_name(self._path.name + suffix).unlink(missing_ok=True)
        self._release()

    def __del__(self) -> None:
        """Who drops a transaction undoes it."""
        self.rollback()

    def _empty_log(self, db: sqlite3.Connection) -> None:
        """Brings the log into the database where it has grown. Committed is committed: a failure here can wait."""
        log = self._path.with_name(self._path.name + "-wal")
        with suppress(OSError, sqlite3.DatabaseError):
            if log.stat().st_size > _LOG_LIMIT:
                # Waits for no reader; what one still needs stays for the next writer.
                db.execute("PRAGMA busy_timeout = 0")
                db.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def _swap(self) -> None:
        fd = os.open(self._path, os.O_RDWR)
        try:
            os.fsync(fd)
        finally:
            os.close(fd)
        self._folder.point_to(self._path.name)
        self._new = False
        self._folder.sweep(self._path.name)

    def _release(self) -> None:
        if self._lock is not None:
            self._lock.release()
            self._lock = None

    def _add(self, table: str, rows: list[Row]) -> None:
        db = self._db
        try:
            whole = len(rows) // _BATCH * _BATCH
            if whole:
                cells = list(chain.from_iterable(rows[:whole]))
                step = _COLUMNS[table] * _BATCH
                db.executemany(_BATCHES[table], [cells[n : n + step] for n in range(0, len(cells), step)])
            db.executemany("INSERT " + _VALUES[table], rows[whole:])
        except UnicodeEncodeError:
            # Rows before the one that SQLite cannot hold are there already.
            db.executemany("INSERT OR REPLACE " + _VALUES[table], map(write.clean, rows))
        except sqlite3.IntegrityError as error:
            raise ValueError(f"a {table} is in the graph already, under another key or twice: {error}") from error

    def _resolved(
        self, number: int, edges: list[Edge], references: list[Reference], links: dict[str, bytes]
    ) -> tuple[int, int, int, int, int]:
        """Writes what resolving gave; returns the file's tally."""
        edge_rows = write.edge_rows(edges)
        reference_rows = write.reference_rows(references)
        for rows in (edge_rows, reference_rows):
            rows.sort()
            if rows and not number == rows[0][0] >> FILE_EDGE_SHIFT == rows[-1][0] >> FILE_EDGE_SHIFT:
                raise ValueError("an edge or a reference starts in another file than its own")
        if edge_rows or reference_rows or links:
            self._filled.add(number)
        base = number << ROW_SHIFT
        self._add("edge", edge_rows)
        self._add("reference", reference_rows)
        self._add("link", [(base + n, key, value) for n, (key, value) in enumerate(links.items())])
        proofs = [row[2] >> 4 & 3 for row in edge_rows]
        reasons = [row[3] >> 4 & 15 for row in reference_rows]
        return (proofs.count(0), proofs.count(1), proofs.count(2), reasons.count(0), reasons.count(1))

    def _clear(self, number: int, tables: Iterable[str]) -> None:
        if not self._new or number in self._filled:
            for table in tables:
                self._db.execute(_DELETE[table], (number, number))

    @contextmanager
    def _step(self) -> Generator[None]:
        """Where it fails, the transaction ends and the graph stays as it was."""
        try:
            yield
        except (sqlite3.ProgrammingError, sqlite3.InterfaceError):
            self.rollback()
            raise
        except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
            self.rollback()
            raise explain(self._folder.path, error) from error
        except OSError as error:
            self.rollback()
            raise unwritable(self._folder.path, error) from error
        except BaseException:
            self.rollback()
            raise
