"""Groups and variables: evaluates every group until nothing grows. The least fixpoint, whatever the order."""

from __future__ import annotations

from array import array
from collections import deque
from collections.abc import Iterable

from codegps.model.facts import ImportFact, ImportKind, Op, SymbolFact
from codegps.model.graph import FILE_SHIFT
from codegps.model.kinds import Flag, Kind
from codegps.resolve.calls import is_method
from codegps.resolve.frame import Frame
from codegps.resolve.hierarchy import Hierarchy, Stored
from codegps.resolve.members import Members
from codegps.resolve.program import CLASSES, FUNCTIONS, File, Program, Result
from codegps.resolve.questions import Key
from codegps.resolve.records import Record
from codegps.resolve.types import Types
from codegps.resolve.values import EMPTY, INST, LIB, MODULE, Set, Value

VARIABLES = frozenset({int(Kind.Variable), int(Kind.Constant)})


class Outcome:
    """What evaluating a group gave."""

    __slots__ = ("deps", "out", "records", "seen")

    def __init__(self, out: dict[Key, Set], seen: set[Key], deps: set[int], records: list[Record]) -> None:
        self.out = out
        self.seen = seen
        self.deps = array("I", deps)
        """Numbers of questions."""
        self.records = records


class Solver:
    """The state of one run."""

    def __init__(self, program: Program, stored: Stored | None = None) -> None:
        self.program = program
        self.hierarchy = Hierarchy(program, stored)
        self.types = Types(program, self.hierarchy)
        self.members = Members(program, self.hierarchy, self.types)
        self.library_classes = frozenset(
            name for language in program.inputs.languages.values() for name in language.semantics.literal_types.values()
        )
        self.totals: dict[Key, Set] = {}
        self.readers: dict[Key, set[int]] = {}
        self.outcomes: dict[int, Outcome] = {}
        self.roots: dict[int, int] = {}
        self.groups: dict[int, list[int]] = {}
        """Root to the local numbers of its units."""
        self.queue: deque[int] = deque()
        self.queued: set[int] = set()

    # -- groups

    def root_of(self, symbol: int) -> int:
        """The group a symbol's body belongs to."""
        root = self.roots.get(symbol)
        if root is None:
            file = self.program.file_of(symbol)
            root = self.roots[symbol] = file.keys[self._root(file, file.locals[symbol])]
        return root

    def _root(self, file: File, local: int) -> int:
        symbols = file.head.symbols
        top = -1
        at = local
        while at >= 0:
            if symbols[at].kind in FUNCTIONS:
                top = at
            at = symbols[at].within if symbols[at].within >= 0 else symbols[at].parent
        if top >= 0:
            return top
        at = local
        while at > 0 and at not in file.units:
            at = symbols[at].parent
        return max(at, 0)

    def group(self, file: File) -> list[int]:
        """Finds the groups of a file; returns their roots, module and classes first."""
        found: dict[int, list[int]] = {}
        for local in file.head.unit_symbols:
            found.setdefault(file.keys[self._root(file, local)], []).append(local)
        self.groups.update(found)
        early = [root for root in found if file.head.symbols[file.locals[root]].kind not in FUNCTIONS]
        return early + [root for root in found if root not in set(early)]

    # -- variables

    def read(self, key: Key) -> Set:
        return self.totals.get(key, EMPTY)

    # -- the fixpoint

    def enqueue(self, roots: Iterable[int]) -> None:
        for root in roots:
            if root not in self.queued:
                self.queued.add(root)
                self.queue.append(root)

    def solve(self) -> None:
        while self.queue:
            root = self.queue.popleft()
            self.queued.discard(root)
            self.evaluate(root)

    def evaluate(self, root: int) -> None:
        program = self.program
        file = program.file_of(root)
        program.watch()
        frame = Frame(self, file, root, self.groups[root])
        frame.run()
        frame.close()
        old = self.outcomes.get(root)
        self.outcomes[root] = Outcome(frame.out, frame.seen, program.outside(file.key), frame.records)
        for key in frame.seen if old is None else frame.seen - old.seen:
            readers = self.readers.get(key)
            if readers is None:
                readers = self.readers[key] = set()
            readers.add(root)
        for key, values in frame.out.items():
            if self._merge(key, values):
                self.enqueue(sorted(self.readers.get(key, ())))

    def _merge(self, key: Key, values: Set) -> bool:
        total = self.totals.get(key)
        if total is None:
            self.totals[key] = dict(values)
            return True
        grew = False
        for value, cost in values.items():
            old = total.get(value)
            if old is None or cost < old:
                total[value] = cost
                grew = True
        return grew

    # -- questions of frames

    def typed(self, function: int, index: int) -> bool:
        """Whether a parameter's declared type says enough, so that nothing needs to flow into it."""
        return self.program.ask(("typed", function, index), lambda: self._typed(function, index), False)

    def _typed(self, function: int, index: int) -> bool:
        fact = self.program.fact(function)
        if index >= len(fact.params) or fact.params[index].type < 0:
            return False
        declared = self.types.parameter(function, index)
        return bool(declared) and not any(self.loose(value) for value in declared)

    def loose(self, value: Value) -> bool:
        """A declared type that filters nothing: flows matter beside it."""
        return self.types.vague(value) or (value.kind == INST and self.interface(value.a))

    def interface(self, symbol: int) -> bool:
        """An interface, declared so or by structure."""
        fact = self.program.peek(symbol)
        if fact.kind in (Kind.Interface, Kind.Trait, Kind.TypeAlias):
            return True
        structural = self.program.file_of(symbol).semantics.structural
        return bool(structural) and any(
            base.kind == LIB and base.a in structural for base in self.hierarchy.bases(symbol)
        )

    def wants_this(self, function: int) -> bool:
        """Whether an unwritten receiver flows into the function: it belongs to no class."""
        fact = self.program.peek(function)
        if fact.parent < 0:
            return False
        parent = self.program.file_of(function).head.symbols[fact.parent]
        return parent.kind not in CLASSES

    def knows_self(self, function: int, fact: SymbolFact) -> bool:
        """Whether a method's own object is known from its class alone."""
        if not is_method(fact) or fact.parent < 0:
            return False
        file = self.program.file_of(function)
        if file.head.symbols[fact.parent].kind not in CLASSES:
            return False
        return bool(fact.flags & Flag.CLASSMETHOD) or not self.is_metaclass(file.keys[fact.parent])

    def has_prototype(self, symbol: int) -> bool:
        file = self.program.file_of(symbol)
        return file.locals[symbol] in file.members or bool(self.hierarchy.descendants(symbol))

    def is_metaclass(self, symbol: int) -> bool:
        return any(each.kind == LIB and each.a == "builtins.type" for each in self.hierarchy.order(symbol))

    # -- names as symbols

    def named_symbols(self, frame: Frame, at: int) -> list[int]:
        """Module-level variables (and decorated definitions) that a term names."""
        term = frame.unit.terms[at]
        if term[0] == Op.ATTR:
            found = self._named_attribute(tuple(frame.vals[term[1]]), frame.strings[term[2]], 0)
        else:
            found = self._named(frame.file, frame.unit.terms, at, 0)
        if found:
            return found
        return frame.names.get((frame.symbol, at), [])

    def _named(self, file: File, terms: list[list[int]], at: int, depth: int) -> list[int]:
        term = terms[at]
        op = term[0]
        if depth > 30:
            return []
        if op == Op.NAME:
            return self._named_inside(file, file.strings[term[1]], depth)
        if op == Op.IMPORT:
            return self._named_import(file, file.head.imports[term[1]], depth)
        if op == Op.ATTR:
            return self._named_attribute(self.program.pull(file, term[1]), file.strings[term[2]], depth)
        return []

    def _named_attribute(self, base: Result, name: str, depth: int) -> list[int]:
        found: list[int] = []
        for value in base:
            if value.kind == MODULE:
                found += self._named_member(self.program.file(value.a), name, depth + 1)
        return found

    def _named_member(self, file: File, name: str, depth: int) -> list[int]:
        """Variables behind a name of a module as others see it."""
        question = ("named", file.key, name)
        return self.program.ask(question, lambda: self._find_named(file, name, depth), [])

    def _find_named(self, file: File, name: str, depth: int) -> list[int]:
        if not file.head.explicit_exports:
            return self._named_inside(file, name, depth)
        found: list[int] = []
        for term in file.exports.get(name, ()):
            found += self._named(file, file.terms, term, depth + 1)
        if name not in file.exports and name != "default":
            for star in file.head.star_exports:
                found += self._named_target(file, file.head.imports[star].spec, name, depth)
        return list(dict.fromkeys(found))

    def _named_inside(self, file: File, name: str, depth: int) -> list[int]:
        found: list[int] = []
        for member in file.members.get(0, {}).get(name, ()):
            if member.symbol >= 0 and file.head.symbols[member.symbol].kind in VARIABLES:
                found.append(file.keys[member.symbol])
            elif member.term >= 0 and file.terms[member.term][0] == Op.IMPORT:
                found += self._named(file, file.terms, member.term, depth + 1)
        return list(dict.fromkeys(found))

    def _named_import(self, file: File, fact: ImportFact, depth: int) -> list[int]:
        if fact.kind not in (ImportKind.NAME, ImportKind.DEFAULT):
            return []
        return self._named_target(file, fact.spec, fact.name if fact.kind == ImportKind.NAME else "default", depth)

    def _named_target(self, file: File, spec: str, name: str, depth: int) -> list[int]:
        target = self.program.target(file, spec)
        if target.kind != "file":
            return []
        return self._named_member(self.program.file(self.program.by_path[target.name]), name, depth + 1)

    def file_roots(self, file_key: int) -> list[int]:
        return [root for root in self.groups if root >> FILE_SHIFT == file_key >> FILE_SHIFT]
