"""The call-site graph as a view: a store's symbols, call sites and edges in, nodes and edges out, as if stored.

A call is a node of its own (`path#call:7`), so are blocks (`path#scope:2`), bodies (`path:f#body:0`) and local
variables; functions, classes and modules are the store's symbols under their own ids. Calls that nobody wrote (`with`,
`for`, operators, property reads) stand in their function's body as `path#implicit:line:column:name`.

A view is a look at one moment: make one per question. What `prepare` loads for many functions costs a handful of
store calls, whatever their number.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from typing import Final

from codegps.model.calls import (
    CALL,
    CALLS,
    CLASS,
    CONTAINS,
    FUNCTION,
    HAS_SCOPE,
    METHOD_CALL,
    MODULE,
    SCOPE,
    VARIABLE,
    SiteLink,
    SiteNode,
)
from codegps.model.graph import Edge, Sites, Symbol
from codegps.model.kinds import CALLABLE_KINDS, CLASS_KINDS, EdgeKind, Kind, Proof, Reason
from codegps.store import Reader

_INNER: Final = re.compile(r"(?s)(.*)#(scope|call|local|implicit|body):(.*)")
_EMPTY: Final = Sites([], [], [], [])


def node_type(kind: Kind) -> str:
    """What the call-site graph calls a symbol of this kind."""
    if kind in CALLABLE_KINDS or kind is Kind.Property:
        return FUNCTION
    if kind in CLASS_KINDS:
        return CLASS
    return MODULE if kind in (Kind.File, Kind.Namespace, Kind.Element) else VARIABLE


class _FileSites:
    """One file's blocks, calls and locals, found by what contains them."""

    def __init__(self, sites: Sites) -> None:
        self.sites = sites
        self.bodies: dict[str, int] = {}
        """Qualified name of an owner to its body block."""
        self.blocks: dict[int, list[int]] = {}
        self.calls: dict[int, list[int]] = {}
        self.locals: dict[int, list[int]] = {}
        for number, block in enumerate(sites.blocks):
            if block.parent >= 0:
                self.blocks.setdefault(block.parent, []).append(number)
            else:
                body = self.bodies.setdefault(sites.owners[block.owner], number)
                if body != number:  # One body a function: a second piece of it is a block of the first.
                    self.blocks.setdefault(body, []).append(number)
        for number, call in enumerate(sites.calls):
            self.calls.setdefault(call.block, []).append(number)
        for number, local in enumerate(sites.locals):
            self.locals.setdefault(local.block, []).append(number)

    def owner(self, block: int) -> str:
        return self.sites.owners[self.sites.blocks[block].owner]


