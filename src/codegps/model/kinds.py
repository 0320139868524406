"""The closed vocabularies of the graph: symbol kinds, edge kinds, proofs. No I/O."""

from __future__ import annotations

from enum import IntEnum


class Kind(IntEnum):
    """What a symbol is. The value is stored; the name is shown."""

    File = 0
    Namespace = 1
    Class = 2
    Interface = 3
    Trait = 4
    Struct = 5
    Union = 6
    Enum = 7
    EnumMember = 8
    TypeAlias = 9
    Function = 10
    Method = 11
    Constructor = 12
    Property = 13
    Variable = 14
    Constant = 15
    Macro = 16
    Element = 17
    Procedure = 18
    Table = 19


CALLABLE_KINDS = frozenset({Kind.Function, Kind.Method, Kind.Constructor, Kind.Macro, Kind.Procedure})
CLASS_KINDS = frozenset({Kind.Class, Kind.Interface, Kind.Trait, Kind.Struct, Kind.Union, Kind.Enum})


class EdgeKind(IntEnum):
    """What an edge says. CONTAINS is a symbol's `parent` and not stored as an edge."""

    CALLS = 0
    REFERENCES = 1
    USES_TYPE = 2
    EXTENDS = 3
    IMPLEMENTS = 4
    INCLUDES = 5
    USES_TABLE = 6


DRAWN_KINDS = (EdgeKind.CALLS, EdgeKind.REFERENCES, EdgeKind.EXTENDS, EdgeKind.IMPLEMENTS, EdgeKind.INCLUDES)
"""The kinds that the drawn graph of dependenciesOf and its siblings shows."""


class Proof(IntEnum):
    """How an edge is known."""

    resolved = 0
    dispatch = 1
    inferred = 2


class Via(IntEnum):
    """The last step of a value that travelled; smaller wins between equal hops."""

    none = 0
    # "return" is a keyword, so the member has an underscore; `label` is what is shown.
    return_ = 1
    field = 2
    parameter = 3
    element = 4

    @property
    def label(self) -> str | None:
        return None if self is Via.none else self.name.rstrip("_")


class Reason(IntEnum):
    """Why a reference is unresolved."""

    external = 0
    unknown = 1


class Flag:
    """Bits of `Symbol.flags`."""

    ASYNC = 1
    GENERATOR = 2
    STATIC = 4
    CLASSMETHOD = 8
    ABSTRACT = 16
    DECLARATION = 32
    """Has no body of its own: a stub, an overload, an interface member."""
    ANONYMOUS = 64
    EXPORTED = 128
    TEST = 256
    CONST = 512
    SETTER = 1024
    PRIVATE = 2048
    PROTOCOL = 4096
    """A class that is an interface by structure (typing.Protocol)."""
    DEFAULT_EXPORT = 8192
