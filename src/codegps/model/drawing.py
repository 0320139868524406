"""The nouns of a drawn graph: what a walk hands to the text that draws it. Frozen, without I/O."""

from __future__ import annotations

import msgspec

from codegps.model.graph import Symbol
from codegps.model.kinds import EdgeKind, Proof, Via

COUNT_LIMIT = 10_000
"""Walks stop counting here; a total above it means "more than"."""


class DrawnEdge(msgspec.Struct, frozen=True, gc=False):
    """All edges of one kind between two drawn symbols, as one."""

    kind: EdgeKind
    source: int
    target: int
    first: tuple[int, int]
    """First place (line, column) in whichever file it lies."""
    places: tuple[tuple[int, int], ...] = ()
    """All places in the source's own file, in order."""
    proof: Proof = Proof.resolved
    """The best one, with its hops and its last step."""
    hops: int = 0
    via: Via = Via.none


class Drawing(msgspec.Struct, frozen=True):
    """What was asked and what was found around it."""

    asked: tuple[int, ...]
    found: tuple[int, ...]
    """The other symbols, nearest first; at most `limit`."""
    depth: dict[int, int]
    """Steps from what was asked."""
    edges: tuple[DrawnEdge, ...]
    """Every edge between them, in edge order."""
    symbols: dict[int, Symbol]
    names: dict[int, str]
    """Display names."""
    total: int
    """Symbols found before any limit; above COUNT_LIMIT it means "more than"."""
    limit: int
    """`max_nodes` in force."""
    deeper: bool = False
    """Whether `max_depth` left something out."""
    forward: bool = True
    """Whether the walk followed the arrows."""
