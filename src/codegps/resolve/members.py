"""`value.name` at layer 0: a plan of what is known at once, which variables to read, and which getters run."""

from __future__ import annotations

from typing import Final

from codegps.model.kinds import Flag, Kind
from codegps.resolve.hierarchy import Hierarchy
from codegps.resolve.program import NOTHING, Program, Result
from codegps.resolve.questions import Key
from codegps.resolve.types import Types
from codegps.resolve.values import (
    BOUND,
    BOX,
    CLASS,
    CORO,
    DECORATED,
    FOLDER,
    FUNC,
    GEN,
    GENERIC,
    INST,
    LIB,
    LIBBOUND,
    LIT,
    MODULE,
    OPAQUE,
    SELFTYPE,
    STRUCT,
    SUPERV,
    TYPEVAR,
    VARIABLE,
    Value,
)

Wrapped = tuple[Key, Value, int, bool]
"""A variable, the receiver that what it holds is bound to, the flags of the definition, whether it overrides."""


class Plan:
    """What an attribute means, before anything flows."""

    __slots__ = ("getters", "hooks", "static", "variables", "wrapped")

    def __init__(
        self,
        static: Result,
        variables: tuple[Key, ...],
        getters: tuple[Value, ...],
        wrapped: tuple[Wrapped, ...] = (),
        hooks: tuple[Value, ...] = (),
    ) -> None:
        self.static = static
        self.variables = variables
        """Read with one hop, `field`."""
        self.getters = getters
        """BOUND values of properties: they run, and the attribute is what they hand back."""
        self.wrapped = wrapped
        """Attributes of classes that only flow knows: bound when they are read."""
        self.hooks = hooks
        """Functions that are asked for missing attributes, with the name."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Plan) and self._parts() == other._parts()

    def _parts(self) -> tuple[object, ...]:
        return self.static, self.variables, self.getters, self.wrapped, self.hooks

    def __hash__(self) -> int:
        return hash((self.static, self.variables))


GETTER: Final = 1 << 30
"""A flag of `Wrapped`: what the variable holds is a property's function."""
NO_PLAN: Final = Plan(NOTHING, (), ())
FUNCTION_KINDS: Final = frozenset({int(Kind.Function), int(Kind.Method), int(Kind.Constructor), int(Kind.Property)})


