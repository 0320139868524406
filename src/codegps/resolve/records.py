"""What the evaluation of a call needs and leaves: its arguments, and the record of what it was found to call."""

from __future__ import annotations

from typing import Final

from codegps.model.kinds import EdgeKind
from codegps.resolve.values import EMPTY, Set, Value

NO_TARGETS: Final[dict[tuple[int, int], tuple[int, bool]]] = {}
"""Shared by all records that have none: most of a large project's calls leave it."""


class Record:
    """One place that calls (or names) something, and what it was found to be."""

    __slots__ = ("column", "externals", "kind", "line", "mixed", "name", "owner", "site", "source", "targets")

    def __init__(
        self, kind: EdgeKind, source: int, owner: int, line: int, column: int, site: int = -1, name: str = ""
    ) -> None:
        self.kind = kind
        self.source = source
        """Local numbers of who does it and in whose code it is written."""
        self.owner = owner
        self.line = line
        self.column = column
        self.site = site
        self.name = name
        self.targets: dict[tuple[int, int], tuple[int, bool]] = NO_TARGETS
        """(target, class or -1) to (cost, whether it overrides what was declared)."""
        self.externals: list[str] = []
        self.mixed = False
        """Whether another arm of the callee leads outside the project."""

    def hit(self, target: int, cost: int, override: bool = False, class_: int = -1) -> None:
        old = self.targets.get((target, class_))
        new = (cost, override)
        if old is None or new < old:
            if self.targets is NO_TARGETS:
                self.targets = {}
            self.targets[target, class_] = new


class Arguments:
    """The evaluated arguments of a call."""

    __slots__ = ("doubles", "keywords", "named_terms", "positionals", "stars", "terms", "types")

    def __init__(self) -> None:
        self.positionals: list[Set] = []
        self.types: list[tuple[Value, ...]] = []
        """Type arguments, where they are written."""
        self.keywords: dict[str, Set] = {}
        self.stars: list[tuple[int, Set]] = []
        """(number of positionals before it, containers)."""
        self.doubles: list[Set] = []
        self.terms: list[int | str] = []
        """For written calls the terms of the positionals; a text where the argument is that literal."""
        self.named_terms: dict[str, int] = {}

    def at(self, index: int) -> Set:
        return self.positionals[index] if index < len(self.positionals) else EMPTY

    def named(self, name: str) -> Set:
        return self.keywords.get(name, EMPTY)

    def rest(self, start: int) -> list[Set]:
        return self.positionals[start:]

    def with_given(self, names: tuple[str, ...]) -> Arguments:
        """These with keywords that were given before, so that they count."""
        if not names:
            return self
        other = Arguments()
        other.positionals, other.stars, other.doubles = self.positionals, self.stars, self.doubles
        other.keywords = dict.fromkeys(names, EMPTY) | self.keywords
        other.terms, other.named_terms = self.terms, self.named_terms
        return other

    def without_first(self) -> Arguments:
        other = Arguments()
        other.positionals = self.positionals[1:]
        other.terms = self.terms[1:]
        other.keywords = self.keywords
        other.named_terms = self.named_terms
        other.stars = [(max(at - 1, 0), values) for at, values in self.stars]
        other.doubles = self.doubles
        return other
