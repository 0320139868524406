"""A root for each test."""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path

import pytest

from tests.pipeline.projects import Root


@pytest.fixture
def root(tmp_path: Path) -> Generator[Root]:
    root = Root(tmp_path / "root")
    yield root
    root.close()
