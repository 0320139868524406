"""Scopes and variables: what a name means at a place."""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Node

    from codegps.languages.javascript.body import Body


class VariableKind(IntEnum):
    CONST = 0
    LET = 1
    VAR = 2
    PARAM = 3
    DEF = 4
    """A function, class, enum or namespace declaration."""
    IMPORT = 5


class Variable:
    """A declared name and what is known of it."""

    __slots__ = (
        "annotation",
        "assigned",
        "body",
        "captured",
        "declared",
        "depth",
        "fixed",
        "inner_writes",
        "kind",
        "label",
        "locals",
        "member",
        "module",
        "name",
        "plain",
        "symbol",
        "value",
    )

    def __init__(self, name: str, body: Body, kind: VariableKind, module: bool, member: bool) -> None:
        self.name = name
        self.body = body
        """The unit that it belongs to."""
        self.kind = kind
        self.module = module
        """A top-level name of the module, read elsewhere as NAME."""
        self.member = member
        """A name of the module or of a namespace: others may see it."""
        self.label = name
        """Unique in its unit."""
        self.fixed: tuple[int, int] | None = None
        """DEF or IMPORT: the operation and operand that it stands for everywhere."""
        self.value = -1
        """The term it got where it was declared."""
        self.assigned: list[int] = []
        """All terms that its own unit binds it to."""
        self.inner_writes = 0
        """How often inner functions assign it."""
        self.captured = False
        self.locals: list[list[int]] = []
        """LOCAL terms that read it from inner functions."""
        self.depth = 0
        """Number of open branches where it was declared."""
        self.symbol = -1
        self.annotation: Node | None = None
        """Its type annotation, which holds for all that is assigned to it."""
        self.declared = -1
        """Head term of its declared type."""
        self.plain: list[int] = []
        """Head terms of what it is bound to; -1 where a value does not plainly stand for something."""


class Scope:
    """One level of names; types have names of their own."""

    __slots__ = ("members", "names", "parent", "symbol", "types")

    def __init__(self, parent: Scope | None, symbol: int = -1, members: bool = False) -> None:
        self.parent = parent
        self.names: dict[str, Variable] = {}
        self.types: dict[str, tuple[int, int]] = {}
        """Type names: DEF and symbol, IMPORT and import, or TYPEPARAM and symbol."""
        self.symbol = symbol
        """The function, class or module whose outermost scope this is, -1 for a block."""
        self.members = members
        """Its names are members of a module or a namespace."""
