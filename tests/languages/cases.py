"""Case files: Markdown with sources and the expected graph.

A `##` heading starts a case. A fenced block whose info string ends in a path is a source file. The block `graph` lists
every edge of the kinds it mentions; a missing edge fails, and so does an extra one:

    main.py:caller -CALLS-> util.py:f 3:5 resolved
    main.py:caller -CALLS-> util.py:g 4:5 inferred 1 parameter
    main.py:caller -CALLS-> util.py:C.__init__ 5:5 resolved class util.py:C

An unresolved reference is written with its name and reason. References are compared where a case mentions any of
their kind as unresolved:

    main.py:caller -CALLS-> ? len 6:5 external builtins.len
    main.py:caller -CALLS-> ? guess 7:5 unknown
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

from codegps.model.kinds import EdgeKind, Reason
from codegps.store import Reader

FENCE = re.compile(r"^```(.*)$")


class Case(NamedTuple):
    file: Path
    name: str
    line: int
    sources: dict[str, str]
    graph: list[str]
    graph_line: int
    """Line after the opening fence of the graph block, 0-based."""
    graph_end: int


def read_cases(file: Path) -> list[Case]:
    """All cases of a file."""
    cases: list[Case] = []
    name, start = "", 0
    sources: dict[str, str] = {}
    graph: list[str] = []
    place = (0, 0)
    info: str | None = None
    block: list[str] = []
    opened = 0

    def finish() -> None:
        if sources:
            cases.append(Case(file, name, start, dict(sources), list(graph), *place))

    for number, line in enumerate(file.read_text().split("\n")):
        fence = FENCE.match(line)
        if fence and info is None:
            info, block, opened = fence[1].strip(), [], number + 1
        elif fence and info is not None:
            if info == "graph":
                graph, place = block, (opened, number)
            elif " " in info:
                sources[info.split()[-1]] = "\n".join(block) + "\n"
            info = None
        elif info is not None:
            block.append(line)
        elif line.startswith("## "):
            finish()
            name, start, sources, graph, place = line[3:].strip(), number + 1, {}, [], (0, 0)
    finish()
    return cases


def mentioned(graph: list[str]) -> tuple[set[str], set[str]]:
    """Edge kinds that a graph block mentions, as edges and as unresolved references."""
    edges: set[str] = set()
    references: set[str] = set()
    for line in graph:
        found = re.search(r" -(\w+)-> (\?)?", line)
        if found:
            (references if found[2] else edges).add(found[1])
    return edges | references, references


def shown(store: Reader, kinds: set[str], unresolved: set[str]) -> list[str]:
    """The graph as lines, ordered by file, place and text."""
    names = {symbol.key: symbol.id for symbol in store.all_symbols()}
    rows: list[tuple[str, int, int, str]] = []
    for file in store.files():
        for edge in store.edges_in(file.path):
            kind = EdgeKind(edge.kind).name
            if kind in kinds:
                parts = [edge.proof.name]
                if edge.hops:
                    parts.append(f"{edge.hops} {edge.via.label}")
                if edge.class_ >= 0:
                    parts.append(f"class {names[edge.class_]}")
                text = (
                    f"{names[edge.source]} -{kind}-> {names[edge.target]} {edge.line}:{edge.column} {' '.join(parts)}"
                )
                rows.append((file.path, edge.line, edge.column, text))
        for row in store.references_in(file.path):
            kind = EdgeKind(row.kind).name
            if kind in unresolved:
                reason = f"external {row.external}" if row.reason == Reason.external else "unknown"
                text = f"{names[row.source]} -{kind}-> ? {row.name} {row.line}:{row.column} {reason}"
                rows.append((file.path, row.line, row.column, text))
    return [row[3] for row in sorted(rows)]


def update(case: Case, graph: list[str]) -> None:
    """Rewrites the graph block of one case, for review."""
    lines = case.file.read_text().split("\n")
    # Blocks of earlier cases may have grown: find this case's block again by its heading.
    at = next(number for number, line in enumerate(lines) if line == f"## {case.name}")
    first = next(number for number in range(at, len(lines)) if lines[number].strip() == "```graph") + 1
    last = next(number for number in range(first, len(lines)) if lines[number].strip() == "```")
    lines[first:last] = graph
    case.file.write_text("\n".join(lines))
