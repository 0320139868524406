"""Contract: what the engine asks of a graph store.

A store answers in batches, never one node at a time. The read half serves the tools; the write half takes
whole files and commits all or nothing. `links` is a keyed multi-map that the resolver owns: it keeps there what
a later refresh must find without loading everything.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from typing import Literal, Protocol

import msgspec

from codegps.model.graph import (
    Counts,
    Diagnostic,
    Edge,
    Entry,
    FileRow,
    Reference,
    Sites,
    Skip,
    Symbol,
)
from codegps.model.kinds import EdgeKind, Kind

Direction = Literal["out", "in"]


class Reader(Protocol):
    """The read half. Every list is ordered by code point of ids, then by place, so answers never vary."""

    def files(self) -> list[FileRow]: ...

    def file(self, path: str) -> FileRow | None: ...

    def symbols(self, keys: Iterable[int]) -> dict[int, Symbol]: ...

    def symbols_in(self, path: str) -> list[Symbol]:
        """All symbols of a file in order of position, its File first."""
        ...

    def symbols_named(self, name: str) -> list[Symbol]:
        """Symbols with this last name, ignoring case, over all files."""
        ...

    def symbols_containing(self, text: str, kinds: Sequence[Kind] | None = None) -> Iterable[Symbol]:
        """Streams the symbols whose qualified name (a File's path) contains this text, ordered by file and position.

        Ignores the case of ASCII letters, and of these alone.
        """
        ...

    def symbol(self, symbol_id: str) -> Symbol | None:
        """By identity, `path:qualified.name` or a path."""
        ...

    def all_symbols(self, kinds: Sequence[Kind] | None = None) -> Iterable[Symbol]:
        """Streams every symbol, ordered by file and position."""
        ...

    def neighbours(self, keys: Sequence[int], kinds: Sequence[EdgeKind], direction: Direction) -> list[Edge]:
        """Edges from (`out`) or to (`in`) these symbols, exactly as stored: nothing folded."""
        ...

    def drawn(self, keys: Sequence[int], kinds: Sequence[EdgeKind], direction: Direction) -> list[Edge]:
        """The same over `drawn_source` and `drawn_target`."""
        ...

    def drawn_ends(
        self, keys: Sequence[int], kinds: Sequence[EdgeKind], direction: Direction, flows: bool = False
    ) -> list[int]:
        """Keys of the other ends of `drawn`, each once, ascending: for walks that only count.

        Without `flows`, CALLS that are inferred via parameter or element are left out.
        """
        ...

    def edges_in(self, path: str) -> list[Edge]:
        """Edges whose place lies in this file, by place."""
        ...

    def references_in(self, path: str) -> list[Reference]: ...

    def references_from(self, keys: Sequence[int]) -> list[Reference]:
        """Unresolved references by `drawn_source`."""
        ...

    def references_named(self, names: Sequence[str]) -> list[Reference]:
        """Unresolved references of reason `unknown` whose last name is one of these."""
        ...

    def sites(self, path: str) -> Sites | None: ...

    def entries(self) -> list[Entry]: ...

    def diagnostics(self) -> list[Diagnostic]: ...

    def skips(self) -> list[Skip]: ...

    def counts(self) -> Counts: ...

    def links(self, keys: Iterable[str]) -> dict[str, list[tuple[int, bytes]]]:
        """For each key: (owner's file key, value), ordered by file key. Keys without a link are left out."""
        ...

    def links_of(self, file_key: int) -> dict[str, bytes]:
        """All links a file owns."""
        ...

    def meta(self, name: str) -> str | None:
        """A named value of the whole index: `version`, `built_at`, ..."""
        ...

    def generation(self) -> int:
        """Grows with every commit by anybody; equal means that nothing changed."""
        ...

    def snapshot(self) -> AbstractContextManager[None]:
        """All questions of this thread inside the block are answered from one graph, whoever commits meanwhile."""
        ...

    def close(self) -> None: ...


class FileGraph(msgspec.Struct):
    """All rows of one file."""

    row: FileRow
    symbols: list[Symbol] = []
    edges: list[Edge] = []
    references: list[Reference] = []
    entries: list[Entry] = []
    diagnostics: list[Diagnostic] = []
    sites: Sites | None = None
    links: dict[str, bytes] = {}


class Writer(Protocol):
    """The write half: one transaction. Nobody sees any of it before `commit`; a crash leaves the old graph."""

    def put(self, graph: FileGraph) -> None:
        """Replaces everything the file `graph.row.key` owns."""
        ...

    def put_edges(
        self,
        file_key: int,
        edges: list[Edge],
        references: list[Reference],
        links: dict[str, bytes],
    ) -> None:
        """Replaces only what resolving gave for a file whose text did not change."""
        ...

    def put_entries(self, file_key: int, entries: list[Entry]) -> None:
        """Replaces the entries of a file whose text did not change."""
        ...

    def touch(self, row: FileRow) -> None:
        """Replaces the file's row alone (size and time of an unchanged content)."""
        ...

    def remove(self, file_key: int) -> None: ...

    def put_skips(self, skips: list[Skip]) -> None: ...

    def put_diagnostics(self, diagnostics: list[Diagnostic]) -> None:
        """Diagnostics that no source file owns (broken project files); replaces all of that sort."""
        ...

    def put_meta(self, name: str, value: str) -> None: ...

    def commit(self) -> None: ...

    def rollback(self) -> None: ...


class Store(Reader, Protocol):
    """A store that is open. Reading and writing may go on at the same time from several processes."""

    def write(self, rebuild: bool = False) -> Writer:
        """Begins a transaction. With `rebuild` it starts from nothing; readers keep the old graph until commit.

        Waits for another writer, then raises `IndexLocked` naming it.
        """
        ...