class CallSiteView:
    """Answers `get_node`, `get_outgoing_edges` and `get_incoming_edges` from a store."""

    def __init__(self, store: Reader) -> None:
        self._store = store
        self._by_id: dict[str, Symbol | None] = {}
        self._by_key: dict[int, Symbol] = {}
        self._files: dict[str, _FileSites] = {}
        self._loaded: set[int] = set()
        """Keys of the symbols whose calls are known."""
        self._targets: dict[str, list[Edge]] = {}
        """Call id to its CALLS edges."""
        self._external: dict[str, str] = {}
        self._implicit: dict[str, tuple[SiteNode, int]] = {}
        """Id to the node and the key of the symbol whose body it is in."""
        self._implicit_in: dict[int, list[str]] = {}

    # ---- the contract

    def get_node(self, node_id: str) -> SiteNode | None:
        inner = self._inner(node_id)
        if inner is None:
            symbol = self._symbol(node_id)
            return None if symbol is None else _symbol_node(symbol)
        path, word, number = inner.groups()
        if word == "body":
            return self._body_node(node_id, path)
        if word == "implicit":
            known = self._known_implicit(node_id, path)
            return known[0] if known else None
        return self._site_node(node_id, path, word, number)

    def get_outgoing_edges(self, node_id: str, edge_types: Collection[str] | None) -> list[SiteLink]:
        inner = self._inner(node_id)
        found: list[SiteLink] = []
        if inner is None:
            symbol = self._symbol(node_id)
            if symbol is not None and node_type(symbol.kind) is not VARIABLE and _wants(edge_types, HAS_SCOPE):
                found.append(SiteLink(node_id, _body_id(symbol), HAS_SCOPE))
        elif inner[2] in ("body", "scope"):
            if _wants(edge_types, CONTAINS):
                found.extend(
                    SiteLink(node_id, child, CONTAINS) for child in self._children(inner[1], inner[2], inner[3])
                )
        elif inner[2] in ("call", "implicit") and _wants(edge_types, CALLS):
            found.extend(self._call_links(node_id, inner[1], inner[2], inner[3]))
        return found

    def get_incoming_edges(self, node_id: str, edge_types: Collection[str] | None) -> list[SiteLink]:
        inner = self._inner(node_id)
        if inner is None:
            symbol = self._symbol(node_id)
            if symbol is None or not _wants(edge_types, CALLS):
                return []
            return [SiteLink(call, node_id, CALLS, *_how(edge)) for call, edge in self._calls_of(symbol)]
        path, word, number = inner.groups()
        if word == "body":
            known = self._symbol(path) is not None and _wants(edge_types, HAS_SCOPE)
            return [SiteLink(path, node_id, HAS_SCOPE)] if known else []
        around = self._scope_around(node_id, path, word, number) if _wants(edge_types, CONTAINS) else None
        return [] if around is None else [SiteLink(around, node_id, CONTAINS)]

    def prepare(self, function_ids: Sequence[str]) -> None:
        """Loads the calls of many functions at once, with their targets."""
        fresh = [
            symbol
            for symbol in map(self._symbol, function_ids)
            if symbol is not None and symbol.key not in self._loaded
        ]
        self._load(fresh)

    # ---- beside the contract: what a batch knows better

    def know(self, symbols: Iterable[Symbol]) -> None:
        """Symbols that were looked up already."""
        for symbol in symbols:
            self._by_key[symbol.key] = symbol
            self._by_id[symbol.id] = symbol

    def calls_by_container(self, function_id: str, limit: int) -> tuple[list[str], int]:
        """The first call of the function in each container that calls it, up to `limit` ids in the store's order, and
        how many containers there are."""
        symbol = self._symbol(function_id)
        if symbol is None:
            return [], 0
        first: dict[int, Edge] = {}
        for edge in self._store.neighbours([symbol.key], (EdgeKind.CALLS,), "in"):
            first.setdefault(edge.source, edge)
        listed = list(first.values())[:limit]
        self._symbols(edge.source for edge in listed)
        return [self._call_id(edge) for edge in listed if edge.source in self._by_key], len(first)

    # ---- loading

    def _inner(self, node_id: str) -> re.Match[str] | None:
        """The parts of an id that the view makes; a symbol may be named like one."""
        return None if self._by_id.get(node_id) is not None else _INNER.fullmatch(node_id)

    def _symbol(self, symbol_id: str) -> Symbol | None:
        if symbol_id not in self._by_id:
            symbol = self._store.symbol(symbol_id)
            self._by_id[symbol_id] = symbol
            if symbol is not None:
                self.know([symbol])
        return self._by_id[symbol_id]

    def _symbols(self, keys: Iterable[int]) -> None:
        missing = [key for key in dict.fromkeys(keys) if key not in self._by_key]
        if missing:
            self.know(self._store.symbols(missing).values())

    def _file(self, path: str) -> _FileSites:
        if path not in self._files:
            self._files[path] = _FileSites(self._store.sites(path) or _EMPTY)
        return self._files[path]

    def _load(self, symbols: Sequence[Symbol]) -> None:
        if not symbols:
            return
        keys = {symbol.key for symbol in symbols}
        self._loaded |= keys
        edges = self._store.neighbours(sorted(keys), (EdgeKind.CALLS,), "out")
        self._symbols(edge.target for edge in edges)
        for edge in edges:
            call = self._call_id(edge)
            known = self._targets.setdefault(call, [])
            if edge not in known:
                known.append(edge)
        for reference in self._store.references_from(sorted({symbol.drawn for symbol in symbols if symbol.drawn >= 0})):
            if reference.source in keys and reference.site >= 0 and reference.reason is Reason.external:
                path = self._by_key[reference.source].file
                self._external.setdefault(f"{path}#call:{reference.site}", reference.external or reference.name)

    def _call_id(self, edge: Edge) -> str:
        """The id of the call an edge belongs to; its source and target are loaded already."""
        path = self._by_key[edge.source].file
        if edge.site >= 0:
            return f"{path}#call:{edge.site}"
        target = self._by_key.get(edge.target)
        name = target.name if target is not None else ""
        call = f"{path}#implicit:{edge.line}:{edge.column}:{name}"
        if call not in self._implicit:
            node = SiteNode(id=call, type=CALL, name=name, file=path, line=edge.line, column=edge.column, implicit=True)
            self._implicit[call] = (node, edge.source)
            self._implicit_in.setdefault(edge.source, []).append(call)
        return call

    def _calls_of(self, symbol: Symbol) -> list[tuple[str, Edge]]:
        """(call id, edge) of every call of a symbol, each call once."""
        edges = self._store.neighbours([symbol.key], (EdgeKind.CALLS,), "in")
        self._symbols(edge.source for edge in edges)
        calls: dict[str, Edge] = {}
        for edge in edges:
            if edge.source in self._by_key:
                calls.setdefault(self._call_id(edge), edge)
        return list(calls.items())

    def _known_implicit(self, call: str, path: str) -> tuple[SiteNode, int] | None:
        """An implicit call by its id alone: the file's edges tell."""
        if call not in self._implicit:
            edges = [edge for edge in self._store.edges_in(path) if edge.kind is EdgeKind.CALLS and edge.site < 0]
            self._symbols(key for edge in edges for key in (edge.source, edge.target))
            for edge in edges:
                if edge.source in self._by_key:
                    self._call_id(edge)
        return self._implicit.get(call)

    # ---- nodes and edges

    def _body_node(self, node_id: str, symbol_id: str) -> SiteNode | None:
        symbol = self._symbol(symbol_id)
        if symbol is None or node_type(symbol.kind) is VARIABLE:
            return None
        file = self._file(symbol.file)
        body = file.bodies.get(symbol.qualified_name)
        line = symbol.start_line if body is None else file.sites.blocks[body].line
        return SiteNode(id=node_id, type=SCOPE, name="body", file=symbol.file, line=line)

    def _site_node(self, node_id: str, path: str, word: str, number: str) -> SiteNode | None:
        sites = self._file(path).sites
        rows = {"scope": sites.blocks, "call": sites.calls, "local": sites.locals}[word]
        index = _index(number, len(rows))
        if index is None:
            return None
        if word == "scope":
            block = sites.blocks[index]
            return SiteNode(id=node_id, type=SCOPE, name=block.kind, file=path, line=block.line)
        if word == "local":
            local = sites.locals[index]
            return SiteNode(id=node_id, type=VARIABLE, name=local.name, file=path, line=local.line)
        call = sites.calls[index]
        return SiteNode(
            id=node_id,
            type=CALL if call.receiver is None else METHOD_CALL,
            name=call.name,
            file=path,
            line=call.line,
            column=call.column,
            object=call.receiver,
            external=self._external.get(node_id),
        )

    def _children(self, path: str, word: str, number: str) -> list[str]:
        """Ids in a scope: calls, variables, blocks, each in source order."""
        if word == "scope":
            file = self._file(path)
            block = _index(number, len(file.sites.blocks))
            return [] if block is None else self._in_block(path, file, block)
        symbol = self._symbol(path)
        if symbol is None:
            return []
        file = self._file(symbol.file)
        body = file.bodies.get(symbol.qualified_name)
        if symbol.key not in self._loaded:
            self._load([symbol])
        inside = [] if body is None else self._in_block(symbol.file, file, body)
        return inside + self._implicit_in.get(symbol.key, [])

    @staticmethod
    def _in_block(path: str, file: _FileSites, block: int) -> list[str]:
        return [
            *(f"{path}#call:{n}" for n in file.calls.get(block, ())),
            *(f"{path}#local:{n}" for n in file.locals.get(block, ())),
            *(f"{path}#scope:{n}" for n in file.blocks.get(block, ())),
        ]

    def _call_links(self, call: str, path: str, word: str, number: str) -> list[SiteLink]:
        if call not in self._targets:
            owner = self._owner(call, path, word, number)
            if owner is not None and owner.key not in self._loaded:
                self._load([owner])
        best: dict[int, Edge] = {}
        for edge in sorted(self._targets.get(call, ()), key=lambda edge: (edge.proof, edge.hops, edge.via)):
            if edge.target in self._by_key:
                best.setdefault(edge.target, edge)
        return [SiteLink(call, self._by_key[target].id, CALLS, *_how(edge)) for target, edge in best.items()]

    def _owner(self, call: str, path: str, word: str, number: str) -> Symbol | None:
        """The symbol whose body holds a call."""
        if word == "implicit":
            known = self._known_implicit(call, path)
            if known is None:
                return None
            self._symbols([known[1]])
            return self._by_key.get(known[1])
        file = self._file(path)
        index = _index(number, len(file.sites.calls))
        return None if index is None else self._owner_of_block(path, file, file.sites.calls[index].block)

    def _owner_of_block(self, path: str, file: _FileSites, block: int) -> Symbol | None:
        qualified = file.owner(block)
        return self._symbol(f"{path}:{qualified}" if qualified else path)

    def _scope_around(self, node_id: str, path: str, word: str, number: str) -> str | None:
        """The scope that CONTAINS a call, variable or block."""
        if word == "implicit":
            owner = self._owner(node_id, path, word, number)
            return None if owner is None else _body_id(owner)
        file = self._file(path)
        sites = file.sites
        rows = {"scope": sites.blocks, "call": sites.calls, "local": sites.locals}[word]
        index = _index(number, len(rows))
        if index is None:
            return None
        if word == "scope":
            block = sites.blocks[index].parent
            if block < 0:
                body = file.bodies[file.owner(index)]
                block = body if body != index else -1
        else:
            block = sites.calls[index].block if word == "call" else sites.locals[index].block
        if block < 0:
            return None
        if sites.blocks[block].parent >= 0 or file.bodies[file.owner(block)] != block:
            return f"{path}#scope:{block}"
        owner = self._owner_of_block(path, file, block)
        return None if owner is None else _body_id(owner)


def _wants(edge_types: Collection[str] | None, edge_type: str) -> bool:
    return edge_types is None or edge_type in edge_types


def _index(number: str, size: int) -> int | None:
    if not number.isascii() or not number.isdigit() or len(number) > 9:
        return None
    return int(number) if int(number) < size else None


def _body_id(symbol: Symbol) -> str:
    return f"{symbol.id}#body:0"


def _how(edge: Edge) -> tuple[str, int | None, str | None]:
    inferred = edge.proof is Proof.inferred
    return edge.proof.name, edge.hops if inferred else None, edge.via.label if inferred else None


def _symbol_node(symbol: Symbol) -> SiteNode:
    name = symbol.file if symbol.kind is Kind.File else symbol.name
    return SiteNode(id=symbol.id, type=node_type(symbol.kind), name=name, file=symbol.file, line=symbol.start_line)
