"""Symbols in; the names that people and graphs use for them out."""

from __future__ import annotations

import re
from collections.abc import Iterable

from codegps.model.graph import Symbol
from codegps.model.kinds import CLASS_KINDS, Kind
from codegps.model.visible import visible
from codegps.store import Reader

_MEMBERS = frozenset({Kind.Method, Kind.Constructor, Kind.Property, Kind.EnumMember})
_OWNERS = CLASS_KINDS | {Kind.Variable, Kind.Constant}
_AGAIN = re.compile(r"~\d+(?=\.|$)")


def display_names(store: Reader, symbols: Iterable[Symbol]) -> dict[int, str]:
    """`Class.method` for members of a class or an object, the path for a File, else the bare name."""
    items = list(symbols)
    known = {s.key: s for s in items}
    missing = {s.parent for s in items if s.parent >= 0 and s.kind != Kind.File} - known.keys()
    if missing:
        known.update(store.symbols(missing))
    return {s.key: display_name(s, known.get(s.parent)) for s in items}


def display_name(symbol: Symbol, parent: Symbol | None) -> str:
    if symbol.kind == Kind.File:
        return visible(symbol.file)
    if parent is not None and parent.kind in _OWNERS:
        return visible(f"{parent.name}.{symbol.name}")
    if symbol.kind in _MEMBERS:
        # A member defined away from its class: its qualified name still says whose it is.
        owner = plain_name(symbol).removesuffix(symbol.name).rstrip(".").rpartition(".")[2]
        return visible(f"{owner}.{symbol.name}" if owner else symbol.name)
    return visible(symbol.name)


def plain_name(symbol: Symbol) -> str:
    """The qualified name without the `~2` of later definitions."""
    name = symbol.qualified_name
    return _AGAIN.sub("", name) if "~" in name else name
