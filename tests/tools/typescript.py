"""Sample projects in TypeScript for tests of the graph tools: sources in, their graph by the real engine out."""

from __future__ import annotations

import re
from pathlib import Path

from codegps import pipeline
from codegps.query.find import Place
from codegps.query.graph import Graph
from codegps.settings import Settings
from codegps.stores.memory import MemoryStore
from codegps.tools.dependencies_of import dependencies_of
from codegps.tools.dependents_of import dependents_of
from codegps.tools.paths_between import paths_between
from tests.tools.projects import graph_lines

HEADING = re.compile(r"^// (\S+\.\w+)$")


def sample(root: Path, text: str) -> Graph:
    """Indexes the files of a text in which a line `// path` begins each file."""
    files: dict[str, list[str]] = {}
    lines: list[str] = []
    for line in text.strip("\n").split("\n"):
        heading = HEADING.match(line)
        if heading:
            lines = files[heading[1]] = []
        else:
            lines.append(line)
    for path, content in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(("\n".join(content) + "\n").encode())
    store = MemoryStore()
    pipeline.index(root.resolve(), store, Settings(), jobs=1)
    return Graph(root.resolve(), store)


def dependencies(graph: Graph, file: str, symbol: str) -> list[str]:
    """The Graph section of `dependenciesOf`."""
    return graph_lines(dependencies_of(graph, file, symbol).text)


def dependents(graph: Graph, file: str, symbol: str) -> list[str]:
    """The Graph section of `dependentsOf`."""
    return graph_lines(dependents_of(graph, file, symbol).text)


def path(graph: Graph, source: tuple[str, str], target: tuple[str, str]) -> list[str]:
    """The Graph section of `pathsBetween`."""
    return graph_lines(paths_between(graph, Place(*source), Place(*target)).text)
