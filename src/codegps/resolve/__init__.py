"""All facts in, edges out: the whole-program solver. See `solve.resolve`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import msgspec

from codegps.language import Language, ModuleFinder
from codegps.model.facts import FileFacts
from codegps.model.graph import FileRow
from codegps.store import FileGraph, Reader


class Inputs(msgspec.Struct):
    """What the solver is given."""

    rows: dict[int, FileRow]
    """File key to row: the whole tree as it is now."""
    languages: Mapping[str, Language]
    finders: Mapping[str, ModuleFinder]
    """By language name."""
    facts: Callable[[int], FileFacts]
    """Facts of any file by its key."""
    changed: set[int]
    """Files that are new or whose content changed."""
    removed: list[FileRow] = []
    previous: Reader | None = None
    """The graph of the last commit; None starts from nothing."""
    scripts: Mapping[str, list[tuple[str, str]]] = {}
    """Path to the commands that project files declare to begin there: (command, qualified name)."""
    reimport: set[str] = set()
    """Languages whose project files changed: their imports are resolved anew."""


def resolve(inputs: Inputs) -> Iterator[FileGraph]:
    """Complete rows for changed files; for files that are only affected, rows without symbols and sites."""
    from codegps.resolve.solve import resolve as run

    return run(inputs)
