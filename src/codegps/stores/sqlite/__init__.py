"""The default store: a SQLite file in the index folder; `SqliteStore.open(folder)` in, a `Store` out."""

from __future__ import annotations

from codegps.stores.sqlite.store import SqliteStore

__all__ = ["SqliteStore"]
