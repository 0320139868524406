"""The rows of a tree in; a module finder for each of its languages, and what finding depends on, out."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from pathlib import Path

from codegps.language import Language, ModuleFinder, RootedFinder
from codegps.model.graph import Diagnostic, FileRow
from codegps.project import Asked, SourceTree, extensions_of


class Finding:
    """Module finding in one state of the tree."""

    def __init__(self, root: Path, languages: Mapping[str, Language], rows: Mapping[int, FileRow]) -> None:
        paths = sorted(row.path for row in rows.values())
        self._paths = frozenset(paths)
        endings = extensions_of(languages)
        used = sorted({row.language for row in rows.values()})
        self._trees = {name: SourceTree(root, paths, endings) for name in used}
        self.finders: dict[str, ModuleFinder] = {
            name: languages[name].finder(tree) for name, tree in self._trees.items()
        }
        """By language."""

    def asked(self) -> dict[str, Asked]:
        """By language: what the finders read so far."""
        return {name: tree.asked for name, tree in self._trees.items()}

    def layouts(self) -> dict[str, str]:
        """By language: what finding depends on in the tree as a whole."""
        return {name: finder.layout() for name, finder in self.finders.items() if isinstance(finder, RootedFinder)}

    def diagnostics(self, before: Iterable[Diagnostic], anew: Container[str]) -> list[Diagnostic]:
        """Broken project files: those of the last time that nobody looked at since, and those of now."""
        read = {path for tree in self._trees.values() for path in tree.asked.files}
        found = {d: None for finder in self.finders.values() for d in finder.diagnostics()}
        if not all(name in anew for name in self.finders):
            found |= {d: None for d in before if d.file not in self._paths and d.file not in read}
        return sorted(found, key=lambda d: (d.file, d.line, d.message))
