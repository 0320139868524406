"""A pattern in; the symbols whose names match it, best first, or the nearest names, out."""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Callable, Sequence
from itertools import islice

import msgspec

from codegps.model.graph import Symbol
from codegps.model.kinds import Flag, Kind
from codegps.query.names import plain_name
from codegps.query.nearest import nearest
from codegps.store import Reader

NEAREST = 5
LOOKED_AT = 5_000
"""Symbols compared for the nearest names."""
PIECE = 4

_WILD = re.compile(r"\[[^\]]*\]|[*?]")
_ASCII = re.compile(r"[\x20-\x7e]+")


class Found(msgspec.Struct, frozen=True):
    """The best matches, and how many there are."""

    symbols: Sequence[Symbol]
    total: int


def search(store: Reader, pattern: str, kinds: Sequence[Kind] | None, limit: int) -> Found:
    """Matches a part of the qualified name (a File's path) or, with `*`, `?` or `[`, the whole of its end.

    Case is ignored. First come whole names, then beginnings, then the rest, files last; each by file and position.
    """
    wanted = pattern.lower()
    rank = _globbed(wanted) if _WILD.search(wanted) else _contained(wanted)
    ranked: list[tuple[int, int, Symbol]] = []
    for symbol in store.symbols_containing(_literal(wanted), kinds):
        if symbol.flags & Flag.ANONYMOUS:
            continue
        place = rank(symbol)
        if place >= 0:
            ranked.append((place + (3 if symbol.kind == Kind.File else 0), len(ranked), symbol))
    return Found([symbol for _, _, symbol in sorted(ranked)[:limit]], len(ranked))


def nearest_names(store: Reader, pattern: str, kinds: Sequence[Kind] | None) -> list[Symbol]:
    """Symbols whose names have the beginning or the end of the pattern, by edit distance, one of each name."""
    word = _WILD.sub("", pattern).lower()
    last = word.rpartition(".")[2] or word
    pieces = dict.fromkeys((_literal(last[:PIECE]), _literal(last[-PIECE:])))
    unique: dict[str, Symbol] = {}
    for piece in pieces:
        if len(piece) >= 2:
            for symbol in islice(store.symbols_containing(piece, kinds), LOOKED_AT):
                if symbol.kind != Kind.File and not symbol.flags & Flag.ANONYMOUS:
                    unique.setdefault(plain_name(symbol), symbol)
    return nearest(word, unique.values(), lambda s: (s.name, plain_name(s)), NEAREST)


def _contained(wanted: str) -> Callable[[Symbol], int]:
    def rank(symbol: Symbol) -> int:
        name = _searched(symbol)
        if wanted not in name:
            return -1
        if name == wanted or name.endswith((f".{wanted}", f"/{wanted}")):
            return 0
        return 1 if symbol.name.lower().startswith(wanted) or name.startswith(wanted) else 2

    return rank


def _globbed(wanted: str) -> Callable[[Symbol], int]:
    match = re.compile(fnmatch.translate(wanted)).match

    def rank(symbol: Symbol) -> int:
        name = _searched(symbol)
        cut = "/" if symbol.kind == Kind.File else "."
        while name:
            if match(name):
                return 0
            name = name.partition(cut)[2]
        return -1

    return rank


def _searched(symbol: Symbol) -> str:
    return (plain_name(symbol) or symbol.file).lower()


def _literal(pattern: str) -> str:
    """The longest part of the pattern that a store can look for."""
    parts = [run for part in _WILD.split(pattern) for run in _ASCII.findall(part)]
    return max(parts, key=len, default="")
