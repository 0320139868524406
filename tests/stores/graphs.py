"""Graphs by hand: a few lines in, a `MemoryStore` (or the file graphs for any store) out.

    store = build(
        {
            "src/a.ts": [("f", Kind.Function, 1, 3), ("C", Kind.Class, 5, 9), ("C.m", Kind.Method, 6, 8)],
            "src/b.ts": [("g", Kind.Function, 1, 4)],
        },
        edges=[
            ("src/a.ts:f", "CALLS", "src/b.ts:g", 2, 5),
            ("src/a.ts:C.m", "CALLS", "src/a.ts:f", 7, 9, "inferred", 1, "return"),
        ],
        references=[("src/b.ts:g", "CALLS", "fetch", 2, 3, "external", "lib.dom")],
    )
    f = at(store, "src/a.ts:f")

Each file gets its File symbol. A symbol's parent is the one its qualified name says. What is folded where graphs
are drawn follows the rules: a constructor into its class, an unnamed function (`f.<lambda1>`) into the named symbol
around it. Where a test needs something else, `symbol(...)`, `edge(...)` and `reference(...)` take it by keyword.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

import msgspec

from codegps.model.graph import FILE_SHIFT, Edge, FileRow, Reference, Symbol
from codegps.model.kinds import EdgeKind, Kind, Proof, Reason, Via
from codegps.store import FileGraph, Reader, Store
from codegps.stores.memory import MemoryStore

S = TypeVar("S", bound=Store)

LANGUAGES = {
    "py": "python", "pyi": "python", "js": "javascript", "jsx": "javascript", "mjs": "javascript",
    "ts": "typescript", "tsx": "typescript", "rs": "rust", "c": "c", "h": "c",
}  # fmt: skip


class SymbolLine(msgspec.Struct, frozen=True, array_like=True):
    """A symbol, by its qualified name in the file it is listed under."""

    name: str
    kind: Kind
    start_line: int
    end_line: int
    start_column: int = 1
    end_column: int = 1
    flags: int = 0
    parent: str | None = None
    """Qualified name; by default what the name says, "" for the File."""
    drawn: str | None = None
    """Qualified name it is folded into; by default the rules."""


class EdgeLine(msgspec.Struct, frozen=True, array_like=True):
    """An edge between two ids."""

    source: str
    kind: str | EdgeKind
    target: str
    line: int = 0
    """0 means the source's first line."""
    column: int = 1
    proof: str | Proof = Proof.resolved
    hops: int = 0
    via: str | Via = Via.none
    class_: str | None = None
    drawn_source: str | None = None
    drawn_target: str | None = None
    site: int = -1


class ReferenceLine(msgspec.Struct, frozen=True, array_like=True):
    """An unresolved reference from an id."""

    source: str
    kind: str | EdgeKind
    name: str
    line: int = 0
    column: int = 1
    reason: str | Reason = Reason.unknown
    external: str = ""
    candidates: Sequence[str] = ()
    drawn_source: str | None = None
    site: int = -1


symbol, edge, reference = SymbolLine, EdgeLine, ReferenceLine

SymbolTuple = tuple[str, Kind, int, int] | tuple[str, Kind, int, int, int] | tuple[str, Kind, int, int, int, int]
EdgeTuple = (
    tuple[str, str, str]
    | tuple[str, str, str, int]
    | tuple[str, str, str, int, int]
    | tuple[str, str, str, int, int, str]
    | tuple[str, str, str, int, int, str, int]
    | tuple[str, str, str, int, int, str, int, str]
)
ReferenceTuple = (
    tuple[str, str, str]
    | tuple[str, str, str, int]
    | tuple[str, str, str, int, int]
    | tuple[str, str, str, int, int, str]
    | tuple[str, str, str, int, int, str, str]
    | tuple[str, str, str, int, int, str, str, Sequence[str]]
)
Files = Mapping[str, Sequence[SymbolTuple | SymbolLine]]


@dataclass
class _Names:
    """Which key has which id."""

    symbols: dict[str, Symbol] = field(default_factory=dict[str, Symbol])

    def key(self, symbol_id: str) -> int:
        if symbol_id not in self.symbols:
            raise KeyError(f"{symbol_id} is not among {', '.join(self.symbols)}")
        return self.symbols[symbol_id].key

    def drawn(self, symbol_id: str) -> int:
        self.key(symbol_id)
        return self.symbols[symbol_id].drawn


def _around(name: str, names: Mapping[str, int]) -> str:
    """The nearest qualified name around this one that is a symbol; "" is the File."""
    while name:
        name = name.rpartition(".")[0]
        if name in names:
            return name
    return ""


