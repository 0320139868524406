"""A drawing in; the contract's text, its Graph section and its Nodes section, out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import msgspec

from codegps.format.graph_text import labels_of, line_text, lines_of, order_of
from codegps.format.snippet import context_of, snippet
from codegps.model.drawing import Drawing, DrawnEdge
from codegps.model.kinds import EdgeKind
from codegps.model.visible import visible

SNIPPET_NODES = 15
CHARACTERS = 80_000
"""No answer is longer."""

_SITES = (EdgeKind.CALLS, EdgeKind.INCLUDES)

Lines = Callable[[str], Sequence[str]]
"""Lines of a file by its path."""
Edges = Callable[[Drawing, int], Sequence[DrawnEdge]]
"""The edges to print where only the nearest so many symbols are kept."""


class DrawnText(msgspec.Struct, frozen=True):
    """The text and what is in it."""

    text: str
    edges: Sequence[DrawnEdge]
    labels: Mapping[int, str]
    listed: Sequence[int]
    """Symbols of the Nodes section."""
    bare: bool = False
    """Whether snippets fell to the limit of characters."""


def draw_text(drawing: Drawing, lines: Lines, edges: Edges) -> DrawnText:
    """The answer in at most CHARACTERS: snippets go first, then the farthest symbols."""
    count: int = len(drawing.found)
    drawn = _drawn(drawing, count, edges, lines)
    if len(drawn.text) <= CHARACTERS:
        return drawn
    drawn = _drawn(drawing, count, edges, None)
    while len(drawn.text) > CHARACTERS and count:
        count = min(count - 1, count * 9 // 10)
        drawn = _drawn(drawing, count, edges, None)
    return msgspec.structs.replace(drawn, text=drawn.text[:CHARACTERS], bare=len(drawn.listed) <= SNIPPET_NODES)


def _drawn(drawing: Drawing, count: int, edges: Edges, lines: Lines | None) -> DrawnText:
    printed = edges(drawing, count)
    chains = lines_of(printed)
    order = order_of(chains)
    asked = set(drawing.asked)
    listed = [key for key in order if key not in asked]
    # Where edges were left out, a symbol may have none; it is still found.
    listed += [key for key in drawing.found[:count] if key not in set(order)]
    labels = labels_of([*order, *(key for key in listed if key not in set(order))], drawing.names)
    graph = "## Graph\n\n" + "\n".join(line_text(chain, labels) for chain in chains)
    if not listed:
        return DrawnText(graph, printed, labels, listed)
    with_snippets = lines is not None and len(listed) <= SNIPPET_NODES
    sites = _sites(printed) if with_snippets else {}
    nodes: list[str] = []
    for key in listed:
        nodes.append(_node(drawing, key, labels[key]))
        if lines is not None and with_snippets:
            symbol = drawing.symbols[key]
            shown = snippet(
                symbol.start_line, symbol.end_line, sites.get(key, ()), lines(symbol.file), context_of(len(listed))
            )
            nodes[-1] = "\n".join([nodes[-1], "  snippet:", *shown])
    note = _note(drawing, count, len(listed), with_snippets)
    return DrawnText("\n\n".join([graph, "## Nodes", *nodes, *note]) + "\n", printed, labels, listed)


def _node(drawing: Drawing, key: int, label: str) -> str:
    symbol = drawing.symbols[key]
    size = symbol.end_line - symbol.start_line + 1
    return f"{label}:\n  file: {visible(symbol.file)}\n  offset: {symbol.start_line}, limit: {size}"


def _note(drawing: Drawing, count: int, listed: int, with_snippets: bool) -> list[str]:
    if count < drawing.total:
        number = drawing.limit if count == len(drawing.found) else count
        return [f"Note: Results truncated to {number} nodes. Refine query with more specific symbol."]
    if not with_snippets:
        return [f"Note: Snippets omitted ({listed} nodes). Use Read tool with offset/limit shown above."]
    return []


def _sites(edges: Sequence[DrawnEdge]) -> dict[int, list[tuple[int, int]]]:
    sites: dict[int, list[tuple[int, int]]] = {}
    for edge in edges:
        if edge.kind in _SITES and edge.places:
            sites.setdefault(edge.source, []).extend(edge.places)
    return sites
