"""Callees and arguments in, results and call records out: what calling a value does."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from codegps.model.facts import ParamFact, ParamKind, SymbolFact
from codegps.model.kinds import EdgeKind, Flag, Kind
from codegps.resolve.attributes import methods
from codegps.resolve.context import candidate, expect
from codegps.resolve.models import Expression, ModelRun
from codegps.resolve.program import Result
from codegps.resolve.records import Arguments, Record
from codegps.resolve.values import (
    BOUND,
    BOX,
    CLASS,
    CORO,
    DECORATED,
    EMPTY,
    FUNC,
    GEN,
    GENERIC,
    INST,
    KEYED,
    LIB,
    LIBBOUND,
    OPAQUE,
    PARAMETER,
    PARTIAL,
    RETURN,
    TYPEVAR,
    Set,
    Value,
    add,
    stepped,
)

if TYPE_CHECKING:
    from codegps.resolve.frame import Frame


class Calls:
    """What calls do, for one frame."""

    def __init__(self, frame: Frame) -> None:
        self.frame = frame
        self.program = frame.program
        self.values = frame.values
        self.types = frame.types
        self.members = frame.members
        self.hierarchy = frame.hierarchy

    def positional(self, sets: list[Set]) -> Arguments:
        args = Arguments()
        args.positionals = sets
        return args

    def call(self, callees: Set, args: Arguments, record: Record, quiet: bool = False) -> Set:
        """Calls everything the callee may be. `quiet`: only project targets are noted."""
        if len(callees) == 1:
            for value, cost in callees.items():
                return self.apply(value, cost, args, record, 0, quiet)
        out: Set = {}
        for value, cost in callees.items():
            for each, price in self.apply(value, cost, args, record, 0, quiet).items():
                add(out, each, price)
        return out

    def apply(self, value: Value, cost: int, args: Arguments, record: Record, skip: int, quiet: bool) -> Set:
        """Calls one value; the first `skip` parameters were given before."""
        kind = value.kind
        if kind == FUNC:
            return self.enter(value.a, None, cost, args, record, skip, False)
        if kind == BOUND:
            return self.enter(value.a, value.b, cost, args, record, skip, value.c)
        if kind == CLASS:
            return self.construct(value, cost, args, record, skip)
        if kind == INST:
            return self.call_instance(value, cost, args, record, skip)
        if kind == PARTIAL:
            return self.apply(value.a, cost, args.with_given(value.c or ()), record, skip + value.b, quiet)
        if kind in (LIB, LIBBOUND):
            return self.library(value, cost, args, record, quiet)
        if kind == GENERIC and value.a == "callable":
            return dict.fromkeys(value.b[0], cost) if value.b else EMPTY
        if kind == GENERIC and f"{value.a}.{self.frame.semantics.callable_method}" in self.frame.semantics.models:
            method = self.values(LIBBOUND, f"{value.a}.{self.frame.semantics.callable_method}", value)
            return self.library(method, cost, args, record, quiet)
        if kind == OPAQUE:
            if not quiet:
                record.externals.append(value.a)
            steps = self.frame.semantics.models.get(f"*.{record.name}") if record.name else None
            if steps is not None:
                ModelRun(self, {value: cost}, args, record, cost).run(steps)  # pyright: ignore[reportArgumentType]
            return {value: cost}
        if kind == GENERIC and not quiet and "." in value.a:
            record.externals.append(f"{value.a}.{self.frame.semantics.callable_method}".rstrip("."))
        return EMPTY

    # -- functions

    def enter(
        self,
        function: int,
        receiver: Value | None,
        cost: int,
        args: Arguments,
        record: Record,
        skip: int,
        over: bool,
        noted: int = -1,
    ) -> Set:
        """A call of a function that came at `cost`; where a library calls it, the call itself is noted at more."""
        fact = self.program.fact(function)
        offset = skip + (1 if receiver is not None and self.frame.semantics_of(function).receiver == "parameter" else 0)
        if (cost or over) and not self.accepts(function, fact, offset, args):
            return EMPTY
        record.hit(function, cost if noted < 0 else noted, over)
        if receiver is not None:
            if offset == skip:
                self.receive(function, {receiver: 0}, cost)
            elif not self.frame.solver.knows_self(function, fact):
                self._position(function, fact, 0, {receiver: 0}, cost)
        self.pass_arguments(function, fact, offset, args, cost)
        self.expect_arguments(function, fact, receiver, offset, args, cost)
        return self.result(function, fact, receiver, offset, args, cost)

    def expect_arguments(
        self,
        function: int,
        fact: SymbolFact,
        receiver: Value | None,
        offset: int,
        args: Arguments,
        cost: int,
        wanted: Result = (),
    ) -> None:
        """Function literals among the arguments learn from the parameters they are given for. `wanted` is the type that
        is declared for what the call hands back."""
        names: dict[str, Result] | None = None
        for at, values in enumerate(args.positionals):
            index = offset + at
            if index >= len(fact.params) or fact.params[index].type < 0 or not candidate(self.frame, values):
                continue
            if names is None:
                names = self._names(function, fact, receiver, offset, args)
                if wanted:
                    self._unify(self.types.returned(function), dict.fromkeys(wanted, 0), names)
                # What stays open is known from elsewhere, if at all: its bound is too little.
                names.update({name: () for name in fact.type_params if name not in names})
            declared = self.types.substitute(self.types.parameter(function, index), names, receiver)
            expect(self.frame, values, declared, cost)

    def receive(self, function: int, receivers: Set, cost: int) -> None:
        """Hands an unwritten `this` to a function that belongs to no class."""
        if self.frame.semantics_of(function).receiver == "this" and self.frame.solver.wants_this(function):
            for value, price in receivers.items():
                further = stepped(price, cost, PARAMETER)
                if further >= 0:
                    self.frame.write(("t", function), value, further)

    def accepts(self, function: int, fact: SymbolFact, offset: int, args: Arguments) -> bool:
        """Whether the call can be one of this function at all."""
        if args.stars or args.doubles or self.frame.semantics_of(function).callables_take_any:
            return True
        room = 0
        names: set[str] = set()
        needed = 0
        open_names = False
        for index, param in enumerate(fact.params):
            if param.kind == ParamKind.STAR:
                room = 1 << 30
            elif param.kind == ParamKind.DOUBLE_STAR:
                open_names = True
            else:
                if param.kind != ParamKind.KEYWORD_ONLY:
                    room += 1
                if index >= offset:
                    names.add(param.name)
                    if not param.default and param.kind != ParamKind.KEYWORD_ONLY:
                        needed += 1
        if len(args.positionals) > max(room - offset, 0):
            return False
        if not open_names and any(name not in names for name in args.keywords):
            return False
        return len(args.positionals) + len(args.keywords) >= needed

    def give(self, value: Value, args: Arguments, cost: int) -> None:
        """Passes arguments to a function that is not called yet (`partial`, `bind`)."""
        if value.kind in (FUNC, BOUND):
            fact = self.program.fact(value.a)
            offset = 1 if value.kind == BOUND and self.frame.semantics_of(value.a).receiver == "parameter" else 0
            self.pass_arguments(value.a, fact, offset, args, cost)

    def pass_arguments(self, function: int, fact: SymbolFact, offset: int, args: Arguments, cost: int) -> None:
        params = fact.params
        for index, param in enumerate(params):
            if param.key and index >= offset:
                self._hand_key(function, index, param, offset, args, cost)
        for at, values in enumerate(args.positionals):
            if values:
                self._position(function, fact, offset + at, values, cost)
        for name, values in args.keywords.items():
            if values:
                self._keyword(function, fact, name, values, cost)
        for before, containers in args.stars:
            for key, values in self.frame.keyed(containers):
                if key is not None and key.isdecimal():
                    self._position(function, fact, offset + before + int(key), values, cost)
                else:
                    for at in range(offset + before, len(params)):
                        if params[at].kind <= ParamKind.STAR:
                            self._position(function, fact, at, values, cost)
        for containers in args.doubles:
            for key, values in self.frame.keyed(containers):
                for name in [key] if key is not None else [param.name for param in params[offset:]]:
                    self._keyword(function, fact, name, values, cost)

    def _hand_key(self, function: int, index: int, param: ParamFact, offset: int, args: Arguments, cost: int) -> None:
        at = index - offset
        if at < len(args.positionals) and all(before > at for before, _ in args.stars):
            term = args.terms[at] if at < len(args.terms) else -1
        elif param.name in args.keywords:
            term = args.named_terms.get(param.name, -1)
        elif args.stars or args.doubles:
            term = -1
        else:
            return
        self.frame.hand_key(("k", function, index), term, cost)

    def _position(self, function: int, fact: SymbolFact, index: int, values: Set, cost: int) -> None:
        for at, param in enumerate(fact.params):
            if param.kind == ParamKind.STAR:
                self.frame.fill(function, -1 - at, "tuple", str(index - at), values, cost)
                return
            if param.kind >= ParamKind.KEYWORD_ONLY:
                return
            if at == index:
                self._write(function, at, values, cost)
                return

    def _keyword(self, function: int, fact: SymbolFact, name: str, values: Set, cost: int) -> None:
        for at, param in enumerate(fact.params):
            if param.name == name and param.kind in (ParamKind.NORMAL, ParamKind.KEYWORD_ONLY):
                self._write(function, at, values, cost)
                return
            if param.kind == ParamKind.DOUBLE_STAR:
                self.frame.fill(function, -1 - at, "dict", name, values, cost)
                return

    def _write(self, function: int, index: int, values: Set, cost: int) -> None:
        if self.frame.solver.typed(function, index):
            return
        key = ("p", function, index)
        for value, price in values.items():
            further = stepped(price, cost, PARAMETER)
            if further >= 0:
                self.frame.write(key, value, further)

    def result(
        self, function: int, fact: SymbolFact, receiver: Value | None, offset: int, args: Arguments, cost: int
    ) -> Set:
        """What the call hands back."""
        declared = self.declared_result(function, fact, receiver, offset, args)
        if fact.flags & Flag.GENERATOR and not declared:
            return {self.values(GEN, function): cost}
        if fact.flags & Flag.ASYNC and self.frame.semantics_of(function).await_method:
            if not declared and receiver is not None and 0 in fact.returned_params:
                declared = (self.values(KEYED, None, receiver),)
            return {self.values(CORO, function, declared): cost}
        if any(not self.types.vague(value) for value in declared):
            return dict.fromkeys(declared, cost)
        out: Set = dict.fromkeys(declared, cost)
        if fact.flags & Flag.ASYNC:
            return {self.values(CORO, function, declared): cost}
        for index in fact.returned_params:
            values = args.at(index - offset) if index >= offset else EMPTY
            if index < len(fact.params) and not values:
                values = args.named(fact.params[index].name)
            if index == 0 and receiver is not None and offset == 1:
                values = {receiver: 0}
            for value, price in values.items():
                further = stepped(price, cost, RETURN)
                if further >= 0:
                    add(out, value, further)
        self.frame.read_step(("r", function), cost, RETURN, out)
        return out

    def declared_result(
        self, function: int, fact: SymbolFact, receiver: Value | None, offset: int, args: Arguments
    ) -> tuple[Value, ...]:
        declared = self.types.returned(function)
        if not declared:
            return ()
        names = self._names(function, fact, receiver, offset, args)
        itself = receiver
        if receiver is not None and receiver.kind == CLASS:
            itself = self.values(INST, receiver.a, receiver.b, not receiver.c)
        return self.types.substitute(declared, names, itself)

    def _names(
        self, function: int, fact: SymbolFact, receiver: Value | None, offset: int, args: Arguments
    ) -> dict[str, Result]:
        """What the type parameters in a signature are at this call."""
        names: dict[str, Result] = {}
        if receiver is not None and receiver.kind in (INST, CLASS):
            owner = self.program.file_of(function).keys[fact.parent]
            names.update(self.types.bindings(receiver, owner))
            if offset and fact.params and fact.params[0].type >= 0:
                self._unify(self.types.parameter(function, 0), {receiver: 0}, names)
        self._unify_all(function, fact, offset, args, names)
        names.update(zip(fact.type_params, args.types, strict=False))
        return names

    def _unify_all(
        self, function: int, fact: SymbolFact, offset: int, args: Arguments, names: dict[str, tuple[Value, ...]]
    ) -> None:
        for index, param in enumerate(fact.params):
            if param.type >= 0 and index >= offset:
                values = args.at(index - offset) or args.named(param.name)
                if values:
                    self._unify(self.types.parameter(function, index), values, names)

    def _unify(self, declared: tuple[Value, ...], given: Set, names: dict[str, tuple[Value, ...]]) -> None:
        """Finds type variables by what was given for a parameter declared with them."""
        for value in declared:
            if value.kind == TYPEVAR:
                found = tuple(each for each, cost in given.items() if not cost and each.kind in (INST, GENERIC))
                if found:
                    names[value.a] = found
            elif value.kind == GENERIC and value.b and value.open:
                for each, cost in given.items():
                    if each.kind == GENERIC and each.a == value.a:
                        for inner, outer in zip(value.b, each.b, strict=False):
                            self._unify(inner, dict.fromkeys(outer, 0), names)
                    elif each.kind == BOX and not cost:
                        self._unify(value.b[-1], self.frame.contents({each: 0}), names)
            elif value.kind == INST and value.open:
                for each, cost in given.items():
                    if each.kind == INST and each.a == value.a and not cost:
                        for inner, outer in zip(value.b, each.b, strict=False):
                            self._unify(inner, dict.fromkeys(outer, 0), names)

    def _inferred(self, symbol: int, args: Arguments) -> tuple[Result, ...]:
        """The type arguments of an instance, as its constructor is given them."""
        parameters = self.types.parameters(symbol)
        if not parameters:
            return ()
        names: dict[str, Result] = {}
        for function in self.functions(self.hierarchy.lookup(symbol, self._initializer(symbol)).values):
            fact = self.program.fact(function)
            if self.program.file_of(function).keys[fact.parent] == symbol:
                offset = 1 if self.frame.semantics_of(function).receiver == "parameter" else 0
                self._unify_all(function, fact, offset, args, names)
        return tuple(names.get(name, ()) for name in parameters) if names else ()

    def _initializer(self, symbol: int) -> str:
        return (self.frame.semantics_of(symbol).constructors or ("",))[-1]

    # -- classes

    def construct(self, value: Value, cost: int, args: Arguments, record: Record, skip: int) -> Set:
        symbol = value.a
        semantics = self.frame.semantics_of(symbol)
        meta = self.members.metaclass(symbol) if semantics.callable_method else None
        if meta is not None:
            self._metaclass_call(meta, value, cost, args, record)
        found = False
        for name in semantics.constructors:
            lookup = self.hierarchy.lookup(symbol, name)
            for each in self.functions(lookup.values):
                self._constructor(each, symbol, cost, args, record, skip, False)
                found = True
            if value.c:
                for below, group in lookup.overrides:
                    for each in self.functions(group):
                        self._constructor(each, below, cost, args, record, skip, True)
        if not found:
            hooked = False
            for each in self.functions(self.hierarchy.lookup(symbol, semantics.post_construct or "?").values):
                self._constructor(each, symbol, cost, Arguments(), record, 0, False)
                hooked = True
            if not hooked:
                record.hit(symbol, cost, False)
            self._fields(symbol, args, cost)
        return {self.values(INST, symbol, value.b or self._inferred(symbol, args), not value.c): cost}

    def functions(self, values: tuple[Value, ...]) -> Iterator[int]:
        for value in values:
            if value.kind in (FUNC, DECORATED):
                yield value.a

    def create(self, local: int) -> None:
        """A class statement: what the class above is told, and the metaclass's constructors."""
        file = self.frame.file
        symbol = file.keys[local]
        semantics = self.frame.semantics
        if not semantics.subclass_hook:
            return
        fact = file.head.symbols[local]
        record = Record(EdgeKind.CALLS, self.frame.symbol, local, fact.start_line, fact.start_column)
        owner, found = self.hierarchy.after(symbol, self.hierarchy.order(symbol), semantics.subclass_hook)
        made = self.values(CLASS, symbol, (), False)
        for each in found if owner >= 0 else ():
            if each.kind == FUNC:
                self.apply(self.values(BOUND, each.a, made, False), 0, self.positional([]), record, 0, True)
        meta = self.members.metaclass(symbol)
        if meta is not None:
            for name in semantics.constructors:
                for each in self.functions(self.hierarchy.lookup(meta, name).values):
                    record.hit(each, 0, False, meta)
                    if name == semantics.constructors[-1]:
                        self._position(each, self.program.fact(each), 0, {made: 0}, 0)
        self.frame.keep(record)

    def _constructor(
        self, function: int, class_: int, cost: int, args: Arguments, record: Record, skip: int, over: bool
    ) -> None:
        fact = self.program.fact(function)
        offset = skip + (1 if self.frame.semantics_of(function).receiver == "parameter" else 0)
        if over and not self.accepts(function, fact, offset, args):
            return
        record.hit(function, cost, over, class_)
        self.pass_arguments(function, fact, offset, args, cost)
        self.expect_arguments(function, fact, None, offset, args, cost)

    def _metaclass_call(self, meta: int, value: Value, cost: int, args: Arguments, record: Record) -> None:
        name = self.frame.semantics_of(meta).callable_method
        for each in self.functions(self.hierarchy.lookup(meta, name).values):
            fact = self.program.fact(each)
            record.hit(each, cost, False, value.a)
            self._position(each, fact, 0, {value: 0}, cost)
            self.pass_arguments(each, fact, 1, args, cost)

    def _fields(self, symbol: int, args: Arguments, cost: int) -> None:
        """A class that declares its fields (a dataclass, a named tuple) stores what it is constructed with."""
        file = self.program.file_of(symbol)
        members = file.members.get(file.locals[symbol], {})
        names = [name for name, rows in members.items() if rows[0].type >= 0 and not rows[0].static]
        if not names or not (args.positionals or args.keywords):
            return
        receiver = self.values(INST, symbol, (), True)
        for name, values in zip(names, args.positionals, strict=False):
            self.frame.store(receiver, name, values, cost)
        for name, values in args.keywords.items():
            if name in members:
                self.frame.store(receiver, name, values, cost)

    def call_instance(self, value: Value, cost: int, args: Arguments, record: Record, skip: int) -> Set:
        semantics = self.frame.semantics_of(value.a)
        name = semantics.callable_method or semantics.call_signature
        if not name:
            return EMPTY
        out: Set = {}
        for each, price in methods(self.frame, value, name, cost, record).items():
            for result, total in self.apply(each, price, args, record, skip, True).items():
                add(out, result, total)
        return out

    # -- the library

    def library(self, value: Value, cost: int, args: Arguments, record: Record, quiet: bool) -> Set:
        if not quiet:
            record.externals.append(self._dotted(value, cost))
        steps = self.model(value)
        if steps is not None:
            receiver: Set = {value.b: cost} if value.kind == LIBBOUND else EMPTY
            return ModelRun(self, receiver, args, record, cost).run(steps)
        dotted: str = value.a
        name = dotted.rpartition(".")[2]
        if value.kind == LIB and (name[:1].isupper() or dotted in self.frame.classes):
            return {self.values(GENERIC, dotted, ()): cost}
        package = dotted.partition(".")[0]
        if value.kind == LIBBOUND and package == self.frame.semantics.builtins:
            return EMPTY
        return {self.values(OPAQUE, package): cost}

    def _dotted(self, value: Value, cost: int) -> str:
        """How a library's function is called: by its package alone after a hop."""
        if cost:
            return value.a.partition(".")[0]
        builtins = self.frame.semantics.builtins
        if builtins and value.kind == LIBBOUND and value.a.count(".") == 1 and value.b.kind in (GENERIC, BOX):
            return f"{builtins}.{value.a}"
        return value.a

    def model(self, value: Value) -> tuple[Expression, ...] | None:
        models = self.frame.semantics.models
        found = models.get(value.a)
        if found is None and value.kind == LIBBOUND:
            found = models.get(f"*.{value.a.rpartition('.')[2]}") if value.b.kind == OPAQUE else None
        return found  # pyright: ignore[reportReturnType]

    def fresh(self, record: Record, kind: str, parts: list[tuple[str | None, Set]], key: str = "") -> Set:
        """A new container made by a library call; its identity is the place of the call."""
        alloc = f"{record.line}:{record.column}:{kind}{key}"
        box = self.values(BOX, self.frame.root, alloc, kind)
        for name, values in parts:
            self.frame.put(box, name, values)
        return {box: 0}

    def implicit(self, base: Set, name: str, args: Arguments, record: Record) -> Set | None:
        """Calls a special method where the base has one; None where no value of the base has."""
        out: Set | None = None
        for value, cost in base.items():
            if value.kind not in (INST, CLASS):
                continue
            if value.kind == CLASS:
                meta = self.members.metaclass(value.a)
                if meta is None:
                    continue
                value = self.values(INST, meta, (), True)
            if self.hierarchy.lookup(value.a, name).owner < 0:
                continue
            out = out if out is not None else {}
            for each, price in methods(self.frame, value, name, cost, record).items():
                for result, total in self.apply(each, price, args, record, 0, True).items():
                    add(out, result, total)
        return out


def is_method(fact: SymbolFact) -> bool:
    return fact.kind in (Kind.Method, Kind.Constructor, Kind.Property)
