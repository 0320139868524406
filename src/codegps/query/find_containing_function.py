"""Whose code is this? A call graph and a node's id in, the function, class or module around it out.

CALL <-[CONTAINS]- SCOPE <-[CONTAINS]- ... <-[CONTAINS]- SCOPE <-[HAS_SCOPE]- FUNCTION
"""

from __future__ import annotations

from collections import deque

from codegps.model.calls import CONTAINERS, CONTAINS, HAS_SCOPE, CallerInfo, CallGraph


def find_containing_function(graph: CallGraph, node_id: str, max_depth: int = 15) -> CallerInfo | None:
    """Walks up CONTAINS and HAS_SCOPE to the nearest container; None where there is none within `max_depth`.

    `line` is the line of the node asked about, so a caller cites its call site; a node without one gives the
    container's.
    """
    asked = graph.get_node(node_id)
    queue = deque([(node_id, 0)])
    visited: set[str] = set()
    while queue:
        current, depth = queue.popleft()
        if current in visited or depth > max_depth:
            continue
        visited.add(current)
        for edge in graph.get_incoming_edges(current, (CONTAINS, HAS_SCOPE)):
            parent = graph.get_node(edge.src)
            if parent is None or parent.id in visited:
                continue
            if parent.type in CONTAINERS:
                return CallerInfo(
                    id=parent.id,
                    name=parent.name or "<anonymous>",
                    type=parent.type,
                    file=parent.file,
                    line=parent.line if asked is None or asked.line is None else asked.line,
                )
            queue.append((parent.id, depth + 1))
    return None
