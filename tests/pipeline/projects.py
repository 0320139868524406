"""A root on disk with its index, for tests: files in, exports out."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from codegps import pipeline
from codegps.folders import index_folder
from codegps.format.export import export
from codegps.pipeline import Report
from codegps.settings import load
from codegps.store import Store
from codegps.stores.memory import MemoryStore
from codegps.stores.sqlite import SqliteStore

SHOP: Mapping[str, str] = {
    "shop/__init__.py": "",
    "shop/cart.py": "from shop.prices import total\n\n\nclass Cart:\n    def pay(self):\n        return total(self)\n",
    "shop/prices.py": "def total(cart):\n    return rounded(cart)\n\n\ndef rounded(x):\n    return x\n",
    "main.py": "from shop.cart import Cart\n\nCart().pay()\n",
}


class Root:
    """A folder of sources and the store of its index."""

    def __init__(self, path: Path, files: Mapping[str, str | bytes] = SHOP) -> None:
        self.path = path.resolve()
        self.path.mkdir(parents=True, exist_ok=True)
        self.write(files)
        self._store: SqliteStore | None = None

    @property
    def store(self) -> SqliteStore:
        if self._store is None:
            self._store = SqliteStore.open(index_folder(self.path), create=True)
        return self._store

    def close(self) -> None:
        if self._store is not None:
            self._store.close()
            self._store = None

    def write(self, files: Mapping[str, str | bytes]) -> None:
        for path, text in files.items():
            file = self.path / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(text if isinstance(text, bytes) else text.encode())

    def index(self, **options: Any) -> Report:
        return pipeline.index(self.path, self.store, load(self.path), **options)

    def refresh(self, *only: str) -> Report:
        return pipeline.refresh(self.path, self.store, load(self.path), only or None)

    def verify(self) -> list[str]:
        return pipeline.verify(self.path, self.store, load(self.path))

    def records(self, record: str) -> list[dict[str, Any]]:
        return [r for line in export(self.store) if (r := json.loads(line))["record"] == record]

    def calls(self) -> list[str]:
        """Edges of kind CALLS as `source -> target`."""
        return [f"{r['source']} -> {r['target']}" for r in self.records("edge") if r["kind"] == "CALLS"]

    def symbols(self) -> list[str]:
        return [r["id"] for r in self.records("symbol")]

    def diagnostics(self) -> dict[str, str]:
        return {d.file: d.message for d in self.store.diagnostics()}

    def skips(self) -> dict[str, str]:
        return {s.file: s.reason for s in self.store.skips()}


def clean(root: Path) -> list[str]:
    """The export of a graph that is built from nothing."""
    store: Store = MemoryStore()
    pipeline.index(root, store, load(root), rebuild=True, jobs=1)
    return list(export(store))
