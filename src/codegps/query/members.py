"""A class in; its methods, which graphs show as symbols of their own, out."""

from __future__ import annotations

from collections.abc import Iterable

from codegps.model.graph import Symbol
from codegps.model.kinds import CLASS_KINDS, Kind
from codegps.query.names import display_names
from codegps.store import Reader

_METHODS = frozenset({Kind.Method, Kind.Function, Kind.Procedure})


def methods_of(store: Reader, asked: Iterable[Symbol]) -> list[str]:
    """Display names of the methods of those that are classes, in order of position."""
    classes = [s for s in asked if s.kind in CLASS_KINDS]
    keys = {s.key for s in classes}
    paths = sorted({s.file for s in classes})
    own = [s for path in paths for s in store.symbols_in(path) if s.parent in keys and s.kind in _METHODS]
    return list(dict.fromkeys(display_names(store, own).values()))
