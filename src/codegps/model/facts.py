"""What one file says, with nothing looked up elsewhere.

In: nothing (nouns). Out: `FileFacts`, written by a language's extractor, read by `resolve`.

A file's facts have two parts. The **head** holds what others may ask without knowing how bodies flow: symbols, their
signatures and declared types, names and what they plainly stand for, imports, exports, class members. The **units**
hold the flow inside bodies: one `Unit` a symbol that executes code (the File, each Class body, each function, each
lambda). Units are encoded one by one, so a refresh decodes only those that it evaluates.

Everything is integers: `Head.strings` is the file's string table, symbols are indices into `Head.symbols`
(0 is the File), lines are 1-based and columns 1-based code points.

Terms
-----
An expression is a term: a list of integers, operation first. Terms of a unit refer to other terms **of the same unit**
by index, and operands come before their users, so that one pass in order evaluates them; only UNION may
refer forward (loops). Head terms (`Head.terms`) are of the same form and refer to head terms.
Each local use is settled by the extractor: a use of a local variable *is* the term (or UNION of terms) that may reach
it there. Only captured variables go through LOCAL, only module-level names through NAME.
"""

from __future__ import annotations

from typing import Final

import msgspec

FACTS_VERSION: Final = 1


class Op:
    """Operations of terms, with their operands. `s:` is a string index, `t:` a term index, -1 is "none"."""

    UNKNOWN: Final = 0
    """[] nothing is known."""
    CONST: Final = 1
    """[s:type, s:literal or -1] a literal of a library type (`str`, `int`, `bytes`, `bool`, `None`, `float`,
    JavaScript: `string`, `number`, `boolean`, `null`, `undefined`, `regexp`, `bigint`); short string (≤ 80
    characters) and integer literals keep their text."""
    DEF: Final = 2
    """[symbol] the function, class or lambda defined by this symbol."""
    PARAM: Final = 3
    """[symbol, index] a parameter of this unit's function (index into SymbolFact.params)."""
    LOCAL: Final = 4
    """[symbol, s:name] a variable of the function (or class body) `symbol`, at any time: closures."""
    NAME: Final = 5
    """[s:name] a name of this module: its members, else star imports, else the language's builtins."""
    IMPORT: Final = 6
    """[import] what this import (index into Head.imports) binds."""
    ATTR: Final = 7
    """[t:base, s:name, line, column, start_line, start_column] `base.name`; line and column of the name token;
    start: first character of the whole expression (implicit calls through properties stand there)."""
    ITEM: Final = 8
    """[t:base, t:key, line, column] `base[key]`; place: first character of the expression. In types: `List[X]`."""
    SLICE: Final = 9
    """[t:base, line, column, (t:start or -1, t:stop or -1)?] `base[a:b]`; bounds where there is no step."""
    ELEM: Final = 10
    """[t:base, line, column, mode] an element got by iterating; mode 0 for, 1 async for, 2 star/spread/unpacking,
    3 comprehension, 4 keys (`for in`). Place: first character of the iterated expression."""
    UNPACK: Final = 11
    """[t:base, index, star] element `index` of `a, b = base`; behind a star the index is negative, from the right;
    star 1: the list `*rest` from that index on (object rest in JavaScript: index -1)."""
    CALL: Final = 12
    """[t:callee, line, column, site, flags, (argument kind, s:name or -1, t:value)*] a call. Place: CONTRACT rule 11
    (last name token of the callee, else its opening parenthesis). site: number in Sites.calls or -1."""
    LIST: Final = 13
    """[alloc, s:kind, (t:element)*] kind: list, tuple, set, frozenset, generator, array. A spread element is a
    SPREAD term."""
    DICT: Final = 14
    """[alloc, s:kind, (t:key or -1, t:value)*] kind: dict, object. Key -1: the value is spread into it."""
    UNION: Final = 15
    """[(t:alternative)*] one of these: joined branches, conditional expressions, `or`, `and`, `??`, loops."""
    AWAIT: Final = 16
    """[t:value, line, column] `await value`."""
    YIELD: Final = 17
    """[t:value or -1] what `yield` evaluates to (what is sent); the yielded value is an effect."""
    YIELD_FROM: Final = 18
    """[t:value, line, column] what `yield from` evaluates to; also yields its elements (no separate effect)."""
    OPER: Final = 19
    """[s:method, t:left, t:right or -1, line, column] an implicit call of a special method: `__add__`, `__eq__`,
    `__getitem__` is ITEM's own, `__contains__` (left is the container), `__neg__`, `__len__`, ...
    Place: the operator."""
    SUPER: Final = 20
    """[symbol of the class or -1, t:self or -1] `super()`, `super(C, self)`, JavaScript's `super`."""
    TYPED: Final = 21
    """[t:type, t:value or -1] a value with a declared type: annotated variable, cast, `as`, `except E as e`."""
    NARROW: Final = 22
    """[t:value, t:type, positive] the value where `isinstance(value, type)` is known to hold (1) or not (0).
    For several types the type is a UNION or a tuple LIST."""
    THIS: Final = 23
    """[symbol] JavaScript's `this` in function `symbol` (arrows: the function around; top level: the File)."""
    ENTER: Final = 24
    """[t:manager, line, column, async] `with manager as x`: implicit `__enter__` and `__exit__` (or async)."""
    SPREAD: Final = 25
    """[t:value] inside LIST only."""
    FUNCTYPE: Final = 26
    """[t:returns or -1, (t:parameter type or -1)*] a function type in a type position; `Callable[[A], B]` too."""
    OBJTYPE: Final = 27
    """[(s:name, t:type)*] an object type literal; a method signature's type is a FUNCTYPE."""
    KEYOF: Final = 28
    """[t:type] `typeof x` in a type position is TYPEOF; KEYOF is `T[K]` with a literal: [t:type, s:key]."""
    TYPEOF: Final = 29
    """[t:value] in a type position: the type of a value."""
    INSTANCE: Final = 30
    """[t:type] in a value position: some instance of that type (0 hops, declared)."""
    THISTYPE: Final = 31
    """[] `Self`, `this` in a type position."""
    BUILTIN: Final = 32
    """[s:dotted] a library value by its dotted name where the extractor knows it (`builtins.str`)."""
    TUPLETYPE: Final = 33
    """[(t:type)*] a tuple type `[A, B]`; `tuple[A, B]` is an ITEM."""
    ARRAYTYPE: Final = 34
    """[t:type] `T[]`."""
    TYPEPARAM: Final = 35
    """[symbol, s:name] a type parameter declared by class, function or alias `symbol`. A TypeVar is a NAME."""

    INTERSECT: Final = 36
    """[(t:type)*] `A & B`."""


