"""Connections for questions: a folder in, a connection with a read transaction on the current database out.

Connections are kept between questions and each question takes one for itself, so threads do not meet and a question
sees one graph. Which file is current is looked up at each question.
"""

from __future__ import annotations

import os
import sqlite3
import threading
import time
from collections.abc import Generator
from contextlib import contextmanager
from typing import NamedTuple

from codegps.errors import IndexError_, IndexOutdated
from codegps.stores.sqlite.folder import REBUILD, Folder, damaged, explain, number_of
from codegps.stores.sqlite.rows import readable
from codegps.stores.sqlite.schema import APPLICATION, TABLES, VERSION

_IDLE = 8
"""Connections kept open between questions."""
_COMMITS = 20
"""Bits for the commits to one database; more of them run on into the milliseconds that its number counts."""
_PATIENCE = 5.0
"""Seconds for which files that vanish under the opening are taken for another process's rebuilds."""


def check(db: sqlite3.Connection, folder: Folder) -> None:
    """That the file is ours and of this version."""
    application: int = db.execute("PRAGMA application_id").fetchone()[0]
    version: int = db.execute("PRAGMA user_version").fetchone()[0]
    if application != APPLICATION:
        raise damaged(folder.path, "it is not a database of CodeGPS")
    if version < VERSION:
        raise IndexOutdated(f"The index in {folder.path} was written by an older CodeGPS. {REBUILD}")
    if version > VERSION:
        raise IndexError_(
            f"The index in {folder.path} was written by a newer CodeGPS. Use that one, or give its index up. {REBUILD}"
        )


def _connect(folder: Folder, name: str | None) -> sqlite3.Connection:
    """A checked connection; an empty graph where there is no file. FileNotFoundError where the file has gone."""
    if name is None:
        db = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
        db.executescript(TABLES)
        return db
    path = folder.path / name
    if not path.exists():
        raise FileNotFoundError(name)
    uri = path.absolute().as_uri() + "?mode=ro"
    try:
        return _checked(uri, folder)
    except sqlite3.OperationalError as error:
        # Reading beside a writer needs a file of its own in the folder. Where we may not make it, and no log lies
        # there, the database alone is the whole graph.
        refused = (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY)
        if error.sqlite_errorcode & 0xFF not in refused or os.access(folder.path, os.W_OK):
            raise
        if path.with_name(name + "-wal").exists():
            raise
        return _checked(uri + "&immutable=1", folder)


def _checked(uri: str, folder: Folder) -> sqlite3.Connection:
    db = sqlite3.connect(uri, uri=True, timeout=10, isolation_level=None, check_same_thread=False)
    try:
        check(db, folder)
    except BaseException:
        db.close()
        raise
    return db


class _Taken(NamedTuple):
    """A connection and the database it reads; None is the empty graph."""

    name: str | None
    db: sqlite3.Connection


class _Pin(threading.local):
    """What this thread's snapshot reads."""

    taken: _Taken | None = None


class Pool:
    """The connections of one open store."""

    def __init__(self, folder: Folder, ignored: str | None, may_miss: bool) -> None:
        self._folder = folder
        self._ignored = ignored
        """A database not to look at: the store was opened to replace it."""
        self._may_miss = may_miss
        """There has been no database yet, which is fine: the graph is empty."""
        self._lock = threading.Lock()
        self._idle: list[_Taken] = []
        self._pin = _Pin()
        self.closed = False

    @property
    def pinned(self) -> sqlite3.Connection | None:
        """What this thread's snapshot reads."""
        return self._pin.taken.db if self._pin.taken else None

    @contextmanager
    def asking(self) -> Generator[sqlite3.Connection]:
        """One question, answered from one graph."""
        with self._taking() as taken:
            yield taken.db

    def generation(self) -> int:
        with self._taking() as (name, db):
            row = db.execute("SELECT commits FROM history").fetchone()
            return readable(lambda: (number_of(name) << _COMMITS) + row[0]) if name else 0

    @contextmanager
    def snapshot(self) -> Generator[None]:
        """Pins one graph for the questions of this thread."""
        if self._pin.taken:
            yield
            return
        with self._explaining():
            taken = self._take()
            # The transaction begins with the first read.
            taken.db.execute("SELECT commits FROM history").fetchone()
        self._pin.taken = taken
        try:
            yield
        finally:
            self._pin.taken = None
            self._give_back(taken)

    def close(self) -> None:
        """Closes every connection; a question that is under way closes its own at its end."""
        with self._lock:
            self.closed = True
            idle, self._idle = self._idle, []
        for _, db in idle:
            db.close()

    @contextmanager
    def _explaining(self) -> Generator[None]:
        try:
            yield
        except sqlite3.ProgrammingError:
            raise
        except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
            raise explain(self._folder.path, error) from error

    @contextmanager
    def _taking(self) -> Generator[_Taken]:
        with self._explaining():
            if self._pin.taken:
                yield self._pin.taken
                return
            taken = self._take()
            try:
                yield taken
            except sqlite3.Error:
                taken.db.close()
                raise
            except BaseException:
                self._give_back(taken)
                raise
            self._give_back(taken)

    def _current(self) -> str | None:
        name = self._folder.current()
        if name is not None and name != self._ignored:
            self._may_miss = False
            return name
        if self._may_miss:
            return None
        raise IndexError_(f"There is no index in {self._folder.path}. Build it with: codegps index")

    def _take(self) -> _Taken:
        """A connection to the current file, with a read transaction begun."""
        if self.closed:
            raise ValueError("this store is closed")
        end = time.monotonic() + _PATIENCE
        while True:
            name = self._current()
            db = self._reuse(name)
            if db is not None:
                db.execute("BEGIN")
                return _Taken(name, db)
            try:
                db = _connect(self._folder, name)
                db.execute("BEGIN")
                db.execute("SELECT commits FROM history").fetchone()
            except (FileNotFoundError, sqlite3.DatabaseError, UnicodeDecodeError) as error:
                # Between our look at the pointer and the opening another process may have swapped the file.
                if db is not None:
                    db.close()
                if self._current() != name and time.monotonic() < end:
                    continue
                if isinstance(error, FileNotFoundError):
                    raise damaged(self._folder.path, f"{name} is missing") from None
                raise
            # Files are deleted after the pointer has moved: where it has not, the snapshot is whole.
            if self._current() == name:
                return _Taken(name, db)
            db.close()

    def _reuse(self, name: str | None) -> sqlite3.Connection | None:
        with self._lock:
            stale = [taken.db for taken in self._idle if taken.name != name]
            self._idle = [taken for taken in self._idle if taken.name == name]
            db = self._idle.pop().db if self._idle else None
        for old in stale:
            old.close()
        return db

    def _give_back(self, taken: _Taken) -> None:
        if taken.db.in_transaction:
            taken.db.execute("ROLLBACK")
        with self._lock:
            if not self.closed and len(self._idle) < _IDLE:
                self._idle.append(taken)
                return
        taken.db.close()
