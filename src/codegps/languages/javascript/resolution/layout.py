"""A folder in; where names lead from there whose targets have other names, out as text: packages, `#internal` names and
index files. While it stays the same, a file that comes or goes concerns only imports that name it."""

from __future__ import annotations

import hashlib

from codegps.languages.javascript.resolution.configs import Config
from codegps.languages.javascript.resolution.documents import table
from codegps.languages.javascript.resolution.entries import Entries
from codegps.languages.javascript.resolution.packages import Package, Packages
from codegps.languages.javascript.resolution.paths import ancestors
from codegps.languages.javascript.resolution.sources import Sources
from codegps.languages.javascript.resolution.workspaces import Workspaces


class Layout:
    def __init__(self, sources: Sources, packages: Packages, workspaces: Workspaces, entries: Entries) -> None:
        self._sources = sources
        self._packages = packages
        self._workspaces = workspaces
        self._entries = entries
        self._prints: dict[tuple[str, ...], str] = {}

    def around(self, folder: str, config: Config | None) -> str:
        own = self._packages.named(folder)
        mine = self._own(own, config) if own else ""
        members = [self._members(root, config) for root in self._workspaces.roots(folder)]
        indexes = [self._sources.index(each) for each in ancestors(folder)]
        return f"{mine} {members} {indexes}"

    def _members(self, root: str, config: Config | None) -> str:
        key = ("members", root, config.path if config else "")
        if key not in self._prints:
            workspace = self._workspaces.workspace(root)
            packages = [package for same in (workspace.members if workspace else {}).values() for package in same]
            lines = [f"{package.name} {self._entrances(package, config)}" for package in packages]
            self._prints[key] = _digest(lines)
        return self._prints[key]

    def _own(self, package: Package, config: Config | None) -> str:
        key = ("own", package.folder, config.path if config else "")
        if key not in self._prints:
            lines = [self._entrances(package, config)]
            for name in table(package.data.get("imports")):
                lines.append(f"{name} {self._entries.imported(package, name, config)}")
            for name in package.dependencies:
                near = self._workspaces.linked(name, package)
                lines += [f"{name} {self._entrances(near, config)}"] if near is not None else ()
            self._prints[key] = _digest(lines)
        return self._prints[key]

    def _entrances(self, package: Package, config: Config | None) -> str:
        names = [".", *(key for key in table(package.data.get("exports")) if key.startswith("./") and "*" not in key)]
        return f"{package.folder} {[self._entries.entry(package, name, config) for name in names]}"


def _digest(lines: list[str]) -> str:
    text = "\n".join(lines).encode("utf-8", "surrogatepass")
    return hashlib.sha1(text, usedforsecurity=False).hexdigest()
