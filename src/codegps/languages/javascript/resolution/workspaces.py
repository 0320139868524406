"""A package's name and a folder in; the package of that name in the workspaces around the folder, out.

Read for the list of members: `workspaces` of `package.json` (npm, yarn), `pnpm-workspace.yaml`, Yarn's Plug'n'Play
data, `lerna.json` and `rush.json`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import msgspec

from codegps.languages.javascript.resolution.documents import Documents, strings, table, text
from codegps.languages.javascript.resolution.globs import fits, fits_name, is_wild, without_braces
from codegps.languages.javascript.resolution.packages import Package, Packages
from codegps.languages.javascript.resolution.paths import above, ancestors, inside, joined, shared, within
from codegps.languages.javascript.resolution.pnp import PnP, read_pnp
from codegps.languages.javascript.resolution.pnpm import package_patterns
from codegps.languages.javascript.resolution.sources import Sources

UNSEEN: Final = ("node_modules", "bower_components")
PNPM: Final = "pnpm-workspace.yaml"
ELSEWHERE: Final = ("npm:", "git:", "git+", "http:", "https:", "github:", "gitlab:", "bitbucket:", "jsr:", "patch:")
"""Versions that name a package other than the one in the tree."""
AT: Final = ("file:", "link:", "portal:", "workspace:.")


class Workspace(msgspec.Struct):
    """The members of one root."""

    members: dict[str, list[Package]]
    """By name; several of one name in the order of their paths."""
    pnp: PnP | None


class Elsewhere:
    """A name that is known to mean a package out of the tree."""


class Workspaces:
    def __init__(self, documents: Documents, packages: Packages, sources: Sources) -> None:
        self._documents = documents
        self._packages = packages
        self._sources = sources
        self._workspaces: dict[str, Workspace | None] = {}
        self._roots: dict[str, tuple[str, ...]] = {}
        self._known: dict[tuple[str, str], Package | Elsewhere | None] = {}

    def package(self, name: str, folder: str) -> Package | Elsewhere | None:
        """What an import of `name` in a file of `folder` means."""
        key = (name, folder)
        if key not in self._known:
            self._known[key] = self._find(name, folder)
        return self._known[key]

    def _find(self, name: str, folder: str) -> Package | Elsewhere | None:
        own = self._packages.named(folder)
        if own is not None:
            said = self._by_version(name, own)
            if said is not None:
                return said
        for workspace in filter(None, map(self.workspace, self.roots(folder))):
            said = self._by_pnp(name, own, workspace)
            if said is not None:
                return said
            found = _nearest(workspace.members.get(name, []), folder)
            if found is not None:
                return found
        return None

    def linked(self, name: str, own: Package) -> Package | None:
        """The package whose folder a dependency names."""
        version = own.dependencies.get(name, "")
        if not version.startswith(AT):
            return None
        place = joined(own.folder, version.partition(":")[2])
        return self._packages.at(place) if place is not None else None

    def _by_version(self, name: str, own: Package) -> Package | Elsewhere | None:
        version = own.dependencies.get(name, "")
        if version.startswith(ELSEWHERE):
            return Elsewhere()
        if version.startswith(AT):
            return self.linked(name, own) or Elsewhere()
        alias, at, _ = version.removeprefix("workspace:").rpartition("@")
        if version.startswith("workspace:") and at and alias != name:
            around = filter(None, map(self.workspace, self.roots(own.folder)))
            members = (_nearest(workspace.members.get(alias, []), own.folder) for workspace in around)
            return next(filter(None, members), None)
        return None

    def _by_pnp(self, name: str, own: Package | None, workspace: Workspace) -> Package | Elsewhere | None:
        known = workspace.pnp.dependencies.get(own.folder) if workspace.pnp and own else None
        if known is None or name not in known:
            return None
        place = known[name]
        return (self._packages.at(place) if place is not None else None) or Elsewhere()

    # -- members

    def roots(self, folder: str) -> tuple[str, ...]:
        """Folders around, the nearest first, that may be roots of workspaces."""
        if folder not in self._roots:
            around = dict.fromkeys(package.folder for package in self._packages.chain(folder))
            self._roots[folder] = tuple(around | {"": None})
        return self._roots[folder]

    def workspace(self, root: str) -> Workspace | None:
        if root not in self._workspaces:
            self._workspaces[root] = self._read(root)
        return self._workspaces[root]

    def look_at_all(self) -> None:
        """Reads the workspaces around every package that was asked for, whether or not an import led there."""
        for package in self._packages.loaded():
            for root in self.roots(package.folder):
                self.workspace(root)

    def _read(self, root: str) -> Workspace | None:
        lists = [self._npm(root), self._lerna(root)]
        pnpm = self._documents.text(inside(root, PNPM))
        pnp = read_pnp(self._documents, root)
        folders: dict[str, None] = dict.fromkeys(pnp.workspaces if pnp else ())
        for patterns in lists:
            folders |= dict.fromkeys(self._matching(root, patterns))
        if pnpm is not None:
            # Here what is excluded is excluded, wherever the list says so.
            patterns = sorted(package_patterns(pnpm), key=lambda pattern: pattern.startswith("!"))
            folders |= dict.fromkeys(self._matching(root, patterns, ("test", "tests")))
        if not root:
            folders |= dict.fromkeys(self._rush())
        if not folders and pnpm is None:
            return None
        members: dict[str, list[Package]] = {}
        for folder in sorted({root, *folders}):
            package = self._packages.at(folder)
            if package is not None and package.name:
                members.setdefault(package.name, []).append(package)
        self._report(members)
        return Workspace(members, pnp)

    def _report(self, members: dict[str, list[Package]]) -> None:
        for name, packages in members.items():
            for package in packages[1:]:
                path, first = inside(package.folder, "package.json"), inside(packages[0].folder, "package.json")
                line = self._documents.line(path, "name")
                self._documents.report(path, line, f"a package of the name {name[:200]!r} is in {first}, too")

    def _npm(self, root: str) -> list[str]:
        package = self._packages.at(root)
        said = package.data.get("workspaces") if package else None
        if said is None:
            return []
        path = inside(root, "package.json")
        self._documents.expect(path, "workspaces", isinstance(said, list | dict), "a list or an object")
        return strings(said if isinstance(said, list) else table(said).get("packages"))

    def _lerna(self, root: str) -> list[str]:
        return strings((self._documents.json(inside(root, "lerna.json")) or {}).get("packages"))

    def _rush(self) -> Iterator[str]:
        projects = (self._documents.jsonc("rush.json") or {}).get("projects")
        for project in projects if isinstance(projects, list) else ():
            place = joined("", text(table(project).get("projectFolder")))
            if place:
                yield place

    # -- patterns

    def _matching(self, root: str, patterns: list[str], skipped: tuple[str, ...] = ()) -> list[str]:
        """Folders with a package; a later pattern with `!` takes away what earlier ones have given."""
        found: dict[str, None] = {}
        for written in patterns:
            for each in without_braces(written.replace("\\", "/")):
                place = joined(root, each.removeprefix("!").lstrip("/"))
                if place is None:
                    continue
                parts = place.split("/") if place else []
                if each.startswith("!"):
                    found = {folder: None for folder in found if not fits(parts, folder.split("/"))}
                else:
                    found |= dict.fromkeys(self._expanded(parts, skipped))
        return list(found)

    def _expanded(self, parts: list[str], skipped: tuple[str, ...]) -> list[str]:
        folders = [""]
        for at, part in enumerate(parts):
            if part == "**":
                deep = self._deep(folders, parts[at:], skipped)
                return [folder for folder in deep if self._packages.at(folder) is not None]
            if is_wild(part):
                folders = [inside(folder, name) for folder in folders for name in self._subfolders(folder, part)]
            else:
                folders = [inside(folder, part) for folder in folders]
        return [folder for folder in folders if self._packages.at(folder) is not None]

    def _subfolders(self, folder: str, pattern: str) -> list[str]:
        names = [name[:-1] for name in self._documents.project.listing(folder) if name.endswith("/")]
        hidden = pattern.startswith(".")
        return [n for n in names if fits_name(pattern, n) and n not in UNSEEN and (hidden or not n.startswith("."))]

    def _deep(self, folders: list[str], parts: list[str], skipped: tuple[str, ...]) -> list[str]:
        """For `**`: folders with sources in them, and what lies beside those that are packages."""
        never = {*UNSEEN, *skipped}
        found: dict[str, None] = {}
        for top in folders:
            known = dict.fromkeys(around for below in self._sources.folders_below(top) for around in ancestors(below))
            known = {each: None for each in known if within(each, top)}
            packages = [each for each in known if self._packages.at(each) is not None]
            for beside in sorted({above(each) for each in packages}):
                known |= {inside(beside, name): None for name in self._subfolders(beside, "*")}
            for each in sorted({*known, top}):
                rest = within(each, top)
                inner = rest.split("/") if rest else []
                if not never.intersection(inner) and fits(parts, inner):
                    found[each] = None
        return list(found)


def _nearest(packages: list[Package], folder: str) -> Package | None:
    """Of several with one name the one that has most folders in common with the importer's, else the first."""
    return max(packages, key=lambda package: shared(package.folder, folder), default=None)
