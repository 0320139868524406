"""A file's logic in, the object that JSON clients get out."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Final

import msgspec

from codegps.model.logic import FileLogic, LogicEdge, LogicNode

MAX_CHARACTERS: Final = 400_000
_SHARES: Final = {"cycles": 40_000, "nodes": 120_000}


class LogicObject(msgspec.Struct, frozen=True):
    data: dict[str, Any]
    listed: dict[str, tuple[int, int]]
    """For each array that was cut: how many entries it has, and how many there are."""


def logic_object(logic: FileLogic, path: str, provider: str, at: str, partial: bool) -> LogicObject:
    """`nodes`, `edges` and `cycles` as the contract has them; what is less than certain, or confirmed, says so."""
    arrays: dict[str, list[Any]] = {
        "nodes": [_node(node) for node in logic.nodes],
        "cycles": logic.cycles,
        "edges": [_edge(edge) for edge in logic.edges],
    }
    room = MAX_CHARACTERS
    shown: dict[str, list[Any]] = {}
    for name, entries in arrays.items():
        shown[name], used = _fitting(entries, min(room, _SHARES.get(name, room)))
        room -= used
    cut = {name: (len(shown[name]), len(arrays[name])) for name in arrays if len(shown[name]) < len(arrays[name])}
    data: dict[str, Any] = {
        "filePath": path,
        "lspProvider": provider,
        "generatedAt": at,
        "isPartial": partial or bool(cut),
        "nodes": shown["nodes"],
        "edges": shown["edges"],
        "cycles": shown["cycles"],
    }
    if logic.disagreements:
        data["disagreements"] = [
            {"source": each.source, "line": each.line, "engine": list(each.engine), "lsp": list(each.lsp)}
            for each in logic.disagreements
        ]
    return LogicObject(data, cut)


def compact(data: Any) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


def _fitting(entries: Sequence[Any], room: int) -> tuple[list[Any], int]:
    found: list[Any] = []
    used = 0
    for entry in entries:
        used += len(compact(entry)) + 1
        if used > room:
            break
        found.append(entry)
    return found, used


def _node(node: LogicNode) -> dict[str, Any]:
    return {
        "id": node.id,
        "name": node.name,
        "type": node.type,
        "line": node.line,
        "isExternal": node.module is not None,
    }


def _edge(edge: LogicEdge) -> dict[str, Any]:
    found: dict[str, Any] = {
        "source": edge.source,
        "target": edge.target,
        "relation": edge.relation,
        "line": edge.line,
        "isCycle": edge.is_cycle,
    }
    if edge.proof not in ("resolved", ""):
        found["proof"] = edge.proof
    if edge.hops:
        found["hops"] = edge.hops
        found["via"] = edge.via
    if edge.evidence:
        found["evidence"] = list(edge.evidence)
    return found
