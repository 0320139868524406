"""A change in, the rows it concerns out: equal to a run from nothing, touching only what the change reaches.

Values are re-derived level by level. With added hops every cycle through a call or a field costs at least one hop, so
what holds at level k depends on levels below k and, without cycles, on level k itself: a value that lost its support
vanishes at its own level before a higher one could lean on it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from typing import Any, cast

from codegps.model.facts import ENCODER
from codegps.model.graph import FILE_SHIFT, Edge, Reference
from codegps.model.kinds import EdgeKind
from codegps.resolve import Inputs
from codegps.resolve.calls import Record
from codegps.resolve.emit import Emitter
from codegps.resolve.frame import Frame
from codegps.resolve.ledger import (
    DECODER,
    NUMBER_MASK,
    Group,
    decode_groups,
    decode_set,
    file_links,
    fingerprints,
    text,
)
from codegps.resolve.program import FUNCTIONS, File, Key, Program
from codegps.resolve.solver import Solver
from codegps.resolve.values import (
    BOUND,
    BOX,
    CLASS,
    CORO,
    FUNC,
    GEN,
    INST,
    MAX_HOPS,
    MODULE,
    SUPERV,
    Set,
    Value,
    Values,
    add,
)
from codegps.store import FileGraph, Reader

OF_SYMBOL = frozenset({FUNC, BOUND, CLASS, INST, BOX, GEN, CORO, SUPERV})
"""Kinds whose `a` is a symbol."""
BASES = -1
"""The group that stands for a file's base lists."""


class Past:
    """The links of the last commit."""

    def __init__(self, store: Reader) -> None:
        self.store = store
        self.own: dict[int, dict[str, bytes]] = {}

    def file(self, key: int) -> dict[str, bytes]:
        links = self.own.get(key)
        if links is None:
            links = self.own[key] = {name: value for name, value in self.store.links_of(key).items() if len(name) == 1}
        return links

    def prints(self, key: int) -> dict[str, int]:
        data = self.file(key).get("h")
        return DECODER.decode(data) if data else {}

    def above(self, key: int) -> dict[int, list[int]]:
        data = self.file(key).get("a")
        return dict(DECODER.decode(data)) if data else {}

    def readers(self, questions: Iterable[str]) -> set[int]:
        """Keys of the files that read any of these."""
        found = self.store.links([f"r {question}" for question in questions])
        return {file for rows in found.values() for file, _ in rows}

    def classes(self, link: str) -> dict[int, list[int]]:
        """By file: the classes that a link of sort `b` or `m` lists."""
        return {file: DECODER.decode(value) for file, value in self.store.links([link]).get(link, [])}


