"""An outline and what a language server said about the same file in; the outline confirmed, completed, and every
disagreement named, out.

A server's definition is a place. The symbol there counts only if its name stands at that place: a parameter or a local
variable inside a function is not the function.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import msgspec

from codegps.model.confirmation import Confirmation, Definition, Place
from codegps.model.graph import Edge, Symbol
from codegps.model.kinds import CALLABLE_KINDS, CLASS_KINDS, Flag, Kind
from codegps.model.logic import Disagreement, LogicEdge
from codegps.query.outline import Outline

ENGINE: Final = "engine"
LSP: Final = "lsp"

_SAID: Final = CALLABLE_KINDS | CLASS_KINDS
"""What a written call can end at. At other symbols (`handler = make()`, a property) a server stops and the engine
looks further."""
_OUTSIDE: Final = 3
"""Places outside the project that are named; a library's overloads may be dozens."""


def call_places(outline: Outline) -> list[Place]:
    """The written calls of the file, by place."""
    return sorted({(call.line, call.column) for call in outline.sites.calls}) if outline.sites else []


def confirm(outline: Outline, confirmation: Confirmation, lines: Callable[[str], Sequence[str]]) -> list[Disagreement]:
    """Marks the outline's edges with their evidence and adds the server's own; hands back where the two differ."""
    said = _said(outline, confirmation, lines)
    by_place: dict[Place, list[Edge]] = {}
    for edge in outline.calls:
        if edge.site < 0:
            continue  # `for x in f()`: the loop's own call stands where the call of f does.
        by_place.setdefault((edge.line, edge.column), []).append(edge)
    differ: list[Disagreement] = []
    for place, (symbols, outside) in sorted(said.items()):
        edges = by_place.get(place, [])
        agreed = [edge for edge in edges if any(_same(outline, edge, symbol) for symbol in symbols)]
        for edge in agreed:
            _note(outline, edge)
        if not edges:
            for symbol in symbols:
                _add(outline, place, symbol)
        elif not agreed and (symbols or outside) and not _both_right(outline, place, edges, symbols):
            differ.append(
                Disagreement(
                    source=outline.source(edges[0].source),
                    line=place[0],
                    engine=tuple(_name(outline, edge) for edge in edges),
                    lsp=tuple(symbol.id for symbol in symbols) or outside,
                )
            )
    outline.edges = dict(sorted(outline.edges.items(), key=lambda item: item[1].line))
    return differ


def _said(
    outline: Outline, confirmation: Confirmation, lines: Callable[[str], Sequence[str]]
) -> dict[Place, tuple[list[Symbol], tuple[str, ...]]]:
    """For each place the symbols that the server names; where all it names is outside the project, the places."""
    answers: dict[Place, dict[Definition, None]] = {}
    for source in (confirmation.definitions, confirmation.calls):
        for place, definitions in source.items():
            answers.setdefault(place, {}).update(((each[0], each[1], each[2]), None) for each in definitions)
    paths = sorted({definition[0] for definitions in answers.values() for definition in definitions})
    symbols = {path: outline.store.symbols_in(path) for path in paths if outline.store.file(path) is not None}
    texts = {path: lines(path) for path in symbols}
    for path, found in symbols.items():
        if path != outline.path:
            outline.know(found)
    said: dict[Place, tuple[list[Symbol], tuple[str, ...]]] = {}
    for place, definitions in answers.items():
        named: dict[int, Symbol] = {}
        for path, line, column in definitions:
            symbol = _symbol_at(symbols[path], texts[path], line, column) if path in symbols else None
            if symbol is not None:
                named[symbol.key] = symbol
        outside = [f"{path}:{line}" for path, line, _ in definitions if path not in symbols]
        elsewhere = len(outside) == len(definitions)
        said[place] = list(named.values()), tuple(outside[:_OUTSIDE]) if elsewhere else ()
    return said


def _both_right(outline: Outline, place: Place, edges: Sequence[Edge], symbols: Sequence[Symbol]) -> bool:
    """A server names what is written, the engine what runs: the function that a decorator put in its place, what a
    library's function calls (`map(f, xs)`, `list(xs)`)."""
    if symbols:
        return any((*place, symbol.key) in outline.named for symbol in symbols)
    written = outline.sites.calls[edges[0].site].name if outline.sites else ""
    targets = [outline.symbols.get(edge.target) or outline.elsewhere(edge.target) for edge in edges]
    return all(
        target is not None and target.name != written and edge.class_ < 0
        for edge, target in zip(edges, targets, strict=True)
    )


def _symbol_at(symbols: Sequence[Symbol], text: Sequence[str], line: int, column: int) -> Symbol | None:
    """The innermost symbol around a place, if its name stands there and it can be called."""
    if not 0 < line <= len(text):
        return None
    rest = text[line - 1][column - 1 :]
    for symbol in reversed(symbols):
        if symbol.start_line <= line <= symbol.end_line and symbol.kind is not Kind.File:
            named = rest.startswith(symbol.name) and not rest[len(symbol.name) : len(symbol.name) + 1].isidentifier()
            if named and symbol.kind in _SAID and not symbol.flags & Flag.ANONYMOUS:
                return symbol
            if symbol.start_line < line:
                return None
    return None


def _same(outline: Outline, edge: Edge, symbol: Symbol) -> bool:
    """A class and its constructor are one answer to a call of the class."""
    return symbol.key in (edge.target, edge.class_) or (
        symbol.kind is Kind.Constructor and symbol.parent == edge.class_
    )


def _note(outline: Outline, edge: Edge) -> None:
    target = outline.target(edge)
    if target is None:
        return
    key = (outline.source(edge.source), target.id, "calls")
    known = outline.edges.get(key)
    if known is not None:
        outline.edges[key] = msgspec.structs.replace(known, evidence=(ENGINE, LSP))


def _add(outline: Outline, place: Place, symbol: Symbol) -> None:
    """An edge that only the server knows."""
    node = outline.nodes.get(symbol.key)
    if node is None and (symbol.file == outline.path or not outline.external):
        return
    target = node or outline.outer(symbol)
    source = outline.source(_executing(outline, place))
    if (source, target.id, "calls") not in outline.edges:
        edge = LogicEdge(source=source, target=target.id, relation="calls", line=place[0], proof="", evidence=(LSP,))
        outline.put(edge)


def _executing(outline: Outline, place: Place) -> int:
    """The symbol whose body holds a place: the call site says, else the innermost function or class around it."""
    by_name = {symbol.qualified_name: symbol.key for symbol in outline.symbols.values()}
    if outline.sites:
        for call in outline.sites.calls:
            if (call.line, call.column) == place:
                owner = outline.sites.owners[outline.sites.blocks[call.block].owner]
                return by_name.get(owner, -1)
    around = [
        symbol
        for symbol in outline.symbols.values()
        if symbol.kind in _SAID
        and (symbol.start_line, symbol.start_column) <= place < (symbol.end_line, symbol.end_column)
    ]
    return around[-1].key if around else -1


def _name(outline: Outline, edge: Edge) -> str:
    symbol = outline.symbols.get(edge.target) or outline.elsewhere(edge.target)
    return symbol.id if symbol is not None else ""
