"""A `tsconfig.json` in; what it says together with all that it extends, out, each option with the folder it is from."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from codegps.languages.javascript.resolution.documents import Documents, Table, strings, table
from codegps.languages.javascript.resolution.jsonc import Json
from codegps.languages.javascript.resolution.paths import above, inside, joined

Options = dict[str, tuple[str, Json]]
"""By name: folder of the file that says it, and what it says. `files`, `include` and `exclude` are among them."""

OPTIONS: Final = (
    *("baseUrl", "paths", "rootDirs", "rootDir", "outDir", "declarationDir", "composite"),
    *("module", "moduleResolution", "moduleSuffixes", "customConditions"),
)
SELECTION: Final = ("files", "include", "exclude")


class Chains:
    """What configurations say with their bases."""

    def __init__(self, documents: Documents, package_file: Callable[[str, str], str | None]) -> None:
        self._documents = documents
        self._package_file = package_file
        """Spec of a package's configuration and a folder, to its path."""
        self._merged: dict[str, Options] = {}
        self._bases: dict[str, list[str]] = {}

    def options(self, path: str) -> Options:
        if path not in self._merged:
            for group in self._groups(path):
                self._merge(group)
        return self._merged[path]

    # -- bases

    def bases(self, path: str) -> list[str]:
        """The files that this one extends, the last of them weighs most."""
        if path not in self._bases:
            self._bases[path] = self._find_bases(path)
        return self._bases[path]

    def _find_bases(self, path: str) -> list[str]:
        said = (self._documents.jsonc(path) or {}).get("extends")
        if said is None:
            return []
        fits = isinstance(said, str) or (isinstance(said, list) and all(isinstance(one, str) for one in said))
        self._documents.expect(path, "extends", fits, "a string or a list of strings")
        found: list[str] = []
        for spec in strings(said):
            base = self.named(spec.replace("\\", "/"), above(path))
            if base is not None:
                found.append(base)
            elif spec.startswith((".", "/")):
                line = self._documents.line(path, "extends")
                self._documents.report(path, line, f"extends {spec[:200]!r}, which is not there")
        return found

    def named(self, spec: str, folder: str) -> str | None:
        """The configuration that `extends` names."""
        if not spec.startswith((".", "/")):
            return self._package_file(spec, folder)
        path = joined(folder, spec)
        if path is None:
            return None
        tried = [inside(path, "tsconfig.json")] if spec.rpartition("/")[2] in ("", ".", "..") else [path]
        if not path.endswith(".json"):
            tried.append(f"{path}.json")
        return next((one for one in tried if one and self._documents.text(one) is not None), None)

    def _groups(self, start: str) -> list[list[str]]:
        """All that `start` extends, bases first; what extends itself is one group (Tarjan's algorithm)."""
        order: dict[str, int] = {start: 0}
        low: dict[str, int] = {start: 0}
        open_: list[str] = [start]
        closed: set[str] = set()
        groups: list[list[str]] = []
        todo = [(start, iter(self.bases(start)))]
        while todo:
            path, rest = todo[-1]
            for base in rest:
                if base in self._merged or base in closed:
                    continue
                if base not in order:
                    order[base] = low[base] = len(order)
                    open_.append(base)
                    todo.append((base, iter(self.bases(base))))
                    break
                low[path] = min(low[path], order[base])
            else:
                todo.pop()
                if todo:
                    low[todo[-1][0]] = min(low[todo[-1][0]], low[path])
                if low[path] == order[path]:
                    at = open_.index(path)
                    groups.append(sorted(open_[at:]))
                    closed.update(open_[at:])
                    del open_[at:]
        return groups

    # -- merging

    def _merge(self, group: list[str]) -> None:
        """Members of a cycle do without each other."""
        first = group[0]
        if len(group) > 1 or first in self.bases(first):
            others = ", ".join(group[1:4]) + (", ..." if len(group) > 4 else "")
            way = f" by way of {others}" if others else ""
            self._documents.report(first, self._documents.line(first, "extends"), f"extends itself{way}")
        for path in group:
            merged: Options = {}
            for base in self.bases(path):
                if base not in group:
                    merged |= self._merged[base]
            self._merged[path] = merged | self._own(path)

    def _own(self, path: str) -> Options:
        data = self._documents.jsonc(path) or {}
        own: Options = {}
        self._check(path, data)
        said = table(data.get("compilerOptions"))
        for values, names in ((said, OPTIONS), (data, SELECTION)):
            own |= {name: (above(path), values[name]) for name in names if values.get(name) is not None}
        return own

    def _check(self, path: str, data: Table) -> None:
        expect = self._documents.expect
        said = data.get("compilerOptions")
        if said is not None and expect(path, "compilerOptions", isinstance(said, dict), "an object"):
            paths = table(said).get("paths")
            if paths is not None and expect(path, "paths", isinstance(paths, dict), "an object"):
                for key, targets in table(paths).items():
                    expect(path, key, isinstance(targets, list) and key.count("*") < 2, "a list, and one * at most")
        for name in (*SELECTION, "references"):
            expect(path, name, isinstance(data.get(name, []), list), "a list")
