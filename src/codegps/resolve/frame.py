"""One group of units in, what it does out: evaluates terms and effects, and notes calls, reads and writes.

A group is a top-level function or method with all that is nested in it, a class body, or a module's top level. It is
evaluated as a whole and always from nothing; what crosses its border goes through the solver's variables.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable
from typing import TYPE_CHECKING

from codegps.language import Semantics
from codegps.model.facts import UNIT, Arg, CallFlag, Effect, Op, ParamKind, Unit
from codegps.model.kinds import EdgeKind, Flag, Kind
from codegps.resolve.calls import Arguments, Calls, Record, is_method
from codegps.resolve.program import CLASSES, File, Key, Result
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
    SUPERV,
    VARIABLE,
    Set,
    Value,
    add,
    carried,
    stepped,
)

if TYPE_CHECKING:
    from codegps.resolve.solver import Solver

SILENT = frozenset({LIT, LIB, OPAQUE})
"""Kinds that do not cross a border as they are: of a library's things only the package is left."""
NO_ARGUMENTS = Arguments()
CONTAINERS = ("list", "tuple", "set", "iterator", "array")


class Frame:
    """The evaluation of one group."""

    def __init__(self, solver: Solver, file: File, root: int, units: list[int]) -> None:
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
        self.boxes: dict[Value, Set] = {}
        """Contents of containers written here: KEYED values."""
        self.out: dict[Key, Set] = {}
        self.seen: set[Key] = set()
        """Variables that were read."""
        self.records: list[Record] = []
        self.grew = False
        self.old: dict[int, list[Set | None]] = {}
        self.parameters: dict[tuple[int, int], Set] = {}
        self.named: list[int] = []
        self.names: dict[tuple[int, int], list[int]] = {}
        """(unit, term) to the decorated definitions it names."""
        self.place = (0, 0)

    def run(self) -> None:
        """To the group's own fixpoint."""
        for _ in range(50):
            self.grew = False
            self.records = []
            self.out = {}
            for unit in self.units:
                self._unit(unit)
            if not self.grew:
                return

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

    def expand(self, found: Iterable[Value], cost: int) -> Set:
        """Layer-0 values with what the names among them hold."""
        out: Set = {}
        for value in found:
            kind = value.kind
            if kind == VARIABLE:
                self._variable(value, cost, out)
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
                if declared:
                    return
        self.read_step(("v", value.a, value.b), cost, FIELD, out)

    # -- containers

    def put(self, box: Value, key: str | None, values: Set) -> None:
        """Adds to a container: known here at once where it was written here, else through its variable."""
        if box.kind != BOX:
            return
        mine = box.a == self.root or self.solver.root_of(box.a) == self.root
        if mine:
            contents = self.boxes.get(box)
            if contents is None:
                contents = self.boxes[box] = {}
            for value, cost in values.items():
                keyed = self.values(KEYED, key, value)
                old = contents.get(keyed)
                if old is None or cost < old:
                    contents[keyed] = cost
                    self.grew = True
        for value, cost in values.items():
            if value.kind not in SILENT:
                self.write(("o", box.a, box.b), self.values(KEYED, key, value), cost)

    def fill(self, function: int, alloc: int, kind: str, key: str, values: Set, cost: int) -> None:
        """Adds to the container of a star parameter."""
        for value, price in values.items():
            further = stepped(price, cost, 3)
            if further >= 0 and value.kind not in SILENT:
                self.write(("o", function, alloc), self.values(KEYED, key, value), further)

    def box_items(self, box: Value, link: int, via: int) -> list[tuple[str | None, Value, int]]:
        """(key, value, cost) of what is in a container."""
        items: list[tuple[str | None, Value, int]] = []
        local = self.boxes.get(box)
        if local:
            for keyed, cost in local.items():
                further = carried(cost, link)
                if further >= 0:
                    items.append((keyed.a, keyed.b, further))
        star = isinstance(box.b, int) and box.b < 0 and self.solver.root_of(box.a) == self.root
        self.seen.add(("o", box.a, box.b))
        for keyed, cost in self.solver.read(("o", box.a, box.b)).items():
            further = carried(cost, link) if star else stepped(cost, link, via)
            if further >= 0:
                items.append((keyed.a, keyed.b, further))
        return items

    def keyed(self, containers: Set) -> list[tuple[str | None, Set]]:
        """Contents of argument containers by key."""
        out: dict[str | None, Set] = {}
        for value, cost in containers.items():
            if value.kind == BOX:
                for key, each, price in self.box_items(value, cost, ELEMENT):
                    add(out.setdefault(key, {}), each, price)
            else:
                found = self.elements({value: cost}, None)
                for each, price in found.items():
                    add(out.setdefault(None, {}), each, price)
        return list(out.items())

    def contents(self, containers: Set, mapping: bool = False) -> Set:
        out: Set = {}
        for value, cost in containers.items():
            if value.kind == BOX:
                for _, each, price in self.box_items(value, cost, ELEMENT):
                    add(out, each, price)
            elif value.kind == GENERIC and value.b:
                group = value.b[-1] if value.a == "dict" or mapping else value.b[0]
                for each in group:
                    add(out, each, cost)
        return out

    def item(self, containers: Set, key: str | None) -> Set:
        """`container[key]`; None: an unknown key."""
        out: Set = {}
        for value, cost in containers.items():
            if value.kind == BOX:
                via = FIELD if key is not None else ELEMENT
                for own, each, price in self.box_items(value, cost, via):
                    if key is None or own is None or own == key:
                        add(out, each, price)
            elif value.kind == GENERIC and value.b:
                self._generic_item(value, key, cost, out)
            elif value.kind == OPAQUE or (value.kind == LIB and value.a.partition(".")[0] != self.semantics.builtins):
                add(out, value, cost)
        return out

    def _generic_item(self, value: Value, key: str | None, cost: int, out: Set) -> None:
        if value.a == "tuple" and key is not None and key.isdecimal() and int(key) < len(value.b):
            group: Result = value.b[int(key)]
        elif value.a == "dict":
            group = value.b[-1]
        elif value.a in CONTAINERS:
            group = value.b[0]
        else:
            return
        for each in group:
            add(out, each, cost)

    def elements(self, containers: Set, record: Record | None, asynchronous: bool = False) -> Set:
        """What iterating hands out."""
        out: Set = {}
        for value, cost in containers.items():
            kind = value.kind
            if kind == BOX:
                for _, each, price in self.box_items(value, cost, ELEMENT):
                    add(out, each, price)
            elif kind == GEN or kind == CORO:
                self.read_step(("y", value.a), cost, ELEMENT, out)
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

    def _iterate(self, value: Value, cost: int, record: Record, asynchronous: bool, out: Set) -> None:
        semantics = self.semantics
        names = semantics.iterate_async if asynchronous else semantics.iterate
        if not names:
            return
        iterators = self.calls.implicit({value: cost}, names[0], NO_ARGUMENTS, record)
        if iterators is None:
            if semantics.get_item:
                found = self.calls.implicit({value: cost}, semantics.get_item, NO_ARGUMENTS, record)
                for each, price in (found or EMPTY).items():
                    add(out, each, price)
            return
        for each, price in iterators.items():
            if each.kind == INST:
                found = self.calls.implicit({each: price}, names[1], NO_ARGUMENTS, record)
                if asynchronous and found:
                    found = self.awaited(found)
                for one, total in (found or EMPTY).items():
                    add(out, one, total)
            else:
                for one, total in self.elements({each: price}, None).items():
                    add(out, one, total)

    def awaited(self, found: Set) -> Set:
        out: Set = {}
        for value, cost in found.items():
            if value.kind == CORO:
                for each in value.b:
                    add(out, each, cost)
                if not value.b:
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
        if param.kind in (ParamKind.STAR, ParamKind.DOUBLE_STAR):
            box = self.values(BOX, symbol, -1 - index, "tuple" if param.kind == ParamKind.STAR else "dict")
            if declared:
                key = "list" if param.kind == ParamKind.STAR else "dict"
                args = (declared,) if param.kind == ParamKind.STAR else ((), declared)
                return {box: 0, self.values(GENERIC, key, args): 0}
            return {box: 0}
        out: Set = {value: 0 for value in declared if value.kind != 18}
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

    # -- terms

    def _none(self, term: list[int]) -> Set:
        return EMPTY

    def _const(self, term: list[int]) -> Set:
        kind = self.semantics.literal_types.get(self.strings[term[1]])
        if kind is None:
            return EMPTY
        if term[2] < 0:
            return {self.values(GENERIC, kind, ()): 0}
        return {self.values(LIT, kind, self.strings[term[2]]): 0}

    def _def(self, term: list[int]) -> Set:
        symbol = self.file.keys[term[1]]
        fact = self.file.head.symbols[term[1]]
        if fact.kind in CLASSES:
            return {self.values(CLASS, symbol, ()): 0}
        return {self.values(FUNC, symbol): 0}

    def _param(self, term: list[int]) -> Set:
        return self.parameter(term[1], term[2])

    def _local(self, term: list[int]) -> Set:
        return self.slots.get((term[1], term[2]), EMPTY)

    def _name(self, term: list[int]) -> Set:
        self.named = []
        out = self.expand(self.program.name(self.file, self.strings[term[1]]), 0)
        if self.named:
            self.names[self.symbol, self.at] = self.named
        return out

    def _import(self, term: list[int]) -> Set:
        self.named = []
        fact = self.file.head.imports[term[1]]
        out = self.expand(self.program.imported(self.file, fact), 0)
        if fact.kind == 5:
            return self.calls.fresh(
                self.record(EdgeKind.CALLS, self.at, fact.line, fact.column), "promise", [(None, out)]
            )
        if self.named:
            self.names[self.symbol, self.at] = self.named
        return out

    def _attr(self, term: list[int]) -> Set:
        base = self.vals[term[1]]
        if not base:
            return EMPTY
        name = self.strings[term[2]]
        out: Set = {}
        self.named = []
        getter: Record | None = None
        for value, cost in base.items():
            if value.kind == BOX:
                for own, each, price in self.box_items(value, cost, FIELD):
                    if own == name:
                        add(out, self._method_of(each, value), price)
            plan = self.members.plan(value, name)
            for each, price in self.expand(plan.static, cost).items():
                add(out, each, price)
            for key in plan.variables:
                self.read_step(key, cost, FIELD, out)
            for bound in plan.getters:
                if getter is None:
                    getter = self.record(EdgeKind.CALLS, self.at, term[5], term[6])
                for each, price in self.calls.apply(bound, cost, NO_ARGUMENTS, getter, 0, True).items():
                    add(out, each, price)
            if not (plan.static or plan.variables or plan.getters):
                getter = self._missing(value, cost, name, term, getter, out)
        if getter is not None:
            self.keep(getter)
        if self.named:
            self.names[self.symbol, self.at] = self.named
        return out

    def _method_of(self, value: Value, box: Value) -> Value:
        if value.kind == FUNC and self.semantics.receiver == "this":
            return self.values(BOUND, value.a, box, False)
        return value

    def _missing(
        self, value: Value, cost: int, name: str, term: list[int], getter: Record | None, out: Set
    ) -> Record | None:
        if value.kind != INST or name.startswith("__"):
            return getter
        for hook in self.semantics.missing_attribute:
            if self.hierarchy.lookup(value.a, hook).owner >= 0:
                getter = getter or self.record(EdgeKind.CALLS, self.at, term[5], term[6])
                args = self.calls.positional([EMPTY])
                found = self.calls.implicit({value: cost}, hook, args, getter)
                for each, price in (found or EMPTY).items():
                    add(out, each, price)
        return getter

    def _item(self, term: list[int]) -> Set:
        base = self.vals[term[1]]
        if not base:
            return EMPTY
        keys = {value.b for value in self.vals[term[2]] if value.kind == LIT} if term[2] >= 0 else set[str]()
        key = keys.pop() if len(keys) == 1 else None
        out = self.item(base, key)
        if self.semantics.receiver == "this":
            if key is not None:
                return self._member_item(base, key, term, out)
            out = {self._receive(value, base): cost for value, cost in out.items()}
        for value, cost in base.items():
            if value.kind in (INST, CLASS) and self.semantics.get_item:
                record = self.record(EdgeKind.CALLS, self.at, term[3], term[4])
                args = self.calls.positional([self.vals[term[2]]])
                found = self.calls.implicit({value: cost}, self.semantics.get_item, args, record)
                self.keep(record)
                if found is None and value.kind == CLASS:
                    add(out, value, cost)
                for each, price in (found or EMPTY).items():
                    add(out, each, price)
        return out

    def _receive(self, value: Value, base: Set) -> Value:
        boxes = [each for each in base if each.kind == BOX]
        return self._method_of(value, boxes[0]) if len(boxes) == 1 else value

    def _member_item(self, base: Set, key: str, term: list[int], out: Set) -> Set:
        """JavaScript's `base["name"]` is `base.name`."""
        for value, cost in base.items():
            if value.kind in (INST, CLASS, MODULE, BOX, FUNC):
                plan = self.members.plan(value, key)
                for each, price in self.expand(plan.static, cost).items():
                    add(out, each, price)
                for variable in plan.variables:
                    self.read_step(variable, cost, FIELD, out)
        return out

    def _slice(self, term: list[int]) -> Set:
        base = self.vals[term[1]]
        out: Set = {}
        for value, cost in base.items():
            if value.kind == BOX:
                alloc = f"slice{self.symbol}:{self.at}"
                box = self.values(BOX, self.root, alloc, value.c)
                items: Set = {}
                for _, each, price in self.box_items(value, cost, ELEMENT):
                    add(items, each, price)
                self.put(box, None, items)
                add(out, box, cost)
            elif value.kind in (GENERIC, OPAQUE, LIT):
                add(out, value, cost)
            elif value.kind == INST and self.semantics.get_item:
                record = self.record(EdgeKind.CALLS, self.at, term[2], term[3])
                found = self.calls.implicit({value: cost}, self.semantics.get_item, NO_ARGUMENTS, record)
                self.keep(record)
                for each, price in (found or EMPTY).items():
                    add(out, each, price)
        return out

    def _elem(self, term: list[int]) -> Set:
        base = self.vals[term[1]]
        if not base or term[4] == 4:
            return EMPTY
        record = self.record(EdgeKind.CALLS, self.at, term[2], term[3])
        out = self.elements(base, record, term[4] == 1)
        self.keep(record)
        return out

    def _unpack(self, term: list[int]) -> Set:
        base = self.vals[term[1]]
        if not base:
            return EMPTY
        index, star = term[2], term[3]
        if star:
            return self._rest(base, index)
        out = self.item({v: c for v, c in base.items() if v.kind not in (INST,)}, str(index) if index >= 0 else None)
        rest = {value: cost for value, cost in base.items() if value.kind in (INST, GEN)}
        if rest:
            for value, cost in self.elements(rest, None).items():
                add(out, value, cost)
        return out

    def _rest(self, base: Set, index: int) -> Set:
        items: Set = {}
        for value, cost in base.items():
            if value.kind == BOX:
                if index < 0:
                    return base
                for key, each, price in self.box_items(value, cost, ELEMENT):
                    if key is None or not key.isdecimal() or int(key) >= index:
                        add(items, each, price)
            else:
                for each, price in self.elements({value: cost}, None).items():
                    add(items, each, price)
        box = self.values(BOX, self.root, f"rest{self.symbol}:{self.at}", "list")
        self.put(box, None, items)
        return {box: 0}

    def _call(self, term: list[int]) -> Set:
        args = Arguments()
        vals = self.vals
        for at in range(6, len(term), 3):
            kind = term[at]
            values = vals[term[at + 2]]
            if kind == Arg.POSITIONAL:
                args.positionals.append(values)
            elif kind == Arg.KEYWORD:
                args.keywords[self.strings[term[at + 1]]] = values
            elif kind == Arg.STAR:
                args.stars.append((len(args.positionals), values))
            else:
                args.doubles.append(values)
        callee = self.unit.terms[term[1]]
        name = self._callee_name(callee)
        record = self.record(EdgeKind.CALLS, self.at, term[2], term[3], term[4], name)
        flags = term[5]
        values = vals[term[1]]
        if flags & CallFlag.DECORATOR:
            return self._decorate(values, args, record)
        if flags & CallFlag.NEW:
            out = self._new(values, args, record)
        elif callee[0] == Op.SUPER:
            out = self._super_call(values, args, record)
        else:
            out = self.calls.call(values, args, record)
        self._decorated_callee(record, self.names.get((self.symbol, term[1])))
        self.records.append(record)
        return out

    def _callee_name(self, callee: list[int]) -> str:
        op = callee[0]
        if op == Op.ATTR:
            return self.strings[callee[2]]
        if op == Op.NAME:
            return self.strings[callee[1]]
        if op == Op.LOCAL:
            return self.strings[callee[2]]
        if op == Op.DEF:
            return self.file.head.symbols[callee[1]].name
        if op == Op.IMPORT:
            fact = self.file.head.imports[callee[1]]
            return fact.name or fact.spec
        if op == Op.PARAM:
            params = self.file.head.symbols[callee[1]].params
            return params[callee[2]].name if callee[2] < len(params) else ""
        return ""

    def _decorated_callee(self, record: Record, names: list[int] | None) -> None:
        """Calling a decorated name also names the definition; where nothing is known of what the decorator
        hands back, it is taken to be the definition."""
        for symbol in names or ():
            if any(target == symbol or class_ == symbol for target, class_ in record.targets):
                continue
            if not record.targets:
                record.hit(symbol, 1 << 3 | RETURN)
            else:
                refer = Record(EdgeKind.REFERENCES, record.source, record.owner, record.line, record.column)
                refer.hit(symbol, 0)
                self.records.append(refer)

    def _decorate(self, values: Set, args: Arguments, record: Record) -> Set:
        known = any(value.kind not in (LIB, OPAQUE, GENERIC) for value in values)
        modelled = any(value.kind == LIB and value.a in self.semantics.models for value in values)
        out = self.calls.call(values, args, record, quiet=True)
        self.keep(record)
        if not known and not modelled:
            out = {}
            for value, cost in args.at(0).items():
                further = stepped(cost, 0, RETURN)
                if further >= 0:
                    out[value] = further
        return out

    def _new(self, values: Set, args: Arguments, record: Record) -> Set:
        out: Set = {}
        for value, cost in values.items():
            if value.kind in (FUNC, BOUND) and self.semantics.functions_construct:
                fact = self.program.fact(value.a)
                record.hit(value.a, cost)
                self.calls.pass_arguments(value.a, fact, 0, args, cost)
                add(out, self.values(INST, value.a, (), True), cost)
            else:
                for each, price in self.calls.apply(value, cost, args, record, 0, False).items():
                    add(out, each, price)
        return out

    def _super_call(self, values: Set, args: Arguments, record: Record) -> Set:
        """JavaScript's `super(...)`: the parent's constructor."""
        for value, cost in values.items():
            if value.kind != SUPERV:
                continue
            for name in self.semantics.constructors:
                plan = self.members.plan(value, name)
                for each in plan.static:
                    if each.kind in (FUNC, BOUND):
                        record.hit(
                            each.a, cost, False, self.program.file_of(each.a).keys[self.program.peek(each.a).parent]
                        )
                        self.calls.pass_arguments(each.a, self.program.fact(each.a), 0, args, cost)
                    elif each.kind == LIB:
                        record.externals.append(each.a)
            if not record.targets:
                self._super_class(value, cost, record)
        return EMPTY

    def _super_class(self, value: Value, cost: int, record: Record) -> None:
        order = self.hierarchy.order(value.a)
        for each in order[1:2]:
            if each.kind == CLASS:
                record.hit(each.a, cost)
            elif each.kind == LIB:
                record.externals.append(each.a)

    def _list(self, term: list[int]) -> Set:
        kind = self.strings[term[2]]
        box = self.values(BOX, self.file.keys[self.symbol], term[1], kind)
        vals = self.vals
        certain = True
        for index, at in enumerate(term[3:]):
            if self.unit.terms[at][0] == Op.SPREAD:
                certain = False
                self.put(box, None, self.contents(vals[at]))
                found = self.elements({v: c for v, c in vals[at].items() if v.kind != BOX}, None)
                self.put(box, None, found)
            elif vals[at]:
                self.put(
                    box, str(index) if certain and kind not in ("set", "generator", "frozenset") else None, vals[at]
                )
        return {box: 0}

    def _dict(self, term: list[int]) -> Set:
        box = self.values(BOX, self.file.keys[self.symbol], term[1], self.strings[term[2]])
        vals = self.vals
        for at in range(3, len(term), 2):
            key, value = term[at], vals[term[at + 1]]
            if key < 0:
                for name, each in self.keyed({v: c for v, c in value.items() if v.kind == BOX}):
                    self.put(box, name, each)
            elif value:
                texts = [each.b for each in vals[key] if each.kind == LIT]
                self.put(box, texts[0] if len(texts) == 1 else None, value)
        return {box: 0}

    def _union(self, term: list[int]) -> Set:
        at = self.at
        out: Set = {}
        for each in term[1:]:
            values = self.vals[each]
            if each >= at:
                values = (self.before[each] if self.before else None) or EMPTY
                self.forward.append((each, len(values)))
            if values:
                for value, cost in values.items():
                    add(out, value, cost)
        return out

    def _await(self, term: list[int]) -> Set:
        self.place = (term[2], term[3])
        return self.awaited(self.vals[term[1]])

    def _yield_from(self, term: list[int]) -> Set:
        base = self.vals[term[1]]
        record = self.record(EdgeKind.CALLS, self.at, term[2], term[3])
        key: Key = ("y", self.file.keys[self.symbol])
        for value, cost in self.elements(base, record).items():
            self.write(key, value, cost)
        self.keep(record)
        out: Set = {}
        for value, cost in base.items():
            if value.kind == GEN:
                self.read_step(("r", value.a), cost, RETURN, out)
        return out

    def _oper(self, term: list[int]) -> Set:
        left = self.vals[term[2]]
        right = self.vals[term[3]] if term[3] >= 0 else EMPTY
        if not left and not right:
            return EMPTY
        name = self.strings[term[1]]
        record = self.record(EdgeKind.CALLS, self.at, term[4], term[5])
        found = self.calls.implicit(left, name, self.calls.positional([right] if term[3] >= 0 else []), record)
        if found is None and name.startswith("__i") and name not in ("__invert__", "__int__", "__index__", "__iter__"):
            name = "__" + name[3:]
            found = self.calls.implicit(left, name, self.calls.positional([right]), record)
        if found is None and name in self.semantics.reflected:
            found = self.calls.implicit(right, self.semantics.reflected[name], self.calls.positional([left]), record)
        self.keep(record)
        out: Set = dict(found) if found else {}
        if name in ("__add__", "__or__", "__mul__", "__mod__"):
            for value, cost in (*left.items(), *right.items()):
                if value.kind == BOX or (value.kind == GENERIC and value.b):
                    add(out, value, cost)
                elif value.kind == LIT:
                    add(out, self.values(GENERIC, value.a, ()), cost)
        return out

    def _super(self, term: list[int]) -> Set:
        class_ = term[1]
        if class_ < 0:
            return EMPTY
        symbol = self.file.keys[class_]
        out: Set = {}
        receivers = self.vals[term[2]] if term[2] >= 0 else self.this(self.symbol)
        for value, cost in receivers.items():
            if value.kind in (INST, CLASS):
                add(out, self.values(SUPERV, symbol, value), cost)
        if not out:
            out[self.values(SUPERV, symbol, self.values(INST, symbol, (), False))] = 0
        return out

    def declared(self, at: int) -> Result:
        """A unit's term in a type position."""
        if self.view is None:
            self.view = copy.copy(self.file)
            self.view.terms = self.unit.terms
        op = self.unit.terms[at][0]
        if op in (Op.LOCAL, Op.PARAM):
            found: list[Value] = []
            for value in self.vals[at]:
                if value.kind == CLASS:
                    found.append(self.values(INST, value.a, value.b, False))
            return tuple(found)
        return self.types.inline(self.view, at)

    def _typed(self, term: list[int]) -> Set:
        declared = self.declared(term[1])
        values = self.vals[term[2]] if term[2] >= 0 else EMPTY
        if not declared:
            return values
        classes = {value.a for value in declared if value.kind == INST}
        kept: Set = {}
        for value, cost in values.items():
            if value.kind == INST:
                if value.c and not cost and self._within(value.a, classes):
                    kept[value] = cost
            elif value.kind in (FUNC, BOUND, BOX, CLASS) and not classes:
                kept[value] = cost
        if kept and classes:
            return kept
        for value in declared:
            if value.kind not in (18, 19):
                add(kept, value, 0)
        return kept or values

    def _within(self, symbol: int, classes: set[int]) -> bool:
        return symbol in classes or any(
            each.kind == CLASS and each.a in classes for each in self.hierarchy.order(symbol)
        )

    def _narrow(self, term: list[int]) -> Set:
        values = self.vals[term[1]]
        declared = self.declared(term[2])
        classes = {value.a for value in declared if value.kind == INST}
        if not term[3]:
            if not classes:
                return values
            return {v: c for v, c in values.items() if v.kind != INST or not self._within(v.a, classes)}
        if not declared:
            return values
        kept = {v: c for v, c in values.items() if v.kind == INST and self._within(v.a, classes)}
        if kept:
            return kept
        return dict.fromkeys(declared, 0)

    def _this(self, term: list[int]) -> Set:
        return self.this(term[1])

    def _enter(self, term: list[int]) -> Set:
        base = self.vals[term[1]]
        if not base:
            return EMPTY
        names = self.semantics.enter_async if term[4] else self.semantics.enter
        record = self.record(EdgeKind.CALLS, self.at, term[2], term[3])
        out: Set = {}
        for value, cost in base.items():
            if value.kind == INST and names:
                found = self.calls.implicit({value: cost}, names[0], NO_ARGUMENTS, record)
                args = self.calls.positional([EMPTY, EMPTY, EMPTY])
                self.calls.implicit({value: cost}, names[1], args, record)
                if found and term[4]:
                    self.place = (term[2], term[3])
                    found = self.awaited(found)
                for each, price in (found or EMPTY).items():
                    add(out, each, price)
            elif value.kind in (GEN, CORO):
                self.read_step(("y", value.a), cost, ELEMENT, out)
            else:
                add(out, value, cost)
        self.keep(record)
        return out

    def _spread(self, term: list[int]) -> Set:
        return self.vals[term[1]]

    def _instance(self, term: list[int]) -> Set:
        return dict.fromkeys(self.declared(term[1]), 0)

    def _builtin(self, term: list[int]) -> Set:
        return {self.values(LIB, self.strings[term[1]]): 0}

    # -- effects

    def _bind(self, effect: list[int]) -> None:
        values = self.vals[effect[3]]
        if not values:
            return
        scope = effect[1]
        fact = self.file.head.symbols[scope]
        if scope == 0 or fact.kind in CLASSES or fact.kind == Kind.Namespace:
            key: Key = ("v", self.file.keys[scope], self.strings[effect[2]])
            for value, cost in values.items():
                self.write(key, value, cost)
        if scope != 0:
            slot = self.slots.setdefault((scope, effect[2]), {})
            for value, cost in values.items():
                old = slot.get(value)
                if old is None or cost < old:
                    slot[value] = cost
                    self.grew = True

    def _store(self, effect: list[int]) -> None:
        values = self.vals[effect[3]]
        name = self.strings[effect[2]]
        for base, cost in self.vals[effect[1]].items():
            setters = self.members.setters(base, name)
            if setters:
                record = Record(
                    EdgeKind.CALLS, self.symbol, self.owners.get(effect[1], self.symbol), effect[4], effect[5]
                )
                for each in setters:
                    self.calls.apply(each, cost, self.calls.positional([values]), record, 0, True)
                self.keep(record)
            elif values:
                self.store(base, name, values, cost)

    def _put(self, effect: list[int]) -> None:
        key = None
        if effect[2] >= 0:
            texts = [value.b for value in self.vals[effect[2]] if value.kind == LIT]
            key = texts[0] if len(texts) == 1 else None
        values = self.vals[effect[3]]
        for base, cost in self.vals[effect[1]].items():
            if base.kind == BOX:
                if values:
                    self.put(base, key, values)
            elif base.kind in (INST, CLASS) and self.semantics.set_item:
                record = Record(
                    EdgeKind.CALLS, self.symbol, self.owners.get(effect[1], self.symbol), effect[4], effect[5]
                )
                keys = self.vals[effect[2]] if effect[2] >= 0 else EMPTY
                self.calls.implicit(
                    {base: cost}, self.semantics.set_item, self.calls.positional([keys, values]), record
                )
                self.keep(record)
            elif key is not None and self.semantics.receiver == "this" and values:
                self.store(base, key, values, cost)

    def _return(self, effect: list[int]) -> None:
        key: Key = ("r", self.file.keys[self.symbol])
        for value, cost in self.vals[effect[1]].items():
            self.write(key, value, cost)

    def _yield(self, effect: list[int]) -> None:
        key: Key = ("y", self.file.keys[self.symbol])
        for value, cost in self.vals[effect[1]].items():
            self.write(key, value, cost)

    def _refer(self, effect: list[int]) -> None:
        at = effect[1]
        kind = EdgeKind(effect[2])
        record = Record(kind, self.symbol, self.owners.get(at, self.symbol), effect[3], effect[4])
        for symbol in self.solver.named_symbols(self, at):
            record.hit(symbol, 0)
        for value, cost in self.vals[at].items():
            if cost:
                continue
            if value.kind in (FUNC, CLASS):
                record.hit(value.a, 0)
            elif value.kind == BOUND:
                record.hit(value.a, 0, value.c)
            elif value.kind == LIB and kind == EdgeKind.INCLUDES:
                record.externals.append(value.a)
        if record.targets or record.externals:
            self.records.append(record)

    def _raise(self, effect: list[int]) -> None:
        record = Record(EdgeKind.CALLS, self.symbol, self.owners.get(effect[1], self.symbol), effect[2], effect[3])
        for value, cost in self.vals[effect[1]].items():
            if value.kind == CLASS:
                self.calls.construct(value, cost, NO_ARGUMENTS, record, 0)
        self.keep(record)

    def _default(self, effect: list[int]) -> None:
        self.calls._write(self.file.keys[effect[1]], effect[2], self.vals[effect[3]], 0)  # pyright: ignore[reportPrivateUsage]

    def _delete(self, effect: list[int]) -> None:
        if not self.semantics.delete_item:
            return
        record = Record(EdgeKind.CALLS, self.symbol, self.owners.get(effect[1], self.symbol), effect[3], effect[4])
        keys = self.vals[effect[2]] if effect[2] >= 0 else EMPTY
        self.calls.implicit(self.vals[effect[1]], self.semantics.delete_item, self.calls.positional([keys]), record)
        self.keep(record)

    def _decorated(self, effect: list[int]) -> None:
        key: Key = ("d", self.file.keys[effect[1]])
        for value, cost in self.vals[effect[2]].items():
            self.write(key, value, cost)

    def _thrown(self, effect: list[int]) -> None:
        return


