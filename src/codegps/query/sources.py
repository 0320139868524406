"""A path of the index in; the file's lines as they are now, for snippets, out."""

from __future__ import annotations

from collections.abc import Sequence

from codegps.errors import ToolError
from codegps.query.graph import Graph
from codegps.query.workspace import inside

SIZE_LIMIT = 20_000_000
"""A file that has grown beyond this is not read for a few lines."""


class Sources:
    """Reads each file once. A file that is gone, or that a link now leads out of the workspace, has no lines."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._known: dict[str, Sequence[str]] = {}

    def __call__(self, path: str) -> Sequence[str]:
        if path not in self._known:
            self._known[path] = self._read(path)
        return self._known[path]

    def _read(self, path: str) -> Sequence[str]:
        try:
            whole = self._graph.root / inside(self._graph.root, path)
            if not whole.is_file() or whole.stat().st_size > SIZE_LIMIT:
                return ()
            text = whole.read_bytes().decode("utf-8", "replace")
        except (OSError, ToolError):
            return ()
        lines = text.removeprefix("\ufeff").replace("\r", "").split("\n")
        return lines[:-1] if lines[-1] == "" else lines
