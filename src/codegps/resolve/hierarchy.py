"""Classes in, lookup order out: bases, linearised order, members found in it, and the overrides below it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, Protocol

from codegps.model.facts import Member, Op
from codegps.resolve.program import CLASSES, NOTHING, File, Program, Result
from codegps.resolve.values import CLASS, FUNC, LIB, VARIABLE, Value

WIDE: Final = "<several bases>"
Order = tuple[Value, ...]
"""CLASS and LIB values, the class itself first."""


class Lookup:
    """What `name` means on a class: where it is found, and what overrides it below."""

    __slots__ = ("overrides", "owner", "values")

    def __init__(self, owner: int, values: Result, overrides: tuple[tuple[int, Result], ...]) -> None:
        self.owner = owner
        """The class whose member it is, -1 where no class in the order has it."""
        self.values = values
        self.overrides = overrides
        """(class, its own values) of each subclass with a member of that name, ordered by key."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Lookup) and (self.owner, self.values, self.overrides) == (
            other.owner,
            other.values,
            other.overrides,
        )

    def __hash__(self) -> int:
        return hash((self.owner, self.values))


class Stored(Protocol):
    """What is known of classes that are not laid open."""

    def children(self, symbol: int) -> Iterable[int]:
        """Direct subclasses."""
        ...

    def having(self, name: str) -> Iterable[int]:
        """Classes with a member of that name."""
        ...


