"""One writer at a time in an index folder, over threads and processes: a folder in, a held lock out.

The lock is the operating system's, so a killed writer leaves none behind. POSIX record locks are used rather than
flock because a forked worker that outlives its killed parent must not inherit them; as they do not hold between
threads of one process, a table in this process stands before them.
"""

from __future__ import annotations

import os
import socket
import sys
import threading
import time
from pathlib import Path

import msgspec

from codegps.errors import IndexLocked

if sys.platform == "win32":
    import msvcrt

    def _try_lock(fd: int) -> None:
        os.lseek(fd, 0, os.SEEK_SET)
        msvcrt.locking(fd, msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _try_lock(fd: int) -> None:
        fcntl.lockf(fd, fcntl.LOCK_EX | fcntl.LOCK_NB, 1)


_PAUSE = 0.02
_table = threading.Condition()
_held: set[tuple[int, str]] = set()


class Holder(msgspec.Struct):
    """Who writes."""

    pid: int
    host: str
    since: str


class WriteLock:
    """Held from construction until `release`."""

    def __init__(self, folder: Path, wait: float) -> None:
        self._path = folder / "lock"
        self._note = folder / "writer.json"
        self._fd: int | None = None
        self._entry = (os.getpid(), str(folder.resolve()))
        end = time.monotonic() + wait
        with _table:
            if not _table.wait_for(lambda: self._entry not in _held, wait):
                raise self._locked()
            _held.add(self._entry)
        try:
            self._fd = self._acquire(end)
            note = Holder(os.getpid(), socket.gethostname(), time.strftime("%Y-%m-%d %H:%M:%S"))
            self._note.write_bytes(msgspec.json.encode(note))
        except BaseException:
            self.release()
            raise

    def _acquire(self, end: float) -> int:
        while True:
            fd = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o644)
            try:
                _try_lock(fd)
                # The folder may have been deleted and made again meanwhile: then this file locks nothing.
                if os.path.samestat(os.fstat(fd), os.stat(self._path)):  # noqa: PTH116
                    return fd
                os.close(fd)
            except FileNotFoundError:
                os.close(fd)
            except OSError:
                os.close(fd)
                if time.monotonic() >= end:
                    raise self._locked() from None
                time.sleep(_PAUSE)

    def _locked(self) -> IndexLocked:
        who = "another process"
        try:
            holder = msgspec.json.decode(self._note.read_bytes(), type=Holder)
            who = f"process {holder.pid} on {holder.host} since {holder.since}"
        except (OSError, msgspec.DecodeError):
            pass
        return IndexLocked(
            f"The index in {self._path.parent} is being written by {who}. "
            "Try again when it has finished, or end that process."
        )

    def release(self) -> None:
        """Lets the next writer in; doing it twice is harmless."""
        if self._fd is not None:
            self._note.unlink(missing_ok=True)
            os.close(self._fd)
            self._fd = None
        with _table:
            _held.discard(self._entry)
            _table.notify_all()
