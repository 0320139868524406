"""Walks over graphs that a store should not hold, but may."""

from __future__ import annotations

import msgspec

from codegps.model.kinds import Kind
from codegps.query.paths import path_between
from codegps.query.walk import walk
from codegps.stores.memory import MemoryStore
from tests.stores.graphs import at, file_graphs, fill

F = Kind.Function


def test_an_edge_to_a_symbol_that_is_not_there_is_left_out() -> None:
    graphs = file_graphs(
        {"a.py": [("f", F, 1, 2), ("g", F, 3, 4), ("h", F, 8, 8), ("gone", F, 5, 6)]},
        [
            ("a.py:f", "CALLS", "a.py:gone", 2, 1),
            ("a.py:f", "CALLS", "a.py:g", 2, 2),
            ("a.py:gone", "CALLS", "a.py:h", 5, 1),
        ],
    )
    graphs[0] = msgspec.structs.replace(graphs[0], symbols=graphs[0].symbols[:-1])
    store = fill(MemoryStore(), graphs)
    f, g = at(store, "a.py:f"), at(store, "a.py:g")
    drawing = walk(store, [f], "out", None, 50)
    assert [(edge.source, edge.target) for edge in drawing.edges] == [(f.key, g.key)]
    assert drawing.found == (g.key,)
    path = path_between(store, [f], [g], None, 50)
    assert path is not None
    assert path.found == ()
    assert path_between(store, [f], [at(store, "a.py:h")], None, 50) is None
