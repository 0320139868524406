"""A call graph in two dicts: the smallest thing that satisfies `CallGraph`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass
from typing import Self


@dataclass(frozen=True)
class PlainNode:
    id: str
    type: str
    name: str
    file: str | None = None
    line: int | None = None
    object: str | None = None


@dataclass(frozen=True)
class PlainEdge:
    src: str
    dst: str
    type: str


class PlainGraph:
    def __init__(self) -> None:
        self.nodes: dict[str, PlainNode] = {}
        self.edges: list[PlainEdge] = []
        self.out: dict[str, list[PlainEdge]] = {}
        self.calls: Counter[str] = Counter()

    def get_node(self, node_id: str) -> PlainNode | None:
        return self.nodes.get(node_id)

    def get_outgoing_edges(self, node_id: str, edge_types: Collection[str] | None) -> list[PlainEdge]:
        return [e for e in self.out.get(node_id, []) if edge_types is None or e.type in edge_types]

    def get_incoming_edges(self, node_id: str, edge_types: Collection[str] | None) -> list[PlainEdge]:
        return [e for e in self.edges if e.dst == node_id and (edge_types is None or e.type in edge_types)]

    # ---- building

    def node(self, node_id: str, kind: str, name: str | None = None, line: int | None = None) -> Self:
        self.nodes[node_id] = PlainNode(node_id, kind, node_id if name is None else name, f"{node_id}.py", line)
        return self

    def edge(self, src: str, dst: str, kind: str) -> Self:
        made = PlainEdge(src, dst, kind)
        self.edges.append(made)
        self.out.setdefault(src, []).append(made)
        return self

    def contains(self, scope: str, child: str) -> Self:
        return self.edge(scope, child, "CONTAINS")

    def function(self, node_id: str, line: int | None = None, kind: str = "FUNCTION") -> Self:
        self.node(node_id, kind, line=line).node(f"{node_id}/body", "SCOPE", "body")
        return self.edge(node_id, f"{node_id}/body", "HAS_SCOPE")

    def klass(self, node_id: str) -> Self:
        return self.function(node_id, kind="CLASS")

    def scope(self, node_id: str, around: str) -> Self:
        return self.node(node_id, "SCOPE").contains(around, node_id)

    def call(
        self,
        caller: str,
        name: str,
        line: int | None = None,
        object: str | None = None,
        scope: str | None = None,
        to: str | tuple[str, ...] = (),
    ) -> Self:
        call = f"{caller}/call{self.calls[caller]}"
        self.calls[caller] += 1
        kind = "CALL" if object is None else "METHOD_CALL"
        self.nodes[call] = PlainNode(call, kind, name, f"{caller}.py", line, object)
        self.contains(scope or f"{caller}/body", call)
        for target in (to,) if isinstance(to, str) else to:
            self.edge(call, target, "CALLS")
        return self
