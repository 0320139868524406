"""Where imports of JavaScript and TypeScript lead: the paths and project files of the tree in, `Found` out.

In the order of the languages: aliases of the governing `tsconfig.json`, a package's own `imports` and name, the
workspaces around the importer; what is in none of them is a package from elsewhere. What a build writes stands for
the source that it is made from.
"""

from __future__ import annotations

import re
from typing import Final

from codegps.language import Found, Project
from codegps.languages.javascript.resolution.configs import Config, Configs
from codegps.languages.javascript.resolution.documents import Documents, text
from codegps.languages.javascript.resolution.entries import Entries
from codegps.languages.javascript.resolution.exports import targets
from codegps.languages.javascript.resolution.layout import Layout
from codegps.languages.javascript.resolution.options import Chains
from codegps.languages.javascript.resolution.origins import Origins
from codegps.languages.javascript.resolution.packages import Package, Packages, split
from codegps.languages.javascript.resolution.paths import above, ancestors, inside, joined, within
from codegps.languages.javascript.resolution.sources import Sources, is_asset
from codegps.languages.javascript.resolution.workspaces import Elsewhere, Workspaces
from codegps.model.graph import Diagnostic

SCHEME: Final = re.compile(r"[A-Za-z][\w+.-]+:")
NOT_A_MODULE: Final = frozenset({"raw", "url", "inline"})
"""What bundlers append to have a file's text or address."""
CONVENTIONS: Final = {"@/": ("src", ""), "~/": ("src", ""), "@@/": ("",), "~~/": ("",), "$lib/": ("src/lib",)}
"""What generated configurations and bundlers take these to mean; no package can have such a name."""


