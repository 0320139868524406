"""What was found, left out and not resolved in; the short second block of an answer out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from codegps.format.drawing import CHARACTERS, DrawnText
from codegps.model.drawing import COUNT_LIMIT, Drawing, DrawnEdge
from codegps.model.kinds import Proof
from codegps.model.visible import visible

SHOWN = 5
METHODS = 12


class Use(Protocol):
    """An unresolved use and its place."""

    @property
    def name(self) -> str: ...
    @property
    def file(self) -> str: ...
    @property
    def line(self) -> int: ...


def joined(*notes: str) -> str:
    return "\n".join(note for note in notes if note)


def counted(number: int, one: str, many: str = "") -> str:
    """`1 edge`, `2 edges`, `more than 10,000 symbols`."""
    if number > COUNT_LIMIT:
        return f"more than {COUNT_LIMIT:,} {many or one + 's'}"
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def totals(drawing: Drawing, drawn: DrawnText, max_depth: int | None) -> str:
    """Whether that is everything, and what shows more or less."""
    shown = sum(1 for key in drawn.listed if key not in drawing.asked)
    lines: list[str] = []
    if shown < drawing.total:
        kept = {*drawing.asked, *drawn.listed}
        between = sum(1 for edge in drawing.edges if edge.source in kept and edge.target in kept)
        lines.append(f"Shown: the nearest {shown:,} of {counted(drawing.total, 'symbol')}.")
        if len(drawn.edges) < between:
            lines.append(f"{len(drawn.edges):,} of the {between:,} edges between them are drawn.")
        more = ["max_depth=1 for the immediate ones only"] if max_depth != 1 else []
        more += ["max_nodes for more (at most 500)"] if drawing.limit < 500 else []
        if more:
            lines.append(f"Give {' or '.join(more)}.")
    else:
        lines.append(f"Found: {counted(shown, 'symbol')} and {counted(len(drawn.edges), 'edge')}, all shown.")
    if drawing.deeper:
        lines.append(f"More lies beyond max_depth={max_depth}.")
    if drawn.bare:
        lines.append(f"With snippets it would be longer than {CHARACTERS:,} characters.")
    return " ".join(lines)


def proofs(edges: Sequence[DrawnEdge], labels: Mapping[int, str]) -> str:
    """The edges that are less than certain."""
    dispatch = [_edge(edge, labels) for edge in edges if edge.proof == Proof.dispatch]
    inferred = [
        f"{_edge(edge, labels)} ({counted(edge.hops, 'hop')}, {edge.via.label})"
        for edge in edges
        if edge.proof == Proof.inferred
    ]
    return joined(
        f"Dispatch, one of several possible targets: {_few(dispatch, SHOWN, '; ')}." if dispatch else "",
        f"Inferred, by following a value: {_few(inferred, SHOWN, '; ')}." if inferred else "",
    )


def unresolved(count: int, first: Sequence[Use], where: str, lack: str) -> str:
    """`2 uses in these symbols could not be resolved, so ... may be missing: ...`."""
    if not count:
        return ""
    places = [f"{visible(use.name, 80)} ({visible(use.file, 200)}:{use.line})" for use in first]
    rest = count - len(places)
    return (
        f"{counted(count, 'use')} {where} could not be resolved, so {lack} may be missing: "
        + ", ".join(places)
        + (f" and {rest:,} more." if rest else ".")
    )


def external(count: int, packages: Sequence[str]) -> str:
    """For an answer that is empty because all that is used lies outside."""
    if not count:
        return ""
    named = f": {_few([visible(name, 80) for name in packages], SHOWN, ', ')}" if packages else ""
    return f"{counted(count, 'use')} of external code, which is not in the graph{named}."


def methods(names: Sequence[str]) -> str:
    return (
        f"Methods are symbols of their own: {_few([visible(name, 120) for name in names], METHODS, ', ')}."
        if names
        else ""
    )


def _edge(edge: DrawnEdge, labels: Mapping[int, str]) -> str:
    return f"{visible(labels[edge.source], 120)} --{edge.kind.name}--> {visible(labels[edge.target], 120)}"


def _few(items: Sequence[str], count: int, separator: str) -> str:
    rest = len(items) - count
    return separator.join(items[:count]) + (f" and {rest:,} more" if rest > 0 else "")
