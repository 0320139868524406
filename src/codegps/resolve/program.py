"""Heads of all files in, layer 0 out: what names, imports and types stand for before anything flows.

Everything here is pulled on demand, memoised, and notes what it depended on, so that a later refresh knows whom a
changed definition concerns (see `questions.py`).
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from functools import partial
from typing import Final

from codegps.language import Found, Language, Semantics
from codegps.model.facts import HEAD, FileFacts, Head, ImportFact, ImportKind, Member, Op, SymbolFact
from codegps.model.graph import FILE_SHIFT
from codegps.model.kinds import CLASS_KINDS, Flag, Kind
from codegps.resolve import Inputs
from codegps.resolve.questions import Questions
from codegps.resolve.values import (
    BOX,
    CLASS,
    DECORATED,
    FOLDER,
    FUNC,
    INST,
    LIB,
    LIT,
    MODULE,
    VARIABLE,
    Set,
    Value,
    Values,
)

Result = tuple[Value, ...]
NOTHING: Final[Result] = ()
"""Questions whose answer may change although nothing of their symbol's file does."""
NESTED: Final = frozenset({Op.ATTR, Op.ITEM, Op.TYPED})
CLASSES: Final = frozenset(int(kind) for kind in CLASS_KINDS)
FUNCTIONS: Final = frozenset({int(Kind.Function), int(Kind.Method), int(Kind.Constructor), int(Kind.Property)})


class File:
    """One file's head, indexed."""

    __slots__ = (
        "_boxes",
        "_named",
        "decorated",
        "exports",
        "facts",
        "head",
        "key",
        "keys",
        "known",
        "language",
        "locals",
        "members",
        "overloads",
        "path",
        "semantics",
        "strings",
        "terms",
        "typed",
        "units",
    )

    def __init__(self, key: int, path: str, language: Language, facts: FileFacts) -> None:
        self.key = key
        self.path = path
        self.language = language
        self.semantics: Semantics = language.semantics
        self.facts = facts
        self.head: Head = HEAD.decode(facts.head)
        self.strings = self.head.strings
        self.terms = self.head.terms
        self.known: list[Set] | None = None
        self.typed: dict[int, Result] = {}
        self.keys: list[int] = []
        """Local symbol number to key."""
        self.locals: dict[int, int] = {}
        self.members: dict[int, dict[str, list[Member]]] = {}
        for member in self.head.members:
            self.members.setdefault(member.scope, {}).setdefault(member.name, []).append(member)
        self.exports: dict[str, list[int]] = {}
        for export in self.head.exports:
            self.exports.setdefault(export.name, []).append(export.term)
        self.units: dict[int, int] = {symbol: at for at, symbol in enumerate(self.head.unit_symbols)}
        self.overloads: dict[tuple[int, str], list[int]] = {}
        """(scope, name) to the declarations of an overloaded function."""
        for at, fact in enumerate(self.head.symbols):
            if fact.flags & Flag.DECLARATION and fact.returns >= 0 and fact.kind in FUNCTIONS:
                self.overloads.setdefault((fact.parent, fact.name), []).append(at)
        self._boxes: dict[tuple[int, int], int] | None = None
        self._named: dict[str, int] | None = None

    def view(self, terms: list[list[int]], known: list[Set]) -> File:
        """The same file seen with a unit's terms instead of the head's, and what they were found to be."""
        other = copy.copy(self)
        other.terms = terms
        other.known = known
        other.typed = {}
        return other

    @property
    def named(self) -> dict[str, int]:
        """Qualified name to symbol."""
        if self._named is None:
            self._named = {fact.qualified_name: at for at, fact in enumerate(self.head.symbols)}
        return self._named

    @property
    def boxes(self) -> dict[tuple[int, int], int]:
        """(scope, allocation) of the containers that members plainly hold, to their head terms."""
        found = self._boxes
        if found is None:
            found = self._boxes = {}
            seen: set[tuple[int, int]] = set()
            for member in self.head.members:
                rest = [member.term] if member.term >= 0 else []
                while rest:
                    at = rest.pop()
                    if (member.scope, at) in seen:
                        continue
                    seen.add((member.scope, at))
                    term = self.head.terms[at]
                    if term[0] in (Op.LIST, Op.DICT):
                        found[member.scope, term[1]] = at
                        rest += [each for each in term[3:] if each >= 0]
                    elif term[0] in (Op.UNION, Op.SPREAD):
                        rest += term[1:]
        return found

    def number(self, keys: list[int]) -> None:
        """Gives the symbols their keys."""
        self.keys = keys
        self.locals = {key: local for local, key in enumerate(keys)}


