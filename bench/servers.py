"""Real projects in; at how many call sites a language server's answer is among ours, and where the two differ, out."""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import codegps
from bench import corpora
from codegps.lsp import Limits, Servers, Settings, Target
from codegps.model.graph import Edge, Symbol
from codegps.model.kinds import CALLABLE_KINDS, CLASS_KINDS, EdgeKind, Flag, Kind
from codegps.query.graph import Graph

PROJECTS = (("click", "8.5.1"), ("flask", "3.1.3"), ("jinja2", "3.1.6"), ("werkzeug", "3.1.9"), ("mistune", "3.4.0"))
MUST = 0.97
SECONDS = 120.0
"""For an answer: this bench asks what a server says, not how quickly. Users wait five."""
EXAMPLES = 4
NAMED = CALLABLE_KINDS | CLASS_KINDS | {Kind.Property}

AGREE = "agrees"
WRITTEN = "differs: the server names what is written, we what runs (a decorated name, a value that is handed on)"
AGAIN = "differs: another definition of the same name (an overload, a branch)"
MEMBER = "differs: the same method of another class (a base, an override)"
OTHER = "differs: another target"
OUTSIDE = "the server leads outside of the project, we inside"
ONLY_SERVER = "only the server has a target in the project"
ONLY_ENGINE = "only we have a target in the project"


class Difference(NamedTuple):
    place: str
    ours: str
    theirs: str


class Compared:
    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.examples: dict[str, list[Difference]] = {}

    @property
    def both(self) -> int:
        return sum(self.counts[each] for each in (AGREE, WRITTEN, AGAIN, MEMBER, OTHER))

    def note(self, kind: str, difference: Difference) -> None:
        self.counts[kind] += 1
        self.examples.setdefault(kind, []).append(difference)

    def add(self, other: Compared) -> None:
        self.counts.update(other.counts)
        for kind, differences in other.examples.items():
            self.examples.setdefault(kind, []).extend(differences)


def report(names: Sequence[str] = (), examples: int = EXAMPLES) -> Compared:
    total = Compared()
    with _servers() as servers:
        for name, version in PROJECTS:
            if names and name not in names:
                continue
            with corpora.copy(corpora.source(name, version)) as root:
                codegps.index(root)
                with codegps.open_graph(root, refresh=False) as graph:
                    compared = compare(graph, servers)
            print(f"{name:12} {_line(compared)}", flush=True)
            total.add(compared)
    print(f"{'all':12} {_line(total)}   must {MUST}: {'holds' if _share(total) >= MUST else 'MISSED'}")
    for kind, number in total.counts.most_common():
        print(f"{number:7,}  {kind}")
        found = total.examples.get(kind, [])
        for each in found[:: max(len(found) // examples, 1)][:examples] if examples and kind != ONLY_ENGINE else []:
            print(
                f"             {each.place}\n                 ours {each.ours}\n                 theirs {each.theirs}"
            )
    return total


def _share(compared: Compared) -> float:
    return compared.counts[AGREE] / compared.both if compared.both else 0.0


def _line(compared: Compared) -> str:
    return f"both answer at {compared.both:6,} call sites; theirs is among ours at {_share(compared):.4f}"


def _servers() -> Servers:
    """With the server of this environment first on PATH."""
    scripts = str(Path(sys.executable).parent)
    path = os.pathsep.join([scripts, os.environ.get("PATH", "")])
    return Servers(Settings(environment={**os.environ, "PATH": path}, limits=Limits(answer_seconds=SECONDS)))


def compare(graph: Graph, servers: Servers) -> Compared:
    result = Compared()
    symbols = {symbol.key: symbol for symbol in graph.symbols()}
    names = _names(graph)
    for row in graph.store.files():
        sites = graph.store.sites(row.path)
        if row.language != "python" or sites is None or not sites.calls:
            continue
        places = sorted({(call.line, call.column) for call in sites.calls})
        said = servers.analyze_symbols(graph.root, row.path, row.language, places, SECONDS)
        if not said.available:
            raise SystemExit(f"no language server: {said.reason}")
        edges: dict[tuple[int, int], list[Edge]] = {}
        named: set[tuple[int, int, int]] = set()
        for edge in graph.edges(row.path):
            if edge.kind == EdgeKind.CALLS and edge.site >= 0:
                edges.setdefault((edge.line, edge.column), []).append(edge)
            elif edge.kind == EdgeKind.REFERENCES:
                named.add((edge.line, edge.column, edge.target))
        for place in places:
            ours = [(edge, symbols[edge.target]) for edge in edges.get(place, [])]
            answer = said.definitions.get(place, ())
            theirs = [symbols[key] for each in answer if (key := names.get(each)) is not None]
            outside = [each for each in answer if graph.store.file(each.path) is None]
            kind = _kind(ours, theirs, outside, {target for *at, target in named if tuple(at) == place}, symbols)
            if kind:
                shown = ", ".join(symbol.id for symbol in theirs) or ", ".join(map(_shown, outside))
                ids = ", ".join(symbol.id for _, symbol in ours)
                result.note(kind, Difference(f"{graph.project}/{row.path}:{place[0]}:{place[1]}", ids, shown))
    return result


def _kind(
    ours: Sequence[tuple[Edge, Symbol]],
    theirs: Sequence[Symbol],
    outside: Sequence[Target],
    named: set[int],
    symbols: Mapping[int, Symbol],
) -> str:
    if not ours:
        return ONLY_SERVER if theirs else ""
    if not theirs:
        return OUTSIDE if outside else ONLY_ENGINE
    keys = {key for edge, _ in ours for key in (edge.target, edge.class_)}
    for symbol in theirs:
        if symbol.key in keys or (symbol.kind is Kind.Constructor and symbol.parent in keys):
            return AGREE
    if any(symbol.key in named for symbol in theirs):
        return WRITTEN
    for symbol in theirs:
        for _, target in ours:
            if target.file == symbol.file and _bare(target) == _bare(symbol):
                return AGAIN
    owners = CLASS_KINDS
    for symbol in theirs:
        for _, target in ours:
            same = target.name == symbol.name
            if same and all(symbols[each.parent].kind in owners for each in (target, symbol) if each.parent >= 0):
                return MEMBER
    return OTHER


def _bare(symbol: Symbol) -> str:
    return ".".join(part.partition("~")[0] for part in symbol.qualified_name.split("."))


def _shown(target: Target) -> str:
    return f"{Path(target.path).name}:{target.line}"


def _names(graph: Graph) -> dict[Target, int]:
    """The place of each definition's name → its key."""
    found: dict[Target, int] = {}
    texts: dict[str, list[str]] = {}
    for symbol in graph.symbols():
        if symbol.kind not in NAMED or symbol.flags & Flag.ANONYMOUS:
            continue
        lines = texts.setdefault(symbol.file, graph.lines(symbol.file))
        # Decorators stand before the name, on lines of their own.
        for number in range(symbol.start_line, min(symbol.end_line, len(lines)) + 1):
            line = lines[number - 1]
            words = line.lstrip().removeprefix("async ").lstrip()
            if words.startswith((f"def {symbol.name}", f"class {symbol.name}")):
                at = line.index(f" {symbol.name}", line.index(words)) + 2
                found[Target(symbol.file, number, at)] = symbol.key
                break
    return found
