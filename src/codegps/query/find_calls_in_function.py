"""What does a function call? A call graph and a function's id in, its call sites out, each with its targets.

FUNCTION -[HAS_SCOPE]-> SCOPE -[CONTAINS]-> CALL | METHOD_CALL
                        SCOPE -[CONTAINS]-> SCOPE (nested blocks)
CALL -[CALLS]-> FUNCTION (target)
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

from codegps.model.calls import (
    CALL,
    CALLS,
    CLASS,
    CONTAINS,
    HAS_SCOPE,
    METHOD_CALL,
    MODULE,
    SCOPE,
    Batched,
    CallGraph,
    CallInfo,
    CallTarget,
    FindCallsOptions,
    Node,
    SiteLink,
    SiteNode,
)


def find_calls_in_function(
    graph: CallGraph, function_id: str, options: FindCallsOptions | None = None
) -> list[CallInfo]:
    """The CALL and METHOD_CALL nodes inside a function, in order of discovery.

    Nested functions and classes are not entered: they have scopes of their own. With `transitive` the calls of the
    called follow, breadth first, so `depth` is the shortest; the start counts as seen, which ends every cycle.
    """
    options = options or FindCallsOptions()
    found: list[CallInfo] = []
    seen = {function_id}
    level = [function_id]
    for depth in range(options.transitive_depth + 1 if options.transitive else 1):
        if isinstance(graph, Batched):
            graph.prepare(level)
        following: list[str] = []
        for function in level:
            for node in _call_nodes(graph, function, options.max_depth):
                if options.limit is not None and len(found) >= options.limit:
                    return found
                call, followed = _describe(graph, node, depth)
                found.append(call)
                for target in followed:
                    if target not in seen:
                        seen.add(target)
                        following.append(target)
        if not following:
            break
        level = following
    return found


def _call_nodes(graph: CallGraph, function_id: str, max_depth: int) -> Iterator[Node]:
    """Breadth first over the function's blocks."""
    queue = deque((edge.dst, 0) for edge in graph.get_outgoing_edges(function_id, (HAS_SCOPE,)))
    visited: set[str] = set()
    while queue:
        scope, depth = queue.popleft()
        if scope in visited or depth > max_depth:
            continue
        visited.add(scope)
        for edge in graph.get_outgoing_edges(scope, (CONTAINS,)):
            child = graph.get_node(edge.dst)
            if child is None:
                continue
            if child.type in (CALL, METHOD_CALL):
                yield child
            elif child.type == SCOPE:
                queue.append((child.id, depth + 1))


def _describe(graph: CallGraph, node: Node, depth: int) -> tuple[CallInfo, list[str]]:
    """The call, and which of its targets have calls of their own to follow."""
    targets: list[CallTarget] = []
    followed: list[str] = []
    edges = graph.get_outgoing_edges(node.id, (CALLS,))
    for edge in edges:
        reached = graph.get_node(edge.dst)
        if reached is None:
            continue
        known = edge if isinstance(edge, SiteLink) else None
        targets.append(
            CallTarget(
                id=reached.id,
                name=reached.name,
                file=reached.file,
                line=reached.line,
                proof=known.proof if known else None,
                hops=known.hops if known else None,
                via=known.via if known else None,
            )
        )
        # What a class body calls ran when the class was made, not when it was called.
        if reached.type not in (CLASS, MODULE):
            followed.append(reached.id)
    more = node if isinstance(node, SiteNode) else None
    call = CallInfo(
        id=node.id,
        name=node.name,
        type="METHOD_CALL" if node.type == METHOD_CALL else "CALL",
        object=node.object if node.type == METHOD_CALL else None,
        resolved=bool(edges),
        target=targets[0] if targets else None,
        targets=tuple(targets),
        file=node.file,
        line=node.line,
        column=more.column if more else None,
        depth=depth,
        implicit=more.implicit if more else False,
        external=more.external if more else None,
    )
    return call, followed
