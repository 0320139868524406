"""Small projects for tests of the graph tools: sources and rows in, a `Graph` over real files out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from codegps.model.kinds import Kind
from codegps.query.graph import Graph
from tests.stores.graphs import EdgeLine, EdgeTuple, ReferenceLine, ReferenceTuple, SymbolLine, SymbolTuple, build

Rows = Mapping[str, Sequence[SymbolTuple | SymbolLine]]


def project(
    root: Path,
    symbols: Rows,
    edges: Sequence[EdgeTuple | EdgeLine] = (),
    references: Sequence[ReferenceTuple | ReferenceLine] = (),
    sources: Mapping[str, str] | None = None,
) -> Graph:
    """A graph over files written below `root`; a file without a source has `line N` on each of 100 lines."""
    numbered = "".join(f"line {number}\n" for number in range(1, 101))
    for path in symbols:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes((sources or {}).get(path, numbered).encode())
    return Graph(root.resolve(), build(symbols, edges, references))


def letters(root: Path, arrows: str, names: str = "") -> Graph:
    """Functions of three lines in `a.py`, in order of the names, and calls `A>B` in order of their places.

    `A=B` is a REFERENCES edge. Without `names` the functions stand in order of first mention.
    """
    order = list(dict.fromkeys(names or (c for c in arrows if c.isalpha())))
    edges: list[EdgeTuple | EdgeLine] = []
    for column, arrow in enumerate(arrows.split(), 1):
        kind = "CALLS" if ">" in arrow else "REFERENCES"
        edges.append((f"a.py:{arrow[0]}", kind, f"a.py:{arrow[2]}", 3 * order.index(arrow[0]) + 2, column))
    rows: list[SymbolTuple | SymbolLine] = [
        (name, Kind.Function, 3 * number + 1, 3 * number + 3) for number, name in enumerate(order)
    ]
    return project(root, {"a.py": rows}, edges)


def graph_lines(text: str) -> list[str]:
    """The lines of the Graph section."""
    head, _, rest = text.partition("\n\n")
    assert head == "## Graph"
    return rest.partition("\n\n")[0].split("\n")


def node_names(text: str) -> list[str]:
    """The names in the Nodes section."""
    section = text.partition("\n\n## Nodes\n\n")[2]
    return [block.partition(":\n")[0] for block in section.split("\n\n") if ":\n  file: " in block]
