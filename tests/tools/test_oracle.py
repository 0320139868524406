"""Random graphs: the tools and a second implementation give the same text."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from codegps.errors import ToolError
from codegps.model.kinds import Kind
from codegps.query.find import Place
from codegps.query.graph import Graph
from codegps.tools.dependencies_of import dependencies_of
from codegps.tools.dependents_of import dependents_of
from codegps.tools.paths_between import paths_between
from tests.stores.graphs import EdgeLine, EdgeTuple, SymbolLine, SymbolTuple, build, edge
from tests.tools.oracle import Oracle

KINDS = ["CALLS"] * 5 + ["REFERENCES"] * 2 + ["EXTENDS", "IMPLEMENTS", "INCLUDES", "USES_TYPE", "USES_TABLE"]
PROOFS = [("resolved", 0, None)] * 5 + [("dispatch", 0, None), ("inferred", 1, "return"), ("inferred", 2, "parameter")]


def random_graph(root: Path, seed: int) -> tuple[Graph, Oracle, list[tuple[str, str, list[int]]]]:
    """A graph, its oracle, and what may be asked: path, name, keys that are meant."""
    dice = random.Random(seed)
    rows: dict[str, list[SymbolTuple | SymbolLine]] = {}
    sources: dict[str, str] = {}
    names: list[str] = []
    for path in ["b/x.py", "a.py", "b/a.py", "C.py"][: dice.randint(1, 4)]:
        members: list[SymbolTuple | SymbolLine] = []
        line = 1
        for number in range(dice.randint(1, 9)):
            size = dice.choice([1, 3, 12, 25, 60])
            name = f"n{number}" if dice.random() < 0.6 else "same" if number == 0 else f"m{number}"
            kind = dice.choice([Kind.Function, Kind.Function, Kind.Class, Kind.Interface, Kind.Variable])
            members.append((name, kind, line, line + size - 1))
            if kind is Kind.Class:
                members.append((f"{name}.__init__", Kind.Constructor, line, line))
                members.append((f"{name}.run", Kind.Method, line, line + size - 1, 5))
            elif kind is Kind.Function and dice.random() < 0.3:
                members.append((f"{name}.<lambda1>", Kind.Function, line, line, 9))
            if kind is Kind.Function and dice.random() < 0.15:
                members.append((f"{name}~2", kind, line + size, line + size + 2))
                size += 3
            line += size + dice.randint(0, 2)
        dice.shuffle(members)
        rows[path] = members
        sources[path] = "".join(
            f"{dice.choice(['text', '', '  x'])} {n}\n" for n in range(1, line + dice.randint(0, 9))
        )
        names += [path, *(f"{path}:{row[0]}" for row in members if isinstance(row, tuple))]
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(sources[path])
    lines: list[EdgeTuple | EdgeLine] = []
    for _ in range(int(len(names) * dice.choice([0.3, 1, 1.5, 3]))):
        source, target = dice.choice(names), dice.choice(names)
        proof, hops, via = dice.choice(PROOFS)
        at = dice.randint(1, sources[source.partition(":")[0]].count("\n"))
        lines.append(
            edge(source, dice.choice(KINDS), target, at, dice.randint(1, 4), proof, hops, via or 0)  # pyright: ignore[reportArgumentType]
        )
    store = build(rows, lines)
    symbols = {s.key: s for s in store.all_symbols()}
    edges = [e for path in rows for e in store.edges_in(path)]
    asked: list[tuple[str, str, list[int]]] = []
    for symbol in symbols.values():
        if "~" in symbol.qualified_name:
            continue
        same = [s for s in symbols.values() if s.id in (symbol.id, f"{symbol.id}~2")]
        asked.append((symbol.file, symbol.qualified_name or symbol.file, [s.drawn for s in same]))
    return Graph(root.resolve(), store), Oracle(symbols, edges, sources), asked


@pytest.mark.parametrize("seed", range(300))
def test_the_same_text_for_random_graphs(tmp_path: Path, seed: int) -> None:
    graph, oracle, places = random_graph(tmp_path, seed)
    dice = random.Random(seed + 1)
    for path, name, keys in dice.sample(places, min(len(places), 6)):
        depth, nodes = dice.choice([1, 2, 3, 99]), dice.choice([1, 3, 16, 50, 50])
        limits = {"max_depth": None if depth == 99 else depth, "max_nodes": nodes}
        assert dependencies_of(graph, path, name, **limits).text == oracle.reach(keys, True, depth, nodes)  # pyright: ignore[reportArgumentType]
        assert dependents_of(graph, path, name, **limits).text == oracle.reach(keys, False, depth, nodes)  # pyright: ignore[reportArgumentType]
        other_path, other, other_keys = dice.choice(places)
        source, target = Place(path, name), Place(other_path, other)
        if set(keys) & set(other_keys):
            with pytest.raises(ToolError, match="same symbol"):
                paths_between(graph, source, target)
        else:
            assert paths_between(graph, source, target).text == oracle.path(keys, other_keys)
