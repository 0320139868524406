"""A package and a subpath, or a folder, in; the source file that an import of it means, out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from codegps.languages.javascript.resolution.configs import Config
from codegps.languages.javascript.resolution.documents import table, text
from codegps.languages.javascript.resolution.exports import targets
from codegps.languages.javascript.resolution.origins import HOMES, Origins
from codegps.languages.javascript.resolution.packages import Package, Packages
from codegps.languages.javascript.resolution.paths import inside, joined, within
from codegps.languages.javascript.resolution.sources import Sources, is_asset, is_declaration

FIELDS: Final = (
    *("source", "svelte", "types", "typings", "module", "jsnext:main", "es2015", "esnext", "main"),
    *("react-native", "browser"),
)
"""Names of a package's main file; a source is likelier behind an earlier one."""


class Entries:
    def __init__(self, sources: Sources, packages: Packages, origins: Origins) -> None:
        self._sources = sources
        self._packages = packages
        self._origins = origins
        self._entries: dict[tuple[str, str, str], str | None] = {}

    def module(self, path: str, config: Config | None) -> str | None:
        """The file of that name, else what the folder of that name stands for."""
        found = self._sources.file(path, config.marks if config else ("",)) if path else None
        return found or self.folder(path, config) or self._sources.rarely(path)

    def folder(self, path: str, config: Config | None) -> str | None:
        package = self._packages.at(path) if path in self._sources.folders else None
        if package is not None:
            found = self._main(package, config)
            if found is not None:
                return found
        return self._sources.index(path, config.marks if config else ("",))

    def _main(self, package: Package, config: Config | None) -> str | None:
        """The main file that a folder names."""
        return self._first(self._mains(package), package.folder, ".", config)

    def _mains(self, package: Package) -> Iterator[str]:
        for field in FIELDS:
            said = package.data.get(field)
            place = joined(package.folder, text(said).replace("\\", "/").lstrip("/")) if said else None
            if place is not None and isinstance(said, str):
                yield place

    # -- packages

    def entry(self, package: Package, subpath: str, config: Config | None) -> str | None:
        """The file behind the package's name, or the name with a subpath."""
        key = (package.folder, subpath, config.path if config else "")
        if key not in self._entries:
            self._entries[key] = self._entry(package, subpath, config)
        return self._entries[key]

    def _entry(self, package: Package, subpath: str, config: Config | None) -> str | None:
        exports = package.data.get("exports")
        plain = config is not None and config.plain
        found: str | None = None
        if exports is None or plain:
            found = self._start(package, config) if subpath == "." else self._below(package, subpath, config)
        if exports is not None and (found is None or is_declaration(found)):
            leaves = targets(exports, subpath, config)
            if leaves is not None:
                return self._behind(package, subpath, leaves, config) or found
            if not plain:
                return None
        if found is None or is_declaration(found):
            homes = (*HOMES, "lib", "") if subpath == "." else (*HOMES, "lib")
            return self._usual(package, subpath, homes) or found
        return found

    def _start(self, package: Package, config: Config | None) -> str | None:
        """The main file of a package that does not say what it exports."""
        found = self._first(self._mains(package), package.folder, ".", config)
        if found is not None and not is_declaration(found):
            return found
        index = self._sources.index(package.folder, config.marks if config else ("",))
        return index if found is None or (index is not None and not is_declaration(index)) else found

    def imported(self, package: Package, spec: str, config: Config | None) -> tuple[str | None, str | None]:
        """Where `imports` of a package say that `#spec` leads: a file that is there, or else the name of a package."""
        said = package.data.get("imports")
        leaves = targets(said, spec, config) if isinstance(said, dict) else None
        declared: str | None = None
        for leaf in leaves or ():
            if not leaf.startswith((".", "/", "#")):
                return None, leaf
            place = joined(package.folder, leaf) if leaf.startswith(".") else None
            file = self._first([place], package.folder, f"./{spec[1:]}", config) if place is not None else None
            if file is not None and not is_declaration(file):
                return file, None
            declared = declared or file
        return declared, None

    def _behind(self, package: Package, subpath: str, leaves: list[str], config: Config | None) -> str | None:
        if not leaves or all(is_asset(leaf) for leaf in leaves):
            return None
        places = [place for leaf in leaves if (place := joined(package.folder, leaf)) is not None]
        found = self._first(places, package.folder, subpath, config)
        if found is None or is_declaration(found):
            return self._usual(package, subpath, HOMES) or found
        return found

    def _below(self, package: Package, subpath: str, config: Config | None) -> str | None:
        """A path within a package that does not say what it exports."""
        place = joined(package.folder, subpath)
        if place is None:
            return None
        found = self._first([*self._for_types(package, subpath), place], package.folder, subpath, config)
        if found is None or is_declaration(found):
            return self.folder(place, config) or found
        return found

    def _for_types(self, package: Package, subpath: str) -> Iterator[str]:
        for said in table(package.data.get("typesVersions")).values():
            keyed = {inside(".", key): value for key, value in table(said).items()}
            for leaf in targets(keyed, subpath, None) or ():
                place = joined(package.folder, leaf)
                if place is not None:
                    yield place

    def _usual(self, package: Package, subpath: str, homes: tuple[str, ...]) -> str | None:
        """Where the source usually lies, when nothing that is named is in the tree."""
        if is_asset(subpath):
            return None
        last = package.name.rpartition("/")[2]
        names = ["index", "main", last] if subpath == "." else [subpath.removeprefix("./")]
        for home in homes:
            for name in names:
                if not name or (name == "main" and not home):
                    continue
                place = joined(package.folder, inside(home, name))
                found = self._sources.file_or_index(place) if place else None
                if found is not None and not is_declaration(found):
                    return found
        return None

    def _first(self, places: Iterable[str], owner: str, subpath: str, config: Config | None) -> str | None:
        """The source of the first place that has one."""
        declared: str | None = None
        for place in places:
            home = owner
            if within(place, owner) is None:
                around = self._packages.named(place.rpartition("/")[0])
                home = around.folder if around else ""
            found = self.source(place, home, subpath, config)
            if found is not None and not is_declaration(found):
                return found
            declared = declared or found
        return declared

    def source(self, place: str, owner: str, subpath: str, config: Config | None, sure: bool = False) -> str | None:
        """The file at a place, or what it is made from where builds write there. `sure`: only where that is clear."""
        if is_asset(place):
            return None
        there = self._sources.file_or_index(place, config.marks if config else ("",))
        if there is not None and not self._origins.is_output(place, owner, config):
            return there
        made = self._origins.source(place, owner, subpath, config, sure or there is not None)
        if (
            made is None
            and there is None
            and subpath == "."
            and self._origins.is_output(inside(place, "x"), owner, config)
        ):
            # A bundle has a name of its own.
            for home in HOMES:
                made = made or self._sources.index(inside(owner, home))
        return made or there
