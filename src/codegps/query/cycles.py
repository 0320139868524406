"""Circles in a directed graph: who can reach whom and back, and the ways round, each once."""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heapify, heappop, heappush

Graph = Sequence[Sequence[int]]
"""Successors by node; nodes are numbered in the order that decides between equals."""


def components(graph: Graph, within: frozenset[int] | None = None) -> list[list[int]]:
    """Strongly connected components with a circle in them, each sorted, ordered by first member (Tarjan).

    `within` looks at these nodes alone.
    """
    index: dict[int, int] = {}
    low: dict[int, int] = {}
    on_stack: set[int] = set()
    stack: list[int] = []
    found: list[list[int]] = []
    for root in range(len(graph)) if within is None else sorted(within):
        if root in index:
            continue
        work = [(root, iter(graph[root]))]
        index[root] = low[root] = len(index)
        stack.append(root)
        on_stack.add(root)
        while work:
            node, successors = work[-1]
            for next_node in successors:
                if within is not None and next_node not in within:
                    continue
                if next_node not in index:
                    index[next_node] = low[next_node] = len(index)
                    stack.append(next_node)
                    on_stack.add(next_node)
                    work.append((next_node, iter(graph[next_node])))
                    break
                if next_node in on_stack:
                    low[node] = min(low[node], index[next_node])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == index[node]:
                    members = [stack.pop()]
                    while members[-1] != node:
                        members.append(stack.pop())
                    members.sort()
                    on_stack.difference_update(members)
                    if len(members) > 1 or node in graph[node]:
                        found.append(members)
    return sorted(found)


def elementary_cycles(graph: Graph, limit: int) -> tuple[list[list[int]], bool]:
    """Up to `limit` elementary cycles, each from its first member without the return, and whether there are more.

    Johnson's algorithm, one component at a time: the work between two cycles is bounded, however many there are.
    """
    found: list[list[int]] = []
    waiting = components(graph)
    heapify(waiting)
    while waiting:
        members = heappop(waiting)
        start, inside = members[0], frozenset(members)
        for cycle in _through(graph, start, inside, limit + 1 - len(found)):
            found.append(cycle)
        if len(found) > limit:
            return found[:limit], True
        for rest in components(graph, inside - {start}):
            heappush(waiting, rest)
    return found, False


def _through(graph: Graph, start: int, inside: frozenset[int], limit: int) -> list[list[int]]:
    """Elementary cycles through `start` that stay inside."""
    found: list[list[int]] = []
    path = [start]
    blocked = {start}
    waits_for: dict[int, set[int]] = {}
    closed: set[int] = set()
    """Nodes on the path from which a cycle was found."""
    work = [(start, iter(graph[start]))]
    while work:
        node, successors = work[-1]
        for next_node in successors:
            if next_node not in inside:
                continue
            if next_node == start:
                found.append(path.copy())
                closed.update(path)
                if len(found) >= limit:
                    return found
            elif next_node not in blocked:
                path.append(next_node)
                blocked.add(next_node)
                closed.discard(next_node)
                work.append((next_node, iter(graph[next_node])))
                break
        else:
            work.pop()
            path.pop()
            if node in closed:
                _unblock(node, blocked, waits_for)
            else:
                for next_node in graph[node]:
                    if next_node in inside:
                        waits_for.setdefault(next_node, set()).add(node)
    return found


def _unblock(node: int, blocked: set[int], waits_for: dict[int, set[int]]) -> None:
    free = [node]
    while free:
        current = free.pop()
        if current in blocked:
            blocked.discard(current)
            free.extend(waits_for.pop(current, ()))
