"""Stored edges in; the edges of the drawn graph, merged and in their order, out.

The rules are those of `dependenciesOf` and its siblings: what a symbol's own code names. An edge is drawn once per
source, kind and target; a call of a function that travelled as an argument or in a container is not drawn, because
whoever passed or stored the function REFERENCES it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from codegps.model.drawing import DrawnEdge
from codegps.model.graph import FILE_SHIFT, Edge, Symbol
from codegps.model.kinds import EdgeKind, Kind, Proof, Via
from codegps.store import Reader

Order = tuple[str, str, int, int, tuple[int, int], str, int, int, str, str]

_FLOWS = (Via.parameter, Via.element)
_KIND_NAMES = {kind: kind.name for kind in EdgeKind}


def draw(store: Reader, edges: Iterable[Edge], types: Collection[int] = (), flows: bool = False) -> list[DrawnEdge]:
    """Merged edges, in no order. Uses of `types` count as REFERENCES; `flows` keeps what is not drawn otherwise."""
    groups: dict[tuple[int, int, int], list[Edge]] = {}
    folded: list[Edge] = []
    for edge in edges:
        kind = edge.kind
        if kind == EdgeKind.CALLS:
            if not flows and edge.proof == Proof.inferred and edge.via in _FLOWS:
                continue
        elif kind == EdgeKind.USES_TYPE:
            if edge.drawn_target not in types:
                continue
            kind = EdgeKind.REFERENCES
        if edge.drawn_source == edge.drawn_target != edge.target:
            folded.append(edge)
            continue
        groups.setdefault((kind, edge.drawn_source, edge.drawn_target), []).append(edge)
    if folded:
        # What a symbol does with an anonymous function of its own is inside it; a class that calls itself is not.
        targets = store.symbols({edge.target for edge in folded})
        for edge in folded:
            target = targets.get(edge.target)
            if target is not None and target.kind == Kind.Constructor:
                groups.setdefault((edge.kind, edge.drawn_source, edge.drawn_target), []).append(edge)
    return [
        _alone(EdgeKind(kind), group[0]) if len(group) == 1 else _merged(EdgeKind(kind), group)
        for (kind, _, _), group in groups.items()
    ]


def _alone(kind: EdgeKind, edge: Edge) -> DrawnEdge:
    first = (edge.line, edge.column)
    own = edge.source >> FILE_SHIFT == edge.drawn_source >> FILE_SHIFT
    return DrawnEdge(
        kind, edge.drawn_source, edge.drawn_target, first, (first,) if own else (), edge.proof, edge.hops, edge.via
    )


def _merged(kind: EdgeKind, group: list[Edge]) -> DrawnEdge:
    best = min(group, key=lambda edge: (edge.proof, edge.hops, edge.via))
    file = best.drawn_source >> FILE_SHIFT
    return DrawnEdge(
        kind,
        best.drawn_source,
        best.drawn_target,
        min((edge.line, edge.column) for edge in group),
        tuple(sorted({(edge.line, edge.column) for edge in group if edge.source >> FILE_SHIFT == file})),
        best.proof,
        best.hops,
        best.via,
    )


def edge_order(edge: DrawnEdge, symbols: Mapping[int, Symbol]) -> Order:
    """Kind name; path and position of the source; first place; path and position of the target; then identity."""
    source, target = symbols[edge.source], symbols[edge.target]
    return (
        _KIND_NAMES[edge.kind],
        source.file,
        source.start_line,
        source.start_column,
        edge.first,
        target.file,
        target.start_line,
        target.start_column,
        source.qualified_name,
        target.qualified_name,
    )


def ordered(edges: Iterable[DrawnEdge], symbols: Mapping[int, Symbol]) -> list[DrawnEdge]:
    """Edges with an end that the store does not know, as a graph filled by others may have, are left out."""
    known = [edge for edge in edges if edge.source in symbols and edge.target in symbols]
    return sorted(known, key=lambda edge: edge_order(edge, symbols))
