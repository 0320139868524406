"""A file and a name in; the symbols that are meant, or an error that says where to look, out."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Annotated

import msgspec

from codegps.errors import ToolError
from codegps.model.graph import Symbol
from codegps.model.kinds import Flag, Kind
from codegps.model.visible import visible
from codegps.query.argument import plain
from codegps.query.graph import Graph
from codegps.query.names import display_names, plain_name
from codegps.query.nearest import nearest
from codegps.query.workspace import inside
from codegps.store import Reader

SUGGESTIONS = 5


class Place(msgspec.Struct, frozen=True):
    """Where a symbol is."""

    file_path: Annotated[str, "File containing the symbol"]
    symbol: Annotated[str, "Symbol name"]


def find(graph: Graph, file_path: str, symbol: str) -> list[Symbol]:
    """All definitions of the name in the file, each as it is drawn: a constructor is its class.

    The name may be the display name, the qualified name, a bare name that is unique in the file, or the file's
    own path for its top-level code.
    """
    store = graph.store
    path = _stored_path(graph, inside(graph.root, file_path))
    name = plain(symbol, "symbol").strip()
    if store.file(path) is None:
        raise ToolError(_not_indexed(store, path, name))
    symbols = store.symbols_in(path)
    chosen = _matching(store, symbols, path, name, file_path)
    if not chosen:
        raise ToolError(_not_found(store, symbols, path, name))
    return _drawn(store, chosen)


def _stored_path(graph: Graph, path: str) -> str:
    """The path under which the index has the file: a link inside the workspace leads to its target."""
    if graph.store.file(path) is None:
        real = os.path.relpath(os.path.realpath(graph.root / path), os.path.realpath(graph.root)).replace(os.sep, "/")
        if real != path and graph.store.file(real) is not None:
            return real
    return path


def _matching(store: Reader, symbols: list[Symbol], path: str, name: str, asked: str) -> list[Symbol]:
    if name in (path, asked):
        return [s for s in symbols if s.kind == Kind.File]
    exact = [s for s in symbols if s.qualified_name == name]
    if exact and "~" in name:
        return exact
    exact = [s for s in symbols if s.qualified_name and plain_name(s) == name]
    if exact:
        return exact
    names = display_names(store, symbols)
    shown = [s for s in symbols if names[s.key] == name and s.kind != Kind.File]
    if shown:
        return shown
    bare = [s for s in symbols if s.name == name and s.kind != Kind.File]
    # A getter and its setter are one name; the same name in two classes is not.
    return bare if len({plain_name(s) for s in bare}) == 1 else []


def _drawn(store: Reader, symbols: Sequence[Symbol]) -> list[Symbol]:
    keys = list(dict.fromkeys(s.drawn if s.drawn >= 0 else s.key for s in symbols))
    known = {s.key: s for s in symbols}
    missing = [key for key in keys if key not in known]
    if missing:
        known.update(store.symbols(missing))
    return [known[key] for key in keys]


def _not_indexed(store: Reader, path: str, name: str) -> str:
    return "\n".join([f"File '{visible(path)}' is not indexed.", *_elsewhere(store, path, name)])


def _not_found(store: Reader, symbols: list[Symbol], path: str, name: str) -> str:
    lines = [f"Symbol '{visible(name)}' not found at {visible(path)}."]
    offered = [s for s in symbols if s.kind != Kind.File and not s.flags & Flag.ANONYMOUS]
    names = display_names(store, offered)
    unique: dict[tuple[str, Kind], Symbol] = {}
    for s in offered:
        unique.setdefault((names[s.key], s.kind), s)
    close = nearest(name, unique.values(), lambda s: (s.name, names[s.key]), SUGGESTIONS)
    if close:
        lines += ["", "Available symbols in this file:", *(f"  - {names[s.key]} ({s.kind.name})" for s in close)]
    return "\n".join(lines + _elsewhere(store, path, name))


def _elsewhere(store: Reader, path: str, name: str) -> list[str]:
    """The list of other files that define the name."""
    wanted = name.lower()
    others = [s for s in store.symbols_named(_last(name)) if s.file != path and s.kind != Kind.File]
    names = display_names(store, others) if "." in name else {}
    paths = sorted(
        {
            s.file
            for s in others
            if s.name.lower() == wanted
            or (names and wanted in (names[s.key].lower(), plain_name(s).lower(), s.qualified_name.lower()))
        }
    )
    close = nearest(path, paths, lambda other: (other,), SUGGESTIONS)
    return ["", f"Found '{visible(name)}' in:", *(f"  - {visible(other)}" for other in close)] if close else []


def _last(name: str) -> str:
    return name.rpartition(".")[2] or name
