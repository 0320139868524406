"""A workspace over a graph by hand, and tools that misbehave, for tests of the server without an engine."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Annotated, Any

from codegps.errors import CodeGPSError, ToolError
from codegps.model.graph import Counts
from codegps.query.graph import Graph
from codegps.serve.live import Live
from codegps.serve.mcp import Door
from codegps.serve.workspace import Progress, Workspace
from codegps.store import Store
from codegps.tool import Answer, Tool, tool
from tests.stores.graphs import build


class Report:
    """As much of the pipeline's report as doors look at."""

    def __init__(self) -> None:
        self.counts = Counts(1, 2, 1, 0, 0, 0, 0)
        self.seconds = 0.1


class ByHand(Workspace):
    """A workspace whose graph was made by hand; counts its refreshes, and builds as slowly as it is told."""

    def __init__(self, root: Path) -> None:
        super().__init__(root, "memory:")
        self.refreshes = 0
        self.may_build = threading.Event()
        self.may_build.set()
        self.building = threading.Event()
        self.problem: Exception | None = None

    def open(self, *, rebuild: bool = False) -> Store:
        from codegps.model.kinds import Kind

        return build(
            {"a.py": [("f", Kind.Function, 1, 2), ("g", Kind.Function, 4, 5)]},
            edges=[("a.py:f", "CALLS", "a.py:g", 2, 5)],
        )

    def refresh(self, store: Store, progress: Progress | None = None, only: Iterable[str] | None = None) -> Any:
        self.building.set()
        done = 0
        while not self.may_build.wait(0.01):
            done = min(done + 1, 60)
            if progress:
                progress("extract", done, 100)
        self.refreshes += 1
        if self.problem is not None:
            raise self.problem
        return Report()


@tool("echo", command="echo", description="Says what it was told. Nothing else.", examples=("hello",))
def echo(graph: Graph, word: Annotated[str, "What to say"], note: str = "") -> Answer:
    return Answer(word, note)


@tool("count", command="count", description="Counts symbols, in JSON.", rate_limit=3)
def count(graph: Graph) -> Answer:
    return Answer('{"symbols": 3}', data={"symbols": len(list(graph.symbols()))})


@tool("fails", command="fails", description="Fails as it is told.")
def fails(graph: Graph, how: str) -> Answer:
    errors: dict[str, Callable[[], Exception]] = {
        "tool": lambda: ToolError("Symbol 'X' not found at Y."),
        "payload": lambda: ToolError("no", {"error": "FILE_NOT_FOUND", "message": "no é"}),
        "family": lambda: CodeGPSError("The index is damaged."),
        "bug": lambda: KeyError("/secret/path"),
    }
    raise errors[how]()


class Slow:
    """A tool that asks the store again and again until somebody stops it."""

    started = threading.Event()
    stopped = threading.Event()


@tool("slow", command="slow", description="Walks for ever.")
def slow(graph: Graph) -> Answer:
    Slow.started.set()
    try:
        while True:
            graph.store.files()
            time.sleep(0.005)
    finally:
        Slow.stopped.set()


TOOLS: tuple[Tool[...], ...] = (echo, count, fails, slow)


def make_door(workspace: Workspace | None, start: Path, wait: float = 30.0) -> Door:
    """Over a workspace that is known, or over whatever root the client says."""

    def open_live(root: Path) -> Live:
        return Live(workspace or ByHand(root), watch=False, wait=wait)

    menu = {tool.name: tool for tool in TOOLS}
    return Door(menu, open_live, workspace.root if workspace else None, start)