def _drawn(line: SymbolLine, parents: Mapping[str, str]) -> str:
    if line.drawn is not None:
        return line.drawn
    name = line.name
    while name.rpartition(".")[2].startswith("<"):
        name = parents[name]
    return parents[name] if line.kind is Kind.Constructor else name


def _symbols(path: str, number: int, rows: Sequence[SymbolTuple | SymbolLine], language: str) -> list[Symbol]:
    lines = [msgspec.convert(row, SymbolLine) for row in rows]
    base = number << FILE_SHIFT
    keys = {"": base} | {line.name: base + n for n, line in enumerate(lines, 1)}
    parents = {line.name: _around(line.name, keys) if line.parent is None else line.parent for line in lines}
    end = max((line.end_line for line in lines), default=1)
    found = [Symbol(base, path.rpartition("/")[2], "", Kind.File, path, 1, 1, end, 1, -1, language, 0, base)]
    for line in lines:
        found.append(
            Symbol(
                key=keys[line.name],
                name=line.name.rpartition(".")[2].partition("~")[0],
                qualified_name=line.name,
                kind=line.kind,
                file=path,
                start_line=line.start_line,
                start_column=line.start_column,
                end_line=line.end_line,
                end_column=line.end_column,
                parent=keys[parents[line.name]],
                language=language,
                flags=line.flags,
                drawn=keys[_drawn(line, parents)],
            )
        )
    return found


def _edge(line: EdgeLine, names: _Names) -> Edge:
    return Edge(
        kind=EdgeKind[line.kind] if isinstance(line.kind, str) else line.kind,
        source=names.key(line.source),
        target=names.key(line.target),
        line=line.line or names.symbols[line.source].start_line,
        column=line.column,
        proof=Proof[line.proof] if isinstance(line.proof, str) else line.proof,
        hops=line.hops,
        via=next(v for v in Via if v.label == line.via) if isinstance(line.via, str) else line.via,
        class_=names.key(line.class_) if line.class_ else -1,
        drawn_source=names.key(line.drawn_source) if line.drawn_source else names.drawn(line.source),
        drawn_target=names.key(line.drawn_target) if line.drawn_target else names.drawn(line.target),
        site=line.site,
    )


def _reference(line: ReferenceLine, names: _Names) -> Reference:
    return Reference(
        kind=EdgeKind[line.kind] if isinstance(line.kind, str) else line.kind,
        source=names.key(line.source),
        name=line.name,
        line=line.line or names.symbols[line.source].start_line,
        column=line.column,
        reason=Reason[line.reason] if isinstance(line.reason, str) else line.reason,
        external=line.external,
        candidates=tuple(names.key(c) for c in sorted(line.candidates)),
        drawn_source=names.key(line.drawn_source) if line.drawn_source else names.drawn(line.source),
        site=line.site,
    )


def file_graphs(
    files: Files,
    edges: Sequence[EdgeTuple | EdgeLine] = (),
    references: Sequence[ReferenceTuple | ReferenceLine] = (),
) -> list[FileGraph]:
    """The same as rows of whole files, for `Writer.put` of any store; keys follow the order of `files`."""
    names = _Names()
    found: dict[int, FileGraph] = {}
    for number, (path, rows) in enumerate(files.items(), 1):
        language = LANGUAGES.get(path.rpartition(".")[2], "python")
        symbols = _symbols(path, number, rows, language)
        names.symbols |= {s.id: s for s in symbols}
        row = FileRow(symbols[0].key, path, language, f"{number:040x}", 100, number, symbols[0].end_line)
        found[row.key] = FileGraph(row, symbols, [], [], [], [], None, {})
    for line in edges:
        made = _edge(msgspec.convert(line, EdgeLine), names)
        found[made.source >> FILE_SHIFT << FILE_SHIFT].edges.append(made)
    for line in references:
        left = _reference(msgspec.convert(line, ReferenceLine), names)
        found[left.source >> FILE_SHIFT << FILE_SHIFT].references.append(left)
    return list(found.values())


def fill(store: S, graphs: Sequence[FileGraph], rebuild: bool = True) -> S:
    """Writes these files in one transaction."""
    writer = store.write(rebuild=rebuild)
    for graph in graphs:
        writer.put(graph)
    writer.commit()
    return store


def build(
    files: Files,
    edges: Sequence[EdgeTuple | EdgeLine] = (),
    references: Sequence[ReferenceTuple | ReferenceLine] = (),
) -> MemoryStore:
    """A store with this graph in it."""
    return fill(MemoryStore(), file_graphs(files, edges, references))


def at(store: Reader, symbol_id: str) -> Symbol:
    """The symbol of this id, which must be there."""
    found = store.symbol(symbol_id)
    assert found is not None, f"{symbol_id} is not in the graph"
    return found
