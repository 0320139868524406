"""A file's logic in, the four lines of TOON out.

nodes:Class:ClassName|Function:functionName|Variable:varName
edges:functionName>targetFunc:calls:42|functionName~constantRef:references:15
cycles:func1>func2>func1
external:importedFunc:someModule
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

import msgspec

from codegps.model.logic import FileLogic, LogicEdge

MAX_CHARACTERS: Final = 76_000
_SPECIAL: Final = re.compile(r"[|:>~\\\n\r]")
_SHARES: Final = {"cycles": 6_000, "external": 18_000, "nodes": 22_000}
"""Room for each line but the edges, which get what is left."""


class Toon(msgspec.Struct, frozen=True):
    text: str
    listed: dict[str, tuple[int, int]]
    """For each line that was cut: how many entries it has, and how many there are."""


def toon(logic: FileLogic) -> Toon:
    names = {node.id: escaped(node.name) for node in logic.nodes}
    lines = {
        "nodes": [f"{node.label}:{escaped(node.name)}" for node in logic.nodes if node.module is None],
        "cycles": [">".join(names[one] for one in cycle) for cycle in logic.cycles],
        "external": [f"{escaped(node.name)}:{escaped(node.module)}" for node in logic.nodes if node.module is not None],
        "edges": [_edge(edge, names) for edge in logic.edges],
    }
    room = MAX_CHARACTERS
    shown: dict[str, list[str]] = {}
    for name, entries in lines.items():
        share = min(room, _SHARES.get(name, room))
        shown[name] = fitting(entries, share)
        room -= sum(len(entry) + 1 for entry in shown[name])
    text = "\n".join(f"{name}:{'|'.join(shown[name])}" for name in ("nodes", "edges", "cycles", "external"))
    cut = {name: (len(shown[name]), len(lines[name])) for name in lines if len(shown[name]) < len(lines[name])}
    return Toon(text, cut)


def escaped(name: str) -> str:
    """Characters with a meaning get a backslash; a line break is `\\n`."""
    return _SPECIAL.sub(_escape, name)


def _escape(match: re.Match[str]) -> str:
    return {"\n": "\\n", "\r": "\\r"}.get(match[0], f"\\{match[0]}")


def fitting(entries: Iterable[str], room: int) -> list[str]:
    """The first entries that have room together, each with a separator."""
    found: list[str] = []
    for entry in entries:
        room -= len(entry) + 1
        if room < 0:
            break
        found.append(entry)
    return found


def _edge(edge: LogicEdge, names: dict[str, str]) -> str:
    source = names.get(edge.source, edge.source)
    mark = ">" if edge.relation == "calls" else "~"
    return f"{source}{mark}{names[edge.target]}:{edge.relation}:{edge.line}"
