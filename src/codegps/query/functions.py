"""Which function is meant? A name and a part of a path in, the functions of that name out."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from codegps.model.graph import Symbol
from codegps.model.kinds import CALLABLE_KINDS, CLASS_KINDS, Flag, Kind
from codegps.query.nearest import nearest
from codegps.store import Reader

_SECOND: Final = re.compile(r"~\d+$")


def functions_named(store: Reader, name: str, file: str | None = None, root: Path | None = None) -> list[Symbol]:
    """Functions, methods, constructors and properties with a body of this name, ordered by path and position.

    The name is bare (`save`), qualified (`Model.save`) or an identity (`src/model.py:Model.save`).
    `file` is a part of the path; an absolute path inside the root counts as its relative one.
    """
    part = _path_part(file, root)
    return [
        symbol
        for symbol in _named(store, name)
        if (part is None or part in symbol.file) and _is_function(store, symbol)
    ]


def classes_named(store: Reader, name: str) -> list[Symbol]:
    return [symbol for symbol in _named(store, name) if symbol.kind in CLASS_KINDS]


def _named(store: Reader, name: str) -> Iterable[Symbol]:
    whole = store.symbol(name)
    if whole is not None and whole.kind is not Kind.File:
        return [whole]
    last = _SECOND.sub("", name.rpartition(".")[2])
    return [symbol for symbol in store.symbols_named(last) if _matches(symbol, name)]


def _matches(symbol: Symbol, name: str) -> bool:
    return symbol.name == name or symbol.qualified_name == name or symbol.qualified_name.endswith("." + name)


def _is_function(store: Reader, symbol: Symbol) -> bool:
    if symbol.kind is Kind.Property:
        sites = store.sites(symbol.file)
        return sites is not None and symbol.qualified_name in sites.owners
    return symbol.kind in CALLABLE_KINDS


def _path_part(file: str | None, root: Path | None) -> str | None:
    if not file:
        return None
    if root is not None and Path(file).is_absolute():
        try:
            return Path(file).relative_to(root).as_posix()
        except ValueError:
            return file.replace("\\", "/")
    return file.replace("\\", "/").removeprefix("./")


def near_functions(store: Reader, name: str, count: int = 5) -> list[Symbol]:
    """The functions with the nearest names, anonymous ones left out."""
    named = (s for s in store.all_symbols(tuple(CALLABLE_KINDS)) if not s.flags & Flag.ANONYMOUS)
    return nearest(name, named, lambda s: (s.name, s.qualified_name) if "." in name else (s.name,), count)
