"""Values: what an expression may be. Interned, so that identity is equality; encoded as tuples for the store."""

from __future__ import annotations

from typing import Any, Final

Set = dict["Value", int]
"""A set of values, each with its cost: `hops << 3 | via`. The smallest cost is kept, which orders by fewest hops and
then by `return, field, parameter, element`."""

EMPTY: Final[Set] = {}
"""Shared; never written to."""

MAX_HOPS: Final = 3
RETURN: Final = 1
FIELD: Final = 2
PARAMETER: Final = 3
ELEMENT: Final = 4

FUNC: Final = 0
"""a: symbol. A function as it stands."""
CLASS: Final = 1
"""a: symbol, b: type arguments, c: True where it may be a subclass (`cls`, `type[C]`)."""
INST: Final = 2
"""a: class symbol, b: type arguments, c: True where constructed here, so exactly of that class."""
BOUND: Final = 3
"""a: function symbol, b: receiver, c: True where it is an override of what was declared."""
MODULE: Final = 4
"""a: file key."""
FOLDER: Final = 5
"""a: path of a namespace package, b: language name."""
BOX: Final = 6
"""a: symbol of the unit, b: allocation number, c: kind. A container or object written there."""
GENERIC: Final = 7
"""a: dotted library class (or a model kind such as `list`), b: type arguments, tuples of values."""
LIB: Final = 8
"""a: dotted name of a library function, class or module."""
LIBBOUND: Final = 9
"""a: dotted name of a library method, b: receiver."""
PARTIAL: Final = 10
"""a: what is called, b: number of positional arguments it already has, c: names of keywords it already has."""
SUPERV: Final = 11
"""a: class symbol to start behind, b: receiver."""
GEN: Final = 12
"""a: generator function's symbol."""
CORO: Final = 13
"""a: coroutine function's symbol, b: what awaiting gives where that is declared (tuple of values)."""
LIT: Final = 14
"""a: library type, b: text. A literal whose text matters as a key."""
OPAQUE: Final = 15
"""a: package. Something of a library after a hop."""
VARIABLE: Final = 16
"""a: symbol of the scope, b: name. Stands for what flows into a name; never flows itself."""
DECORATED: Final = 17
"""a: symbol. Stands for what a decorated definition's name holds; never flows itself."""
TYPEVAR: Final = 18
"""a: name. A type parameter inside a declared type."""
SELFTYPE: Final = 19
"""`Self`, `this` inside a declared type."""
STRUCT: Final = 20
"""a: file key, b: head term of an object type. An object of that type."""
KEYED: Final = 21
"""a: key text or None, b: value. A member of a container; only in container variables. With key `KEYS` a key itself."""
WRAPPED: Final = 22
"""a: `property`, `classmethod`, b: what it wraps (tuple of values, None for what is left out). Made by a call."""
KEYS: Final = "\0keys"
LARGE: Final = 10_000
DEEP: Final = 30
"""Size and depth of a value that is still told apart."""
MAX_DEPTH: Final = 4
"""How deep type arguments may nest. What stands deeper is cut off: `x = wrap(x)` in a loop would nest for ever."""


class Value:
    """One value; see the kinds above for what `a`, `b` and `c` mean."""

    __slots__ = ("a", "b", "c", "depth", "kind", "open")

    def __init__(self, kind: int, a: Any, b: Any, c: Any) -> None:
        self.kind = kind
        self.a = a
        self.b = b
        self.c = c
        self.depth = 0
        """How deep type arguments nest."""
        self.open = kind in (TYPEVAR, SELFTYPE)
        """Whether type parameters or `this` occur in it."""
        if b and kind in (INST, GENERIC):
            inner = [each for group in b for each in group]
            self.depth = 1 + max((each.depth for each in inner), default=0)
            self.open = any(each.open for each in inner)
        elif b and kind == TYPEVAR:
            self.depth = 1 + max(each.depth for each in b)

    def __repr__(self) -> str:
        return f"<{self.kind} {self.a!r} {self.b!r} {self.c!r}>"


class Values:
    """The table of all values of one run."""

    def __init__(self) -> None:
        self.table: dict[tuple[int, Any, Any, Any], Value] = {}
        self.encoded: dict[Value, list[Any]] = {}

    def __call__(self, kind: int, a: Any = None, b: Any = None, c: Any = None) -> Value:
        key = (kind, a, b, c)
        value = self.table.get(key)
        if value is None:
            value = Value(kind, a, b, c)
            if value.depth > MAX_DEPTH:
                value = self._cut(value, MAX_DEPTH)
            self.table[key] = value
        return value

    def _cut(self, value: Value, depth: int) -> Value:
        """The value without the type arguments that nest deeper."""
        if value.depth <= depth:
            return value
        if value.kind == TYPEVAR:
            bounds = tuple(dict.fromkeys(self._cut(each, depth - 1) for each in value.b)) if depth > 0 else None
            return self(TYPEVAR, value.a, bounds, value.c)
        inner: tuple[Any, ...] = ()
        if depth > 0:
            inner = tuple(tuple(dict.fromkeys(self._cut(each, depth - 1) for each in group)) for group in value.b)
        return self(value.kind, value.a, inner, value.c)

    def encode(self, value: Value) -> list[Any]:
        """Nested lists of plain data."""
        known = self.encoded.get(value)
        if known is None:
            known = [value.kind, self._plain(value.a), self._plain(value.b), self._plain(value.c)]
            self.encoded[value] = known
        return known

    def _plain(self, part: Any) -> Any:
        if isinstance(part, Value):
            return {"v": self.encode(part)}
        if isinstance(part, tuple):
            return [self._plain(each) for each in part]  # pyright: ignore[reportUnknownVariableType]
        return part

    def decode(self, data: list[Any]) -> Value:
        return self(data[0], self._rich(data[1]), self._rich(data[2]), self._rich(data[3]))

    def _rich(self, part: Any) -> Any:
        if isinstance(part, dict):
            return self.decode(part["v"])  # pyright: ignore[reportUnknownArgumentType]
        if isinstance(part, list):
            return tuple(self._rich(each) for each in part)  # pyright: ignore[reportUnknownVariableType]
        return part


def add(into: Set, value: Value, cost: int) -> None:
    """Keeps the smaller cost."""
    old = into.get(value)
    if old is None or cost < old:
        into[value] = cost


def stepped(cost: int, link: int, via: int) -> int:
    """The cost after one more step over a link of that cost, or -1 where it went too far."""
    hops = (cost >> 3) + (link >> 3) + 1
    return -1 if hops > MAX_HOPS else hops << 3 | via


def carried(cost: int, link: int) -> int:
    """The cost over a link that adds no step of its own, or -1."""
    if not link:
        return cost
    if not cost:
        return link
    hops = (cost >> 3) + (link >> 3)
    return -1 if hops > MAX_HOPS else hops << 3 | (cost & 7)
