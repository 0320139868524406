"""Symbols in; the uses that could not be resolved and may concern them, out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from codegps.model.graph import Reference, Symbol
from codegps.model.kinds import DRAWN_KINDS, Kind, Reason
from codegps.store import Reader

PLACES = 3
CANDIDATES = 5
"""A reference stores so many candidates at most."""


class Use(msgspec.Struct, frozen=True):
    """One unresolved use: the name as written and where."""

    name: str
    file: str
    line: int


class Unresolved(msgspec.Struct, frozen=True):
    """How many there are, and the first few."""

    count: int = 0
    first: Sequence[Use] = ()
    outside: int = 0
    """Uses of known external code, which are answers rather than gaps."""
    packages: Sequence[str] = ()


def leaving(store: Reader, keys: Sequence[int]) -> Unresolved:
    """Uses in the code of these symbols: each may be a dependency that is missing."""
    references = [r for r in store.references_from(keys) if r.kind in DRAWN_KINDS]
    outside = [r.external for r in references if r.reason == Reason.external]
    found = _summed(store, [r for r in references if r.reason == Reason.unknown])
    packages = sorted({name.partition(".")[0] for name in outside if name})
    return msgspec.structs.replace(found, outside=len(outside), packages=packages)


def arriving(store: Reader, asked: Iterable[Symbol]) -> Unresolved:
    """Uses of their names from anywhere: each may be a dependent that is missing."""
    symbols = [s for s in asked if s.kind != Kind.File]
    if not symbols:
        return Unresolved()
    keys = {s.key for s in symbols}
    references = store.references_named(sorted({s.name for s in symbols}))
    return _summed(store, [r for r in references if r.kind in DRAWN_KINDS and _concerns(r, keys)])


def _concerns(reference: Reference, keys: set[int]) -> bool:
    """Unless its candidates, all of them, are others."""
    candidates = reference.candidates
    return not candidates or len(candidates) >= CANDIDATES or not keys.isdisjoint(candidates)


def _summed(store: Reader, references: Sequence[Reference]) -> Unresolved:
    first = references[:PLACES]
    sources = store.symbols({r.source for r in first})
    uses = [Use(r.name, sources[r.source].file, r.line) for r in first if r.source in sources]
    return Unresolved(len(references), uses)
