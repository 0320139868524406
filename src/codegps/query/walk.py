"""Symbols in; everything they depend on, or everything that depends on them, nearest first, out.

Breadth first, level by level, one batch a level. Where a level brings more than is wanted (a hub), only its
nearest are looked at; the rest is counted by key alone, and the counting stops at COUNT_LIMIT.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from codegps.model.drawing import COUNT_LIMIT, Drawing, DrawnEdge
from codegps.model.graph import FILE_SHIFT, Symbol
from codegps.model.kinds import DRAWN_KINDS, EdgeKind, Kind
from codegps.query.draw import draw, ordered
from codegps.query.names import display_names
from codegps.store import Direction, Reader

NODE_LIMIT = 500
DEPTH_LIMIT = 10_000
EDGE_LIMIT = 200
"""Edges of an answer that shows only a part."""
HUB = 200
"""From so many new symbols on, a level is narrowed by file before positions are asked for."""

BATCH = 1_000
"""Counting asks for the ends of so many symbols at a time, to stop inside a level."""

_TYPES = frozenset({Kind.Interface, Kind.TypeAlias})


def walk(
    store: Reader, asked: Sequence[Symbol], direction: Direction, max_depth: int | None, max_nodes: int
) -> Drawing:
    """The drawn graph around `asked`, cut to its nearest `max_nodes` symbols."""
    return _Walk(store, asked, direction, max_depth, max_nodes).run()


def shown_edges(drawing: Drawing, count: int) -> list[DrawnEdge]:
    """The edges between what was asked and the nearest `count` symbols, in edge order.

    All of them where nothing is left out, else at most EDGE_LIMIT: first those that reach a symbol, so that nothing
    hangs in the air, then the others.
    """
    kept = set(drawing.asked) | set(drawing.found[:count])
    edges = [edge for edge in drawing.edges if edge.source in kept and edge.target in kept]
    if count == len(drawing.found) == drawing.total or len(edges) <= EDGE_LIMIT:
        return edges
    reaching: dict[int, int] = {}
    for number, edge in enumerate(edges):
        near, far = (edge.source, edge.target) if drawing.forward else (edge.target, edge.source)
        if drawing.depth[far] == drawing.depth[near] + 1:
            reaching.setdefault(far, number)
    chosen = set([reaching[key] for key in drawing.found[:count] if key in reaching][:EDGE_LIMIT])
    for number in range(len(edges)):
        if len(chosen) >= EDGE_LIMIT:
            break
        chosen.add(number)
    return [edges[number] for number in sorted(chosen)]


class _Walk:
    def __init__(
        self, store: Reader, asked: Sequence[Symbol], direction: Direction, max_depth: int | None, max_nodes: int
    ) -> None:
        self.store = store
        self.forward = direction == "out"
        self.direction: Direction = direction
        self.max_depth = max_depth
        self.max_nodes = max_nodes
        self.symbols = {s.key: s for s in asked}
        self.asked = tuple(self.symbols)
        self.types = frozenset(s.key for s in asked if not self.forward and s.kind in _TYPES)
        self.depth = dict.fromkeys(self.asked, 0)
        self.found: list[int] = []
        self.edges: list[DrawnEdge] = []

    def run(self) -> Drawing:
        level: Sequence[int] = self.asked
        number, total, deeper = 0, 0, False
        while level and not self._at_end(number):
            number += 1
            drawn = self._drawn(level, self.direction, self.types if number == 1 else ())
            self.edges += drawn
            new = dict.fromkeys(far for far in map(self._far, drawn) if far not in self.depth)
            room = self.max_nodes - len(self.found)
            level = self._nearest(drawn, new, room)
            self.depth.update(dict.fromkeys(level, number))
            self.found += level
            if len(new) > room:
                total = self._count(new, number)
                self._edges_between(number)
                break
        else:
            total = len(self.found)
            deeper = bool(level) and self._goes_on(level)
        self._know([key for edge in self.edges for key in (edge.source, edge.target)])
        return Drawing(
            asked=self.asked,
            found=tuple(self.found),
            depth=self.depth,
            edges=tuple(ordered(self.edges, self.symbols)),
            symbols=self.symbols,
            names=display_names(self.store, self.symbols.values()),
            total=total,
            limit=self.max_nodes,
            deeper=deeper,
            forward=self.forward,
        )

    def _at_end(self, number: int) -> bool:
        return self.max_depth is not None and number >= self.max_depth

    def _far(self, edge: DrawnEdge) -> int:
        return edge.target if self.forward else edge.source

    def _drawn(self, keys: Sequence[int], direction: Direction, types: Collection[int]) -> list[DrawnEdge]:
        kinds = (*DRAWN_KINDS, EdgeKind.USES_TYPE) if types else DRAWN_KINDS
        return draw(self.store, self.store.drawn(keys, kinds, direction), types)

    def _know(self, keys: Iterable[int]) -> None:
        missing = set(keys) - self.symbols.keys()
        if missing:
            self.symbols.update(self.store.symbols(missing))

    def _nearest(self, drawn: list[DrawnEdge], new: Collection[int], room: int) -> list[int]:
        """The first `room` new symbols in the order of the edges that reach them."""
        reaching = [edge for edge in drawn if self._far(edge) in new]
        if len(new) > max(room, HUB):
            reaching = self._first_files(reaching, room)
        self._know([key for edge in reaching for key in (edge.source, edge.target)])
        return list(dict.fromkeys(self._far(edge) for edge in ordered(reaching, self.symbols)))[:room]

    def _first_files(self, edges: list[DrawnEdge], room: int) -> list[DrawnEdge]:
        """As many of the edges, by kind and source's file, as bring `room` symbols: edge order begins with those."""
        files = self.store.symbols({edge.source >> FILE_SHIFT << FILE_SHIFT for edge in edges})
        groups: dict[tuple[str, str], list[DrawnEdge]] = {}
        for edge in edges:
            file = files.get(edge.source >> FILE_SHIFT << FILE_SHIFT)
            if file is not None:
                groups.setdefault((edge.kind.name, file.file), []).append(edge)
        enough: list[DrawnEdge] = []
        reached: set[int] = set()
        for group in sorted(groups):
            enough += groups[group]
            reached.update(map(self._far, groups[group]))
            if len(reached) >= room:
                break
        return enough

    def _count(self, new: Iterable[int], number: int) -> int:
        """How many symbols there are in all, those of this level included."""
        seen = {*self.depth, *new}
        level = list(new)
        limit = COUNT_LIMIT + len(self.asked)
        while level and not self._at_end(number) and len(seen) <= limit:
            number += 1
            here, level = level, list[int]()
            for start in range(0, len(here), BATCH):
                ends = set(self.store.drawn_ends(here[start : start + BATCH], DRAWN_KINDS, self.direction))
                ends -= seen
                seen |= ends
                level += ends
                if len(seen) > limit:
                    break
        return min(len(seen) - len(self.asked), COUNT_LIMIT + 1)

    def _goes_on(self, level: Sequence[int]) -> bool:
        return any(key not in self.depth for key in self.store.drawn_ends(level, DRAWN_KINDS, self.direction))

    def _edges_between(self, number: int) -> None:
        """All edges between what is kept, those of the last level too; there are seldom many ways out of a symbol."""
        kept = {*self.asked, *self.found}
        between = self._drawn(list(kept), "out", self.types)
        self.edges = [edge for edge in between if edge.target in kept and self._walked(edge)]

    def _walked(self, edge: DrawnEdge) -> bool:
        """Whether the walk would have followed this edge: it begins before the greatest depth."""
        near = edge.source if self.forward else edge.target
        return self.max_depth is None or self.depth[near] < self.max_depth