class Arg:
    """Kinds of arguments of CALL."""

    POSITIONAL: Final = 0
    KEYWORD: Final = 1
    STAR: Final = 2
    DOUBLE_STAR: Final = 3
    TYPE: Final = 4
    """A type argument, `f<T>()`: a term in type position. Behind all others."""


class CallFlag:
    NEW: Final = 1
    """`new C()`."""
    OPTIONAL: Final = 2
    DECORATOR: Final = 4
    """The implicit call of a decorator on its definition: no edge by itself where the decorator is unknown."""
    TEMPLATE: Final = 8
    AWAITED: Final = 16


class Effect:
    """Effects of a unit, in source order: lists of integers, operation first."""

    BIND: Final = 0
    """[symbol of the scope, s:name, t:value] assigns a variable others may read: a module-level name, a class
    attribute, a captured local, `global x` and `nonlocal x` in a function. Bindings that do not reach the end of a
    module or class body are left out where the flow is known."""
    STORE: Final = 1
    """[t:base, s:name, t:value, line, column] `base.name = value`. Place: as ATTR's start."""
    PUT: Final = 2
    """[t:base, t:key or -1, t:value, line, column] `base[key] = value`."""
    RETURN: Final = 3
    """[t:value]"""
    YIELD: Final = 4
    """[t:value]"""
    REFER: Final = 5
    """[t:value, edge kind, line, column] a name (or `a.b`) is named without being called: argument, right-hand
    side, return value, comparison, base of an attribute, annotation (USES_TYPE), JSX element (INCLUDES). The term
    is a DEF, NAME, IMPORT, LOCAL, PARAM or ATTR term. Plain local variables and parameters are left out,
    import statements too. Place: the last name token."""
    RAISE: Final = 6
    """[t:value, line, column] `raise C` (a class that is not called): constructs it."""
    DEFAULT: Final = 7
    """[symbol of the function, parameter index, t:value] a parameter's default."""
    DELETE: Final = 8
    """[t:base, t:key or -1, line, column] `del base[key]`."""
    DECORATED: Final = 9
    """[symbol, t:value] the value that stands for a decorated definition under its name, after all decorators
    (nested CALL terms with flag DECORATOR, innermost argument DEF)."""
    THROWN: Final = 10
    """[t:value] JavaScript's `throw value`."""


class ImportKind:
    TOP: Final = 0
    """`import a.b` binds `a`."""
    MODULE: Final = 1
    """`import a.b as c`, `import * as c from`, `require("x")` whole: binds the module."""
    NAME: Final = 2
    """`from m import n`, `import { n } from`: binds a member (Python: or a submodule)."""
    STAR: Final = 3
    """`from m import *`, `export * from`."""
    DEFAULT: Final = 4
    """`import d from`: the default export, or `module.exports` by interop."""
    DYNAMIC: Final = 5
    """`import("x")`: a promise of the module."""
    SIDE_EFFECT: Final = 6
    """`import "x"`."""
    REQUIRE: Final = 7
    """`require("x")`: `module.exports`, or the namespace of an ES module."""


class ImportFact(msgspec.Struct, array_like=True, gc=False):
    kind: int
    spec: str
    """As written, dots included: `..pkg.mod`, `./util.js`."""
    name: str
    """Imported member, else empty."""
    line: int
    column: int
    type_only: bool = False


class ParamKind:
    POSITIONAL_ONLY: Final = 0
    NORMAL: Final = 1
    STAR: Final = 2
    KEYWORD_ONLY: Final = 3
    DOUBLE_STAR: Final = 4


