"""A graph that is open for questions: a root folder and the store that holds its index."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from types import TracebackType

from codegps.model.confirmation import Confirmer, LspMode
from codegps.model.graph import Edge, Symbol
from codegps.model.kinds import EdgeKind, Kind
from codegps.store import Direction, Reader


class Graph:
    """What tools and programs ask. `store` answers in batches; `lines` reads the sources as they are now."""

    def __init__(self, root: Path, store: Reader, project: str | None = None) -> None:
        self.root = root
        """Absolute, with links resolved."""
        self.store = store
        self.project = project or root.name
        self.confirmer: Confirmer | None = None
        """Language servers, where a door set them up."""
        self.lsp_mode: LspMode = "auto"

    def __enter__(self) -> Graph:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        self.store.close()

    def symbols(self, kinds: Sequence[Kind] | None = None) -> Iterable[Symbol]:
        """Every symbol, ordered by file and position."""
        return self.store.all_symbols(kinds)

    def symbol(self, symbol_id: str) -> Symbol | None:
        """By identity: `path:qualified.name`, or a path."""
        return self.store.symbol(symbol_id)

    def edges(self, path: str) -> list[Edge]:
        """Edges whose place lies in this file."""
        return self.store.edges_in(path)

    def neighbours(
        self, symbols: Sequence[Symbol], kinds: Sequence[EdgeKind] = tuple(EdgeKind), direction: Direction = "out"
    ) -> list[Edge]:
        """Edges from (`out`) or to (`in`) these symbols."""
        return self.store.neighbours([s.key for s in symbols], kinds, direction)

    def lines(self, path: str) -> list[str]:
        """The file's lines without line ends; empty where it cannot be read any more."""
        try:
            text = (self.root / path).read_bytes().decode("utf-8", "replace")
        except OSError:
            return []
        return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")
