"""Folders in; the packages that they are or lie in, by their `package.json`, out."""

from __future__ import annotations

from codegps.languages.javascript.resolution.documents import Documents, Table, table, text
from codegps.languages.javascript.resolution.paths import ancestors, inside

DEPENDENCIES = ("dependencies", "devDependencies", "peerDependencies", "optionalDependencies")


class Package:
    __slots__ = ("data", "dependencies", "folder", "name")

    def __init__(self, folder: str, data: Table) -> None:
        self.folder = folder
        self.data = data
        self.name = text(data.get("name"))
        self.dependencies: dict[str, str] = {}
        """Names to versions, or to what stands for these."""
        for kind in DEPENDENCIES:
            for name, version in table(data.get(kind)).items():
                self.dependencies.setdefault(name, text(version))


def split(spec: str) -> tuple[str, str]:
    """Name of the package and subpath (`.`, `./x`) of a bare spec."""
    parts = spec.split("/")
    count = 2 if spec.startswith("@") and len(parts) > 1 else 1
    rest = "/".join(parts[count:])
    return "/".join(parts[:count]), f"./{rest}" if rest else "."


class Packages:
    def __init__(self, documents: Documents) -> None:
        self._documents = documents
        self._packages: dict[str, Package | None] = {}
        self._chains: dict[str, tuple[Package, ...]] = {}

    def at(self, folder: str) -> Package | None:
        if folder not in self._packages:
            data = self._documents.json(inside(folder, "package.json"))
            self._packages[folder] = None if data is None else Package(folder, data)
        return self._packages[folder]

    def chain(self, folder: str) -> tuple[Package, ...]:
        """The packages that a folder lies in, the innermost first."""
        if folder in self._chains:
            return self._chains[folder]
        passed: list[str] = []
        chain: tuple[Package, ...] = ()
        for each in ancestors(folder):
            if each in self._chains:
                chain = self._chains[each]
                break
            passed.append(each)
        for each in reversed(passed):
            own = self.at(each)
            chain = (own, *chain) if own is not None else chain
            self._chains[each] = chain
        return chain

    def named(self, folder: str) -> Package | None:
        """The innermost package with a name: some folders only say how their files are to be read."""
        return next((package for package in self.chain(folder) if package.name), None)

    def loaded(self) -> list[Package]:
        """All that somebody asked for so far."""
        return [package for package in self._packages.values() if package is not None]
