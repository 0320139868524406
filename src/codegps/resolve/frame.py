"""One group of units in, what it does out: evaluates terms and effects, and notes calls, reads and writes.

A group is a top-level function or method with all that is nested in it, a class body, or a module's top level. It is
evaluated as a whole and always from nothing; what crosses its border goes through the solver's variables.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from codegps.language import Semantics
from codegps.model.facts import UNIT, ParamKind, Unit
from codegps.model.kinds import EdgeKind, Flag, Kind
from codegps.resolve.calls import Calls, is_method
from codegps.resolve.containers import SILENT, Containers
from codegps.resolve.context import parameters
from codegps.resolve.effects import EFFECTS
from codegps.resolve.program import CLASSES, File, Result
from codegps.resolve.questions import Key
from codegps.resolve.records import Arguments, Record
from codegps.resolve.terms import HANDLERS
from codegps.resolve.values import (
    BOUND,
    BOX,
    CLASS,
    CORO,
    DECORATED,
    ELEMENT,
    EMPTY,
    FIELD,
    FUNC,
    GEN,
    GENERIC,
    INST,
    KEYED,
    LIB,
    LIT,
    MODULE,
    OPAQUE,
    RETURN,
    VARIABLE,
    Set,
    Value,
    add,
    carried,
    stepped,
)

if TYPE_CHECKING:
    from codegps.resolve.solver import Solver

NO_ARGUMENTS = Arguments()


class Frame(Containers):
    """The evaluation of one group."""

    def __init__(self, solver: Solver, file: File, root: int, units: list[int]) -> None:
        super().__init__()
        self.solver = solver
        self.program = solver.program
        self.values = solver.program.values
        self.types = solver.types
        self.members = solver.members
        self.hierarchy = solver.hierarchy
        self.file = file
        self.strings = file.strings
        self.semantics = file.semantics
        self.classes = solver.library_classes
        self.root = root
        """Key of the group's symbol."""
        self.units: list[Unit] = [UNIT.decode(file.facts.units[file.units[each]]) for each in units]
        self.calls = Calls(self)
        self.slots: dict[tuple[int, int], Set] = {}
        """(scope, name) to what the captured variable may be."""
        self.records: list[Record] = []
        self.old: dict[int, list[Set | None]] = {}
        self.parameters: dict[tuple[int, int], Set] = {}
        self.told: dict[tuple[int, int], Set] = {}
        """What the places of function literals say of their parameters."""
        self.named: list[int] = []
        self.names: dict[tuple[int, int], list[int]] = {}
        """(unit, term) to the decorated definitions it names."""
        self.place: tuple[int, int] = (0, 0)

    def run(self) -> None:
        """To the group's own fixpoint."""
        for _ in range(50):
            self.grew = False
            self.looked = set()
            self.records = []
            self.out = {}
            for unit in self.units:
                self._unit(unit)
            if not self.grew:
                return

    def close(self) -> None:
        """Breaks the circle with `calls`, so that nothing of the evaluation outlives it."""
        del self.calls

    def semantics_of(self, symbol: int) -> Semantics:
        return self.program.file_of(symbol).semantics

    # -- units

    def _unit(self, unit: Unit) -> None:
        self.unit = unit
        self.symbol = unit.symbol
        self.view: File | None = None
        terms = unit.terms
        before = self.old.get(unit.symbol)
        vals: list[Set] = [EMPTY] * len(terms)
        self.vals = vals
        self.before = before
        self.forward: list[tuple[int, int]] = []
        self.owners = self._owners(unit)
        handlers = HANDLERS
        for at, term in enumerate(terms):
            self.at = at
            vals[at] = handlers[term[0]](self, term)
        self.old[unit.symbol] = vals  # pyright: ignore[reportArgumentType]
        for at, size in self.forward:
            if len(vals[at]) != size and (before is None or before[at] != vals[at]):
                self.grew = True
        effects = EFFECTS
        for effect in unit.effects:
            effects[effect[0]](self, effect)

    def _owners(self, unit: Unit) -> dict[int, int]:
        owners: dict[int, int] = {}
        for first, end, symbol in unit.owners:
            for at in range(first, end):
                owners[at] = symbol
        return owners

    def record(self, kind: EdgeKind, at: int, line: int, column: int, site: int = -1, name: str = "") -> Record:
        return Record(kind, self.symbol, self.owners.get(at, self.symbol), line, column, site, name)

    def undecorated(self, local: int) -> Value:
        """A definition before its decorators."""
        symbol = self.file.keys[local]
        if self.file.head.symbols[local].kind in CLASSES:
            return self.values(CLASS, symbol, ())
        return self.values(FUNC, symbol)

    def literal(self, text: str) -> Set:
        kind = self.semantics.literal_types.get("str")
        return {self.values(LIT, kind, text): 0} if kind else {}

    # -- variables

    def write(self, key: Key, value: Value, cost: int) -> None:
        """Contributes to a variable; of library values only the package crosses."""
        kind = value.kind
        if kind in SILENT:
            if kind == LIB:
                package = value.a.partition(".")[0]
                if package == self.semantics.builtins:
                    return
                value = self.values(OPAQUE, package)
            elif kind == LIT:
                return
        into = self.out.get(key)
        if into is None:
            into = self.out[key] = {}
        add(into, value, cost)

    def read_step(self, key: Key, link: int, via: int, out: Set) -> None:
        """Reads a variable over a link with one step."""
        self.seen.add(key)
        for value, cost in self.solver.read(key).items():
            further = stepped(cost, link, via)
            if further >= 0:
                add(out, value, further)

    def read_into(self, key: Key, link: int, out: Set) -> None:
        """Reads a variable over a link without a step."""
        self.seen.add(key)
        for value, cost in self.solver.read(key).items():
            further = carried(cost, link)
            if further >= 0:
                add(out, value, further)

    def expand(self, found: Result, cost: int) -> Set:
        """Layer-0 values with what the names among them hold."""
        out: Set = {}
        several = len(found) > 1
        for value in found:
            kind = value.kind
            if kind == VARIABLE:
                self._variable(value, cost, out)
            elif several and kind == CLASS and self.program.fact(value.a).kind == Kind.Interface:
                # A type that shares its name with a value.
                continue
            elif kind == DECORATED:
                self.named.append(value.a)
                self.read_into(("d", value.a), cost, out)
            else:
                add(out, value, cost)
        return out

    def _variable(self, value: Value, cost: int, out: Set) -> None:
        file = self.program.file_of(value.a)
        for member in file.members.get(file.locals[value.a], {}).get(value.b, ()):
            if member.type >= 0:
                declared = self.types.of(file, member.type)
                for each in declared:
                    add(out, each, cost)
                if any(not self.types.vague(each) for each in declared):
                    return
        self.read_step(("v", value.a, value.b), cost, FIELD, out)

    # -- iterating

    def elements(self, containers: Set, record: Record | None, asynchronous: bool = False) -> Set:
        """What iterating hands out."""
        out: Set = {}
        for value, cost in containers.items():
            kind = value.kind
            if kind == BOX and value.c == "dict" and self.semantics.dictionaries:
                self.box_keys(value, cost, out)
            elif kind == BOX and value.c == "dict":
                self._entries(value, cost, out)
            elif kind == BOX:
                for _, each, price in self.box_items(value, cost, ELEMENT):
                    add(out, each, price)
            elif kind in (GEN, CORO):
                self.read_step(("y", value.a), cost, ELEMENT, out)
            elif kind == GENERIC and value.a == "dict" and len(value.b) == 2 and not self.semantics.dictionaries:
                add(out, self.values(GENERIC, "tuple", value.b), cost)
            elif kind == GENERIC and value.b:
                groups = value.b if value.a == "tuple" else value.b[:1]
                for group in groups:
                    for each in group:
                        add(out, each, cost)
            elif kind == OPAQUE:
                add(out, value, cost)
            elif kind in (INST, CLASS) and record is not None:
                self._iterate(value, cost, record, asynchronous, out)
        return out

    def _entries(self, box: Value, cost: int, out: Set) -> None:
        """A map hands out pairs."""
        pair = self.values(BOX, self.root, f"entry{box.a}:{box.b}", "tuple")
        for _, each, price in self.box_items(box, cost, ELEMENT):
            self.put(pair, "1", {each: price})
        add(out, pair, 0)

    def _iterate(self, value: Value, cost: int, record: Record, asynchronous: bool, out: Set) -> None:
        semantics = self.semantics
        names = semantics.iterate_async if asynchronous else semantics.iterate
        if not names:
            return
        if value.kind == CLASS and self.program.fact(value.a).kind == Kind.Enum:
            add(out, self.values(INST, value.a, (), True), cost)
            return
        stepping = self.record(EdgeKind.CALLS, self.at, record.line, record.column)
        iterators = self.calls.implicit({value: cost}, names[0], NO_ARGUMENTS, record)
        if iterators is None:
            if value.kind == INST:
                self.whole_items(value, cost, out)
            if semantics.get_item:
                found = self.calls.implicit({value: cost}, semantics.get_item, NO_ARGUMENTS, record)
                for each, price in (found or EMPTY).items():
                    add(out, each, price)
            return
        for each, price in iterators.items():
            if each.kind == INST:
                found = self.calls.implicit({each: price}, names[1], NO_ARGUMENTS, stepping)
                if asynchronous and found:
                    found = self.awaited(found)
                for one, total in (found or EMPTY).items():
                    add(out, one, total)
            elif each.kind == BOX and each.c == "object":
                self._step(each, price, names[1], stepping, out)
            else:
                for one, total in self.elements({each: price}, None).items():
                    add(out, one, total)
        self.keep(stepping)

    def _step(self, iterator: Value, cost: int, name: str, record: Record, out: Set) -> None:
        """An iterator that is an object literal: its method, and the value in what that hands back."""
        methods: Set = {}
        for key, each, price in self.box_items(iterator, cost, FIELD):
            if key == name and each.kind == FUNC:
                add(methods, self.values(BOUND, each.a, iterator, False), price)
        for box, price in self.awaited(self.calls.call(methods, NO_ARGUMENTS, record, True)).items():
            if box.kind == BOX:
                for key, each, total in self.box_items(box, price, FIELD):
                    if key == "value":
                        add(out, each, total)

    def awaited(self, found: Set) -> Set:
        out: Set = {}
        for value, cost in found.items():
            if value.kind == CORO:
                for each in value.b:
                    if each.kind == KEYED:
                        further = stepped(cost, 0, RETURN)
                        if further >= 0:
                            add(out, each.b, further)
                    else:
                        add(out, each, cost)
                if all(each.kind == KEYED for each in value.b):
                    self.read_step(("r", value.a), cost, RETURN, out)
            elif value.kind == GENERIC and value.a in ("awaitable", "promise", "coroutine") and value.b:
                for each in value.b[-1]:
                    add(out, each, cost)
            elif value.kind == BOX and value.c == "promise":
                for _, each, price in self.box_items(value, cost, FIELD):
                    add(out, each, price)
            elif value.kind == INST and self.semantics.await_method:
                record = self.record(EdgeKind.CALLS, self.at, self.place[0], self.place[1])
                results = self.calls.implicit({value: cost}, self.semantics.await_method, NO_ARGUMENTS, record)
                self.keep(record)
                for each, price in (results or EMPTY).items():
                    add(out, each, price)
            else:
                add(out, value, cost)
        return out

    def keep(self, record: Record) -> None:
        """Keeps a record of an implicit call where it found something."""
        if record.targets:
            self.records.append(record)

    # -- storing

    def store(self, target: Value, name: str, values: Set, cost: int) -> None:
        """`target.name = values`."""
        kind = target.kind
        if kind == BOX:
            self.put(target, name, values)
            return
        if kind == MODULE:
            keys: list[Key] = [("v", target.a, name)]
        elif kind == CLASS and self.semantics_of(target.a).receiver == "parameter":
            keys = [("c", target.a, name)]
        elif kind in (INST, CLASS):
            above = self.hierarchy.ancestors(target.a)
            keys = [("f", target.a, name), ("F", target.a, name), *(("F", each, name) for each in above)]
        elif kind == FUNC:
            keys = [("f", target.a, name)]
        else:
            return
        for value, price in values.items():
            further = carried(price, cost)
            if further >= 0:
                for key in keys:
                    self.write(key, value, further)

    # -- parameters

    def parameter(self, symbol: int, index: int) -> Set:
        known = self.parameters.get((symbol, index))
        if known is None:
            known = self.parameters[symbol, index] = self._parameter(symbol, index)
        return known

    def _parameter(self, local: int, index: int) -> Set:
        symbol = self.file.keys[local]
        fact = self.file.head.symbols[local]
        if index == 0 and self.semantics.receiver == "parameter" and is_method(fact):
            receiver = self.receiver(local)
            if receiver is not None:
                return {receiver: 0}
        if index >= len(fact.params):
            return EMPTY
        param = fact.params[index]
        declared = self.types.of(self.file, param.type)
        if param.kind == ParamKind.STAR and self.semantics.rest_is_whole:
            return {self.values(BOX, symbol, -1 - index, "tuple"): 0, **dict.fromkeys(self.types.least(declared), 0)}
        if param.kind in (ParamKind.STAR, ParamKind.DOUBLE_STAR):
            box = self.values(BOX, symbol, -1 - index, "tuple" if param.kind == ParamKind.STAR else "dict")
            if declared:
                key = "list" if param.kind == ParamKind.STAR else "dict"
                args = (declared,) if param.kind == ParamKind.STAR else ((), declared)
                return {box: 0, self.values(GENERIC, key, args): 0}
            return {box: 0}
        out: Set = dict.fromkeys(self.types.least(declared), 0)
        if param.type < 0:
            if fact.declared >= 0:
                for each in self.types.of(self.file, fact.declared):
                    for value in [*parameters(self, each), ()][min(index, len(parameters(self, each)))]:
                        add(out, value, 0)
            for value in self.told.get((local, index), ()):
                add(out, value, 0)
        if not self.solver.typed(symbol, index):
            self.read_into(("p", symbol, index), 0, out)
        return out

    def receiver(self, local: int) -> Value | None:
        """What a method's own object is: an instance of the class that declares it, or the class."""
        fact = self.file.head.symbols[local]
        parent = fact.parent
        if self.file.head.symbols[parent].kind not in CLASSES or fact.flags & Flag.STATIC:
            return None
        owner = self.file.keys[parent]
        if fact.flags & Flag.CLASSMETHOD:
            return self.values(CLASS, owner, (), True)
        if self.solver.is_metaclass(owner):
            return None
        return self.values(INST, owner, (), False)

    def this(self, local: int) -> Set:
        """JavaScript's `this` in a function or class body."""
        fact = self.file.head.symbols[local]
        symbol = self.file.keys[local]
        if fact.kind in CLASSES:
            return {self.values(INST, symbol, (), False): 0}
        parent = self.file.head.symbols[fact.parent] if fact.parent >= 0 else None
        if parent is not None and parent.kind in CLASSES:
            owner = self.file.keys[fact.parent]
            if fact.flags & Flag.STATIC:
                return {self.values(CLASS, owner, (), True): 0}
            return {self.values(INST, owner, (), False): 0}
        out: Set = {}
        if parent is not None and is_method(fact):
            out[self.values(INST, self.file.keys[fact.parent], (), False)] = 0
        elif self.solver.has_prototype(symbol):
            out[self.values(INST, symbol, (), False)] = 0
        if self.solver.wants_this(symbol):
            self.read_into(("t", symbol), 0, out)
        return out
