"""A root folder and a store address in; stores that are open, and an index that is built or refreshed, out.

The only place that opens a store.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from codegps.errors import IndexOutdated, RootError, UsageError
from codegps.folders import index_folder
from codegps.query.graph import Graph
from codegps.serve.config import Confirmations, store_address
from codegps.serve.root import checked

if TYPE_CHECKING:
    from codegps.pipeline import Report
    from codegps.settings import Settings
    from codegps.store import Reader, Store

Progress = Callable[[str, int, int], None]


class Workspace:
    """One project. The address is a folder for SQLite, `memory:`, or nothing for the default: a folder in the root."""

    def __init__(self, root: Path, store: str | None = None, project: str | None = None) -> None:
        self.root = checked(root)
        self.project = project or self.root.name or "root"
        self._address = store_address(store)
        self.confirmations = Confirmations()
        self._folder: Path | None = None
        self.outdated = False
        """The index was written by an older version and must be built anew."""
        self._settings: tuple[object, Settings] | None = None
        if self._address and "://" in self._address:
            raise UsageError(
                f"The store {self._address.partition('://')[0]}:// is not known here. "
                "Give a folder for SQLite, or leave --store out."
            )

    # --- the store ----------------------------------------------------------------------------------------------------

    @property
    def folder(self) -> Path | None:
        """The folder of the index; None where it lies in no file."""
        if self._address == "memory:":
            return None
        if self._folder is None:
            self._folder = Path(self._address).absolute() if self._address else index_folder(self.root)
        return self._folder

    def open(self, *, rebuild: bool = False) -> Store:
        """A store that any number of threads may ask; empty without an index, or where it is to be rebuilt."""
        folder = self.folder
        if folder is None:
            from codegps.stores.memory import MemoryStore

            return MemoryStore()
        from codegps.stores.sqlite import SqliteStore

        if rebuild:
            return SqliteStore.open(folder, create=True, fresh=True)
        try:
            return SqliteStore.open(folder, create=True)
        except IndexOutdated as error:
            print(f"{str(error).partition('. ')[0]}; it is built anew.", file=sys.stderr)
            self.outdated = True
            return SqliteStore.open(folder, create=True, fresh=True)

    def has_index(self) -> bool:
        """Whether there is one; somebody may delete it under a running server."""
        return self.folder is None or (self.folder / "current").exists()

    def cookie_folder(self) -> Path | None:
        """A folder of ours inside the root, if there is one."""
        return self.folder if self.folder is not None and self.folder.is_relative_to(self.root) else None

    def graph(self, store: Reader) -> Graph:
        graph = Graph(self.root, store, self.project)
        graph.confirmer = self.confirmations
        graph.lsp_mode = self.confirmations.mode(self.settings().lsp)
        return graph

    def close(self) -> None:
        """Ends the language servers that were started, if any."""
        self.confirmations.close()

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

        rebuild = rebuild or self.outdated
        done = pipeline.index(self.root, store, self.settings(), rebuild=rebuild, jobs=jobs, progress=progress)
        self.outdated = False
        return done

    def refresh(self, store: Store, progress: Progress | None = None, only: Iterable[str] | None = None) -> Report:
        """Looks for changed files, among `only` where these are known to be all; without an index, builds it."""
        from codegps import pipeline

        if self.outdated:
            return self.build(store, progress)
        return pipeline.refresh(self.root, store, self.settings(), only, progress=progress)


def _stamp(path: Path) -> tuple[int, int] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size