class ParamFact(msgspec.Struct, array_like=True, gc=False):
    name: str
    """A destructured parameter has an empty name; the body takes it apart with ATTR, ITEM, UNPACK of PARAM."""
    kind: int
    type: int = -1
    """Head term."""
    default: bool = False
    key: bool = False
    """Used as a key or an attribute's name in the body: which literals arrive here matters."""


class SymbolFact(msgspec.Struct, array_like=True, gc=False):
    name: str
    qualified_name: str
    kind: int
    flags: int
    parent: int
    drawn: int
    """Index of the symbol it is folded into when drawn (itself, mostly)."""
    start_line: int
    start_column: int
    end_line: int
    end_column: int
    params: list[ParamFact] = []
    returns: int = -1
    """Head term of the declared return type (the awaited one for `async def`, the whole `Promise<T>` in TypeScript)."""
    returned_params: list[int] = []
    """Parameters handed back as they are by a plain `return p` (identity): kept out of the unit's RETURN effects."""
    bases: list[int] = []
    """Classes: head terms of the bases in order (EXTENDS), generic arguments included (`Box[int]` is an ITEM)."""
    implements: list[int] = []
    """Head terms of declared interfaces."""
    base_places: list[tuple[int, int]] = []
    """Line and column of each base's last name token, then of each of `implements`."""
    type_params: list[str] = []
    metaclass: int = -1
    """Head term."""
    accessor: str = ""
    """`get`, `set`, `cached` for properties; empty otherwise."""
    alias: int = -1
    """A type alias: head term of what it stands for. A NewType too."""
    declared: int = -1
    """Head term of a variable's or field's declared type."""
    decorators: list[int] = []
    """Head terms of the decorators as written, outermost first; of `@make(x)` its callee `make`."""
    type_bounds: list[int] = []
    """Head terms of what each type parameter is at least, -1 where nothing is said; a type variable's own: of each."""
    within: int = -1
    """The symbol whose code it is written in, where that is not its parent: `this.m = () => …` in a constructor is
    a method of the class."""


class Member(msgspec.Struct, array_like=True, gc=False):
    """A name of a module, class, namespace, enum or object-like function (prototype), and what it stands for."""

    scope: int
    """Symbol; 0 is the module."""
    name: str
    term: int
    """Head term where it plainly stands for something (DEF, IMPORT, NAME, ATTR chains, DICT and LIST literals of such,
    a UNION of such); -1 where only the unit's BIND effects know."""
    symbol: int = -1
    """Its Variable, Property, EnumMember, Function ... symbol."""
    type: int = -1
    """Head term of its declared type."""
    instance: bool = False
    """A field of the instances, declared outside methods or by `self.x: T`."""
    static: bool = False
    exported: bool = False


class ExportFact(msgspec.Struct, array_like=True, gc=False):
    """Modules with explicit exports. A value nobody names is a member with a name like `<export default>`."""

    name: str
    """`default`, `x`; `=` for `module.exports = ...` and `export =`."""
    term: int
    """Head term."""
    line: int = 0


class EntryFact(msgspec.Struct, array_like=True, gc=False):
    kind: str
    key: str
    symbol: int
    line: int
    target: int = -1
    """Head term of what the entry runs where that is not `symbol` itself (a route's imported view)."""


class DiagnosticFact(msgspec.Struct, array_like=True, gc=False):
    line: int
    message: str


class Head(msgspec.Struct, array_like=True):
    strings: list[str]
    symbols: list[SymbolFact]
    terms: list[list[int]]
    imports: list[ImportFact]
    members: list[Member]
    stars: list[int] = []
    """Star imports at module level (Python), in order."""
    exports: list[ExportFact] = []
    star_exports: list[int] = []
    """Imports re-exported whole: `export * from`."""
    all_names: list[str] | None = None
    """Python's `__all__` where it is literal."""
    explicit_exports: bool = False
    """True: only `exports` are seen from outside (ES modules, CommonJS). False: every module-level member is."""
    commonjs: bool = False
    entries: list[EntryFact] = []
    diagnostics: list[DiagnosticFact] = []
    lines: int = 0
    unit_symbols: list[int] = []
    """The symbol of each unit."""


class Unit(msgspec.Struct, array_like=True):
    """The flow inside one body."""

    symbol: int
    terms: list[list[int]]
    effects: list[list[int]]
    owners: list[tuple[int, int, int]] = []
    """(first term, end term, symbol): terms written in the code of another symbol than the unit's: decorators and
    defaults of a function, a module-level initialiser's variable. Effects follow the term they are about."""


class FileFacts(msgspec.Struct, array_like=True):
    version: str
    """Language name and version of its extractor: `python/3`."""
    head: bytes
    """msgpack of Head."""
    units: list[bytes]
    """msgpack of each Unit."""
    sites: bytes
    """msgpack of model.graph.Sites."""


HEAD: Final = msgspec.msgpack.Decoder(Head)
UNIT: Final = msgspec.msgpack.Decoder(Unit)
FACTS: Final = msgspec.msgpack.Decoder(FileFacts)
ENCODER: Final = msgspec.msgpack.Encoder()
