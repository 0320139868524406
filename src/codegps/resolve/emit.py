"""Call records in, rows out: symbols, edges with their proofs, unresolved references."""

from __future__ import annotations

import msgspec

from codegps.model.graph import Diagnostic, Edge, Entry, Imported, Reference, Sites, Symbol
from codegps.model.kinds import EdgeKind, Flag, Kind, Proof, Reason, Via
from codegps.resolve.program import CLASSES, File
from codegps.resolve.records import Record
from codegps.resolve.solver import VARIABLES, Solver
from codegps.resolve.values import CLASS, FUNC, LIB
from codegps.store import FileGraph

SITES = msgspec.msgpack.Decoder(Sites)


def _sites(file: File) -> Sites:
    """The call sites, and the imports by which what is called came in."""
    imports = dict.fromkeys((each.spec, each.name) for each in file.head.imports)
    return msgspec.structs.replace(SITES.decode(file.facts.sites), imports=[Imported(*each) for each in imports])


class Emitter:
    """Writes one file's rows."""

    def __init__(self, solver: Solver) -> None:
        self.solver = solver
        self.program = solver.program

    def graph(self, file: File, records: list[Record], whole: bool) -> FileGraph:
        graph = FileGraph(row=self.program.inputs.rows[file.key])
        if whole:
            graph.symbols = self._symbols(file)
            graph.sites = _sites(file)
            graph.diagnostics = [Diagnostic(file.path, each.line, each.message) for each in file.head.diagnostics]
        graph.entries = self._entries(file)
        edges: dict[Edge, None] = {}
        references: dict[Reference, None] = {}
        for record in records:
            self._record(file, record, edges, references)
        self._bases(file, edges, references)
        graph.edges = sorted(edges, key=_edge_order)
        graph.references = sorted(references, key=_reference_order)
        return graph

    def _symbols(self, file: File) -> list[Symbol]:
        keys = file.keys
        return [
            Symbol(
                key=keys[at],
                name=fact.name,
                qualified_name=fact.qualified_name,
                kind=Kind(fact.kind),
                file=file.path,
                start_line=fact.start_line,
                start_column=fact.start_column,
                end_line=fact.end_line,
                end_column=fact.end_column,
                parent=keys[fact.parent] if fact.parent >= 0 else -1,
                language=file.language.name,
                flags=fact.flags,
                drawn=keys[fact.drawn],
            )
            if at
            else Symbol(
                key=keys[0],
                name=file.path.rpartition("/")[2],
                qualified_name="",
                kind=Kind.File,
                file=file.path,
                start_line=1,
                start_column=1,
                end_line=max(fact.end_line, 1),
                end_column=fact.end_column,
                parent=-1,
                language=file.language.name,
                flags=fact.flags,
                drawn=keys[0],
            )
            for at, fact in enumerate(file.head.symbols)
        ]

    def _entries(self, file: File) -> list[Entry]:
        found: list[Entry] = []
        for entry in file.head.entries:
            symbols = [file.keys[entry.symbol]]
            if entry.target >= 0:
                symbols = [v.a for v in self.program.pull(file, entry.target) if v.kind in (FUNC, CLASS)] or symbols
            found += [Entry(entry.kind, entry.key, symbol, entry.line) for symbol in symbols]
        scripts = self.program.inputs.scripts.get(file.path)
        if scripts:
            names = {fact.qualified_name: at for at, fact in enumerate(file.head.symbols)}
            for command, name in scripts:
                at = names.get(name) if name else 0
                if at is not None:
                    found.append(Entry("script", command, file.keys[at], file.head.symbols[at].start_line or 1))
        return found

    def drawn(self, symbol: int) -> int:
        file = self.program.file_of(symbol)
        return file.keys[file.head.symbols[file.locals[symbol]].drawn]

    def _record(self, file: File, record: Record, edges: dict[Edge, None], references: dict[Reference, None]) -> None:
        symbols = file.head.symbols
        source = file.keys[record.source]
        drawn = file.keys[symbols[record.owner].drawn]
        if record.kind == EdgeKind.REFERENCES and record.source == 0 and symbols[record.owner].kind in VARIABLES:
            source = file.keys[record.owner]
        if record.targets:
            certain = {
                class_ if class_ >= 0 else target
                for (target, class_), (cost, override) in record.targets.items()
                if not cost and not override
            }
            declared = self._declared(certain) if len(certain) > 1 else -1
            for (target, class_), (cost, override) in record.targets.items():
                if cost:
                    proof = Proof.inferred
                elif target == declared:
                    proof = Proof.resolved
                elif override or len(certain) > 1 or record.mixed:
                    proof = Proof.dispatch
                else:
                    proof = Proof.resolved
                edge = Edge(
                    kind=record.kind,
                    source=source,
                    target=target,
                    line=record.line,
                    column=record.column,
                    proof=proof,
                    hops=cost >> 3,
                    via=Via(cost & 7),
                    class_=class_,
                    drawn_source=drawn,
                    drawn_target=class_ if class_ >= 0 else self.drawn(target),
                    site=record.site,
                )
                edges[edge] = None
        elif record.kind == EdgeKind.CALLS or record.externals:
            self._reference(file, record, source, drawn, references)

    def _declared(self, certain: set[int]) -> int:
        """The one member of an interface among what is certain: the others implement it."""
        found = [each for each in certain if self._signature(each)]
        return found[0] if len(found) == 1 else -1

    def _signature(self, symbol: int) -> bool:
        fact = self.program.peek(symbol)
        if not fact.flags & Flag.DECLARATION or fact.parent < 0:
            return False
        parent = self.program.file_of(symbol).head.symbols[fact.parent]
        return parent.kind in (Kind.Interface, Kind.TypeAlias)

    def _reference(
        self, file: File, record: Record, source: int, drawn: int, references: dict[Reference, None]
    ) -> None:
        external = min(record.externals) if record.externals else ""
        name = record.name or external.rpartition(".")[2]
        reference = Reference(
            kind=record.kind,
            source=source,
            name=name,
            line=record.line,
            column=record.column,
            reason=Reason.external if external else Reason.unknown,
            external=external,
            drawn_source=drawn,
            site=record.site,
        )
        references[reference] = None

    def _bases(self, file: File, edges: dict[Edge, None], references: dict[Reference, None]) -> None:
        for at, fact in enumerate(file.head.symbols):
            if not fact.base_places:
                continue
            source = file.keys[at]
            for index, (term, place) in enumerate(zip([*fact.bases, *fact.implements], fact.base_places, strict=False)):
                implemented = index >= len(fact.bases)
                found = self.solver.hierarchy.base(file, term)
                for value in found:
                    if value.kind == CLASS:
                        kind = EdgeKind.IMPLEMENTS if implemented or self._structural(value.a) else EdgeKind.EXTENDS
                        if not implemented and fact.kind == Kind.Interface:
                            kind = EdgeKind.EXTENDS
                        edge = Edge(
                            kind=kind,
                            source=source,
                            target=value.a,
                            line=place[0],
                            column=place[1],
                            proof=Proof.resolved if len(found) == 1 else Proof.dispatch,
                            drawn_source=file.keys[fact.drawn],
                            drawn_target=self.drawn(value.a),
                        )
                        edges[edge] = None
                    elif value.kind == LIB:
                        kind = EdgeKind.IMPLEMENTS if implemented else EdgeKind.EXTENDS
                        references[self._base_reference(source, kind, value.a, place)] = None
                if not found:
                    kind = EdgeKind.IMPLEMENTS if implemented else EdgeKind.EXTENDS
                    name = self._base_name(file, term)
                    references[Reference(kind, source, name, *place, Reason.unknown, "", (), source)] = None

    def _base_reference(self, source: int, kind: EdgeKind, dotted: str, place: tuple[int, int]) -> Reference:
        name = dotted.rpartition(".")[2]
        return Reference(kind, source, name, *place, Reason.external, dotted, (), source)

    def _base_name(self, file: File, term: int) -> str:
        row = file.terms[self.solver.hierarchy.plain(file, term)]
        return file.strings[row[2]] if row[0] == 7 else file.strings[row[1]] if row[0] == 5 else ""

    def _structural(self, symbol: int) -> bool:
        fact = self.program.peek(symbol)
        return fact.kind in CLASSES and fact.kind != Kind.Interface and self.solver.interface(symbol)


def _edge_order(edge: Edge) -> tuple[int, ...]:
    return (edge.line, edge.column, edge.kind, edge.source, edge.target, edge.class_)


def _reference_order(reference: Reference) -> tuple[int, int, int, int, str]:
    return (reference.line, reference.column, reference.kind, reference.source, reference.name)
