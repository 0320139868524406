"""A change in, the rows it concerns out: equal to a run from nothing, touching only what the change reaches."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from codegps.model.graph import FILE_SHIFT, Edge, Reference
from codegps.model.kinds import EdgeKind
from codegps.resolve import Inputs
from codegps.resolve.calls import Record
from codegps.resolve.emit import Emitter
from codegps.resolve.ledger import (
    DECODER,
    NUMBER_MASK,
    Group,
    Past,
    file_links,
    fingerprints,
    text,
)
from codegps.resolve.levels import BASES, Levels
from codegps.resolve.program import File, Program
from codegps.resolve.solver import Solver
from codegps.resolve.values import (
    CLASS,
)
from codegps.store import FileGraph, Reader


def refresh(inputs: Inputs, past_store: Reader) -> Iterator[FileGraph]:
    """Rows of changed files, and edges of files that the change reaches."""
    past = Past(past_store)
    run = Refresh(inputs, past)
    run.place_classes()
    run.find_dirty()
    run.solver.settle()
    yield from run.rows()


class Refresh:
    """One refresh."""

    def __init__(self, inputs: Inputs, past: Past) -> None:
        self.inputs = inputs
        self.past = past
        self.program = Program(inputs, self._numbers)
        self.solver = Levels(self.program, past)
        self.questions: set[str] = set()
        """Answers that changed."""
        self.removed = {row.key for row in inputs.removed}

    def _numbers(self, file: File) -> list[int]:
        count = len(file.head.symbols)
        if file.key not in self.inputs.changed:
            data = self.past.file(file.key).get("k")
            numbers: Iterable[int] = DECODER.decode(data) if data else range(count)
            return [file.key + number for number in numbers]
        known = {symbol.qualified_name: symbol.key for symbol in self.past.store.symbols_in(file.path)}
        fresh = max((key & NUMBER_MASK for key in known.values()), default=0) + 1
        keys: list[int] = []
        for fact in file.head.symbols:
            key = known.get(fact.qualified_name) if keys else file.key
            if key is None:
                key = file.key + fresh
                fresh += 1
            keys.append(key)
        return keys

    # -- what changed

    def place_classes(self) -> None:
        """Fingerprints of changed files, and the class hierarchy as it is now."""
        inputs, solver, past = self.inputs, self.solver, self.past
        known = {row.key for row in past.store.files()}
        for key in self.removed:
            self.questions |= set(past.prints(key)) | {text(("*", key))}
        for key in sorted(inputs.changed):
            old = past.prints(key) if key in known else {}
            new = fingerprints(self.program.file(key))
            self.questions |= {name for name in {*old, *new} if old.get(name) != new.get(name)}
        for row in [*inputs.removed, *(inputs.rows[key] for key in inputs.changed if key not in known)]:
            self.questions |= {text(("i", part)) for part in path_names(row.path)}
        for key in inputs.changed | self.removed:
            solver.lay_open(key)
            solver.gone.add(key)
            solver.classed.add(key)
        again = set(inputs.changed)
        if inputs.reimport:
            again |= {key for key, row in inputs.rows.items() if row.language in inputs.reimport}
        again |= self._based_elsewhere()
        solver.classed |= again
        for key in sorted(again):
            for symbol in solver.hierarchy.classes(self.program.file(key)):
                solver.hierarchy.add(symbol)
        self.again = again
        self._hierarchy_questions(again | self.removed)

    def _based_elsewhere(self) -> set[int]:
        """Files whose base lists depended on what changed, to a fixpoint over chains of imports."""
        found: set[int] = set()
        for key in self.past.readers(self.questions):
            if key in self.solver.gone:
                continue
            group = self.solver.lay_open(key).get(BASES)
            if group is not None and group.deps & self.questions:
                found.add(key)
        return found

    def _hierarchy_questions(self, files: set[int]) -> None:
        """Look-ups that a changed class order or a changed member concerns."""
        hierarchy = self.solver.hierarchy
        moved: set[int] = set()
        above: dict[int, set[int]] = {}
        for key in files:
            old = self.past.above(key)
            new: dict[int, list[int]] = {}
            if key in self.inputs.rows:
                file = self.program.file(key)
                new = {symbol: hierarchy.ancestors(symbol) for symbol in hierarchy.classes(file)}
            for symbol in {*old, *new}:
                above[symbol] = {*old.get(symbol, ()), *new.get(symbol, ())}
                if old.get(symbol) != new.get(symbol):
                    moved.add(symbol)
        for symbol in moved:
            near = self._near(symbol, above[symbol])
            self.questions |= {text(("h", each)) for each in near}
        for name in list(self.questions):
            if name.startswith("n:"):
                _, scope, member = name.split(":", 2)
                symbol = int(scope)
                if symbol in above:
                    near = self._near(symbol, above[symbol])
                    self.questions |= {text(("l", each, member)) for each in near}

    def _near(self, symbol: int, above: set[int]) -> set[int]:
        below: set[int] = set()
        todo = [symbol]
        while todo:
            each = todo.pop()
            stored = [child for group in self.past.classes(f"b {each}").values() for child in group]
            for child in {*stored, *self.solver.hierarchy.direct(each)}:
                if child not in below:
                    below.add(child)
                    todo.append(child)
        return {symbol, *above, *below}

    def find_dirty(self) -> None:
        """Groups of changed files, and groups elsewhere that depended on answers that changed."""
        solver = self.solver
        for key in self.inputs.changed:
            for root in solver.own[key]:
                solver.dirty.add(root)
            for root in solver.group(self.program.file(key)):
                solver.dirty.add(root)
        for key in self.removed:
            solver.dirty |= set(solver.own[key])
        for key in self.past.readers(self.questions):
            if key in solver.gone:
                continue
            groups = solver.lay_open(key)
            for root, group in groups.items():
                met = group.deps & self.questions
                if met:
                    solver.dirty.add(root)
                if root == BASES and any(name.startswith("i:") for name in met):
                    # An import may lead elsewhere now, and whoever uses it has not noted that.
                    solver.dirty |= set(groups)
        if self.inputs.reimport:
            for key in self.again:
                solver.dirty |= set(solver.lay_open(key))
        solver.dirty.discard(BASES)
        for groups in solver.own.values():
            groups.pop(BASES, None)

    # -- rows

    def rows(self) -> Iterator[FileGraph]:
        emitter = Emitter(self.solver)
        touched = {root >> FILE_SHIFT << FILE_SHIFT for root in self.solver.dirty} | self.again | self.inputs.changed
        for key in sorted(touched - self.removed):
            file = self.program.file(key)
            whole = key in self.inputs.changed
            records = [record for root in self.solver.group(file) for record in self._records(root)]
            graph = emitter.graph(file, records, whole)
            if not whole:
                self._keep_rest(file, graph)
            self._links(file, graph)
            yield graph

    def _records(self, root: int) -> list[Record]:
        return self.solver.records.get(root, [])

    def _keep_rest(self, file: File, graph: FileGraph) -> None:
        """Edges of groups that were not evaluated again."""
        store, solver = self.past.store, self.solver
        based = (EdgeKind.EXTENDS, EdgeKind.IMPLEMENTS)

        def stays(row: Edge | Reference) -> bool:
            return row.kind not in based and solver.root_of(row.source) not in solver.records

        graph.edges = sorted([*graph.edges, *filter(stays, store.edges_in(file.path))], key=edge_order)
        kept = filter(stays, store.references_in(file.path))
        graph.references = sorted([*graph.references, *kept], key=reference_order)

    def _links(self, file: File, graph: FileGraph) -> None:
        solver = self.solver
        groups = dict(solver.own[file.key])
        above, classes, deps = class_links(solver, file)
        groups[BASES] = Group(set(), deps, {})
        graph.links = file_links(self.program.values, file, groups, above, classes)


def class_links(solver: Solver, file: File) -> tuple[dict[int, list[int]], dict[str, list[int]], set[str]]:
    """For each class what is above it; classes by base and by member; and what that depended on."""
    program = solver.program
    program.watch()
    above: dict[int, list[int]] = {}
    classes: dict[str, list[int]] = {}
    for symbol in solver.hierarchy.classes(file):
        above[symbol] = solver.hierarchy.ancestors(symbol)
        for base in solver.hierarchy.bases(symbol):
            if base.kind == CLASS and base.a != symbol:
                classes.setdefault(f"b {base.a}", []).append(symbol)
        for name in solver.hierarchy.names(symbol):
            classes.setdefault(f"m {name}", []).append(symbol)
    deps = {text(program.questions[number]) for number in program.outside(file.key)}
    deps |= {text(("i", part)) for fact in file.head.imports for part in import_names(fact.spec, fact.name)}
    return above, classes, deps


def import_names(spec: str, name: str) -> set[str]:
    """The words of an import that a file's name may match."""
    words = {part for part in spec.replace("/", ".").split(".") if part}
    return words | {name} if name else words


def path_names(path: str) -> set[str]:
    """The words of a path that an import may name."""
    words = {part.partition(".")[0] for part in path.split("/")}
    return words | set(path.split("/"))


def edge_order(edge: Edge) -> tuple[int, ...]:
    return (edge.line, edge.column, edge.kind, edge.source, edge.target, edge.class_)


def reference_order(row: Reference) -> tuple[int, int, int, int, str]:
    return (row.line, row.column, row.kind, row.source, row.name)
