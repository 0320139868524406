"""Contract: what the engine asks of a language.

A language is data and hooks, never a solver: which files are its own, how a tree becomes facts, how modules are found,
and a `Semantics` table that says how receivers, lookup order, parameters and the library behave. A language that does
not fit gets a new field here, with a default; nothing above `languages/` knows a language by its name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Literal, Protocol, runtime_checkable

import msgspec

from codegps.model.facts import FileFacts
from codegps.model.graph import Diagnostic

Model = tuple[object, ...]
"""What a library function does with what it is given; see `Semantics.models`."""


class Found(msgspec.Struct, frozen=True):
    """Where an import leads."""

    kind: Literal["file", "folder", "external", "missing"]
    name: str
    """file: its path; folder: a namespace package's path; external: the dotted name or package; missing: the spec."""


class Script(msgspec.Struct, frozen=True):
    """A command that a project file declares."""

    name: str
    module: str
    """As an import at the root would name it, or a path."""
    symbol: str = ""
    """Qualified name in that module; empty: the file itself."""


class Project(Protocol):
    """What a module finder may ask about the tree."""

    def paths(self) -> Iterable[str]:
        """All indexed source files of all languages, as paths relative to the root, sorted."""
        ...

    def has(self, path: str) -> bool: ...

    def read(self, path: str) -> bytes | None:
        """A project file (`package.json`, `tsconfig.json`, `pyproject.toml`), None if there is none. Never outside
        the root. What was asked is remembered: a change of that file resolves the language's imports anew."""
        ...

    def listing(self, folder: str) -> list[str]:
        """Names in a folder of the tree, sorted, folders with a trailing `/`; also where nothing is indexed."""
        ...


class ModuleFinder(Protocol):
    """Finds modules in one state of the tree."""

    def find(self, spec: str, importer: str) -> Found:
        """Where `spec`, as written in file `importer`, leads."""
        ...

    def submodule(self, parent: Found, name: str) -> Found | None:
        """`parent.name` where that is a module of its own (Python packages); else None."""
        ...

    def diagnostics(self) -> list[Diagnostic]:
        """Broken project files."""
        ...


@runtime_checkable
class RootedFinder(ModuleFinder, Protocol):
    """A finder whose answers depend on more of the tree than the path they lead to."""

    def layout(self, folder: str) -> str:
        """What else finding from a file in this folder depends on, as text: import roots, the package around it.
        Where it changes, the imports of the files in that folder are resolved anew."""
        ...


class Semantics(msgspec.Struct, frozen=True, kw_only=True):
    """How the language behaves, as far as the solver must know."""

    receiver: Literal["parameter", "this"] = "parameter"
    """A method's receiver is its first parameter, or an unwritten `this`."""
    lookup: Literal["c3", "chain"] = "c3"
    constructors: tuple[str, ...] = ()
    """Methods that construct, in the order in which they run: `__new__`, `__init__`."""
    callable_method: str = ""
    """`__call__`: instances with it can be called."""
    call_signature: str = ""
    """The member of a type that says what calling an object of it gives, where no method is called for that."""
    construct_signature: str = ""
    """The same for `new`."""
    missing_attribute: tuple[str, ...] = ()
    """`__getattribute__`, `__getattr__`."""
    builtins: str = ""
    """Dotted prefix of names that nothing binds: `builtins`; empty: such a name is unknown unless in `globals`."""
    globals: frozenset[str] = frozenset()
    """Names the library provides everywhere (recorded as external under their own name)."""
    dictionaries: bool = False
    """A `dict` hands out its keys when it is iterated, and a string is not the number that it reads as."""
    post_construct: str = ""
    """`__post_init__`: what a generated constructor calls."""
    iterate: tuple[str, ...] = ()
    """`__iter__`, `__next__`: implicit calls of a loop."""
    iterate_async: tuple[str, ...] = ()
    get_item: str = ""
    set_item: str = ""
    delete_item: str = ""
    enter: tuple[str, ...] = ()
    enter_async: tuple[str, ...] = ()
    await_method: str = ""
    reflected: Mapping[str, str] = {}
    """`__add__` → `__radd__`: tried on the right operand where the left has none."""
    store_attribute: str = ""
    """`__setattr__`: told of stored attributes."""
    subclass_hook: str = ""
    """`__init_subclass__`: told by a class statement, on the class above."""
    name_hook: str = ""
    """`__set_name__`: told by a class statement, on what its attributes hold."""
    class_item: str = ""
    """`__class_getitem__`: a subscript of the class itself."""
    descriptor_get: str = ""
    descriptor_set: str = ""
    functions_construct: bool = False
    """`new f()` makes instances of a function, whose members come from its prototype."""
    lent: bool = False
    """What a library hands to a function that it was given, and gets from it, takes no more steps than a call."""
    rest_is_whole: bool = False
    """The declared type of a rest parameter is that of the list, not of its elements."""
    callables_take_any: bool = False
    """Calls may pass more or fewer arguments than there are parameters."""
    models: Mapping[str, Model] = {}
    """Library models by dotted name: `builtins.map`, `functools.partial`, `Array.prototype.map`; form in
    `resolve/models.py`."""
    literal_types: Mapping[str, str] = {}
    """CONST and container kinds to the library class of their instances: `str` → `builtins.str`."""
    object_members: frozenset[str] = frozenset()
    """What every object literal has: `hasOwnProperty`. Other names that it was not given are not known to be there."""
    type_models: Mapping[str, str] = {}
    """Generic library types by dotted name to how the solver treats them: `list`, `tuple`, `dict`, `optional`, `union`,
    `iterator`, `awaitable`, `callable`, `type`, `final` (transparent), `literal`, ..."""
    structural: frozenset[str] = frozenset()
    """Library classes whose subclasses are interfaces by structure: `typing.Protocol`."""
    stub_suffix: str = ""
    """`.pyi`: a file of the same name beside a source, that declares what the source leaves out."""
    decorators_keep: bool = False
    """A decorated definition stays what its name stands for, as its declared type does."""
    transparent_decorators: frozenset[str] = frozenset()
    """Library decorators that leave the definition itself under its name at 0 hops (`staticmethod`, `abstractmethod`,
    `overload`); others hand back what they were given, at one hop."""


class Language(msgspec.Struct, frozen=True, kw_only=True):
    name: str
    version: int
    """Counts up whenever the facts of unchanged content would differ."""
    extensions: tuple[str, ...]
    extract: Callable[[bytes, str], FileFacts]
    """Source and path (for its name only: extension, test file names) to facts. Never raises for bad input."""
    finder: Callable[[Project], ModuleFinder]
    project_files: tuple[str, ...] = ()
    """Names of files that steer module finding (`tsconfig.json`): a change resolves the language's imports anew."""
    semantics: Semantics
    scripts: Callable[[Project], list[Script]] | None = None
    """Commands that project files declare: entries of kind `script`."""
    shebangs: tuple[str, ...] = ()
    """Interpreter names that mark a file without an extension as this language's."""
