"""The calls that tests made and the graph of their project in; how often each level proves true, out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from bench.truth.run import Entered, Place
from bench.truth.shapes import Shapes
from codegps.model.graph import Edge, Reference, Symbol
from codegps.model.kinds import EdgeKind, Flag, Kind, Proof, Reason
from codegps.query.graph import Graph

BODIES = frozenset({Kind.Function, Kind.Method, Kind.Constructor})
"""What a written call can enter. Classes without a constructor of their own run nothing of the project."""
AROUND = BODIES | {Kind.Class, Kind.Enum, Kind.Property, Kind.File}
ALONE = "resolved, the only target"
TEST_FOLDERS = frozenset({"tests", "test", "testing"})


class Level(NamedTuple):
    """Targets predicted at sites that ran."""

    predicted: int = 0
    seen: int = 0

    def __add__(self, other: object) -> Level:
        assert isinstance(other, Level)
        return Level(self.predicted + other.predicted, self.seen + other.seen)

    @property
    def share(self) -> float:
        return self.seen / self.predicted if self.predicted else 1.0


class Miss(NamedTuple):
    """A target that was seen and that we did not have, or a `resolved` one that we had alone and that was not seen."""

    cause: str
    project: str
    place: Place
    target: str
    said: str


class Tally:
    """Counts over some call sites."""

    def __init__(self) -> None:
        self.levels: dict[str, Level] = {}
        self.sites = 0
        self.entered = 0
        self.found = 0

    def count(self, level: str, seen: bool) -> None:
        self.levels[level] = self.levels.get(level, Level()) + Level(1, int(seen))

    def add(self, other: Tally) -> None:
        for name, level in other.levels.items():
            self.levels[name] = self.levels.get(name, Level()) + level
        self.sites += other.sites
        self.entered += other.entered
        self.found += other.found

    @property
    def alone(self) -> Level:
        return self.levels.get(ALONE, Level())

    @property
    def inferred(self) -> Level:
        return sum((level for name, level in self.levels.items() if name.startswith("inferred")), Level())

    @property
    def recall(self) -> Level:
        return Level(self.entered, self.found)


class Judged:
    """One project, or several together."""

    def __init__(self) -> None:
        self.every = Tally()
        self.library = Tally()
        """At sites outside of the tests."""
        self.unknown_bodies = 0
        """Entered functions that have no symbol."""
        self.missed: list[Miss] = []
        self.wrong: list[Miss] = []
        self.unseen: list[Miss] = []
        """`inferred` ones that were not seen."""

    def add(self, other: Judged) -> None:
        self.every.add(other.every)
        self.library.add(other.library)
        self.unknown_bodies += other.unknown_bodies
        self.missed += other.missed
        self.wrong += other.wrong
        self.unseen += other.unseen


def is_test(path: str) -> bool:
    *folders, name = path.split("/")
    return bool(TEST_FOLDERS.intersection(folders)) or name.startswith("test_") or name == "conftest.py"


def judge(project: str, graph: Graph, calls: dict[Place, set[Entered]]) -> Judged:
    return _Judge(project, graph).judge(calls)


class _Judge:
    def __init__(self, project: str, graph: Graph) -> None:
        self.project = project
        self.graph = graph
        self.symbols = {symbol.key: symbol for symbol in graph.symbols()}
        self.by_file: dict[str, list[Symbol]] = {}
        for symbol in self.symbols.values():
            self.by_file.setdefault(symbol.file, []).append(symbol)
        self.bodies: dict[Entered, Symbol | None] = {}
        self.result = Judged()

    def judge(self, calls: dict[Place, set[Entered]]) -> Judged:
        by_file: dict[str, list[Place]] = {}
        for place in sorted(calls):
            by_file.setdefault(place[0], []).append(place)
        for path, places in by_file.items():
            if path not in self.by_file:
                continue
            shapes = Shapes((self.graph.root / path).read_bytes())
            edges: dict[tuple[int, int], list[Edge]] = {}
            for edge in self.graph.edges(path):
                if edge.kind == EdgeKind.CALLS and edge.site >= 0:
                    edges.setdefault((edge.line, edge.column), []).append(edge)
            references: dict[tuple[int, int], Reference] = {}
            for each in self.graph.store.references_in(path):
                if each.kind == EdgeKind.CALLS and each.site >= 0:
                    references[each.line, each.column] = each
            for place in places:
                at = place[1:]
                self._site(place, calls[place], edges.get(at, []), references.get(at), shapes.at(*at))
        return self.result

    def _site(
        self, place: Place, entered: set[Entered], edges: list[Edge], reference: Reference | None, shape: str
    ) -> None:
        seen: dict[int, Symbol] = {}
        for each in entered:
            symbol = self._body(each)
            if symbol is None:
                self.result.unknown_bodies += 1
            else:
                seen[symbol.key] = symbol
        if not seen:
            return
        result = self.result
        predicted = {edge.target: edge for edge in edges if self.symbols[edge.target].kind in BODIES}
        for tally in (result.every,) if is_test(place[0]) else (result.every, result.library):
            tally.sites += 1
            tally.entered += len(seen)
            tally.found += len(predicted.keys() & seen.keys())
            for target, edge in predicted.items():
                tally.count(_level(edge, alone=len(predicted) == 1), target in seen)
        others = ", ".join(sorted(symbol.id for symbol in seen.values()))
        for target, edge in predicted.items():
            if target in seen:
                continue
            level = _level(edge, alone=len(predicted) == 1)
            miss = Miss(f"{shape}: {level}", self.project, place, self.symbols[target].id, others)
            if level == ALONE:
                result.wrong.append(miss)
            elif edge.proof is Proof.inferred:
                result.unseen.append(miss)
        for key, symbol in seen.items():
            if key not in predicted:
                said = self._said(edges, reference)
                result.missed.append(Miss(f"{shape}: {said}", self.project, place, symbol.id, said))

    def _said(self, edges: list[Edge], reference: Reference | None) -> str:
        if edges:
            return f"other targets ({', '.join(sorted({edge.proof.name for edge in edges}))})"
        if reference is None:
            return "nothing"
        if reference.reason is Reason.external:
            return f"external {reference.external.split('.')[0]}"
        return "unknown"

    def _body(self, entered: Entered) -> Symbol | None:
        if entered not in self.bodies:
            self.bodies[entered] = self._look_up(entered)
        return self.bodies[entered]

    def _look_up(self, entered: Entered) -> Symbol | None:
        inner: Symbol | None = None
        for symbol in self.by_file.get(entered.file, []):
            if entered.name != "<lambda>":
                if symbol.name == entered.name and symbol.start_line == entered.first_line and symbol.kind in BODIES:
                    return symbol
                continue
            start, end = (symbol.start_line, symbol.start_column), (symbol.end_line, symbol.end_column)
            around = symbol.kind in AROUND and start <= (entered.line, entered.column) < end
            if around and (inner is None or start >= (inner.start_line, inner.start_column)):
                inner = symbol
        return inner if inner is not None and inner.flags & Flag.ANONYMOUS else None


def _level(edge: Edge, alone: bool) -> str:
    if edge.proof is Proof.resolved:
        return ALONE if alone else "resolved, among others"
    if edge.proof is Proof.dispatch:
        return "dispatch"
    return f"inferred, {edge.hops} hop{'s'[: edge.hops > 1]}, {edge.via.label}"


def causes(misses: list[Miss]) -> Iterator[tuple[str, list[Miss]]]:
    """The largest first."""
    groups: dict[str, list[Miss]] = {}
    for miss in misses:
        groups.setdefault(miss.cause, []).append(miss)
    sizes = Counter({cause: len(group) for cause, group in groups.items()})
    for cause, _ in sizes.most_common():
        yield cause, groups[cause]


def text_at(root: Path, place: Place) -> str:
    return (root / place[0]).read_text("utf-8", "replace").split("\n")[place[1] - 1].strip()
