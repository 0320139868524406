"""The index folder: which database file is the current one, how a new one takes its place, what may be deleted.

`current` is a small file that names the database (`graph-<number>.db`). A rebuilt database gets a name of its own
and the pointer is replaced in one step: putting a file under the name of a database whose `-wal` is still there would
show old tables. Numbers only grow, even when the folder is deleted in between, as they are
milliseconds of the clock.
"""

from __future__ import annotations

import contextlib
import errno
import os
import re
import sqlite3
import time
from pathlib import Path

from codegps.errors import IndexError_, IndexLocked

_REFUSED = (
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_PERM,
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_NOLFS,
)
_SHORT_READ = sqlite3.SQLITE_IOERR | 2 << 8

REBUILD = "Build it anew with: codegps index --rebuild"

_NAME = re.compile(r"graph-([0-9]{1,16})\.db")
_FILES = re.compile(r"graph-[0-9]{1,16}\.db(-wal|-shm|-journal)?|current\.[0-9]+")
_PATIENCE = 2.0
"""Seconds for which Windows may refuse to replace or open the pointer because the other side is at it."""


def number_of(name: str) -> int:
    """42 of `graph-42.db`."""
    return int(name[6:-3])


class Folder:
    """`.codegps`, or wherever an index lies."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._pointer = os.fspath(path / "current")

    def prepare(self) -> None:
        """Makes the folder, which ignores itself in git."""
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            ignore = self.path / ".gitignore"
            if not ignore.exists():
                ignore.write_text("*\n", "ascii")
        except OSError as error:
            raise IndexError_(
                f"The index folder {self.path} cannot be made: {error.strerror}. Make its parent writable."
            ) from error

    def current(self) -> str | None:
        """Name of the current database; None where there is no index."""
        end = time.monotonic() + _PATIENCE
        while True:
            try:
                fd = os.open(self._pointer, os.O_RDONLY)
                break
            except (FileNotFoundError, NotADirectoryError):
                return None
            except PermissionError as error:
                if os.name != "nt" or time.monotonic() > end:
                    raise IndexError_(f"The index in {self.path} may not be read: {error.strerror}.") from error
                time.sleep(0.01)
        try:
            text = os.read(fd, 64)
        finally:
            os.close(fd)
        name = text.decode("ascii", "replace").strip()
        if not _NAME.fullmatch(name):
            raise damaged(self.path, "its file `current` is unreadable")
        return name

    def next_name(self) -> str:
        """A name that was never used here."""
        used = [number_of(p.name) for p in self.path.iterdir() if _NAME.fullmatch(p.name)]
        with contextlib.suppress(IndexError_):
            name = self.current()
            used += [number_of(name)] if name else []
        return f"graph-{max([*used, time.time_ns() // 1_000_000]) + 1}.db"

    def point_to(self, name: str) -> None:
        """Makes this database the current one; the last step of a rebuild."""
        draft = f"{self._pointer}.{os.getpid()}"
        fd = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
        try:
            os.write(fd, f"{name}\n".encode("ascii"))
            os.fsync(fd)
        finally:
            os.close(fd)
        end = time.monotonic() + _PATIENCE
        while True:
            try:
                os.replace(draft, self._pointer)  # noqa: PTH105
                return
            except PermissionError:
                if os.name != "nt" or time.monotonic() > end:
                    raise
                time.sleep(0.01)

    def sweep(self, keep: str | None) -> None:
        """Deletes every database but this one. Only the writer may: what else lies here is a dead writer's or old.

        Readers that still hold an old file keep it on POSIX; Windows refuses, and a later writer deletes it.
        """
        found = [p for p in self.path.iterdir() if _FILES.fullmatch(p.name)]
        # A database goes before its -wal: without the log it would show an older state.
        for path in sorted(found, key=lambda p: len(p.name)):
            if keep is None or not path.name.startswith(keep):
                with contextlib.suppress(OSError):
                    path.unlink()


def damaged(path: Path, why: str) -> IndexError_:
    return IndexError_(f"The index in {path} is damaged ({why}). {REBUILD}")


def explain(path: Path, error: sqlite3.DatabaseError | UnicodeDecodeError) -> IndexError_:
    """What a failure of SQLite means for who asks."""
    # Errors that are raised by reading rows have no code: what was read makes no sense.
    code: int = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT)
    primary = code & 0xFF
    if primary in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return IndexLocked(f"The index in {path} is in use by another process ({error}). Try again.")
    if primary == sqlite3.SQLITE_FULL:
        return _full(path)
    if primary in _REFUSED and code != _SHORT_READ:
        return IndexError_(
            f"The index in {path} cannot be used ({error}): a write that failed changed nothing. "
            "Check the disk and the permissions of that folder."
        )
    return damaged(path, str(error))


def unwritable(path: Path, error: OSError) -> IndexError_:
    """What a failure of the file system means for who writes."""
    if error.errno == errno.ENOSPC:
        return _full(path)
    return IndexError_(
        f"The index in {path} could not be written ({error.strerror}) and stays as it was. "
        "Check the disk and the permissions of that folder."
    )


def _full(path: Path) -> IndexError_:
    return IndexError_(
        f"The disk is full: the index in {path} could not be written and stays as it was. "
        "Free some space and run the same command again."
    )
