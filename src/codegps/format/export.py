"""An index in; the whole graph as JSON lines out, in an order that depends on the sources alone.

First the symbols, by path and position (a file before what is in it). Then the edges, the unresolved references and
the entries, each by path, line and column, then by the other fields in the order in which they are printed. Everything
is ordered by code point.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final, cast

import msgspec

from codegps.model.graph import FILE_SHIFT, Edge, Entry, Reference, Symbol
from codegps.model.kinds import EdgeKind, Kind, Proof, Reason, Via
from codegps.store import Reader


class SymbolRecord(msgspec.Struct, tag_field="record", tag="symbol", frozen=True, gc=False):
    id: str
    name: str
    qualified_name: str
    kind: str
    file: str
    start_line: int
    start_column: int
    end_line: int
    end_column: int
    parent: str | None
    language: str


class EdgeRecord(msgspec.Struct, tag_field="record", tag="edge", frozen=True, gc=False, rename={"class_": "class"}):
    kind: str
    source: str
    target: str
    file: str
    line: int
    column: int
    proof: str
    hops: int
    via: str | None
    class_: str | None


class UnresolvedRecord(msgspec.Struct, tag_field="record", tag="unresolved", frozen=True, gc=False):
    kind: str
    source: str
    name: str
    file: str
    line: int
    column: int
    reason: str
    external: str | None
    candidates: list[str]


class EntryRecord(msgspec.Struct, tag_field="record", tag="entry", frozen=True, gc=False):
    kind: str
    key: str
    symbol: str
    file: str
    line: int


_ENCODER: Final = msgspec.json.Encoder()
_KINDS: Final = {kind: kind.name for kind in Kind}
_EDGE_KINDS: Final = {kind: kind.name for kind in EdgeKind}
_PROOFS: Final = {proof: proof.name for proof in Proof}
_VIAS: Final = {via: via.label for via in Via}
_REASONS: Final = {reason: reason.name for reason in Reason}


def export(store: Reader) -> Iterator[str]:
    """One JSON object a line, without line ends."""
    with store.snapshot():
        ids: dict[int, str] = {}
        for symbols in _by_file(store.all_symbols()):
            symbols.sort(key=_position)
            ids.update((symbol.key, symbol.id) for symbol in symbols)
            for symbol in symbols:
                yield _line(_symbol(symbol, ids))
        paths = sorted(row.path for row in store.files())
        for path in paths:
            yield from _lines(_edge(edge, path, ids) for edge in store.edges_in(path))
        for path in paths:
            yield from _lines(_unresolved(reference, path, ids) for reference in store.references_in(path))
        yield from _lines(_entry(entry, ids) for entry in store.entries())


def _by_file(symbols: Iterable[Symbol]) -> Iterator[list[Symbol]]:
    """A stream of symbols, ordered by file, in groups of one file."""
    group: list[Symbol] = []
    for symbol in symbols:
        if group and group[0].file != symbol.file:
            yield group
            group = []
        group.append(symbol)
    if group:
        yield group


def _position(symbol: Symbol) -> tuple[bool, int, int, int, int, str]:
    outer_first = (-symbol.end_line, -symbol.end_column)
    return (bool(symbol.qualified_name), symbol.start_line, symbol.start_column, *outer_first, symbol.qualified_name)


def _lines(records: Iterable[EdgeRecord | UnresolvedRecord | EntryRecord]) -> Iterator[str]:
    for record in sorted(records, key=_order):
        yield _line(record)


def _order(record: EdgeRecord | UnresolvedRecord | EntryRecord) -> tuple[Any, ...]:
    # An absent field comes before any other.
    fields = tuple("" if value is None else value for value in msgspec.structs.astuple(record))
    if isinstance(record, EntryRecord):
        return (record.file, record.line, *fields)
    return (record.file, record.line, record.column, *fields)


def _line(record: SymbolRecord | EdgeRecord | UnresolvedRecord | EntryRecord) -> str:
    try:
        return _ENCODER.encode(record).decode()
    except UnicodeEncodeError:
        return _ENCODER.encode(_printable(record)).decode()


def _printable(record: SymbolRecord | EdgeRecord | UnresolvedRecord | EntryRecord) -> dict[str, Any]:
    """Names may hold halves of surrogate pairs (`"\\ud800"` is a key in JavaScript), which no UTF-8 can."""
    fields: dict[str, Any] = {"record": record.__struct_config__.tag}
    for field, value in zip(record.__struct_encode_fields__, msgspec.structs.astuple(record), strict=True):
        fields[field] = _text(value)
    return fields


def _text(value: Any) -> Any:
    if isinstance(value, list):
        return [_text(item) for item in cast("list[str]", value)]
    return value.encode("utf-8", "backslashreplace").decode() if isinstance(value, str) else value


def _symbol(symbol: Symbol, ids: dict[int, str]) -> SymbolRecord:
    return SymbolRecord(
        symbol.id,
        symbol.name,
        symbol.qualified_name,
        _KINDS[symbol.kind],
        symbol.file,
        symbol.start_line,
        symbol.start_column,
        symbol.end_line,
        symbol.end_column,
        ids[symbol.parent] if symbol.parent >= 0 else None,
        symbol.language,
    )


def _edge(edge: Edge, path: str, ids: dict[int, str]) -> EdgeRecord:
    return EdgeRecord(
        _EDGE_KINDS[edge.kind],
        ids[edge.source],
        ids[edge.target],
        path,
        edge.line,
        edge.column,
        _PROOFS[edge.proof],
        edge.hops,
        _VIAS[edge.via],
        ids[edge.class_] if edge.class_ >= 0 else None,
    )


def _unresolved(reference: Reference, path: str, ids: dict[int, str]) -> UnresolvedRecord:
    return UnresolvedRecord(
        _EDGE_KINDS[reference.kind],
        ids[reference.source],
        reference.name,
        path,
        reference.line,
        reference.column,
        _REASONS[reference.reason],
        reference.external or None,
        [ids[key] for key in reference.candidates],
    )


def _entry(entry: Entry, ids: dict[int, str]) -> EntryRecord:
    path = ids[entry.symbol >> FILE_SHIFT << FILE_SHIFT]
    return EntryRecord(entry.kind, entry.key, ids[entry.symbol], path, entry.line)