class Members:
    """Plans for all values."""

    def __init__(self, program: Program, hierarchy: Hierarchy, types: Types) -> None:
        self.program = program
        self.hierarchy = hierarchy
        self.types = types
        self.values = program.values

    def plan(self, value: Value, name: str) -> Plan:
        return self.program.ask(("attr", value, name), lambda: self._plan(value, name), NO_PLAN)

    def _plan(self, value: Value, name: str) -> Plan:
        kind = value.kind
        if kind == INST:
            return self._instance(value, name)
        if kind == CLASS:
            return self._class(value, name)
        if kind == MODULE:
            return self._module(value, name)
        if kind == FOLDER:
            return Plan(self.program.attribute(value, name), (), ())
        if kind == SUPERV:
            return self._super(value, name)
        if kind == LIB:
            return Plan((self.values(LIB, f"{value.a}.{name}"),), (), ())
        if kind == FUNC:
            return self._function(value, name)
        if kind == BOX:
            return self._box(value, name)
        if kind == STRUCT:
            return Plan(self.types.member(value, name), (), ())
        return self._library(value, name)

    def _library(self, value: Value, name: str) -> Plan:
        kind = value.kind
        if kind == GENERIC:
            return Plan((self.values(LIBBOUND, f"{value.a}.{name}", value),), (), ())
        if kind == LIT:
            return Plan((self.values(LIBBOUND, f"{value.a}.{name}", value),), (), ())
        if kind == OPAQUE:
            return Plan((value,), (), ())
        if kind in (GEN, CORO):
            promised = kind == CORO and "promise" in self.program.file_of(value.a).semantics.literal_types
            return Plan((self.values(LIBBOUND, f"{'promise' if promised else 'generator'}.{name}", value),), (), ())
        if kind == BOUND:
            return Plan((self.values(LIBBOUND, f"function.{name}", value),), (), ())
        return NO_PLAN

    def _function(self, value: Value, name: str) -> Plan:
        file = self.program.file_of(value.a)
        if name == "prototype" and file.semantics.functions_construct:
            return Plan((self.values(INST, value.a, (), False),), (), ())
        own = self.program.member(file, file.locals[value.a], name)
        if own:
            return self._sort([(each, False) for each in own], value)
        model = self.values(LIBBOUND, f"function.{name}", value)
        return Plan((model,), (("f", value.a, name),), ())

    def _module(self, value: Value, name: str) -> Plan:
        static = self.program.attribute(value, name)
        if static or name.startswith("__"):
            return Plan(static, (), ())
        file = self.program.file(value.a)
        hooks: list[Value] = []
        for hook in file.semantics.missing_attribute:
            hooks += [each for each in self.program.member(file, 0, hook) or () if each.kind == FUNC]
        return Plan(static, (("v", value.a, name),), (), (), tuple(hooks))

    def _box(self, value: Value, name: str) -> Plan:
        file = self.program.file_of(value.a)
        library = file.semantics.literal_types.get(value.c, value.c)
        if value.c == "object":
            static = self.program.boxed(value, name)
            if static:
                bound = [
                    self.values(BOUND, each.a, value, False)
                    if each.kind == FUNC
                    and file.semantics.receiver == "this"
                    and not self.program.fact(each.a).accessor
                    else each
                    for each in static
                ]
                return self._sort([(each, False) for each in bound], value)
            if f"{library}.{name}" not in file.semantics.models and name not in file.semantics.object_members:
                return NO_PLAN
        return Plan((self.values(LIBBOUND, f"{library}.{name}", value),), (), ())

    # -- instances and classes

    def _instance(self, value: Value, name: str) -> Plan:
        symbol = value.a
        if name == "__class__":
            return Plan((self.values(CLASS, symbol, value.b, not value.c),), (), ())
        lookup = self.hierarchy.lookup(symbol, name)
        found: list[tuple[Value, bool]] = [(each, False) for each in lookup.values]
        if not value.c:
            found += [(each, True) for _, group in lookup.overrides for each in group]
        plan = self._sort(found, value)
        declared = self.types.member(value, name)
        if any(not self.types.vague(each) for each in declared):
            static = tuple(dict.fromkeys([*plan.static, *declared]))
            return Plan(static, (), plan.getters)
        if self._settled(plan):
            # Methods and properties stand before what instances hold, unless the class itself stores over them.
            own = self.fields(value, name) if self.hierarchy.stored_field(symbol, name) else ()
            return Plan((*plan.static, *declared), (*plan.variables, *own), plan.getters, plan.wrapped)
        above = self._inherited(value, name) if lookup.owner < 0 else NOTHING
        variables = (*plan.variables, *self.fields(value, name))
        wrapped = (*plan.wrapped, *self._class_stores(value, name))
        hooks = () if lookup.owner >= 0 or declared else self._hooks(value, name)
        return Plan((*plan.static, *declared, *above), variables, (), wrapped, hooks)

    def _settled(self, plan: Plan) -> bool:
        """Whether the class itself says what the name is: a method, a property, a class."""
        if any(each.kind not in (LIT, GENERIC) for each in plan.static) or plan.getters:
            return True
        return bool(plan.wrapped) and self._methods(plan)

    def _methods(self, plan: Plan) -> bool:
        """Whether what flows into the name is a decorated method."""
        return all(each[0][0] == "d" for each in plan.wrapped)

    def _hooks(self, value: Value, name: str) -> tuple[Value, ...]:
        """`__getattr__`, where nothing else has the name."""
        if name.startswith("__") or self.hierarchy.stored_field(value.a, name):
            return ()
        found: list[Value] = []
        for hook in self.program.file_of(value.a).semantics.missing_attribute:
            for each in self.hierarchy.lookup(value.a, hook).values:
                if each.kind == FUNC:
                    found.append(self.bound(each, value, False))
        return tuple(found)

    def _inherited(self, value: Value, name: str) -> Result:
        """What a library class above may have under a name that no class of the project has."""
        for each in self.hierarchy.order(value.a):
            if each.kind == LIB:
                return (self.values(LIBBOUND, f"{each.a}.{name}", value),)
        return NOTHING

    def fields(self, value: Value, name: str) -> tuple[Key, ...]:
        """The variables that hold a field of an instance."""
        symbol = value.a
        own: Key = ("f", symbol, name) if value.c else ("F", symbol, name)
        return (own, *(("f", above, name) for above in self.hierarchy.ancestors(symbol)))

    def _class_stores(self, value: Value, name: str) -> tuple[Wrapped, ...]:
        """What is stored on the class from outside its body, as an instance or the class sees it."""
        if self.program.file_of(value.a).semantics.receiver == "this":
            return ()
        classes = [value.a, *self.hierarchy.ancestors(value.a)]
        return tuple((("c", each, name), value, 0, False) for each in classes)

    def _class(self, value: Value, name: str) -> Plan:
        this = self.program.file_of(value.a).semantics.receiver == "this"
        if name == "prototype" and self.program.file_of(value.a).semantics.functions_construct:
            return Plan((self.values(INST, value.a, (), False),), (), ())
        lookup = self.hierarchy.lookup(value.a, name)
        found: list[tuple[Value, bool]] = [(each, False) for each in lookup.values]
        if value.c:
            found += [(each, True) for _, group in lookup.overrides for each in group]
        plan = self._sort(found, value)
        if self._settled(plan):
            return plan
        meta = self._metaclass(value.a)
        if lookup.owner < 0 and meta is not None:
            inner = self.hierarchy.lookup(meta, name)
            if inner.owner >= 0:
                return self._of_metaclass(inner.values, value, meta)
        fields = (
            () if not this else (("f", value.a, name), *(("f", e, name) for e in self.hierarchy.ancestors(value.a)))
        )
        model = () if lookup.owner >= 0 else (self.values(LIBBOUND, f"class.{name}", value),)
        wrapped = (*plan.wrapped, *self._class_stores(value, name))
        return Plan((*plan.static, *model), (*plan.variables, *fields), plan.getters, wrapped)

    def _of_metaclass(self, found: Result, value: Value, meta: int) -> Plan:
        """A metaclass's method, whose object is the class."""
        plan = self._sort([(each, False) for each in found], self.values(INST, meta, (), True))
        static = [
            self.values(BOUND, each.a, value, each.c) if each.kind == BOUND and each.b and each.b.kind == INST else each
            for each in plan.static
        ]
        getters = tuple(self.values(BOUND, each.a, value, each.c) for each in plan.getters)
        return Plan(tuple(static), plan.variables, getters, plan.wrapped)

    def _metaclass(self, symbol: int) -> int | None:
        for each in self.hierarchy.order(symbol):
            if each.kind == CLASS:
                fact = self.program.fact(each.a)
                if fact.metaclass >= 0:
                    for value in self.program.pull(self.program.file_of(each.a), fact.metaclass):
                        if value.kind == CLASS:
                            return value.a
        return None

    def metaclass(self, symbol: int) -> int | None:
        return self.program.ask(("metaclass", symbol), lambda: self._metaclass(symbol), None)

    def _super(self, value: Value, name: str) -> Plan:
        receiver: Value = value.b
        owner, values = self.hierarchy.after(value.a, self.hierarchy.order(receiver.a), name)
        found: list[tuple[Value, bool]] = [(each, False) for each in values]
        for below in self.hierarchy.mixed(receiver.a) if not receiver.c or receiver.kind == CLASS else ():
            other, others = self.hierarchy.after(value.a, self.hierarchy.order(below), name)
            if other != owner:
                found += [(each, True) for each in others]
        if not found:
            return self._above(value.a, name)
        return self._sort(found, receiver)

    def _above(self, symbol: int, name: str) -> Plan:
        """`super().name` that leaves the project."""
        if self.hierarchy.open_ended(symbol):
            return NO_PLAN
        for each in self.hierarchy.order(symbol):
            if each.kind == LIB:
                return Plan((self.values(LIB, f"{each.a}.{name}"),), (), ())
        builtins = self.program.file_of(symbol).semantics.builtins
        return Plan((self.values(LIB, f"{builtins}.object.{name}"),), (), ()) if builtins else NO_PLAN

    # -- binding

    def _sort(self, found: list[tuple[Value, bool]], receiver: Value) -> Plan:
        """Binds what was found in a class to its receiver, and sets getters and variables apart."""
        static: dict[Value, None] = {}
        variables: dict[Key, None] = {}
        getters: dict[Value, None] = {}
        wrapped: dict[Wrapped, None] = {}
        for value, override in found:
            if value.kind == FUNC:
                if self._reachable(value.a, receiver):
                    self._bind(value, receiver, override, static, getters, wrapped)
            elif value.kind == VARIABLE:
                self._bind_variable(value, receiver, override, static, variables, wrapped)
            elif value.kind == DECORATED:
                wrapped[("d", value.a), receiver, self.program.fact(value.a).flags, override] = None
            else:
                static[value] = None
        return Plan(tuple(static), tuple(variables), tuple(getters), tuple(wrapped))

    def _reachable(self, function: int, receiver: Value) -> bool:
        """Where a receiver is unwritten, a class and its instances have members of their own under one name."""
        file = self.program.file_of(function)
        if file.semantics.receiver != "this" or receiver.kind not in (INST, CLASS):
            return True
        fact = self.program.fact(function)
        if fact.kind not in (Kind.Method, Kind.Property, Kind.Constructor) or fact.parent < 0:
            return True
        if file.head.symbols[fact.parent].kind != Kind.Class:
            return True
        return bool(fact.flags & Flag.STATIC) == (receiver.kind == CLASS)

    def _bind_variable(
        self,
        value: Value,
        receiver: Value,
        override: bool,
        static: dict[Value, None],
        variables: dict[Key, None],
        wrapped: dict[Wrapped, None],
    ) -> None:
        file = self.program.file_of(value.a)
        declared: Result = NOTHING
        for member in file.members.get(file.locals[value.a], {}).get(value.b, ()):
            declared = declared or self.types.of(file, member.type)
        useful = [each for each in declared if each.kind not in (TYPEVAR, SELFTYPE)]
        for each in useful:
            static[each] = None
        if any(not self.types.vague(each) for each in useful):
            return
        key: Key = ("v", value.a, value.b)
        if file.semantics.receiver == "this":
            variables[key] = None
        else:
            wrapped[key, receiver, 0, override] = None

    def _bind(
        self,
        value: Value,
        receiver: Value,
        override: bool,
        static: dict[Value, None],
        getters: dict[Value, None],
        wrapped: dict[Wrapped, None],
    ) -> None:
        fact = self.program.fact(value.a)
        if fact.accessor in ("get", "cached"):
            if receiver.kind == INST and not self.program.plain_accessor(value.a, fact):
                wrapped[("d", value.a), receiver, GETTER, override] = None
            elif receiver.kind in (INST, BOX) or fact.flags & Flag.STATIC:
                getters[self.values(BOUND, value.a, receiver, override)] = None
            return
        if fact.accessor in ("set", "delete"):
            return
        static[self.bound(value, receiver, override)] = None

    def bound(self, value: Value, receiver: Value, override: bool) -> Value:
        """The function as got from the receiver."""
        fact = self.program.fact(value.a)
        if fact.flags & Flag.STATIC:
            return self.values(BOUND, value.a, None, True) if override else value
        if self.program.file_of(value.a).semantics.receiver == "this":
            return self.values(BOUND, value.a, receiver, override)
        if fact.flags & Flag.CLASSMETHOD:
            if receiver.kind == INST:
                receiver = self.values(CLASS, receiver.a, receiver.b, not receiver.c)
            return self.values(BOUND, value.a, receiver, override)
        if receiver.kind == INST:
            return self.values(BOUND, value.a, receiver, override)
        if receiver.kind == CLASS and override:
            return self.values(BOUND, value.a, None, True)
        return value

    def setters(self, value: Value, name: str) -> Result:
        """The setters that `value.name = x` runs."""
        if value.kind != INST:
            return NOTHING
        return self.program.ask(("setters", value, name), lambda: self._setters(value, name), NOTHING)

    def _setters(self, value: Value, name: str) -> Result:
        lookup = self.hierarchy.lookup(value.a, name)
        if lookup.owner < 0:
            return NOTHING
        file = self.program.file_of(lookup.owner)
        scope = file.locals[lookup.owner]
        found: list[Value] = []
        for at, fact in enumerate(file.head.symbols):
            if fact.parent == scope and fact.accessor == "set" and fact.name == name:
                found.append(self.values(BOUND, file.keys[at], value, False))
        return tuple(found)
