"""A root folder and a store address in; stores that are open, and an index that is built or refreshed, out.

The only place that opens a store.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from codegps.errors import RootError, UsageError
from codegps.folders import index_folder
from codegps.query.graph import Graph
from codegps.serve.root import checked

if TYPE_CHECKING:
    from codegps.pipeline import Report
    from codegps.settings import Settings
    from codegps.store import Reader, Store

Progress = Callable[[str, int, int], None]


class Workspace:
    """One project. The store address is a file, `memory:`, or nothing for the default: SQLite beside the sources."""

    def __init__(self, root: Path, store: str | None = None, project: str | None = None) -> None:
        self.root = checked(root)
        self.project = project or self.root.name or "root"
        self._address = store or os.environ.get("CODEGPS_STORE") or None
        self._memory: Store | None = None
        self._settings: tuple[object, Settings] | None = None
        if self._address and "://" in self._address:
            raise UsageError(
                f"The store {self._address.partition('://')[0]}:// is not known here. "
                "Give a file for SQLite, or leave --store out."
            )

    # --- the store ----------------------------------------------------------------------------------------------------

    @property
    def index_path(self) -> Path | None:
        """Where the index lies; None where it lies in no file."""
        if self._address == "memory:":
            return None
        return Path(self._address).absolute() if self._address else index_folder(self.root) / "graph.db"

    def open(self) -> Store:
        """A store of its own for one thread at a time; without an index it is empty."""
        path = self.index_path
        if path is None:
            from codegps.stores.memory import MemoryStore

            self._memory = self._memory or MemoryStore()
            return self._memory
        from codegps.stores.sqlite import SqliteStore

        return SqliteStore.open(path)

    def has_index(self) -> bool:
        """Whether the index is still where it was; somebody may delete it under a running server."""
        path = self.index_path
        return path is None or path.exists()

    def cookie_folder(self) -> Path | None:
        """A folder of ours inside the root, if there is one."""
        path = self.index_path
        return path.parent if path is not None and path.is_relative_to(self.root) else None

    def graph(self, store: Reader) -> Graph:
        return Graph(self.root, store, self.project)

    # --- the index ----------------------------------------------------------------------------------------------------

    def check_root(self) -> None:
        """A workspace may disappear while we serve it."""
        if not self.root.is_dir():
            raise RootError(f"The folder {self.root} is gone. Start CodeGPS again where the sources are now.")

    def settings(self) -> Settings:
        """The project's own settings, read again when their files change."""
        from codegps.settings import load

        stamp = tuple(_stamp(self.root / name) for name in ("codegps.toml", "pyproject.toml"))
        if self._settings is None or self._settings[0] != stamp:
            self._settings = (stamp, load(self.root))
        return self._settings[1]

    def build(
        self, store: Store, progress: Progress | None = None, *, rebuild: bool = False, jobs: int | None = None
    ) -> Report:
        from codegps import pipeline

        return pipeline.index(self.root, store, self.settings(), rebuild=rebuild, jobs=jobs, progress=progress)

    def refresh(self, store: Store, progress: Progress | None = None) -> Report:
        """Looks for changed files; without an index, builds it."""
        from codegps import pipeline

        return pipeline.refresh(self.root, store, self.settings(), progress=progress)


def _stamp(path: Path) -> tuple[int, int] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size
