"""The reference store: whole files in, answers straight from the docstrings of `store.py` out.

Nothing here is clever. Other stores are right when they answer as this one does.
"""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Generator, Iterable, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property

import msgspec

from codegps.errors import IndexLocked
from codegps.model.graph import (
    FILE_SHIFT,
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
from codegps.model.kinds import EdgeKind, Kind, Proof, Reason, Via
from codegps.store import Direction, FileGraph

Order = tuple[str, bool, int, int, str]


def symbol_order(symbol: Symbol) -> Order:
    """Where a symbol stands in every list: by path, the File first, then by position."""
    return (symbol.file, symbol.kind is not Kind.File, symbol.start_line, symbol.start_column, symbol.qualified_name)


def _ascii_lower(text: str) -> str:
    return text.translate(_ASCII_LOWER)


_ASCII_LOWER = {upper: upper + 32 for upper in range(ord("A"), ord("Z") + 1)}


def _flows(edge: Edge) -> bool:
    """A call whose function came as an argument or out of a container."""
    return edge.kind is EdgeKind.CALLS and edge.proof is Proof.inferred and edge.via in (Via.parameter, Via.element)


@dataclass(frozen=True)
class _Graph:
    """One committed state; never changed, so a reader that holds it sees one graph."""

    files: dict[int, FileGraph] = field(default_factory=dict[int, FileGraph])
    skips: list[Skip] = field(default_factory=list[Skip])
    diagnostics: list[Diagnostic] = field(default_factory=list[Diagnostic])
    meta: dict[str, str] = field(default_factory=dict[str, str])
    generation: int = 0

    @cached_property
    def ordered(self) -> list[FileGraph]:
        return sorted(self.files.values(), key=lambda f: f.row.path)

    @cached_property
    def by_path(self) -> dict[str, FileGraph]:
        return {f.row.path: f for f in self.ordered}

    @cached_property
    def symbols(self) -> dict[int, Symbol]:
        """By key, in order."""
        return {s.key: s for f in self.ordered for s in sorted(f.symbols, key=symbol_order)}

    @cached_property
    def by_id(self) -> dict[str, Symbol]:
        return {s.id: s for s in self.symbols.values()}

    @cached_property
    def by_name(self) -> dict[str, list[Symbol]]:
        found: defaultdict[str, list[Symbol]] = defaultdict(list)
        for symbol in self.symbols.values():
            found[symbol.name.casefold()].append(symbol)
        return found

    def order(self, key: int) -> Order:
        symbol = self.symbols.get(key)
        return symbol_order(symbol) if symbol else ("", False, key, 0, "")

    def edges_of(self, graph: FileGraph) -> list[Edge]:
        return sorted(
            graph.edges,
            key=lambda e: (
                (e.line, e.column, e.kind, self.order(e.target), self.order(e.source)),
                (e.proof, e.hops, e.via, self.order(e.class_), e.site),
                (self.order(e.drawn_source), self.order(e.drawn_target)),
            ),
        )

    def references_of(self, graph: FileGraph) -> list[Reference]:
        return sorted(
            graph.references,
            key=lambda r: (r.line, r.column, r.kind, r.name, self.order(r.source), r.reason, r.external, r.site),
        )

    @cached_property
    def edges(self) -> list[Edge]:
        return [e for f in self.ordered for e in self.edges_of(f)]

    @cached_property
    def references(self) -> list[Reference]:
        return [r for f in self.ordered for r in self.references_of(f)]

    def positions(self, end: str) -> dict[int, list[int]]:
        """For each key at this end of an edge: where in `edges` it stands."""
        found: defaultdict[int, list[int]] = defaultdict(list)
        for number, edge in enumerate(self.edges):
            found[getattr(edge, end)].append(number)
        return found

    @cached_property
    def ends(self) -> dict[str, dict[int, list[int]]]:
        return {end: self.positions(end) for end in ("source", "target", "drawn_source", "drawn_target")}

    def at(self, end: str, keys: Iterable[int], kinds: Sequence[EdgeKind]) -> list[Edge]:
        numbers = sorted({n for key in set(keys) for n in self.ends[end].get(key, ())})
        return [self.edges[n] for n in numbers if self.edges[n].kind in kinds]


class MemoryStore:
    """A graph in memory: the oracle of the other stores, and what tests of tools stand on."""

    def __init__(self, wait: float = 30.0) -> None:
        self._graph = _Graph()
        self._wait = wait
        self._writing = threading.Lock()
        self._pinned = threading.local()

    @property
    def _now(self) -> _Graph:
        return getattr(self._pinned, "graph", None) or self._graph

    @contextmanager
    def snapshot(self) -> Generator[None]:
        """All questions of this thread inside the block are answered from one graph, whoever commits meanwhile."""
        outer: _Graph | None = getattr(self._pinned, "graph", None)
        self._pinned.graph = outer or self._graph
        try:
            yield
        finally:
            self._pinned.graph = outer

    def files(self) -> list[FileRow]:
        return [f.row for f in self._now.ordered]

    def file(self, path: str) -> FileRow | None:
        graph = self._now.by_path.get(path)
        return graph.row if graph else None

    def symbols(self, keys: Iterable[int]) -> dict[int, Symbol]:
        graph = self._now
        found = [graph.symbols[key] for key in set(keys) if key in graph.symbols]
        return {s.key: s for s in sorted(found, key=symbol_order)}

    def symbols_in(self, path: str) -> list[Symbol]:
        graph = self._now.by_path.get(path)
        return sorted(graph.symbols, key=symbol_order) if graph else []

    def symbols_named(self, name: str) -> list[Symbol]:
        return list(self._now.by_name.get(name.casefold(), ()))

    def symbol(self, symbol_id: str) -> Symbol | None:
        return self._now.by_id.get(symbol_id)

    def all_symbols(self, kinds: Sequence[Kind] | None = None) -> Iterable[Symbol]:
        return (s for s in self._now.symbols.values() if kinds is None or s.kind in kinds)

    def symbols_containing(self, text: str, kinds: Sequence[Kind] | None = None) -> Iterable[Symbol]:
        wanted = _ascii_lower(text)
        return (s for s in self.all_symbols(kinds) if wanted in _ascii_lower(s.qualified_name or s.file))

    def neighbours(self, keys: Sequence[int], kinds: Sequence[EdgeKind], direction: Direction) -> list[Edge]:
        return self._now.at("source" if direction == "out" else "target", keys, kinds)

    def drawn(self, keys: Sequence[int], kinds: Sequence[EdgeKind], direction: Direction) -> list[Edge]:
        return self._now.at("drawn_source" if direction == "out" else "drawn_target", keys, kinds)

    def drawn_ends(
        self, keys: Sequence[int], kinds: Sequence[EdgeKind], direction: Direction, flows: bool = False
    ) -> list[int]:
        found = [e for e in self.drawn(keys, kinds, direction) if flows or not _flows(e)]
        return sorted({e.drawn_target if direction == "out" else e.drawn_source for e in found})

    def edges_in(self, path: str) -> list[Edge]:
        graph = self._now.by_path.get(path)
        return self._now.edges_of(graph) if graph else []

    def references_in(self, path: str) -> list[Reference]:
        graph = self._now.by_path.get(path)
        return self._now.references_of(graph) if graph else []

    def references_from(self, keys: Sequence[int]) -> list[Reference]:
        wanted = set(keys)
        return [r for r in self._now.references if r.drawn_source in wanted]

    def references_named(self, names: Sequence[str]) -> list[Reference]:
        wanted = set(names)
        return [r for r in self._now.references if r.reason is Reason.unknown and r.last_name in wanted]

    def sites(self, path: str) -> Sites | None:
        graph = self._now.by_path.get(path)
        return graph.sites if graph else None

    def entries(self) -> list[Entry]:
        graph = self._now
        found = [e for f in graph.ordered for e in f.entries]
        return sorted(found, key=lambda e: (graph.order(e.symbol), e.line, e.kind, e.key))

    def diagnostics(self) -> list[Diagnostic]:
        found = [d for f in self._now.ordered for d in f.diagnostics] + self._now.diagnostics
        return sorted(found, key=lambda d: (d.file, d.line, d.message))

    def skips(self) -> list[Skip]:
        return sorted(self._now.skips, key=lambda s: (s.file, s.reason))

    def counts(self) -> Counts:
        graph = self._now
        proofs = [e.proof for e in graph.edges]
        reasons = [r.reason for r in graph.references]
        return Counts(
            files=len(graph.files),
            symbols=len(graph.symbols),
            resolved=proofs.count(Proof.resolved),
            dispatch=proofs.count(Proof.dispatch),
            inferred=proofs.count(Proof.inferred),
            external=reasons.count(Reason.external),
            unknown=reasons.count(Reason.unknown),
        )

    def links(self, keys: Iterable[str]) -> dict[str, list[tuple[int, bytes]]]:
        graph = self._now
        found = {k: [(n, f.links[k]) for n, f in sorted(graph.files.items()) if k in f.links] for k in keys}
        return {key: rows for key, rows in found.items() if rows}

    def links_of(self, file_key: int) -> dict[str, bytes]:
        graph = self._now.files.get(file_key)
        return dict(sorted(graph.links.items())) if graph else {}

    def meta(self, name: str) -> str | None:
        return self._now.meta.get(name)

    def generation(self) -> int:
        return self._now.generation

    def close(self) -> None:
        """Nothing is held."""

    def write(self, rebuild: bool = False) -> MemoryWriter:
        if not self._writing.acquire(timeout=self._wait):
            raise IndexLocked("Another thread of this process is writing to the graph. Try again when it has finished.")
        return MemoryWriter(self, self._graph, rebuild)

    def finish(self, graph: _Graph | None) -> None:
        """Ends the writer's transaction: the new state, or None to keep the old one."""
        if graph is not None:
            self._graph = graph
        self._writing.release()


class MemoryWriter:
    """One transaction on a `MemoryStore`."""

    def __init__(self, store: MemoryStore, old: _Graph, rebuild: bool) -> None:
        self._store: MemoryStore | None = store
        base = _Graph() if rebuild else old
        self._graph = replace(base, files=dict(base.files), meta=dict(base.meta), generation=old.generation + 1)

    def put(self, graph: FileGraph) -> None:
        row = graph.row
        if any(f.row.path == row.path and f.row.key != row.key for f in self._now.files.values()):
            raise self._failed(f"{row.path} is in the graph under another key; remove that first")
        if len({s.key for s in graph.symbols}) < len(graph.symbols):
            raise self._failed(f"two symbols of {row.path} have one key")
        self._own(row.key, graph.edges, graph.references)
        self._now.files[row.key] = FileGraph(
            row=row,
            symbols=list(graph.symbols),
            edges=list(graph.edges),
            references=list(graph.references),
            entries=list(graph.entries),
            diagnostics=list(graph.diagnostics),
            sites=graph.sites,
            links=dict(graph.links),
        )

    def put_edges(self, file_key: int, edges: list[Edge], references: list[Reference], links: dict[str, bytes]) -> None:
        self._own(file_key, edges, references)
        self._now.files[file_key] = msgspec.structs.replace(
            self._known(file_key), edges=list(edges), references=list(references), links=dict(links)
        )

    def put_entries(self, file_key: int, entries: list[Entry]) -> None:
        self._now.files[file_key] = msgspec.structs.replace(self._known(file_key), entries=list(entries))

    def touch(self, row: FileRow) -> None:
        known = self._known(row.key)
        if known.row.path != row.path:
            raise self._failed(f"no file {row.path} with key {row.key} is in the graph")
        self._now.files[row.key] = msgspec.structs.replace(known, row=row)

    def remove(self, file_key: int) -> None:
        self._now.files.pop(file_key, None)

    def put_skips(self, skips: list[Skip]) -> None:
        self._graph = replace(self._now, skips=list(skips))

    def put_diagnostics(self, diagnostics: list[Diagnostic]) -> None:
        self._graph = replace(self._now, diagnostics=list(diagnostics))

    def put_meta(self, name: str, value: str) -> None:
        self._now.meta[name] = value

    def commit(self) -> None:
        self._end(self._now)

    def rollback(self) -> None:
        """Leaves the graph as it was; harmless where the transaction has ended."""
        if self._store is not None:
            self._end(None)

    @property
    def _now(self) -> _Graph:
        if self._store is None:
            raise ValueError("this transaction has ended")
        return self._graph

    def _end(self, graph: _Graph | None) -> None:
        store, self._store = self._store, None
        if store is not None:
            store.finish(graph)

    def _failed(self, why: str) -> ValueError:
        """A step that fails ends the transaction."""
        self.rollback()
        return ValueError(why)

    def _known(self, file_key: int) -> FileGraph:
        if file_key not in self._now.files:
            raise self._failed(f"no file with key {file_key} is in the graph")
        return self._graph.files[file_key]

    def _own(self, file_key: int, edges: list[Edge], references: list[Reference]) -> None:
        if any(one.source >> FILE_SHIFT << FILE_SHIFT != file_key for one in (*edges, *references)):
            raise self._failed("an edge or a reference starts in another file than its own")
