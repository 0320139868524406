"""`dependentsOf`: a symbol in, the graph of what depends on it out."""

from __future__ import annotations

from typing import Annotated

from codegps.format import notes
from codegps.format.drawing import draw_text
from codegps.model.kinds import Flag
from codegps.query.argument import clamped
from codegps.query.find import find
from codegps.query.graph import Graph
from codegps.query.members import methods_of
from codegps.query.sources import Sources
from codegps.query.unresolved import arriving
from codegps.query.walk import DEPTH_LIMIT, NODE_LIMIT, shown_edges, walk
from codegps.tool import Answer, tool

DESCRIPTION = """\
Find all code that depends on a symbol (reverse dependencies). That is who calls, references, extends or implements \
it, directly and through others, with file, lines and the call sites.

Use it before you rename, change or delete something: this is what may break. It beats grep: it follows the callers of \
callers, tells apart methods and functions of the same name, and sees uses through aliases and re-exports that do \
not contain the name. Use grep for text: strings, comments, documentation."""


@tool(
    "dependentsOf",
    command="dependents-of",
    description=DESCRIPTION,
    examples=("src/utils.ts formatDate", "src/models.py User.save --max-depth 1"),
)
def dependents_of(
    graph: Graph,
    file_path: Annotated[str, "File containing the symbol"],
    symbol: Annotated[str, "Symbol name", 1_000],
    max_depth: Annotated[int | None, "How many steps to follow; 1 is immediate only. Default: no limit"] = None,
    max_nodes: Annotated[int, "How many symbols to list, the nearest first; at most 500"] = 50,
) -> Answer:
    """What depends on the symbol, as a graph and the symbols in it."""
    nodes, nodes_note = clamped(max_nodes, "max_nodes", 1, NODE_LIMIT)
    depth, depth_note = (None, "") if max_depth is None else clamped(max_depth, "max_depth", 1, DEPTH_LIMIT)
    store = graph.store
    with store.snapshot():
        asked = find(graph, file_path, symbol)
        drawing = walk(store, asked, "in", depth, nodes)
        left = arriving(store, asked)
        tail = notes.joined(
            notes.unresolved(left.count, left.first, "of that name", "dependents"),
            notes.methods(methods_of(store, asked)),
        )
        if not drawing.edges:
            flags = 0
            for one in asked:
                flags |= one.flags
            note = notes.joined(
                nodes_note,
                depth_note,
                "It is a test: the test runner calls it." if flags & Flag.TEST else "",
                "It is exported: uses outside this project are not seen." if flags & Flag.EXPORTED else "",
                tail,
            )
            return Answer("No dependents found.", note)
        drawn = draw_text(drawing, Sources(graph), shown_edges)
        note = notes.joined(
            nodes_note,
            depth_note,
            notes.totals(drawing, drawn, depth),
            notes.proofs(drawn.edges, drawn.labels),
            tail,
        )
        return Answer(drawn.text, note)
