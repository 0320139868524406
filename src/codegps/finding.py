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
        self._root = root
        self._languages = languages
        self._paths = frozenset(paths)
        endings = self._endings = extensions_of(languages)
        used = sorted({row.language for row in rows.values()})
        self._trees = {name: SourceTree(root, paths, endings) for name in used}
        self.finders: dict[str, ModuleFinder] = {
            name: languages[name].finder(tree) for name, tree in self._trees.items()
        }
        """By language."""

    def asked(self) -> dict[str, Asked]:
        """By language: what the finders read so far."""
        return {name: tree.asked for name, tree in self._trees.items()}

    def scripts(self) -> dict[str, list[tuple[str, str]]]:
        """By path: the commands that project files declare to begin there, with the symbol's qualified name."""
        found: dict[str, dict[tuple[str, str], None]] = {}
        for name, tree in self._trees.items():
            declared = self._languages[name].scripts
            for script in declared(tree) if declared is not None else ():
                target = self.finders[name].find(script.module, "")
                if target.kind == "file" and target.name in self._paths:
                    found.setdefault(target.name, {})[script.name, script.symbol] = None
        return {path: sorted(scripts) for path, scripts in found.items()}

    def moved(self, before: Mapping[int, FileRow]) -> set[int]:
        """Files that were there before, from which modules are found in another way now."""
        paths = sorted(row.path for row in before.values())
        moved: set[int] = set()
        for name, finder in self.finders.items():
            if not isinstance(finder, RootedFinder):
                continue
            old = self._languages[name].finder(SourceTree(self._root, paths, self._endings))
            if not isinstance(old, RootedFinder):
                continue
            folders: dict[str, bool] = {}
            for row in before.values():
                if row.language != name or row.path not in self._paths:
                    continue
                folder = row.path.rpartition("/")[0]
                if folder not in folders:
                    folders[folder] = finder.layout(folder) != old.layout(folder)
                if folders[folder]:
                    moved.add(row.key)
        return moved

    def diagnostics(self, before: Iterable[Diagnostic], anew: Container[str]) -> list[Diagnostic]:
        """Broken project files: those of the last time that nobody looked at since, and those of now."""
        read = {path for tree in self._trees.values() for path in tree.asked.files}
        found = {d: None for finder in self.finders.values() for d in finder.diagnostics()}
        if not all(name in anew for name in self.finders):
            found |= {d: None for d in before if d.file not in self._paths and d.file not in read}
        return sorted(found, key=lambda d: (d.file, d.line, d.message))
