"""The edges of a drawn graph in; its lines, each edge once, and the order in which they name the symbols, out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from codegps.model.drawing import DrawnEdge

Line = list[DrawnEdge]
"""Edges one after the other: each begins where the one before ends."""


def lines_of(edges: Sequence[DrawnEdge]) -> list[Line]:
    """Chains over edges given in edge order.

    From each start a line takes the first edge not yet printed, as long as there is one. What is left over at the
    symbols it passed is queued and begins lines of its own, before the next start. Starts are the sources that are
    nobody's target; then, for what only cycles reach, the source of the first edge left.
    """
    leaving: dict[int, list[int]] = {}
    for number, edge in enumerate(edges):
        leaving.setdefault(edge.source, []).append(number)
    targets = {edge.target for edge in edges if edge.source != edge.target}
    printed = [False] * len(edges)
    done = dict.fromkeys(leaving, 0)
    """How many of a symbol's edges, from the front, are surely printed."""
    queued: set[int] = set()
    """Symbols whose left-overs have been queued; the queue prints them all, so they are queued once."""

    def next_edge(symbol: int) -> int:
        own = leaving.get(symbol, ())
        at = done.get(symbol, 0)
        while at < len(own) and printed[own[at]]:
            at += 1
        done[symbol] = at
        return own[at] if at < len(own) else -1

    def chain(number: int, queue: list[int]) -> Line:
        line: Line = []
        passed = [edges[number].source]
        while number >= 0:
            printed[number] = True
            line.append(edges[number])
            passed.append(edges[number].target)
            number = next_edge(edges[number].target)
        for symbol in passed:
            if symbol not in queued:
                queued.add(symbol)
                queue += [left for left in leaving.get(symbol, ()) if not printed[left]]
        return line

    lines: list[Line] = []

    def draw_from(number: int) -> None:
        queue = [number]
        # The queue grows while it is worked off.
        for waiting in queue:
            if not printed[waiting]:
                lines.append(chain(waiting, queue))

    for source in leaving:
        if source not in targets:
            draw_from(leaving[source][0])
    for number in range(len(edges)):
        if not printed[number]:
            draw_from(number)
    return lines


def order_of(lines: Sequence[Line]) -> list[int]:
    """The symbols by first appearance in the lines."""
    return list(dict.fromkeys(key for line in lines for key in (line[0].source, *(edge.target for edge in line))))


def labels_of(order: Sequence[int], names: Mapping[int, str]) -> dict[int, str]:
    """The names, numbered by first appearance where two symbols have the same."""
    groups: dict[str, list[int]] = {}
    for key in order:
        groups.setdefault(names[key], []).append(key)
    labels: dict[int, str] = {}
    for name, keys in groups.items():
        for number, key in enumerate(keys, 1):
            labels[key] = f"{name}#{number}" if len(keys) > 1 else name
    return labels


def line_text(line: Line, labels: Mapping[int, str]) -> str:
    return labels[line[0].source] + "".join(f" --{edge.kind.name}--> {labels[edge.target]}" for edge in line)