class Program(Questions):
    """All files, their names and types."""

    def __init__(self, inputs: Inputs, numbers: Callable[[File], list[int]]) -> None:
        super().__init__()
        self.inputs = inputs
        self.values = Values()
        self.numbers = numbers
        self.files: dict[int, File] = {}
        self.by_path = {row.path: key for key, row in inputs.rows.items()}
        self.found: dict[tuple[str, str], Found] = {}

    # -- files and symbols

    def file(self, key: int) -> File:
        file = self.files.get(key)
        if file is None:
            row = self.inputs.rows[key]
            file = File(key, row.path, self.inputs.languages[row.language], self.inputs.facts(key))
            file.number(self.numbers(file))
            self.files[key] = file
        return file

    def file_of(self, symbol: int) -> File:
        key = symbol >> FILE_SHIFT << FILE_SHIFT
        return self.files.get(key) or self.file(key)

    def fact(self, symbol: int) -> SymbolFact:
        """The symbol's own facts; notes the dependency."""
        self.reads.add(("s", symbol))
        return self.peek(symbol)

    def peek(self, symbol: int) -> SymbolFact:
        key = symbol >> FILE_SHIFT << FILE_SHIFT
        file = self.files.get(key) or self.file(key)
        return file.head.symbols[file.locals[symbol]]

    def stub(self, file: File, fact: SymbolFact) -> tuple[File, SymbolFact] | None:
        """The declaration of the same name in a stub beside the file."""
        suffix = file.semantics.stub_suffix
        if not suffix or file.path.endswith(suffix):
            return None
        path = file.path.rpartition(".")[0] + suffix
        self.reads.add(("i", path.rpartition("/")[2]))
        key = self.by_path.get(path)
        if key is None:
            return None
        other = self.file(key)
        at = other.named.get(fact.qualified_name)
        if at is None:
            self.reads.add(("n", other.key, fact.qualified_name.partition(".")[0]))
            return None
        return other, self.fact(other.keys[at])

    def sourced(self, value: Value) -> Value:
        """A class of a stub is the class of that name in the source beside it."""
        file = self.file_of(value.a)
        suffix = file.semantics.stub_suffix
        if not suffix or not file.path.endswith(suffix):
            return value
        for ending in file.language.extensions:
            key = self.by_path.get(file.path.removesuffix(suffix) + ending)
            if key is not None and key != file.key:
                other = self.file(key)
                at = other.named.get(self.fact(value.a).qualified_name)
                if at is not None and other.head.symbols[at].kind in CLASSES:
                    return self.values(value.kind, other.keys[at], value.b, value.c)
        return value

    def is_class(self, symbol: int) -> bool:
        return self.fact(symbol).kind in CLASSES

    # -- names

    def name(self, file: File, name: str) -> Result:
        """What a module-level name stands for inside its file; builtins where nothing binds it."""
        found = self.member(file, 0, name)
        if found is not None:
            return found
        provider = self._provider(file, name)
        if provider is not None:
            return self.module_member(provider, name)
        semantics = file.semantics
        if name in semantics.globals:
            return (self.values(LIB, f"{semantics.builtins}.{name}" if semantics.builtins else name),)
        for star in file.head.stars:
            target = self.target(file, file.head.imports[star].spec)
            if target.kind == "external":
                return (self.values(LIB, f"{target.name}.{name}"),)
        # Nothing here binds it: what another file stores on this module, perhaps.
        return (self.values(VARIABLE, file.key, name),) if semantics.builtins else NOTHING

    def member(self, file: File, scope: int, name: str) -> Result | None:
        """What a name in the scope stands for; None where the scope does not bind it."""
        symbol = file.keys[scope]
        self.reads.add(("n", symbol, name))
        members = file.members.get(scope)
        if members is None or name not in members:
            return None
        return self.ask(("member", symbol, name), lambda: self._member(file, members[name]), NOTHING)

    def _member(self, file: File, members: list[Member]) -> Result:
        found: dict[Value, None] = {}
        for member in members:
            if member.symbol >= 0 and file.head.symbols[member.symbol].kind == Kind.EnumMember:
                found[self.values(INST, file.keys[member.scope], (), member.name)] = None
                continue
            if member.term >= 0:
                for value in self.pull(file, member.term, member.scope):
                    # A literal is a certain key only where the name stands for nothing else.
                    if value.kind != LIT or len(members) == 1:
                        found[value] = None
            if member.term < 0:
                found[self.values(VARIABLE, file.keys[member.scope], member.name)] = None
        return tuple(found)

    def _provider(self, file: File, name: str) -> File | None:
        """The module from which star imports bring a name. What the name stands for there is no part of the question:
        were it, the answer in a cycle of star imports would depend on who asked first."""
        self.reads.add(("*", file.key))
        if not file.head.stars:
            return None
        return self.ask(("star", file.key, name), lambda: self._starred(file, name), None)

    def _starred(self, file: File, name: str) -> File | None:
        seen = {file.key}
        submodule: File | None = None
        todo = [(file, star) for star in file.head.stars]
        while todo:
            importer, star = todo.pop()
            target = self.target(importer, importer.head.imports[star].spec)
            if target.kind != "file":
                continue
            other = self.file(self.by_path[target.name])
            self.reads.add(("*", other.key))
            names = other.head.all_names
            hidden = name.startswith("_") if names is None else name not in names
            if hidden or other.key in seen:
                continue
            seen.add(other.key)
            self.reads.add(("n", other.key, name))
            if name in other.members.get(0, ()) or other.head.explicit_exports:
                return other
            if submodule is None and self._submodule(Found("file", other.path), other.language.name, name):
                submodule = other
            todo += [(other, each) for each in other.head.stars]
        return submodule

    def module_member(self, file: File, name: str) -> Result:
        """A member of a module as others see it."""
        return self.ask(("module", file.key, name), lambda: self._module_member(file, name), NOTHING)

    def _module_member(self, file: File, name: str) -> Result:
        head = file.head
        if head.explicit_exports:
            return self._export(file, name)
        found = self.member(file, 0, name)
        if found is not None:
            return found
        provider = self._provider(file, name)
        if provider is not None:
            return self.module_member(provider, name)
        return self._submodule(Found("file", file.path), file.language.name, name)

    def _export(self, file: File, name: str) -> Result:
        head = file.head
        self.reads.add(("n", file.key, f"export {name}"))
        terms = file.exports.get(name)
        if terms is not None:
            return self._union(file, terms)
        whole = file.exports.get("=")
        if whole is not None:
            if name == "default":
                return self._union(file, whole)
            return self.attributes(self._union(file, whole), name)
        self.reads.add(("*", file.key))
        if name != "default":
            found: dict[Value, None] = {}
            for star in head.star_exports:
                target = self.target(file, head.imports[star].spec)
                if target.kind == "file":
                    for value in self.module_member(self.file(self.by_path[target.name]), name):
                        found[value] = None
            return tuple(found)
        return NOTHING

    def _union(self, file: File, terms: list[int], scope: int = 0) -> Result:
        found: dict[Value, None] = {}
        if file.known is not None:
            for term in terms:
                found.update(dict.fromkeys(self.pull(file, term, scope)))
            return tuple(found)
        for term in alternatives(file, terms):
            if file.terms[term][0] in NESTED:
                # What is below may be shared by many: it is looked at once.
                values = self.ask(("term", file.key, term, scope), partial(self.pull, file, term, scope), NOTHING)
            else:
                values = self.pull(file, term, scope)
            found.update(dict.fromkeys(values))
        return tuple(found)

    def attributes(self, values: Result, name: str) -> Result:
        """`value.name` at layer 0, for values that have members of their own."""
        found: dict[Value, None] = {}
        for value in values:
            for each in self.attribute(value, name):
                found[each] = None
        return tuple(found)

    def attribute(self, value: Value, name: str) -> Result:
        kind = value.kind
        if kind == MODULE:
            return self.module_member(self.file(value.a), name)
        if kind == FOLDER:
            return self._submodule(Found("folder", value.a), value.b, name)
        if kind == LIB:
            return (self.values(LIB, f"{value.a}.{name}"),)
        if kind in (CLASS, FUNC):
            file = self.file_of(value.a)
            return self.member(file, file.locals[value.a], name) or NOTHING
        if kind == BOX:
            return self.boxed(value, name)
        return NOTHING

    def boxed(self, box: Value, name: str) -> Result:
        """A member, by its name, of an object literal in a head."""
        return self.ask(("boxed", box, name), lambda: self._boxed(box, name), NOTHING)

    def _boxed(self, box: Value, name: str) -> Result:
        file = self.file_of(box.a)
        scope = file.locals[box.a]
        at = file.boxes.get((scope, box.b)) if isinstance(box.b, int) else None
        found: Result = NOTHING
        if at is None or file.terms[at][0] != Op.DICT:
            return found
        term = file.terms[at]
        for each in range(3, len(term), 2):
            if term[each] < 0:
                found = self.attributes(self.pull(file, term[each + 1], scope), name) or found
            elif self._text(file, term[each]) == name:
                found = self.pull(file, term[each + 1], scope)
        return found

    def _text(self, file: File, term: int) -> str | None:
        row = file.terms[term]
        return file.strings[row[2]] if row[0] == Op.CONST and row[2] >= 0 else None

    # -- imports

    def target(self, file: File, spec: str) -> Found:
        """Where an import leads, asked once per file and spec."""
        found = self.found.get((file.path, spec))
        if found is None:
            found = self.inputs.finders[file.language.name].find(spec, file.path)
            if found.kind == "file" and found.name not in self.by_path:
                found = Found("missing", spec)
            self.found[file.path, spec] = found
        if found.kind != "file":
            # A new file may be what it leads to.
            for part in spec.replace("/", ".").split("."):
                self.reads.add(("i", part))
        return found

    def _submodule(self, parent: Found, language: str, name: str) -> Result:
        self.reads.add(("i", name))
        found = self.inputs.finders[language].submodule(parent, name)
        return NOTHING if found is None else self._found(found, language)

    def _found(self, found: Found, language: str) -> Result:
        if found.kind == "file":
            key = self.by_path.get(found.name)
            return NOTHING if key is None else (self.values(MODULE, key),)
        if found.kind == "folder":
            return (self.values(FOLDER, found.name, language),)
        if found.kind == "external":
            return (self.values(LIB, found.name),)
        return NOTHING

    def imported(self, file: File, fact: ImportFact) -> Result:
        """What an import binds."""
        kind = fact.kind
        language = file.language.name
        if kind == ImportKind.TOP:
            return self._found(self.target(file, fact.spec.split(".")[0]), language)
        target = self.target(file, fact.spec)
        if kind == ImportKind.MODULE or kind == ImportKind.DYNAMIC or target.kind == "missing":
            return self._found(target, language)
        if kind == ImportKind.NAME:
            if target.kind == "external":
                return (self.values(LIB, f"{target.name}.{fact.name}"),)
            if target.kind == "folder":
                return self._submodule(target, language, fact.name)
            if target.name == file.path:
                # A package that imports from itself: what it does not bind otherwise is its submodule.
                return self._submodule(target, language, fact.name) or self.module_member(file, fact.name)
            return self.module_member(self.file(self.by_path[target.name]), fact.name)
        if target.kind != "file":
            name = f"{target.name}.default" if kind == ImportKind.DEFAULT else target.name
            return (self.values(LIB, name),) if target.kind == "external" else NOTHING
        module = self.file(self.by_path[target.name])
        if kind == ImportKind.DEFAULT:
            return self.module_member(module, "default") or self._found(target, language)
        if kind == ImportKind.REQUIRE and "=" in module.exports:
            self.reads.add(("n", module.key, "export ="))
            return self._union(module, module.exports["="])
        return self._found(target, language)

    # -- terms of heads

    def pull(self, file: File, at: int, scope: int = 0) -> Result:
        """What a head term stands for; `scope` is where its containers were written."""
        term = file.terms[at]
        op = term[0]
        if op == Op.DEF:
            return self.definition(file.keys[term[1]])
        if op == Op.NAME:
            return self.name(file, file.strings[term[1]])
        if op == Op.IMPORT:
            return self.imported(file, file.head.imports[term[1]])
        if file.known is not None and op not in (Op.BUILTIN, Op.ATTR):
            return tuple(value for value, cost in file.known[at].items() if not cost)
        if op == Op.ATTR:
            base = self.pull(file, term[1], scope) if file.known is None else tuple(file.known[term[1]])
            return self.attributes(base, file.strings[term[2]])
        if op == Op.UNION:
            return self._union(file, term[1:], scope)
        if op in (Op.DICT, Op.LIST):
            return (self.values(BOX, file.keys[scope], term[1], file.strings[term[2]]),)
        if op == Op.ITEM:
            return self._item(file, term, scope)
        if op == Op.CONST:
            return self._constant(file, term)
        if op == Op.BUILTIN:
            return (self.values(LIB, file.strings[term[1]]),)
        if op == Op.TYPED and term[2] >= 0:
            return self.pull(file, term[2], scope)
        return NOTHING

    def _constant(self, file: File, term: list[int]) -> Result:
        kind = file.semantics.literal_types.get(file.strings[term[1]])
        return (self.values(LIT, kind, file.strings[term[2]]),) if kind and term[2] >= 0 else NOTHING

    def _item(self, file: File, term: list[int], scope: int) -> Result:
        base = self.pull(file, term[1], scope)
        text = self._text(file, term[2])
        if text is not None and any(value.kind == BOX for value in base):
            return self.attributes(base, text)
        return tuple(value for value in base if value.kind in (CLASS, LIB))

    def definition(self, symbol: int) -> Result:
        """A definition under its own name."""
        fact = self.fact(symbol)
        if fact.kind in CLASSES:
            found = self.values(CLASS, symbol, NOTHING)
        elif fact.kind in FUNCTIONS:
            found = self.values(FUNC, symbol)
        elif fact.kind == Kind.Namespace:
            found = self.values(CLASS, symbol, NOTHING)
        else:
            return (self.values(VARIABLE, self.file_of(symbol).keys[fact.parent], fact.name),)
        if fact.decorators and not self.transparent(symbol, fact):
            return (self.values(DECORATED, symbol),)
        return (found,)

    def transparent(self, symbol: int, fact: SymbolFact) -> bool:
        """Whether all decorators leave the definition under its name."""
        return self.ask(("transparent", symbol), lambda: self._transparent(symbol, fact), True)

    def plain_accessor(self, symbol: int, fact: SymbolFact) -> bool:
        """Whether a property has no decorators but the library's."""
        return len(fact.decorators) < 2 or self.ask(("accessor", symbol), lambda: self._plain(symbol, fact), True)

    def _transparent(self, symbol: int, fact: SymbolFact) -> bool:
        return bool(fact.accessor) or self._plain(symbol, fact)

    def _plain(self, symbol: int, fact: SymbolFact) -> bool:
        file = self.file_of(symbol)
        if file.semantics.decorators_keep:
            return True
        known = file.semantics.transparent_decorators
        for term in fact.decorators:
            values = self.pull(file, term)
            if not values or not all(value.kind == LIB and value.a in known for value in values):
                return False
        return True

    def instance(self, symbol: int, args: tuple[Result, ...] = (), exact: bool = False) -> Value:
        return self.values(INST, symbol, args, exact)


def alternatives(file: File, terms: list[int]) -> list[int]:
    """Head terms without their unions; unions of unions may share most of what they are made of."""
    found: list[int] = []
    seen: set[int] = set()
    rest = terms[::-1]
    while rest:
        at = rest.pop()
        if at not in seen:
            seen.add(at)
            term = file.terms[at]
            if term[0] == Op.UNION:
                rest += term[:0:-1]
            else:
                found.append(at)
    return found
