"""A source file in; the `tsconfig.json` or `jsconfig.json` that governs it, out."""

from __future__ import annotations

from typing import Final

from codegps.languages.javascript.resolution.documents import Documents, strings, table, text
from codegps.languages.javascript.resolution.globs import fits, is_wild
from codegps.languages.javascript.resolution.jsonc import Json
from codegps.languages.javascript.resolution.options import Chains, Options
from codegps.languages.javascript.resolution.paths import above, ancestors, inside, joined, within

NAMES: Final = ("tsconfig.json", "jsconfig.json")
LAST: Final = "tsconfig.base.json"
"""What governs where nothing else does: some workspaces have only this in their root."""
CONFIG_DIR: Final = "${configDir}"
NEVER_INCLUDED: Final = ("node_modules", "bower_components", "jspm_packages")
PLAIN: Final = frozenset({"node", "node10", "classic"})
"""Ways of resolving that know nothing of `exports`."""


class Glob:
    """A pattern of `include` or `exclude`."""

    __slots__ = ("exact", "parts", "prefix")

    def __init__(self, pattern: str) -> None:
        parts = pattern.split("/") if pattern else []
        wild = next((at for at, part in enumerate(parts) if is_wild(part)), len(parts))
        self.prefix = "/".join(parts[:wild])
        """The folder or file that all it fits are in."""
        self.parts = parts[wild:]
        if not self.parts or self.parts in (["**"], ["**", "*"]):
            self.parts = []
        elif not is_wild(self.parts[-1]) and "." not in self.parts[-1]:
            self.parts += ["**", "*"]

    def fits(self, path: str) -> bool:
        rest = within(path, self.prefix)
        if rest is None:
            return False
        return not self.parts or fits(self.parts, rest.split("/") if rest else [])

    def covers(self, path: str) -> bool:
        """Whether it fits a path or a folder around it."""
        if self.fits(path):
            return True
        return bool(self.parts) and any(self.fits(folder) for folder in ancestors(above(path)) if folder)


class Config:
    """What one configuration says about modules."""

    def __init__(self, path: str, options: Options, references: list[str]) -> None:
        self.path = path
        self.references = references
        folder = above(path)
        self._folder = folder
        self._options = options
        self.base_url = self._place("baseUrl")
        self._exact: dict[str, list[str | None]] = {}
        self._patterns: list[tuple[str, str, str, list[str | None]]] = []
        self._read_paths()
        self.root_dirs = [place for place in self._places("rootDirs") if place is not None]
        self.marks = tuple(strings(self._said("moduleSuffixes"))) or ("",)
        self.conditions = frozenset(strings(self._said("customConditions")))
        self.plain = self._is_plain()
        """Whether `exports` of packages mean nothing here."""
        self.bundles = text(self._said("moduleResolution")).lower() == "bundler"
        self._files = set(self._places("files"))
        self._included, self._excluded = self._selection()
        self.outputs = self._outputs()
        """Folders that are written to, with those that what is in there may come from."""

    # -- reading

    def _said(self, name: str) -> Json:
        return self._options[name][1] if name in self._options else None

    def place(self, folder: str, written: str) -> str | None:
        written = written.replace("\\", "/")
        if written.startswith(CONFIG_DIR):
            folder, written = self._folder, written[len(CONFIG_DIR) :].lstrip("/")
        return joined(folder, written)

    def _place(self, name: str) -> str | None:
        folder, said = self._options.get(name, ("", None))
        return self.place(folder, said) if isinstance(said, str) and said else None

    def _places(self, name: str) -> list[str | None]:
        folder, said = self._options.get(name, ("", None))
        return [self.place(folder, one) for one in strings(said)] if isinstance(said, list) else []

    def _read_paths(self) -> None:
        folder, said = self._options.get("paths", ("", None))
        base = folder if self.base_url is None else self.base_url
        lost = self.base_url is None and isinstance(self._said("baseUrl"), str)
        for key, targets in table(said).items():
            if not isinstance(targets, list) or key.count("*") > 1:
                continue
            places = [None if lost else self.place(base, target) for target in strings(targets)]
            start, star, end = key.partition("*")
            if star:
                self._patterns.append((start, end, key, places))
            else:
                self._exact[key] = places
        self._patterns.sort(key=lambda pattern: -len(pattern[0]))

    def _is_plain(self) -> bool:
        way = text(self._said("moduleResolution")).lower()
        if way:
            return way in PLAIN
        module = text(self._said("module")).lower()
        return bool(module) and not module.startswith("node") and module != "preserve"

    def _selection(self) -> tuple[list[Glob], list[Glob]]:
        include: list[str | None] = self._places("include")
        if "include" not in self._options and "files" not in self._options:
            include = [inside(self._folder, "**/*")]
        exclude: list[str | None] = self._places("exclude")
        if "exclude" not in self._options:
            exclude = [inside(self._folder, name) for name in NEVER_INCLUDED]
            exclude += [self._place("outDir"), self._place("declarationDir")]
        return [Glob(one) for one in include if one is not None], [Glob(one) for one in exclude if one]

    def _outputs(self) -> list[tuple[str, list[str]]]:
        outputs = dict.fromkeys(self._place(name) for name in ("outDir", "declarationDir"))
        root = self._place("rootDir")
        if root is not None:
            roots = [root]
        else:
            below = {glob.prefix for glob in self._included if within(glob.prefix, self._folder)}
            roots = [*sorted(below), self._folder]
        return [(output, roots) for output in outputs if output is not None]

    # -- asking

    @property
    def says_paths(self) -> bool:
        return bool(self._exact or self._patterns or self.base_url is not None)

    @property
    def fixed(self) -> list[str]:
        """Aliases without a wildcard."""
        return list(self._exact)

    def alias(self, spec: str) -> tuple[str, list[str | None]] | None:
        """The key of `paths` that fits best, and where it leads; None among these is a place out of the tree."""
        exact = self._exact.get(spec)
        if exact is not None:
            return spec, exact
        for start, end, key, places in self._patterns:
            if spec.startswith(start) and spec.endswith(end) and len(spec) >= len(start) + len(end):
                star = spec[len(start) : len(spec) - len(end)]
                return key, [self._filled(place, star) for place in places]
        return None

    def _filled(self, place: str | None, star: str) -> str | None:
        if place is None:
            return None
        return joined("", place.replace("*", star, 1)) if "*" in place else place

    def includes(self, path: str) -> bool:
        if path in self._files:
            return True
        if not any(glob.fits(path) for glob in self._included):
            return False
        return not any(glob.covers(path) for glob in self._excluded)


