"""A unit being written, and the small tables of a walk: strings, names of objects, what entering a unit saves."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from codegps.languages.javascript.scopes import Scope, Variable

if TYPE_CHECKING:
    from tree_sitter import Node

    from codegps.languages.javascript.flow import Target


class Path(NamedTuple):
    """Where an object literal's functions are named."""

    parent: int
    """The symbol above them."""
    prefix: str
    """What stands before their key."""
    home: Variable | None = None
    """The variable that the object is bound to: what `this` is in its methods."""


Journal = dict[Variable, int | None]
"""Variables that a branch changed, with what they were before."""
State = tuple[
    "Body",
    list[list[int]],
    list[list[int]],
    dict[int, int],
    Scope,
    dict[Variable, int],
    Journal | None,
    list[Journal],
    "list[Target]",
    dict[int, int],
    bool,
    int,
    int,
    tuple[int, int] | None,
    int,
]
"""What belongs to the unit being written, in the order of `Walker.enter`."""


class Strings(dict[str, int]):
    """A file's string table: a new string gets the next number."""

    def __init__(self) -> None:
        super().__init__()
        self.words: list[str] = []

    def __missing__(self, text: str) -> int:
        number = self[text] = len(self.words)
        self.words.append(text)
        return number


_BOUND: Final = re.compile(r"([\w$]+)\s*(?::[^=;]{1,60})?\Z")


def symbol_names(text: str) -> set[str]:
    """The variables that a text binds to symbols."""
    found: set[str] = set()
    at = text.find("= Symbol")
    while at >= 0:
        if text.startswith(("(", ".for("), at + 8):
            name = _BOUND.search(text, max(text.rfind("\n", 0, at), at - 120) + 1, at)
            if name is not None:
                found.add(name[1])
        at = text.find("= Symbol", at + 8)
    return found


class Body:
    """A unit being written."""

    __slots__ = (
        "around",
        "arrow",
        "asynchronous",
        "class_symbol",
        "constants",
        "count",
        "effects",
        "env",
        "generator",
        "home",
        "kin",
        "labels",
        "leaf",
        "members",
        "owners",
        "plain",
        "returns_class",
        "returns_this",
        "static",
        "symbol",
        "terms",
        "this",
        "this_type",
        "variables",
    )

    def __init__(self, symbol: int, around: Body | None, this: list[int], class_symbol: int) -> None:
        self.symbol = symbol
        self.around = around
        self.terms: list[list[int]] = []
        self.effects: list[list[int]] = []
        self.owners: list[tuple[int, int, int]] = []
        self.leaf: dict[int, int] = {}
        self.constants: dict[str | tuple[str, str], int] = {}
        self.this = this
        """The term that `this` is."""
        self.this_type: Node | None = None
        self.home: Variable | None = None
        """The variable with the object that this method is written in."""
        self.kin = -1
        """The class whose instances `this` is although the function is not its member by name."""
        self.class_symbol = class_symbol
        """Where `super` starts, -1 outside classes."""
        self.variables: list[Variable] = []
        self.env: dict[Variable, int] = {}
        """Set when the unit of a module or namespace is done."""
        self.labels: dict[str, int] = {}
        """How many variables of a name there are: blocks may have their own."""
        self.plain: dict[int, int] = {}
        """Terms to their head terms, as far as asked."""
        self.members = False
        """Of a module or a namespace: its variables are seen from outside."""
        self.arrow = False
        self.asynchronous = False
        self.generator = False
        self.static = False
        self.count = 0
        """Parameters, for `arguments`."""
        self.returns_this = 0
        """1: it hands back its own object and nothing else; -1: something else."""
        self.returns_class: int = -1
        """The class that a mixin makes and hands back; -2 where it also returns something else."""