def _table() -> list:  # pyright: ignore
    table = [Frame._none] * 64
    for op, handler in {
        Op.CONST: Frame._const,
        Op.DEF: Frame._def,
        Op.PARAM: Frame._param,
        Op.LOCAL: Frame._local,
        Op.NAME: Frame._name,
        Op.IMPORT: Frame._import,
        Op.ATTR: Frame._attr,
        Op.ITEM: Frame._item,
        Op.SLICE: Frame._slice,
        Op.ELEM: Frame._elem,
        Op.UNPACK: Frame._unpack,
        Op.CALL: Frame._call,
        Op.LIST: Frame._list,
        Op.DICT: Frame._dict,
        Op.UNION: Frame._union,
        Op.AWAIT: Frame._await,
        Op.YIELD_FROM: Frame._yield_from,
        Op.OPER: Frame._oper,
        Op.SUPER: Frame._super,
        Op.TYPED: Frame._typed,
        Op.NARROW: Frame._narrow,
        Op.THIS: Frame._this,
        Op.ENTER: Frame._enter,
        Op.SPREAD: Frame._spread,
        Op.INSTANCE: Frame._instance,
        Op.BUILTIN: Frame._builtin,
    }.items():
        table[op] = handler
    return table


HANDLERS = _table()
EFFECTS = [
    Frame._bind,
    Frame._store,
    Frame._put,
    Frame._return,
    Frame._yield,
    Frame._refer,
    Frame._raise,
    Frame._default,
    Frame._delete,
    Frame._decorated,
    Frame._thrown,
]
assert len(EFFECTS) - 1 == Effect.THROWN
