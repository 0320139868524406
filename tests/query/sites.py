"""Graphs by hand with call sites: what `tests.stores.graphs.build` takes plus the written calls, a store out.

    store = build_sites(
        {"a.py": [("main", Kind.Function, 1, 9), ("load", Kind.Function, 11, 12)]},
        {"a.py": {"main": ["x@2", "load@3:5", ["if@4", "db.query@5:12"]], "load": []}},
        edges=[("a.py:main", "CALLS", "a.py:load", 3, 5)],
    )

A body is a list: `name@line:column` is a call, `receiver.name@line:column` a method call, `name@line` a variable,
a list a nested block that says its kind and line first. Edges and references at a call's place belong to that call.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Union

import msgspec

from codegps.model.graph import Block, Call, Local, Sites
from codegps.store import FileGraph
from codegps.stores.memory import MemoryStore
from tests.stores.graphs import EdgeLine, EdgeTuple, Files, ReferenceLine, ReferenceTuple, file_graphs, fill

Body = Sequence[Union[str, "Body"]]
Bodies = Mapping[str, Mapping[str, Body]]


def sites(bodies: Mapping[str, Body]) -> Sites:
    """The call sites of one file from its bodies by qualified name."""
    made = Sites(list(bodies), [], [], [])
    for owner, body in enumerate(bodies.values()):
        _fill(made, owner, -1, "body", 1, body)
    made.calls.sort(key=lambda call: (call.line, call.column))
    return made


def _fill(made: Sites, owner: int, parent: int, kind: str, line: int, body: Body) -> None:
    number = len(made.blocks)
    made.blocks.append(Block(owner, parent, kind, line))
    for item in body:
        if not isinstance(item, str):
            kind, _, at = str(item[0]).partition("@")
            _fill(made, owner, number, kind, int(at), item[1:])
            continue
        name, _, place = item.rpartition("@")
        line_text, _, column = place.partition(":")
        if column:
            receiver, dot, last = name.rpartition(".")
            made.calls.append(Call(number, last, receiver if dot else None, int(line_text), int(column)))
        else:
            made.locals.append(Local(number, name, int(line_text)))


def site_graphs(
    files: Files,
    bodies: Bodies,
    edges: Sequence[EdgeTuple | EdgeLine] = (),
    references: Sequence[ReferenceTuple | ReferenceLine] = (),
) -> list[FileGraph]:
    graphs = file_graphs(files, edges, references)
    for graph in graphs:
        graph.sites = sites(bodies.get(graph.row.path, {}))
        at = {(call.line, call.column): n for n, call in enumerate(graph.sites.calls)}
        graph.edges = [msgspec.structs.replace(e, site=at.get((e.line, e.column), -1)) for e in graph.edges]
        graph.references = [msgspec.structs.replace(r, site=at.get((r.line, r.column), -1)) for r in graph.references]
    return graphs


def build_sites(
    files: Files,
    bodies: Bodies,
    edges: Sequence[EdgeTuple | EdgeLine] = (),
    references: Sequence[ReferenceTuple | ReferenceLine] = (),
) -> MemoryStore:
    return fill(MemoryStore(), site_graphs(files, bodies, edges, references))
