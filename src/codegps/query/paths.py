"""Two sets of symbols in; the first of the shortest paths between them, or nothing, out.

Breadth first from both ends, the smaller side first, by keys alone; edges are read only along the path. Nothing
enumerates paths: of the symbols on some shortest path, each step takes the first edge in edge order.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from codegps.model.drawing import Drawing, DrawnEdge
from codegps.model.graph import Symbol
from codegps.model.kinds import DRAWN_KINDS
from codegps.query.draw import draw, ordered
from codegps.query.names import display_names
from codegps.store import Direction, Reader


def path_between(
    store: Reader,
    starts: Sequence[Symbol],
    ends: Sequence[Symbol],
    max_depth: int | None,
    max_nodes: int,
    flows: bool = False,
) -> Drawing | None:
    """One shortest path as a drawing; None where none has at most `max_depth` edges.

    `flows` also follows calls of functions that travelled as arguments or in containers, which are not drawn.
    """
    first = tuple(dict.fromkeys(s.key for s in starts))
    last = tuple(dict.fromkeys(s.key for s in ends))
    levels = _levels(store, first, last, max_depth, flows)
    if levels is None:
        return None
    symbols = {s.key: s for s in (*starts, *ends)}
    edges = _first_path(store, levels, symbols, flows)
    if not edges:
        return None
    asked = {*first, *last}
    found = [edge.target for edge in edges if edge.target not in asked]
    depth = dict.fromkeys(asked, 0) | {edge.target: number for number, edge in enumerate(edges, 1)}
    return Drawing(
        asked=(*first, *last),
        found=tuple(found[:max_nodes]),
        depth=depth,
        edges=tuple(edges),
        symbols=symbols,
        names=display_names(store, symbols.values()),
        total=len(found),
        limit=max_nodes,
    )


def _levels(
    store: Reader, first: Sequence[int], last: Sequence[int], max_depth: int | None, flows: bool
) -> list[Collection[int]] | None:
    """For each step of the shortest paths, the symbols that may stand there."""
    ahead, behind = [set(first)], [set(last)]
    seen_ahead, seen_behind = set(first), set(last)
    while max_depth is None or len(ahead) + len(behind) - 2 < max_depth:
        if not ahead[-1] or not behind[-1]:
            return None
        if len(ahead[-1]) <= len(behind[-1]):
            _step(store, ahead, seen_ahead, "out", flows)
        else:
            _step(store, behind, seen_behind, "in", flows)
        meeting = ahead[-1] & behind[-1]
        if meeting:
            return [*_leading(store, ahead, meeting, flows), *reversed(behind[:-1])]
    return None


def _step(store: Reader, levels: list[set[int]], seen: set[int], direction: Direction, flows: bool) -> None:
    new = set(store.drawn_ends(list(levels[-1]), DRAWN_KINDS, direction, flows)) - seen
    seen |= new
    levels.append(new)


def _leading(store: Reader, ahead: list[set[int]], meeting: set[int], flows: bool) -> list[set[int]]:
    """The levels walked from the start without the symbols that do not lead to the meeting."""
    kept = [meeting]
    for level in reversed(ahead[:-1]):
        kept.append(level & set(store.drawn_ends(list(kept[-1]), DRAWN_KINDS, "in", flows)))
    return kept[::-1]


def _first_path(
    store: Reader, levels: list[Collection[int]], symbols: dict[int, Symbol], flows: bool
) -> list[DrawnEdge]:
    """At each step the first edge in edge order that stays on a shortest path."""
    edges: list[DrawnEdge] = []
    here: Collection[int] = levels[0]
    for level in levels[1:]:
        out = draw(store, store.drawn(list(here), DRAWN_KINDS, "out"), flows=flows)
        possible = [edge for edge in out if edge.target in level]
        missing = {key for edge in possible for key in (edge.source, edge.target)} - symbols.keys()
        if missing:
            symbols.update(store.symbols(missing))
        known = ordered(possible, symbols)
        if not known:
            # The way leads through a symbol that the store does not know.
            return []
        edges.append(known[0])
        here = (known[0].target,)
    return edges