class Finder:
    """Finds modules in one state of the tree."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._documents = Documents(project)
        self._sources = Sources(project.paths())
        self._packages = Packages(self._documents)
        self._workspaces = Workspaces(self._documents, self._packages, self._sources)
        self._configs = Configs(self._documents, Chains(self._documents, self._package_config))
        self._origins = Origins(self._sources, self._documents, self._configs)
        self._entries = Entries(self._sources, self._packages, self._origins)
        self._layout = Layout(self._sources, self._packages, self._workspaces, self._entries)
        self._found: dict[tuple[str, str | None, str], Found] = {}

    def find(self, spec: str, importer: str) -> Found:
        """Where `spec`, as written in file `importer`, leads."""
        folder = importer.rpartition("/")[0]
        config = self._configs.governing(importer, folder)
        key = (folder, config.path if config else None, spec)
        found = self._found.get(key)
        if found is None:
            found = self._found[key] = self._resolve(spec, folder, config)
        return found

    def layout(self, folder: str) -> str:
        """Where names lead that say nothing of the path that they lead to."""
        near = self._configs.nearest(folder)
        configs = [near, *self._configs.referenced(near)] if near else []
        aliases = [self._by_config(name, config.alias(name), config) for config in configs for name in config.fixed]
        return f"{self._layout.around(folder, near)} {aliases}"

    def submodule(self, parent: Found, name: str) -> Found | None:
        """Modules have no parts here that are modules of their own."""
        return None

    def diagnostics(self) -> list[Diagnostic]:
        # What is found wrong must not depend on which imports were asked for.
        self._workspaces.look_at_all()
        return self._documents.diagnostics()

    # -- one import

    def _resolve(self, spec: str, folder: str, config: Config | None) -> Found:
        name = spec.rpartition("!")[2]
        name, asked, query = name.partition("?")
        if not name or "\\" in name or "\0" in name or (asked and NOT_A_MODULE & set(query.split("&"))):
            return Found("missing", spec)
        if name.startswith((".", "/")):
            relative = name.startswith(("./", "../", "/")) or name in (".", "..")
            if relative:
                path = self._absolute(name, folder) if name[0] == "/" else self._relative(name, folder, config)
                return Found("missing", spec) if path is None else Found("file", path)
        return self._bare(name, spec, folder, config)

    def _relative(self, name: str, folder: str, config: Config | None) -> str | None:
        path = joined(folder, name)
        if path is None:
            return None
        only_folder = name.endswith("/") or name.rpartition("/")[2] in (".", "..")
        for place in self._alternatives(path, config):
            found = self._entries.folder(place, config) if only_folder else self._entries.module(place, config)
            if found is not None:
                return found
        return self._built(path, folder, config)

    def _alternatives(self, path: str, config: Config | None) -> list[str]:
        """The path itself, then the same below the other `rootDirs`."""
        if config is None or not config.root_dirs:
            return [path]
        roots = [root for root in config.root_dirs if within(path, root) is not None]
        if not roots:
            return [path]
        rest = within(path, max(roots, key=len)) or ""
        return list(dict.fromkeys([path, *(inside(root, rest) for root in config.root_dirs)]))

    def _built(self, path: str, folder: str, config: Config | None) -> str | None:
        """The source of an output that is not in the tree, for an importer that is no output itself."""
        if is_asset(path):
            return None
        owner = self._packages.named(above(path))
        home = owner.folder if owner else ""
        if not self._origins.is_output(path, home, config) or self._origins.is_output(f"{folder}/x", home, config):
            return None
        return self._origins.source(path, home, ".", config, there=True)

    def _absolute(self, name: str, folder: str) -> str | None:
        """From the root of what is served: the package, or the tree."""
        for package in self._packages.chain(folder):
            path = joined(package.folder, name.lstrip("/"))
            found = self._sources.file_or_index(path) if path else None
            if found is not None:
                return found
        path = joined("", name.lstrip("/"))
        return self._sources.file_or_index(path) if path else None

    def _bare(self, name: str, spec: str, folder: str, config: Config | None) -> Found:
        alias = config.alias(name) if config else None
        if config is not None:
            path = self._by_config(name, alias, config)
            if path is not None:
                return Found("file", path)
        if name.startswith("#"):
            found = self._internal(name, spec, folder, config)
            if found is not None:
                return found
        elif not SCHEME.match(name):
            found = self._package(name, spec, folder, config)
            if found is not None:
                return found
            path = None if alias else self._by_convention(name, folder)
            if path is not None:
                return Found("file", path)
        if alias is not None and self._is_own(alias, name, folder):
            return Found("missing", spec)
        return Found("missing" if name.startswith("#") else "external", spec)

    # -- aliases

    def _by_config(self, name: str, alias: tuple[str, list[str | None]] | None, config: Config) -> str | None:
        if alias is None:
            place = joined(config.base_url, name) if config.base_url is not None else None
            return self._entries.module(place, config) if place else None
        for place in alias[1]:
            if place is not None:
                found = self._entries.module(place, config)
                owner = self._packages.named(place if place in self._sources.folders else above(place))
                home = owner.folder if owner else ""
                if found is None or self._origins.is_output(place, home, config):
                    subpath = "./" if "*" in alias[0] else "."
                    found = self._entries.source(place, home, subpath, config, sure=True) or found
                if found is not None:
                    return found
        return None

    def _is_own(self, alias: tuple[str, list[str | None]], name: str, folder: str) -> bool:
        """Whether an alias that leads nowhere was meant for the tree."""
        key, places = alias
        package = split(name)[0]
        if key == "*" or any(place is None or "node_modules" in place.split("/") for place in places):
            return False
        return not any(package in owner.dependencies for owner in self._packages.chain(folder))

    def _by_convention(self, name: str, folder: str) -> str | None:
        for start, homes in CONVENTIONS.items():
            if name.startswith(start):
                for package in self._packages.chain(folder):
                    for home in homes:
                        place = joined(inside(package.folder, home), name[len(start) :])
                        found = self._sources.file_or_index(place) if place else None
                        if found is not None:
                            return found
        return None

    # -- packages

    def _internal(self, name: str, spec: str, folder: str, config: Config | None) -> Found | None:
        """`#name`, by the package's own `imports`."""
        package = self._packages.named(folder)
        path, other = self._entries.imported(package, name, config) if package else (None, None)
        if package is not None and other:
            return self._package(other, other, package.folder, config) or Found("external", other)
        return None if path is None else Found("file", path)

    def _package(self, name: str, spec: str, folder: str, config: Config | None) -> Found | None:
        title, subpath = split(name)
        own = self._packages.named(folder)
        package = own if own is not None and own.name == title else self._workspaces.package(title, folder)
        package = package or self._installed(title, folder)
        if isinstance(package, Elsewhere):
            return Found("external", spec)
        if package is None:
            return None
        path = self._entries.entry(package, subpath if subpath != "./" else ".", config)
        return Found("missing", spec) if path is None else Found("file", path)

    def _installed(self, title: str, folder: str) -> Package | None:
        """A package of `node_modules`, where these were asked to be indexed."""
        for around in ancestors(folder) if self._sources.has_installed else ():
            place = inside(around, f"node_modules/{title}")
            if place in self._sources.folders:
                return self._packages.at(place)
        return None

    def _package_config(self, spec: str, folder: str) -> str | None:
        """The configuration that `extends` means by a package's name."""
        title, subpath = split(spec)
        package = self._workspaces.package(title, folder)
        if not isinstance(package, Package):
            places = (inside(around, f"node_modules/{title}") for around in ancestors(folder))
            package = next((found for place in places if (found := self._packages.at(place))), None)
        if package is None:
            return None
        tried: list[str] = []
        if subpath == ".":
            tried.append(text(package.data.get("tsconfig")) or "tsconfig.json")
        else:
            tried += [subpath, f"{subpath}.json", f"{subpath}/tsconfig.json"]
        exports = package.data.get("exports")
        tried = [*(targets(exports, subpath, None) or () if exports is not None else ()), *tried]
        for each in tried:
            path = joined(package.folder, each)
            if path is not None and self._project.read(path) is not None and path.endswith(".json"):
                return path
        return None