class Levels(Solver):
    """A solver over what is stored, with the files it touches laid open."""

    def __init__(self, program: Program, past: Past) -> None:
        super().__init__(program, self)
        self.past = past
        self.level = 0
        self.own: dict[int, dict[int, Group]] = {}
        """Files laid open: their groups as they are now."""
        self.gone: set[int] = set()
        """Files whose stored links do not count any more: changed and removed ones."""
        self.rows: dict[str, dict[int, Set]] = {}
        """Variable to what each file that is not laid open writes."""
        self.parts: dict[str, dict[int, Set]] = {}
        """Variable to what each group of a file laid open writes."""
        self.projected: dict[tuple[str, int], Set] = {}
        self.living: dict[tuple[str, int], Set] = {}
        self.life: dict[Value, bool] = {}
        self.watchers: dict[str, set[int]] = {}
        self.texts: dict[Key, str] = {}
        self.dirty: set[int] = set()
        self.frames: dict[int, Outcome2] = {}
        self.classed: set[int] = set()
        """Files whose classes this run has placed itself."""

    def children(self, symbol: int) -> list[int]:
        """Direct subclasses in files whose classes this run has not placed itself."""
        return self._elsewhere(f"b {symbol}")

    def having(self, name: str) -> list[int]:
        return self._elsewhere(f"m {name}")

    def _elsewhere(self, link: str) -> list[int]:
        found = self.past.classes(link)
        return [symbol for file, group in found.items() if file not in self.classed for symbol in group]

    # -- variables at a level

    def text(self, key: Key) -> str:
        known = self.texts.get(key)
        if known is None:
            known = self.texts[key] = text(key)
        return known

    def read(self, key: Key) -> Set:
        name = self.text(key)
        known = self.living.get((name, self.level))
        if known is None:
            known = {value: cost for value, cost in self.projection(name).items() if self.lives(value)}
            self.living[name, self.level] = known
        return known

    def lives(self, value: Value) -> bool:
        """Whether what the value speaks of is still there: a stored value may be older than an edit."""
        known = self.life.get(value)
        if known is None:
            known = self.life[value] = self._lives(value)
        return known

    def _lives(self, value: Value) -> bool:
        kind = value.kind
        if kind in OF_SYMBOL and not self._stands(value.a, kind):
            return False
        if kind == MODULE and value.a not in self.program.inputs.rows:
            return False
        parts: tuple[Any, Any] = (value.a, value.b)
        return all(self._part_lives(part) for part in parts)

    def _part_lives(self, part: Any) -> bool:
        if isinstance(part, Value):
            return self.lives(part)
        return not isinstance(part, tuple) or all(self._part_lives(each) for each in cast(tuple[Any, ...], part))

    def _stands(self, symbol: int, kind: int) -> bool:
        file_key = symbol >> FILE_SHIFT << FILE_SHIFT
        if file_key not in self.gone:
            return True
        if file_key not in self.program.inputs.rows:
            return False
        file = self.program.file(file_key)
        local = file.locals.get(symbol)
        if local is None:
            return False
        if kind in (FUNC, BOUND, GEN, CORO):
            return file.head.symbols[local].kind in FUNCTIONS
        if kind in (CLASS, INST, SUPERV):
            return file.head.symbols[local].kind not in FUNCTIONS or file.semantics.functions_construct
        return True

    def projection(self, name: str) -> Set:
        known = self.projected.get((name, self.level))
        if known is None:
            known = self.projected[name, self.level] = self._project(name)
        return known

    def _project(self, name: str) -> Set:
        rows = self.rows.get(name)
        if rows is None:
            found = self.past.store.links([f"w {name}"]).get(f"w {name}", [])
            rows = self.rows[name] = {file: decode_set(self.values, value) for file, value in found}
        out: Set = {}
        for file, values in rows.items():
            if file not in self.own and file not in self.gone:
                self._under(values, out)
        for values in self.parts.get(name, {}).values():
            self._under(values, out)
        return out

    def _under(self, values: Set, out: Set) -> None:
        limit = (self.level + 1) << 3
        for value, cost in values.items():
            if cost < limit:
                add(out, value, cost)

    @property
    def values(self) -> Values:
        return self.program.values

    # -- files laid open

    def lay_open(self, file_key: int) -> dict[int, Group]:
        """The file's groups as stored, from now on kept here."""
        groups = self.own.get(file_key)
        if groups is None:
            data = self.past.file(file_key).get("g")
            groups = self.own[file_key] = decode_groups(self.values, data) if data else {}
            for root, group in groups.items():
                for name, values in group.out.items():
                    self.parts.setdefault(name, {})[root] = values
                for name in group.seen:
                    self.watchers.setdefault(name, set()).add(root)
            if file_key in self.program.inputs.rows and file_key not in self.gone:
                self.group(self.program.file(file_key))
        return groups

    def change(self, root: int, file_key: int, new: dict[str, Set], pending: dict[str, None]) -> None:
        """Puts what a group writes up to this level; names variables whose projection changed in `pending`."""
        limit = (self.level + 1) << 3
        group = self.own[file_key].setdefault(root, Group(set(), set(), {}))
        for name in {*group.out, *new}:
            old = group.out.get(name, {})
            values = dict(new.get(name, {}))
            for value, cost in old.items():
                if cost >= limit and value not in values:
                    values[value] = cost
            if values == old:
                continue
            before = self.projection(name)
            if values:
                group.out[name] = values
                self.parts.setdefault(name, {})[root] = values
            else:
                group.out.pop(name, None)
                self.parts.get(name, {}).pop(root, None)
            for level in range(MAX_HOPS + 1):
                self.projected.pop((name, level), None)
                self.living.pop((name, level), None)
            if self.projection(name) != before:
                pending[name] = None

    def readers_of(self, names: Iterable[str]) -> set[int]:
        """Roots of all groups that read any of these variables."""
        wanted = list(names)
        for file in self.past.readers(wanted):
            if file not in self.gone:
                self.lay_open(file)
        return {root for name in wanted for root in self.watchers.get(name, ())}

    # -- levels

    def settle(self) -> None:
        """Re-derives everything dirty, level by level."""
        for level in range(MAX_HOPS + 1):
            self.level = level
            waiting = deque(sorted(self.dirty))
            queued = set(waiting)
            while waiting:
                pending: dict[str, None] = {}
                while waiting:
                    root = waiting.popleft()
                    queued.discard(root)
                    self._again(root, pending)
                if pending:
                    for root in sorted(self.readers_of(pending)):
                        self.dirty.add(root)
                        if root not in queued:
                            queued.add(root)
                            waiting.append(root)

    def _again(self, root: int, pending: dict[str, None]) -> None:
        file_key = root >> FILE_SHIFT << FILE_SHIFT
        if root not in self.groups:
            self.change(root, file_key, {}, pending)
            if self.level == MAX_HOPS:
                self.own[file_key].pop(root, None)
            return
        program = self.program
        file = program.file(file_key)
        program.watch()
        frame = Frame(self, file, root, self.groups[root])
        frame.run()
        frame.close()
        limit = (self.level + 1) << 3
        out: dict[str, Set] = {}
        for key, values in frame.out.items():
            kept = {value: cost for value, cost in values.items() if cost < limit}
            if kept:
                out[self.text(key)] = kept
        self.change(root, file_key, out, pending)
        group = self.own[file_key][root]
        seen = {self.text(key) for key in frame.seen}
        for name in group.seen - seen:
            self.watchers.get(name, set()).discard(root)
        for name in seen:
            self.watchers.setdefault(name, set()).add(root)
        group.seen = seen
        group.deps = {self.text(program.questions[number]) for number in program.outside(file_key)}
        self.frames[root] = Outcome2(frame.records)


class Outcome2:
    """What is kept of the last evaluation of a group."""

    __slots__ = ("records",)

    def __init__(self, records: list[Record]) -> None:
        self.records = records


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
        outcome = self.solver.frames.get(root)
        return outcome.records if outcome is not None else []

    def _keep_rest(self, file: File, graph: FileGraph) -> None:
        """Edges of groups that were not evaluated again."""
        store, solver = self.past.store, self.solver
        based = (EdgeKind.EXTENDS, EdgeKind.IMPLEMENTS)

        def stays(row: Edge | Reference) -> bool:
            return row.kind not in based and solver.root_of(row.source) not in solver.frames

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


__all__ = ["ENCODER", "class_links", "refresh"]
