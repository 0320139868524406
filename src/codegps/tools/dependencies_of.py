"""`dependenciesOf`: a symbol in, the graph of what it depends on out."""

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
from codegps.query.unresolved import leaving
from codegps.query.walk import DEPTH_LIMIT, NODE_LIMIT, shown_edges, walk
from codegps.tool import Answer, tool

DESCRIPTION = """\
Find all code that a symbol depends on (forward dependencies). That is what it calls, references, extends, \
implements, directly and through others, with file, lines and snippets of each.

Use it before you change or move code, or to read everything that a function runs, in one call. It beats grep and \
opening files one by one: calls are followed through imports, re-exports, methods and inheritance to the real \
definitions, and nothing that merely has the same name is listed. Use grep for text: strings, comments, settings."""


@tool(
    "dependenciesOf",
    command="dependencies-of",
    description=DESCRIPTION,
    examples=("src/utils.ts formatDate", "src/models.py User.save --max-depth 1"),
)
def dependencies_of(
    graph: Graph,
    file_path: Annotated[str, 'File containing the symbol (e.g., `"src/utils.ts"`)'],
    symbol: Annotated[str, 'Symbol name (e.g., `"formatDate"`, `"User.save"`)', 1_000],
    max_depth: Annotated[int | None, "How many steps to follow; 1 is immediate only. Default: no limit"] = None,
    max_nodes: Annotated[int, "How many symbols to list, the nearest first; at most 500"] = 50,
) -> Answer:
    """What the symbol depends on, as a graph and the symbols in it."""
    nodes, nodes_note = clamped(max_nodes, "max_nodes", 1, NODE_LIMIT)
    depth, depth_note = (None, "") if max_depth is None else clamped(max_depth, "max_depth", 1, DEPTH_LIMIT)
    store = graph.store
    with store.snapshot():
        asked = find(graph, file_path, symbol)
        drawing = walk(store, asked, "out", depth, nodes)
        methods = notes.methods(methods_of(store, asked))
        if not drawing.edges:
            left = leaving(store, drawing.asked)
            note = notes.joined(
                nodes_note,
                depth_note,
                notes.unresolved(left.count, left.first, "in it", "dependencies"),
                notes.external(left.outside, left.packages),
                "It is a declaration without a body." if all(s.flags & Flag.DECLARATION for s in asked) else "",
                methods,
            )
            return Answer("No dependencies found.", note)
        drawn = draw_text(drawing, Sources(graph), shown_edges)
        left = leaving(store, [*drawing.asked, *drawn.listed])
        note = notes.joined(
            nodes_note,
            depth_note,
            notes.totals(drawing, drawn, depth),
            notes.proofs(drawn.edges, drawn.labels),
            notes.unresolved(left.count, left.first, "in these symbols", "dependencies"),
            methods,
        )
        return Answer(drawn.text, note)
