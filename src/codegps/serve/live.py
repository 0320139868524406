"""A workspace in; graphs that are never older than the question, out.

One thread of its own builds the index and looks for changed files; everybody who asks waits for a look that began
after the question. Looks are shared: twenty clients who ask at once cost two looks, not twenty.
"""

from __future__ import annotations

import contextlib
import logging
import threading
from collections.abc import Generator
from time import monotonic
from typing import Any, cast

from codegps.errors import CodeGPSError, IndexBusy, ToolError
from codegps.query.graph import Graph
from codegps.serve.watch import Watcher
from codegps.serve.workspace import Workspace
from codegps.store import Reader, Store

log = logging.getLogger(__name__)

SWEEP_SECONDS = 30.0
"""With a watcher, every file is still looked at this often: insurance against news that was lost."""
WAIT_SECONDS = 30.0
"""How long a question waits for the index before it is told to ask again."""


class Cancelled(Exception):
    """The one who asked has gone; raised wherever the work for it touches the store."""


class Live:
    """The index of one workspace, kept fresh while a server runs."""

    def __init__(self, workspace: Workspace, *, watch: bool = True, wait: float = WAIT_SECONDS) -> None:
        self.workspace = workspace
        self._wait = wait
        self._watch = watch
        self._watcher: Watcher | None = None
        self._news = threading.Condition()
        self._wanted = 0
        """Number of the look that somebody waits for; looks are counted from 1."""
        self._begun = 0
        self._done = 0
        self._error: CodeGPSError | None = None
        self._closing = False
        self._progress = ("start", 0, 0)
        self._fresh_until = 0.0
        self._store: Store | None = None
        self._thread = threading.Thread(target=self._run, name="codegps-index", daemon=True)

    def start(self) -> None:
        """Begins the first look; returns at once."""
        with self._news:
            self._wanted = max(self._wanted, 1)
        self._thread.start()

    def close(self) -> None:
        """Stops a build that is under way and lets go of everything."""
        with self._news:
            self._closing = True
            self._news.notify_all()
        if self._thread.is_alive():
            self._thread.join(5)
        if self._watcher:
            self._watcher.close()
        if self._store is not None:
            self._store.close()
        self.workspace.close()

    def progress(self) -> tuple[float, str]:
        """How far a build is: per cent, and in words."""
        stage, done, total = self._progress
        return percent(stage, done, total), f"{stage} {done:,} of {total:,}" if total else stage

    @contextlib.contextmanager
    def graph(self, gone: threading.Event) -> Generator[Graph]:
        """A graph as fresh as this call; blocks. Work on it ends with `Cancelled` once `gone` is set."""
        self._await_look(gone)
        store = self._store
        if store is None:
            raise ToolError("The server is shutting down.")
        with store.snapshot():
            yield self.workspace.graph(cast("Reader", _Guarded(store, gone)))

    # --- those who ask ------------------------------------------------------------------------------------------------

    def _await_look(self, gone: threading.Event) -> None:
        end = monotonic() + self._wait
        with self._news:
            mine = self._begun + 1
            self._wanted = max(self._wanted, mine)
            self._news.notify_all()
            while self._done < mine:
                if self._closing:
                    raise ToolError("The server is shutting down.")
                if gone.is_set():
                    raise Cancelled
                left = end - monotonic()
                if left <= 0:
                    share, words = self.progress()
                    raise IndexBusy(
                        f"The index of {self.workspace.project} is still being built: {share:.0f} % ({words}). "
                        "Ask again in a few seconds."
                    )
                self._news.wait(min(left, 1.0))
            if self._error is not None:
                raise self._error

    # --- the indexer's thread -----------------------------------------------------------------------------------------

    def _run(self) -> None:
        while True:
            with self._news:
                while self._wanted <= self._begun and not self._closing:
                    self._news.wait()
                if self._closing:
                    break
                self._begun += 1
            error: CodeGPSError | None = None
            try:
                self._look()
            except Cancelled:
                break
            except CodeGPSError as problem:
                error = problem
            except Exception as problem:  # a server outlives its mistakes: this question fails, the next may not
                log.exception("Looking for changed files failed")
                error = ToolError(f"Indexing failed: {type(problem).__name__}. The server's log says more.")
            if error is not None:
                self._fresh_until = 0.0
            with self._news:
                self._error = error
                self._done = self._begun
                self._news.notify_all()

    def _look(self) -> None:
        self.workspace.check_root()
        if self._store is None or not self.workspace.has_index():
            self._open()
        assert self._store is not None
        changed = self._watcher.changed() if self._watcher else None
        begun = monotonic()
        if changed is None or begun >= self._fresh_until:
            self.workspace.refresh(self._store, self._on_progress)
            self._fresh_until = begun + SWEEP_SECONDS
        elif changed:
            self.workspace.refresh(self._store, self._on_progress, changed)

    def _open(self) -> None:
        """Opens the index for the first time, or anew after somebody deleted it."""
        old, self._store = self._store, None
        if old is not None:
            # Questions that are under way close their connections at their end.
            old.close()
        self._store = self.workspace.open()
        self._fresh_until = 0.0
        folder = self.workspace.cookie_folder()
        if self._watch and folder is not None and (self._watcher is None or not self._watcher.watching):
            if self._watcher:
                self._watcher.close()
            self._watcher = Watcher(self.workspace.root, folder)

    def _on_progress(self, stage: str, done: int, total: int) -> None:
        self._progress = (stage, done, total)
        if self._closing:
            raise Cancelled


STAGES: dict[str, tuple[int, int]] = {
    "discover": (0, 3),
    "extract": (3, 60),
    "resolve": (60, 90),
    "store": (90, 100),
}
"""Where each stage of a build begins and ends, in per cent of its time."""


def percent(stage: str, done: int, total: int) -> float:
    begin, end = STAGES.get(stage, (0, 0))
    return begin + (end - begin) * min(done / total, 1.0) if total else float(begin)


class _Guarded:
    """A store for one question: each call first looks whether anybody still waits for the answer."""

    def __init__(self, store: Store, gone: threading.Event) -> None:
        self._store = store
        self._gone = gone

    def __getattr__(self, name: str) -> Any:
        if self._gone.is_set():
            raise Cancelled
        return getattr(self._store, name)

    def close(self) -> None:
        """The pool owns the store."""
