"""A root folder in; what in it may have changed since the last time somebody asked, out.

The operating system tells us what changed, but a little late. So before each answer a cookie file is written: once
the news of the cookie has arrived, all news from before has arrived too. Where that does not work (network drives,
exhausted watches, platforms without a watcher) the answer is always "anything", and the caller looks at every file.
"""

from __future__ import annotations

import contextlib
import logging
import os
import sys
import threading
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any

from codegps.folders import INDEX_FOLDER

if TYPE_CHECKING:
    from watchfiles._rust_notify import RustNotify

log = logging.getLogger(__name__)

COOKIE_SECONDS = 0.25
"""How long to wait for the cookie before the watcher counts as deaf for this question."""
DEAF_LIMIT = 3
"""Unanswered cookies in a row after which the watcher is given up."""
DRAIN_SECONDS = 2.0
"""How often news is collected while nobody asks, so that it does not pile up."""
REMOTE_FILESYSTEMS = frozenset(
    (
        "9p",
        "afs",
        "ceph",
        "cifs",
        "drvfs",
        "fuse",
        "gpfs",
        "lustre",
        "ncpfs",
        "nfs",
        "nfs4",
        "smb3",
        "vboxsf",
        "virtiofs",
    )
)
MANY = 64
"""Changed files after which a look at every file is as quick."""
GIT_FILES = ("HEAD", "index", "exclude")
"""The only files inside `.git` that change which files belong to the project."""


class Watcher:
    """Asked by one thread at a time, the indexer's; a thread of its own collects news in between."""

    def __init__(self, root: Path, cookies: Path) -> None:
        """`cookies` is a folder inside the watched tree that we may write to."""
        self._root = root
        self._cookie = cookies / f"watch-{os.getpid()}-{id(self):x}"
        self._cookie_path = str(self._cookie)
        self._lock = threading.Lock()
        self._notify: RustNotify | None = None
        self._changed: set[str] | None = None
        """Paths since the last question; None is anything."""
        self._deaf = 0
        self._closed = threading.Event()
        self._count = 0
        threading.Thread(target=self._start, name="codegps-watch", daemon=True).start()

    @property
    def watching(self) -> bool:
        """Whether the operating system tells us about changes at present."""
        return self._notify is not None

    def changed(self) -> set[str] | None:
        """Paths, relative to the root, that changed since the last call; None whenever it may be anything."""
        with self._lock:
            notify = self._notify
            if notify is None:
                return None
            heard = self._hear_cookie(notify)
            changed, self._changed = self._changed, set()
            if heard:
                self._deaf = 0
                return changed
            self._deaf += 1
            if self._deaf >= DEAF_LIMIT:
                log.warning("File watching does not work here; looking at every file before each answer instead.")
                self._drop()
            return None

    def close(self) -> None:
        self._closed.set()
        with self._lock:
            self._drop()

    def _start(self) -> None:
        """Watching a large tree takes a while to set up, so it happens beside everything else."""
        try:
            if is_remote(self._root) or not self._cookie.parent.is_relative_to(self._root):
                return
            from watchfiles._rust_notify import RustNotify

            notify = RustNotify([str(self._root)], False, False, 0, True, True)
        except Exception as error:  # the watcher is a convenience; whatever is wrong with it, we sweep
            log.warning("No file watching (%s); looking at every file before each answer instead.", error)
            return
        with self._lock:
            if self._closed.is_set():
                notify.close()
                return
            self._notify = notify
        self._drain()

    def _drain(self) -> None:
        while not self._closed.wait(DRAIN_SECONDS):
            with self._lock:
                notify = self._notify
                if notify is None:
                    return
                self._collect(notify, 1)

    def _hear_cookie(self, notify: RustNotify) -> bool:
        self._count += 1
        try:
            self._cookie.write_text(str(self._count), encoding="ascii")
        except OSError:
            # Somebody removed the index folder.
            return False
        end = monotonic() + COOKIE_SECONDS
        while monotonic() < end:
            if self._collect(notify, 20):
                return True
        return False

    def _collect(self, notify: RustNotify, milliseconds: int) -> bool:
        """Takes in what has arrived; True if the cookie was among it."""
        try:
            news: Any = notify.watch(20, 1, milliseconds, None)
        except Exception as error:  # an event overflow or a vanished root: sweep from now on
            log.warning("File watching stopped: %s", error)
            self._drop()
            return False
        if not isinstance(news, set):
            return False
        heard = False
        for _, path in news:  # pyright: ignore[reportUnknownVariableType]
            if path == self._cookie_path:
                heard = True
            else:
                self._note(str(path))  # pyright: ignore[reportUnknownArgumentType]
        return heard

    def _note(self, path: str) -> None:
        parts = Path(path).parts[len(self._root.parts) :]
        if self._changed is None or INDEX_FOLDER in parts:
            return
        if ".git" in parts:
            if parts[-1] in GIT_FILES:
                self._changed = None
            return
        self._changed.add("/".join(parts))
        if len(self._changed) > MANY:
            self._changed = None

    def _drop(self) -> None:
        self._changed = None
        notify, self._notify = self._notify, None
        if notify is not None:
            with contextlib.suppress(Exception):
                notify.close()
        with contextlib.suppress(OSError):
            self._cookie.unlink()


def is_remote(root: Path) -> bool:
    """Whether the folder lies on a file system whose changes this machine may not hear of."""
    if sys.platform == "win32":
        return str(root).startswith("\\\\")
    if sys.platform == "darwin":
        return str(root).startswith("/Volumes/")
    try:
        mounts = Path("/proc/self/mounts").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return False
    return filesystem_of(root, mounts).partition(".")[0] in REMOTE_FILESYSTEMS


def filesystem_of(root: Path, mounts: list[str]) -> str:
    """The type of the mount that holds the folder, from lines as `/proc/self/mounts` has them."""
    best, kind = -1, ""
    for line in mounts:
        fields = line.split(" ")
        if len(fields) < 3:
            continue
        # Blanks in paths are written as octal escapes.
        point = fields[1].replace("\\040", " ").replace("\\011", "\t").replace("\\134", "\\")
        if root.is_relative_to(point) and len(Path(point).parts) >= best:
            best, kind = len(Path(point).parts), fields[2]
    return kind
