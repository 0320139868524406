"""Every store there is, empty and open, for the conformance suite."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from codegps.store import Store
from codegps.stores.memory import MemoryStore
from codegps.stores.sqlite import SqliteStore


@pytest.fixture(params=["memory", "sqlite"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    """One after the other."""
    opened: Store = MemoryStore() if request.param == "memory" else SqliteStore.open(tmp_path / ".codegps", create=True)
    yield opened
    opened.close()


@pytest.fixture
def sqlite(tmp_path: Path) -> Iterator[SqliteStore]:
    opened = SqliteStore.open(tmp_path / ".codegps", create=True, wait=10)
    yield opened
    opened.close()