class Hierarchy:
    """The classes of a program."""

    def __init__(self, program: Program, stored: Stored | None = None) -> None:
        self.program = program
        self.children: dict[int, set[int]] = {}
        """Class to its direct subclasses and implementations, as far as this run has seen them."""
        self.stored = stored
        """What an earlier run saw in files that this one did not look at."""
        self.named: dict[str, set[int]] = {}
        """Member name to the classes that have it; `WIDE` to those with several bases."""
        self.known_named: dict[str, frozenset[int]] = {}
        self.known_below: dict[int, frozenset[int]] = {}

    # -- building

    def bases(self, symbol: int) -> Result:
        """The bases as values: CLASS (generic arguments kept aside) and LIB."""
        return self.program.ask(("bases", symbol), lambda: self._bases(symbol), NOTHING)

    def _bases(self, symbol: int) -> Result:
        program = self.program
        file = program.file_of(symbol)
        fact = program.fact(symbol)
        found: dict[Value, None] = {}
        for term in [*fact.bases, *fact.implements]:
            for value in self.base(file, term):
                found[value] = None
        return tuple(found)

    def base(self, file: File, term: int) -> Result:
        """What one base names; a decorated class is itself, a function with a prototype is its class."""
        found: dict[Value, None] = {}
        term = self.plain(file, term)
        if file.terms[term][0] == Op.CALL:
            return self._mixed(file, file.terms[term])
        for value in self.program.pull(file, term):
            if value.kind in (CLASS, FUNC):
                found[self.program.values(CLASS, value.a, NOTHING)] = None
            elif value.kind == LIB:
                found[value] = None
            elif value.kind == 17 and self.program.is_class(value.a):
                found[self.program.values(CLASS, value.a, NOTHING)] = None
            elif value.kind == VARIABLE:
                for each in self._alias(value):
                    found[each] = None
        return tuple(found)

    def _alias(self, variable: Value) -> Result:
        """A type alias as a base: its object type, or what it is another name of."""
        file = self.program.file_of(variable.a)
        for member in file.members.get(file.locals[variable.a], {}).get(variable.b, ()):
            if member.symbol >= 0:
                symbol = file.keys[member.symbol]
                fact = self.program.fact(symbol)
                if fact.alias < 0:
                    continue
                if file.terms[fact.alias][0] == Op.OBJTYPE:
                    return (self.program.values(CLASS, symbol, NOTHING),)
                alias = fact.alias
                return self.program.ask(("alias", symbol), lambda at=alias: self.base(file, at), NOTHING)
        return NOTHING

    def _mixed(self, file: File, call: list[int]) -> Result:
        """A base that is a call: the class that the function hands back. What it was given is listed as a base too."""
        found: dict[Value, None] = {}
        for value in self.program.pull(file, call[1]):
            if value.kind != FUNC:
                continue
            other = self.program.file_of(value.a)
            returns = self.program.fact(value.a).returns
            if returns >= 0 and other.terms[returns][0] == Op.TYPEOF:
                for each in self.program.pull(other, other.terms[returns][1]):
                    if each.kind == CLASS:
                        found[each] = None
        return tuple(found)

    def open_ended(self, symbol: int) -> bool:
        """Whether some base above is not known."""
        return self.program.ask(("open", symbol), lambda: self._open_ended(symbol), False)

    def _open_ended(self, symbol: int) -> bool:
        for each in self.order(symbol):
            if each.kind == CLASS:
                file = self.program.file_of(each.a)
                if any(not self.base(file, term) for term in self.program.fact(each.a).bases):
                    return True
        return False

    def plain(self, file: File, term: int) -> int:
        """The term without its generic arguments."""
        while file.terms[term][0] == Op.ITEM:
            term = file.terms[term][1]
        return term

    def add(self, symbol: int) -> None:
        """Registers a class below its bases, and its members' names."""
        bases = self.bases(symbol)
        for base in bases:
            if base.kind == CLASS and base.a != symbol:
                self.children.setdefault(base.a, set()).add(symbol)
        for name in self.names(symbol):
            self.named.setdefault(name, set()).add(symbol)

    def names(self, symbol: int) -> list[str]:
        """The class's own members, and `WIDE` where it has several bases."""
        file = self.program.file_of(symbol)
        names = [name for name in file.members.get(file.locals[symbol], ()) if not name.startswith("self.")]
        if len(self.bases(symbol)) > 1:
            names.append(WIDE)
        return names

    # -- order

    def order(self, symbol: int) -> Order:
        """The lookup order."""
        self.program.reads.add(("h", symbol))
        return self.program.ask(("order", symbol), lambda: self._order(symbol), NOTHING)

    def _order(self, symbol: int) -> Order:
        program = self.program
        own = program.values(CLASS, symbol, NOTHING)
        bases = self.bases(symbol)
        if program.file_of(symbol).semantics.lookup == "chain":
            return self._chain(own, bases)
        sequences = [[v for v in self._base_order(base) if v is not own] for base in bases if base is not own]
        merged = sequences[0] if len(bases) == len(sequences) == 1 else self._merge([*sequences, list(bases)])
        if merged is None:
            return self._chain(own, bases)
        return (own, *merged)

    def _base_order(self, base: Value) -> Order:
        return self.order(base.a) or (base,) if base.kind == CLASS else (base,)

    def _chain(self, own: Value, bases: Result) -> Order:
        seen: dict[Value, None] = {own: None}
        for base in bases:
            for each in self._base_order(base):
                seen.setdefault(each)
        return tuple(seen)

    def _merge(self, sequences: list[list[Value]]) -> list[Value] | None:
        """C3; None where the order is inconsistent."""
        merged: list[Value] = []
        sequences = [sequence[::-1] for sequence in sequences if sequence]
        while sequences:
            for sequence in sequences:
                head = sequence[-1]
                if not any(head in other[:-1] for other in sequences):
                    break
            else:
                return None
            merged.append(head)
            for sequence in sequences:
                if sequence[-1] is head:
                    sequence.pop()
            sequences = [sequence for sequence in sequences if sequence]
        return merged

    # -- members

    def lookup(self, symbol: int, name: str) -> Lookup:
        """The member of that name, and its overrides."""
        self.program.reads.add(("l", symbol, name))
        return self.program.ask(("lookup", symbol, name), lambda: self._lookup(symbol, name), Lookup(-1, NOTHING, ()))

    def _lookup(self, symbol: int, name: str) -> Lookup:
        owner, values = -1, NOTHING
        for each in self.order(symbol):
            if each.kind == CLASS:
                found = self.own(each.a, name)
                if found is not None:
                    owner, values = each.a, found
                    break
        overrides: list[tuple[int, Result]] = []
        for below in self.having(name, symbol):
            found = self.own(below, name)
            if found:
                overrides.append((below, found))
        for below in self.having(WIDE, symbol):
            # A class that mixes this one with others may have the member from one of those.
            other = self.lookup(below, name)
            if other.owner not in (-1, owner, below) and all(each[0] != other.owner for each in overrides):
                overrides.append((below, other.values))
        return Lookup(owner, values, tuple(overrides))

    def own(self, symbol: int, name: str) -> Result | None:
        """The class's own member. That there is none needs no note: a look-up's question stands for all its classes."""
        file = self.program.file_of(symbol)
        scope = file.locals[symbol]
        if name not in file.members.get(scope, ()):
            return None
        return self.program.member(file, scope, name)

    def after(self, start: int, order: Order, name: str) -> tuple[int, Result]:
        """The member behind `start` in a lookup order: what `super()` finds."""
        passed = False
        for each in order:
            if passed and each.kind == CLASS:
                found = self.own(each.a, name)
                if found is not None:
                    return each.a, found
            elif each.kind == CLASS and each.a == start:
                passed = True
        return -1, NOTHING

    def declared(self, symbol: int, name: str) -> tuple[File, Member] | None:
        """The declared type of a field or class variable, from the first class in the order that has one."""
        for each in self.order(symbol):
            if each.kind == CLASS:
                file = self.program.file_of(each.a)
                self.program.reads.add(("n", each.a, name))
                for member in file.members.get(file.locals[each.a], {}).get(name, ()):
                    if member.type >= 0:
                        return file, member
        return None

    def stored_field(self, symbol: int, name: str) -> bool:
        """Whether a method of the class, or of one above it, stores to that field of its own object."""
        field = f"self.{name}"
        for each in self.order(symbol):
            if each.kind == CLASS:
                file = self.program.file_of(each.a)
                self.program.reads.add(("n", each.a, field))
                if field in file.members.get(file.locals[each.a], ()):
                    return True
        return False

    def having(self, name: str, symbol: int) -> list[int]:
        """The classes below that have a member of that name, ordered by key."""
        known = self.known_named.get(name)
        if known is None:
            stored = self.stored.having(name) if self.stored is not None else ()
            known = self.known_named[name] = frozenset({*self.named.get(name, ()), *stored})
        return sorted(known & self.descendants(symbol)) if known else []

    def mixed(self, symbol: int) -> list[int]:
        """The classes below whose order may differ from a plain chain: one with several bases is in between."""
        wide = self.having(WIDE, symbol)
        return sorted({*wide, *(below for each in wide for below in self.descendants(each))})

    def descendants(self, symbol: int) -> frozenset[int]:
        """All classes below."""
        known = self.known_below.get(symbol)
        if known is None:
            seen: set[int] = set()
            todo = [symbol]
            while todo:
                for child in self.direct(todo.pop()):
                    if child not in seen and child != symbol:
                        seen.add(child)
                        todo.append(child)
            known = self.known_below[symbol] = frozenset(seen)
        return known

    def direct(self, symbol: int) -> Iterable[int]:
        """The classes directly below."""
        own = self.children.get(symbol, ())
        return own if self.stored is None else {*own, *self.stored.children(symbol)}

    def ancestors(self, symbol: int) -> list[int]:
        """The project's classes above, in lookup order."""
        return [each.a for each in self.order(symbol)[1:] if each.kind == CLASS]

    def classes(self, file: File) -> list[int]:
        return [file.keys[at] for at, fact in enumerate(file.head.symbols) if fact.kind in CLASSES]
