"""`pathsBetween`: two symbols in, one shortest path that connects them out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from codegps.errors import ToolError
from codegps.format import notes
from codegps.format.drawing import draw_text
from codegps.model.drawing import Drawing
from codegps.model.graph import Symbol
from codegps.model.kinds import Kind
from codegps.query.argument import clamped
from codegps.query.find import Place, find
from codegps.query.graph import Graph
from codegps.query.members import methods_of
from codegps.query.paths import path_between
from codegps.query.sources import Sources
from codegps.query.unresolved import arriving
from codegps.query.walk import DEPTH_LIMIT, NODE_LIMIT, shown_edges
from codegps.tool import Answer, tool

DESCRIPTION = """\
Find how two symbols connect through the code graph. One shortest path of calls and references, with the code at each \
step; it is found whichever of the two you give first; the arrows show the true direction.

Use it to learn how a request reaches the database, or whether a change here can be felt there. Grep cannot answer \
this: it would take a search for every step, and a guess at each name that several definitions share."""

_TYPES = frozenset({Kind.Interface, Kind.TypeAlias})


@tool(
    "pathsBetween",
    command="paths-between",
    description=DESCRIPTION,
    examples=("src/routes.ts handleOrder src/db.ts query",),
)
def paths_between(
    graph: Graph,
    from_: Annotated[Place, "Source: `{ file_path, symbol }`"],
    to: Annotated[Place, "Target: `{ file_path, symbol }`"],
    max_depth: Annotated[int | None, "How many steps the path may have. Default: no limit"] = None,
    max_nodes: Annotated[int, "How many symbols to list, the nearest to the source first; at most 500"] = 50,
) -> Answer:
    """A shortest path from one symbol to the other, or back where there is none."""
    nodes, nodes_note = clamped(max_nodes, "max_nodes", 1, NODE_LIMIT)
    depth, depth_note = (None, "") if max_depth is None else clamped(max_depth, "max_depth", 1, DEPTH_LIMIT)
    store = graph.store
    with store.snapshot():
        starts, ends = _both(graph, from_, to)
        if {s.key for s in starts} & {s.key for s in ends}:
            raise ToolError("Invalid query: source and target are the same symbol.")
        drawing, flows = _path(graph, starts, ends, depth, nodes)
        tail = notes.methods(methods_of(store, [*starts, *ends]))
        if drawing is None:
            return Answer(
                "No path found.", notes.joined(nodes_note, depth_note, *_gaps(graph, starts, ends, depth), tail)
            )
        drawn = draw_text(drawing, Sources(graph), shown_edges)
        steps = f"A shortest path: {notes.counted(len(drawing.edges), 'step')}."
        whole = len(drawn.edges) == len(drawing.edges)
        note = notes.joined(
            nodes_note,
            depth_note,
            steps if whole else f"{steps} {notes.totals(drawing, drawn, 1)}",
            "Nothing else connects the two: it takes a call of a function that came as an argument or out of a "
            "container, which graphs do not draw."
            if flows
            else "",
            notes.proofs(drawn.edges, drawn.labels),
            tail,
        )
        return Answer(drawn.text, note)


def _both(graph: Graph, from_: Place, to: Place) -> tuple[list[Symbol], list[Symbol]]:
    """The symbols of both places; where both are bad, one error that says so of each."""
    found: list[list[Symbol]] = []
    errors: list[str] = []
    for place in (from_, to):
        try:
            found.append(find(graph, place.file_path, place.symbol))
        except ToolError as error:
            errors.append(str(error))
    if errors:
        raise ToolError("\n\n".join(errors))
    return found[0], found[1]


def _path(
    graph: Graph, starts: Sequence[Symbol], ends: Sequence[Symbol], depth: int | None, nodes: int
) -> tuple[Drawing | None, bool]:
    """The path, in the direction asked for rather than back, over drawn edges rather than over all."""
    for flows in (False, True):
        for near, far in ((starts, ends), (ends, starts)):
            drawing = path_between(graph.store, near, far, depth, nodes, flows)
            if drawing is not None:
                return drawing, flows
    return None, False


def _gaps(graph: Graph, starts: Sequence[Symbol], ends: Sequence[Symbol], depth: int | None) -> list[str]:
    """Why there may be a path all the same."""
    left = arriving(graph.store, [*ends, *starts])
    return [
        f"None of at most {notes.counted(depth, 'step')}; a longer one was not looked for." if depth else "",
        notes.unresolved(left.count, left.first, "of these names", "a path"),
        "A type that is only named in annotations is connected to nothing here; dependentsOf shows who names it."
        if any(s.kind in _TYPES for s in (*starts, *ends))
        else "",
    ]
