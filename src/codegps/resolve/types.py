"""Declared types in, values out: what an annotation says that a value is, at no hops."""

from __future__ import annotations

from codegps.model.facts import Op, SymbolFact
from codegps.resolve.hierarchy import Hierarchy
from codegps.resolve.program import NOTHING, File, Program, Result
from codegps.resolve.values import (
    CLASS,
    DECORATED,
    FUNC,
    GENERIC,
    INST,
    LIB,
    SELFTYPE,
    STRUCT,
    TYPEVAR,
    VARIABLE,
    Value,
)


def shaped(file: File, fact: SymbolFact) -> bool:
    """A type alias of an object type, whose members are symbols: an interface by another name."""
    return file.terms[fact.alias][0] == Op.OBJTYPE


CONTAINERS = frozenset({"list", "dict", "tuple", "awaitable", "promise"})
"""Kinds of generic types that hold what flows into them."""


class Types:
    """Evaluates head terms in type positions."""

    def __init__(self, program: Program, hierarchy: Hierarchy) -> None:
        self.program = program
        self.hierarchy = hierarchy
        self.values = program.values

    def of(self, file: File, term: int) -> Result:
        """Instances that a value declared so may be; nothing where the type says nothing."""
        if term < 0:
            return NOTHING
        return self.program.ask(("type", file.key, term), lambda: self._of(file, term, 0), NOTHING)

    def inline(self, view: File, term: int) -> Result:
        """The same for a term of a unit: `view` is its file with the unit's terms."""
        return self._of(view, term, 0)

    def _of(self, file: File, at: int, depth: int) -> Result:
        if depth > 40:
            return NOTHING
        term = file.terms[at]
        op = term[0]
        if op in (Op.NAME, Op.IMPORT, Op.ATTR, Op.DEF, Op.BUILTIN):
            return self._named(file, at)
        if not depth:
            return self._made(file, at, depth)
        # Types may share most of what they are made of.
        if file.known is None:
            return self.of(file, at)
        found = file.typed.get(at)
        if found is None:
            found = file.typed[at] = self._made(file, at, depth)
        return found

    def _made(self, file: File, at: int, depth: int) -> Result:
        term = file.terms[at]
        op = term[0]
        if op == Op.ITEM:
            return self._generic(file, term, depth)
        if op in (Op.UNION, Op.LIST, Op.INTERSECT):
            first = 3 if op == Op.LIST else 1
            return self._all(file, term[first:], depth)
        if op == Op.ARRAYTYPE:
            return (self.values(GENERIC, "list", (self._of(file, term[1], depth + 1),)),)
        if op == Op.TUPLETYPE:
            return (self.values(GENERIC, "tuple", tuple(self._of(file, each, depth + 1) for each in term[1:])),)
        if op == Op.FUNCTYPE:
            parts = (self._of(file, each, depth + 1) if each >= 0 else NOTHING for each in term[1:])
            return (self.values(GENERIC, "callable", tuple(parts)),)
        if op == Op.OBJTYPE:
            return (self.values(STRUCT, file.key, at),) if file.terms is file.head.terms else NOTHING
        if op == Op.TYPEPARAM:
            return (self._parameter_type(file, term[1], file.strings[term[2]]),)
        if op == Op.THISTYPE:
            return (self.values(SELFTYPE),)
        if op == Op.CONST:
            return self._literal(file, term)
        if op == Op.TYPEOF:
            return tuple(v for v in self.program.pull(file, term[1]) if v.kind not in (VARIABLE, DECORATED))
        if op == Op.KEYOF:
            return self.members(self._of(file, term[1], depth + 1), file.strings[term[2]])
        return NOTHING

    def _all(self, file: File, terms: list[int], depth: int) -> Result:
        found: dict[Value, None] = {}
        for each in terms:
            for value in self._of(file, each, depth + 1):
                found[value] = None
        return tuple(found)

    def _literal(self, file: File, term: list[int]) -> Result:
        library = file.semantics.literal_types.get(file.strings[term[1]])
        return (self.values(GENERIC, library, ()),) if library else NOTHING

    def _named(self, file: File, at: int) -> Result:
        found: dict[Value, None] = {}
        values = self.program.pull(file, at)
        if len(values) > 1 and any(value.kind == CLASS for value in values):
            # A type and a value may share a name.
            values = tuple(value for value in values if value.kind not in (FUNC, VARIABLE))
        for value in values:
            for each in self.meant(file, value):
                found[each] = None
        return tuple(found)

    def meant(self, file: File, value: Value) -> Result:
        """What an instance of the named type is."""
        kind = value.kind
        if kind == CLASS:
            value = self.program.sourced(value)
            return (self.values(INST, value.a, value.b, False),)
        if kind == DECORATED:
            return (self.values(INST, value.a, NOTHING, False),) if self.program.is_class(value.a) else NOTHING
        if kind == FUNC:
            return (self.values(INST, value.a, NOTHING, False),) if file.semantics.functions_construct else NOTHING
        if kind == LIB:
            return self._library(file, value.a)
        if kind == VARIABLE:
            return self._alias(value)
        return NOTHING

    def _library(self, file: File, dotted: str) -> Result:
        model = file.semantics.type_models.get(dotted)
        if model == "self":
            return (self.values(SELFTYPE),)
        if model in ("any", "union", "optional", "callable", "final", "literal"):
            return NOTHING
        return (self.values(GENERIC, model or dotted, ()),)

    def _alias(self, variable: Value) -> Result:
        """A name that is no class: a type alias, or else a type variable."""
        program = self.program
        file = program.file_of(variable.a)
        for member in file.members.get(file.locals[variable.a], {}).get(variable.b, ()):
            if member.symbol >= 0:
                symbol = file.keys[member.symbol]
                fact = program.fact(symbol)
                if fact.alias >= 0:
                    return (self.values(INST, symbol, (), False),) if shaped(file, fact) else self.of(file, fact.alias)
                if fact.type_bounds:
                    return (self._bounded(file, variable.b, fact.type_bounds),)
        return (self.values(TYPEVAR, variable.b),)

    def _parameter_type(self, file: File, local: int, name: str) -> Value:
        fact = self.program.fact(file.keys[local])
        at = fact.type_params.index(name) if name in fact.type_params else -1
        bound = fact.type_bounds[at] if 0 <= at < len(fact.type_bounds) else -1
        return self._bounded(self.program.file(file.key), name, [bound])

    def _bounded(self, file: File, name: str, terms: list[int]) -> Value:
        """A type parameter, with what it is at least."""
        bounds = tuple(dict.fromkeys(each for term in terms for each in self.of(file, term)))
        return self.values(TYPEVAR, name, bounds or None)

    def least(self, found: Result) -> Result:
        """A declared type with its parameters' bounds in their place."""
        if not any(value.open for value in found):
            return found
        result: dict[Value, None] = {}
        for value in found:
            if value.kind == TYPEVAR:
                result.update(dict.fromkeys(value.b or ()))
            elif value.kind == SELFTYPE or not value.open:
                result[value] = None
            else:
                inner = tuple(self.least(group) for group in value.b)
                result[self.values(value.kind, value.a, inner, value.c)] = None
        return tuple(result)

    def _generic(self, file: File, term: list[int], depth: int) -> Result:
        found: dict[Value, None] = {}
        for base in self.program.pull(file, self.hierarchy.plain(file, term[1])):
            if base.kind in (CLASS, DECORATED):
                base = self.program.sourced(base) if base.kind == CLASS else base
                found[self.values(INST, base.a, self._arguments(file, term[2], depth), False)] = None
            elif base.kind == LIB:
                for each in self._library_generic(file, base.a, term[2], depth):
                    found[each] = None
            elif base.kind == VARIABLE:
                for each in self._alias_generic(file, base, term[2], depth):
                    found[each] = None
        return tuple(found)

    def _arguments(self, file: File, key: int, depth: int) -> tuple[Result, ...]:
        term = file.terms[key]
        if term[0] == Op.TUPLETYPE or (term[0] == Op.LIST and file.strings[term[2]] == "tuple"):
            first = 1 if term[0] == Op.TUPLETYPE else 3
            return tuple(self._of(file, each, depth + 1) for each in term[first:])
        return (self._of(file, key, depth + 1),)

    def _library_generic(self, file: File, dotted: str, key: int, depth: int) -> Result:
        model = file.semantics.type_models.get(dotted)
        if model in ("optional", "final"):
            return self._arguments(file, key, depth)[0]
        if model == "union":
            return tuple(dict.fromkeys(v for each in self._arguments(file, key, depth) for v in each))
        if model in ("literal", "any"):
            return NOTHING
        if model == "type":
            return tuple(
                self.values(CLASS, value.a, value.b, True)
                for value in self._of(file, key, depth + 1)
                if value.kind == INST
            )
        if model == "callable":
            term = file.terms[key]
            last = term[-1] if term[0] == Op.TUPLETYPE or (term[0] == Op.LIST and len(term) > 3) else key
            return (self.values(GENERIC, "callable", (self._of(file, last, depth + 1),)),)
        if model == "returntype":
            return self._return_type(file, key)
        if model == "instancetype":
            return tuple(
                self.values(INST, value.a, value.b, False)
                for value in self._of(file, key, depth + 1)
                if value.kind == CLASS
            )
        return (self.values(GENERIC, model or dotted, self._arguments(file, key, depth)),)

    def _return_type(self, file: File, key: int) -> Result:
        """`ReturnType<typeof f>`."""
        term = file.terms[key]
        found: dict[Value, None] = {}
        if term[0] == Op.TYPEOF:
            for value in self.program.pull(file, term[1]):
                if value.kind == FUNC:
                    for each in self.returned(value.a):
                        found[each] = None
        return tuple(found)

    def _alias_generic(self, file: File, variable: Value, key: int, depth: int) -> Result:
        """A generic type alias with its arguments put in."""
        program = self.program
        other = program.file_of(variable.a)
        for member in other.members.get(other.locals[variable.a], {}).get(variable.b, ()):
            if member.symbol >= 0:
                symbol = other.keys[member.symbol]
                fact = program.fact(symbol)
                if fact.alias >= 0 and shaped(other, fact):
                    return (self.values(INST, symbol, self._arguments(file, key, depth), False),)
                if fact.alias >= 0:
                    found = self.of(other, fact.alias)
                    names = dict(zip(fact.type_params, self._arguments(file, key, depth), strict=False))
                    return self.substitute(found, names)
        return NOTHING

    # -- generics

    def parameters(self, symbol: int) -> list[str]:
        """Names of a class's type parameters, in order."""
        return self.program.ask(("typeparams", symbol), lambda: self._parameters(symbol), [])

    def _parameters(self, symbol: int) -> list[str]:
        fact = self.program.fact(symbol)
        if fact.type_params:
            return fact.type_params
        file = self.program.file_of(symbol)
        names: dict[str, None] = {}
        for base in fact.bases:
            if file.terms[base][0] == Op.ITEM:
                for group in self._arguments(file, file.terms[base][2], 0):
                    self._variables(group, names)
        return list(names)

    def _variables(self, group: Result, names: dict[str, None]) -> None:
        for value in group:
            if value.kind == TYPEVAR:
                names[value.a] = None
            elif value.kind in (INST, GENERIC):
                for inner in value.b:
                    self._variables(inner, names)

    def bindings(self, instance: Value, owner: int) -> dict[str, Result]:
        """The type arguments of `owner`, a class in the instance's order, as the instance has them."""
        if instance.kind not in (INST, CLASS):
            return {}
        names = dict(zip(self.parameters(instance.a), instance.b, strict=False))
        if instance.a == owner:
            return names
        return self._inherited(instance.a, owner, names, 0)

    def _inherited(self, symbol: int, owner: int, names: dict[str, Result], depth: int) -> dict[str, Result]:
        program = self.program
        file = program.file_of(symbol)
        if depth > 30:
            return {}
        fact = program.fact(symbol)
        for term in [*fact.bases, *fact.implements]:
            for base in self.hierarchy.base(file, term):
                if base.kind != CLASS or base.a == symbol:
                    continue
                if base.a != owner and not any(each.a == owner for each in self.hierarchy.order(base.a)):
                    continue
                given: dict[str, Result] = {}
                if file.terms[term][0] == Op.ITEM:
                    args = tuple(
                        self.substitute(group, names) for group in self._arguments(file, file.terms[term][2], 0)
                    )
                    given = dict(zip(self.parameters(base.a), args, strict=False))
                return given if base.a == owner else self._inherited(base.a, owner, given, depth + 1)
        return {}

    def substitute(self, found: Result, names: dict[str, Result], receiver: Value | None = None) -> Result:
        """Puts type arguments and the receiver into a declared type; unbound variables say nothing."""
        if not any(value.open for value in found):
            return found
        result: dict[Value, None] = {}
        for value in found:
            if value.kind == TYPEVAR:
                for each in names.get(value.a, value.b or NOTHING):
                    result[each] = None
            elif value.kind == SELFTYPE:
                if receiver is not None:
                    result[receiver] = None
            elif value.open:
                inner = tuple(self.substitute(group, names, receiver) for group in value.b)
                result[self.values(value.kind, value.a, inner, value.c)] = None
            else:
                result[value] = None
        return tuple(result)

    # -- members of types

    def vague(self, value: Value) -> bool:
        """A declared type that leaves open what is called: a function, or a container of no matter what."""
        if value.kind == TYPEVAR:
            return True
        if value.kind != GENERIC:
            return False
        if value.a == "callable":
            return True
        if value.a not in CONTAINERS:
            return False
        groups = value.b if value.a == "tuple" else value.b[-1:]
        return all(self.vague(each) for group in groups for each in group)

    def returned(self, function: int) -> Result:
        """The declared result of a function."""
        fact = self.program.fact(function)
        file = self.program.file_of(function)
        if fact.returns >= 0 or fact.parent < 0:
            return self.of(file, fact.returns)
        stub = self.program.stub(file, fact)
        if stub is not None:
            return self.of(stub[0], stub[1].returns)
        found: dict[Value, None] = {}
        for each in file.overloads.get((fact.parent, fact.name), ()):
            for value in self.of(file, self.program.fact(file.keys[each]).returns):
                found[value] = None
        return tuple(found)

    def parameter(self, function: int, index: int) -> Result:
        fact = self.program.fact(function)
        file = self.program.file_of(function)
        param = fact.params[index]
        if param.type < 0:
            stub = self.program.stub(file, fact)
            for each in stub[1].params if stub is not None else ():
                if each.name == param.name:
                    return self.of(stub[0], each.type) if stub is not None else NOTHING
        return self.of(file, param.type)

    def members(self, found: Result, name: str) -> Result:
        """The declared types of a field on these instances."""
        result: dict[Value, None] = {}
        for value in found:
            for each in self.member(value, name):
                result[each] = None
        return tuple(result)

    def member(self, value: Value, name: str) -> Result:
        if value.kind == INST:
            declared = self.hierarchy.declared(value.a, name)
            if declared is not None:
                file, member = declared
                owner = file.keys[member.scope]
                return self.substitute(self.of(file, member.type), self.bindings(value, owner), value)
        if value.kind == STRUCT:
            file = self.program.file(value.a)
            term = file.terms[int(value.b)]
            for at in range(1, len(term), 2):
                if file.strings[term[at]] == name:
                    return self.of(file, term[at + 1])
        return NOTHING