class Configs:
    def __init__(self, documents: Documents, chains: Chains) -> None:
        self._documents = documents
        self._chains = chains
        self._configs: dict[str, Config | None] = {}
        self._nearest: dict[str, Config | None] = {}
        self._referenced: dict[str, list[Config]] = {}
        self._governing: dict[str, Config | None] = {}

    def config(self, path: str) -> Config | None:
        """None where there is none, or a broken one."""
        if path not in self._configs:
            data = self._documents.jsonc(path)
            made = None
            if data is not None:
                made = Config(path, self._chains.options(path), self._references(path))
            self._configs[path] = made
        return self._configs[path]

    def _references(self, path: str) -> list[str]:
        said = (self._documents.jsonc(path) or {}).get("references")
        found: list[str] = []
        for one in said if isinstance(said, list) else ():
            place = joined(above(path), text(table(one).get("path")).replace("\\", "/"))
            if place is not None:
                found.append(place if place.endswith(".json") else inside(place, NAMES[0]))
        return found

    def nearest(self, folder: str) -> Config | None:
        """In the folder or the nearest one around it; a broken one counts as absent."""
        if folder in self._nearest:
            return self._nearest[folder]
        passed: list[str] = []
        found: Config | None = None
        for each in ancestors(folder):
            if each in self._nearest:
                found = self._nearest[each]
                break
            passed.append(each)
            found = next((config for name in NAMES if (config := self.config(inside(each, name)))), None)
            if found is not None:
                break
            if not each:
                found = self.config(LAST)
        for each in passed:
            self._nearest[each] = found
        return found

    def referenced(self, config: Config) -> list[Config]:
        """The projects that one refers to, directly or not, nearest first."""
        if config.path not in self._referenced:
            found: dict[str, Config] = {}
            todo = list(config.references)
            at = 0
            while at < len(todo):
                path = todo[at]
                at += 1
                if path not in found and path != config.path and (other := self.config(path)):
                    found[path] = other
                    todo += other.references
            self._referenced[config.path] = list(found.values())
        return self._referenced[config.path]

    def governing(self, file: str, folder: str) -> Config | None:
        """The nearest one, or the one it refers to that includes the file."""
        near = self.nearest(folder)
        if near is None or not near.references:
            return near
        if file not in self._governing:
            self._governing[file] = self._choose(near, file)
        return self._governing[file]

    def _choose(self, near: Config, file: str) -> Config:
        if near.includes(file):
            return near
        others = self.referenced(near)
        for other in others:
            if other.includes(file):
                return other
        return next((one for one in (near, *others) if one.says_paths), near)
