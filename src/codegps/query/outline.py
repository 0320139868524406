"""How one file works inside: a store and a path in; its nodes, calls, references and circles out.

Anonymous functions are folded into the named symbol around them, top-level code is the source `(module)`, and one
edge stands for all places where a source calls (or names) a target, at the first of them.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, Literal

import msgspec

from codegps.model.graph import Edge, Reference, Symbol
from codegps.model.kinds import CALLABLE_KINDS, CLASS_KINDS, EdgeKind, Flag, Kind, Reason
from codegps.model.logic import TOP_LEVEL, FileLogic, LogicEdge, LogicNode, Relation
from codegps.query.cycles import components, elementary_cycles
from codegps.query.modules import Imports
from codegps.store import Reader

MAX_CYCLES: Final = 50

_VARIABLES: Final = frozenset({Kind.Variable, Kind.Constant, Kind.Property, Kind.EnumMember})
_SCOPES: Final = CLASS_KINDS | {Kind.File, Kind.Namespace, Kind.Element}
_RELATIONS: Final[dict[EdgeKind, Relation]] = {
    EdgeKind.CALLS: "calls",
    EdgeKind.REFERENCES: "references",
    EdgeKind.INCLUDES: "references",
}


class Library(msgspec.Struct, frozen=True):
    """What a language provides without an import: calls of it are neither into another file nor a package."""

    prefix: str = ""
    names: frozenset[str] = frozenset()

    def provides(self, dotted: str) -> bool:
        head = dotted.partition(".")[0]
        return head in self.names or (bool(self.prefix) and dotted.startswith(f"{self.prefix}."))


class Outline:
    """One file's logic while it is put together: the engine's edges, then what others confirm or add."""

    def __init__(self, store: Reader, path: str, external: bool, library: Library) -> None:
        self.store = store
        self.path = path
        self.external = external
        self.library = library
        self.symbols: dict[int, Symbol] = {symbol.key: symbol for symbol in store.symbols_in(path)}
        sites = store.sites(path)
        self.sites = sites
        self._owners = set(sites.owners) if sites else set[str]()
        self._imports = Imports(sites.imports if sites else ())
        base = path.rpartition("/")[2]
        self.nodes: dict[int, LogicNode] = {}
        """By the symbol's key, in order of position."""
        for symbol in self.symbols.values():
            if (label := self._label(symbol)) is not None:
                self.nodes[symbol.key] = LogicNode(
                    id=f"{base}:{symbol.qualified_name}",
                    name=symbol.qualified_name,
                    type=_type(label),
                    label=label,
                    line=symbol.start_line,
                )
        self.outside: dict[str, LogicNode] = {}
        """By id, in order of the first call."""
        self.edges: dict[tuple[str, str, Relation], LogicEdge] = {}
        self.calls: list[Edge] = []
        """The engine's calls, by place."""
        self.named: set[tuple[int, int, int]] = set()
        """Line, column and target of what is named."""
        self.unresolved: list[Reference] = []
        self.left_out = 0
        self._folded: dict[int, LogicNode | None] = {}
        self._elsewhere: dict[int, Symbol] = {}

    def read(self) -> None:
        """Takes in what the engine knows."""
        edges = [edge for edge in self.store.edges_in(self.path) if edge.kind in _RELATIONS]
        self.calls = [edge for edge in edges if edge.kind is EdgeKind.CALLS]
        self.named = {(e.line, e.column, e.target) for e in edges if e.kind is EdgeKind.REFERENCES}
        references = [each for each in self.store.references_in(self.path) if each.kind is EdgeKind.CALLS]
        self.unresolved = [each for each in references if each.reason is Reason.unknown]
        if self.external:
            missing = {key for edge in self.calls for key in (edge.target, edge.class_)} - self.symbols.keys() - {-1}
            self.know(self.store.symbols(sorted(missing)).values())
        places = [((edge.line, edge.column), edge) for edge in edges]
        places += [((each.line, each.column), each) for each in references if each.reason is Reason.external]
        for _, each in sorted(places, key=lambda item: item[0]):
            if isinstance(each, Edge):
                target = self.target(each)
                if target is not None:
                    self.add(each.source, target, each)
            elif self.external:
                self._add_package(each)

    def know(self, symbols: Iterable[Symbol]) -> None:
        """Symbols of other files."""
        self._elsewhere.update((symbol.key, symbol) for symbol in symbols)

    def elsewhere(self, key: int) -> Symbol | None:
        """A symbol of another file."""
        if key not in self._elsewhere:
            self.know(self.store.symbols([key]).values())
        return self._elsewhere.get(key)

    def node(self, key: int) -> LogicNode | None:
        """The node that stands for a symbol of the file; None is top-level code, or what is no node at all."""
        if key not in self._folded:
            at = key
            while at in self.symbols and at not in self.nodes:
                at = self.symbols[at].parent
            self._folded[key] = self.nodes.get(at)
        return self._folded[key]

    def target(self, edge: Edge) -> LogicNode | None:
        """The node an edge points at; None where it is not shown."""
        for key in (edge.target, edge.class_):
            symbol = self.symbols.get(key)
            if symbol is not None:
                if symbol.flags & Flag.ANONYMOUS:
                    node = self.node(key)
                    # Calling one's own anonymous function is no recursion.
                    return None if node is self.node(edge.source) else node
                return self.nodes.get(key)
        if not self.external or edge.kind is not EdgeKind.CALLS:
            return None
        symbol = self._elsewhere.get(edge.class_) or self._elsewhere.get(edge.target)
        return None if symbol is None else self.outer(symbol)

    def outer(self, symbol: Symbol) -> LogicNode:
        """The node for a symbol of another file of the project."""
        name = symbol.qualified_name or symbol.file
        label = self._label(symbol) or "Function"
        return self._outer(self._imports.module(symbol), name, _type(label), label)

    def add(self, source: int, target: LogicNode, edge: Edge) -> None:
        """Takes in an edge of the engine."""
        self.put(
            LogicEdge(
                source=self.source(source),
                target=target.id,
                relation=_RELATIONS[edge.kind],
                line=edge.line,
                proof=edge.proof.name,
                hops=edge.hops,
                via=edge.via.label,
            )
        )

    def source(self, key: int) -> str:
        node = self.node(key)
        return TOP_LEVEL if node is None else node.id

    def put(self, edge: LogicEdge) -> None:
        """The first place counts, and the best proof."""
        key = (edge.source, edge.target, edge.relation)
        known = self.edges.get(key)
        if known is None:
            self.edges[key] = edge
        elif (_PROOFS.get(edge.proof, 3), edge.hops) < (_PROOFS.get(known.proof, 3), known.hops):
            self.edges[key] = msgspec.structs.replace(known, proof=edge.proof, hops=edge.hops, via=edge.via)

    def logic(self) -> FileLogic:
        """What has been taken in, with its circles."""
        nodes = list(self.nodes.values())
        number = {node.id: n for n, node in enumerate(nodes)}
        graph: list[list[int]] = [[] for _ in nodes]
        for edge in self.edges.values():
            if edge.relation == "calls" and edge.source in number and edge.target in number:
                graph[number[edge.source]].append(number[edge.target])
        for successors in graph:
            successors.sort()
        component = {node: n for n, members in enumerate(components(graph)) for node in members}
        edges = [self._marked(edge, number, component) for edge in self.edges.values()]
        cycles, more = elementary_cycles(graph, MAX_CYCLES)
        return FileLogic(
            nodes=[*nodes, *self.outside.values()],
            edges=edges,
            cycles=[[nodes[n].id for n in (*cycle, cycle[0])] for cycle in cycles],
            more_cycles=more,
            unresolved=[(each.name, each.line) for each in self.unresolved],
            left_out=self.left_out,
        )

    @staticmethod
    def _marked(edge: LogicEdge, number: dict[str, int], component: dict[int, int]) -> LogicEdge:
        if edge.relation != "calls" or edge.source not in number or edge.target not in number:
            return edge
        source, target = component.get(number[edge.source], -1), component.get(number[edge.target], -2)
        return msgspec.structs.replace(edge, is_cycle=True) if source == target else edge

    def _add_package(self, reference: Reference) -> None:
        dotted = reference.external or reference.name
        module, name = self._imports.external(dotted)
        if module is None:
            if self.library.provides(dotted):
                self.left_out += 1
                return
            module, _, name = dotted.rpartition(".")
            module, name = (module, name) if module else (dotted, "")
        if not name:
            # Only the package is known; what was called there, the call says.
            name = reference.name or module
        target = self._outer(module, name, "function", "Function")
        self.put(
            LogicEdge(source=self.source(reference.source), target=target.id, relation="calls", line=reference.line)
        )

    def _outer(self, module: str, name: str, type: Literal["class", "function", "variable"], label: str) -> LogicNode:
        node = LogicNode(id=f"{module}:{name}", name=name, type=type, label=label, line=0, module=module)
        return self.outside.setdefault(node.id, node)

    def _label(self, symbol: Symbol) -> str | None:
        """Class, Function, Method, Variable; None for what is no node."""
        if symbol.flags & Flag.ANONYMOUS:
            return None
        if symbol.kind in CLASS_KINDS or symbol.kind is Kind.Element:
            return "Class"
        if symbol.kind in (Kind.Method, Kind.Constructor):
            return "Method"
        if symbol.kind in CALLABLE_KINDS:
            return "Function"
        if symbol.kind is Kind.Property and symbol.qualified_name in self._owners:
            return "Method"
        if symbol.kind in _VARIABLES and self._in_scope(symbol):
            return "Variable"
        return None

    def _in_scope(self, symbol: Symbol) -> bool:
        """Module- and class-level variables alone are nodes."""
        around = self.symbols.get(symbol.parent)
        return around is None or around.kind in _SCOPES


_PROOFS: Final = {"resolved": 0, "dispatch": 1, "inferred": 2}


def _type(label: str) -> Literal["class", "function", "variable"]:
    return "class" if label == "Class" else "variable" if label == "Variable" else "function"
