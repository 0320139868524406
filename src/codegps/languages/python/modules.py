"""Where Python's imports lead: the paths of the tree in, `Found` out. The index is built once per state of the tree.

An import root is a folder that Python may have on its path: the project root, `src` and `lib`, what packaging files
name, the folder around each top-most package, and the folder of the importing file itself.
"""

from __future__ import annotations

import sys
import tomllib
from configparser import ConfigParser
from configparser import Error as ConfigError

from codegps.language import Found, Project
from codegps.model.graph import Diagnostic

_SUFFIXES = (".py", ".pyi", ".pyw")
_USUAL = ("src", "lib", "python")


class Finder:
    def __init__(self, project: Project) -> None:
        self._project = project
        self._diagnostics: list[Diagnostic] = []
        self._modules: dict[str, str] = {}
        """Path without suffix, `pkg/mod` or `pkg` for a package, → its file."""
        self._packages: set[str] = set()
        self._folders: set[str] = {""}
        self._found: dict[tuple[str, str], Found] = {}
        self._index()
        self._roots = self._find_roots()
        self._roots_print = hash(tuple(self._roots))
        self._by_name: dict[str, list[str]] = {}
        """First part of a dotted name → roots that have it, in order of trust."""
        for root in self._roots:
            for name in self._children(root):
                self._by_name.setdefault(name, []).append(root)

    def _index(self) -> None:
        for path in self._project.paths():
            stem, dot, suffix = path.rpartition(".")
            if dot + suffix not in _SUFFIXES:
                continue
            folder, _, name = stem.rpartition("/")
            if name == "__init__":
                self._packages.add(folder)
                stem = folder
            known = self._modules.get(stem)
            # A package wins over a module of its name, a source over its stub.
            if known is None or rank(path) < rank(known):
                self._modules[stem] = path
            while folder not in self._folders:
                self._folders.add(folder)
                folder = folder.rpartition("/")[0]
        self._inside: dict[str, set[str]] = {}
        for stem in (*self._modules, *self._folders):
            if stem:
                folder, _, name = stem.rpartition("/")
                self._inside.setdefault(folder, set()).add(name)

    def _children(self, folder: str) -> set[str]:
        return self._inside.get(folder, set())

    def _find_roots(self) -> list[str]:
        """All import roots, those that somebody declared first."""
        roots = dict.fromkeys(root for root in self._declared_roots() if root in self._folders)
        roots[""] = None
        for usual in _USUAL:
            if usual in self._folders and usual not in self._packages:
                roots[usual] = None
        tops: set[str] = set()
        for package in self._packages:
            top = package
            while top.rpartition("/")[0] in self._packages and "/" in top:
                top = top.rpartition("/")[0]
            if top:
                tops.add(top.rpartition("/")[0])
        for root in sorted(tops, key=lambda root: (root.count("/"), root)):
            roots[root] = None
        return list(roots)

    def _declared_roots(self) -> list[str]:
        """Package folders that `pyproject.toml` and `setup.cfg` name."""
        out: list[str] = []
        raw = self._project.read("pyproject.toml")
        if raw is not None:
            try:
                data: object = tomllib.loads(raw.decode("utf-8", "replace"))
            except tomllib.TOMLDecodeError as error:
                data = {}
                self._diagnostics.append(Diagnostic("pyproject.toml", 1, f"not valid TOML: {error}"))
            setuptools = table(data, "tool", "setuptools")
            out += strings(list(table(setuptools, "package-dir").values()))
            out += strings(table(setuptools, "packages", "find").get("where"))
            out += strings(table(data, "tool", "pytest", "ini_options").get("pythonpath"))
            packages = table(data, "tool", "poetry").get("packages")
            for package in items(packages):
                out += strings(table(package).get("from"))
            for key in ("wheel", "sdist"):
                named = strings(table(data, "tool", "hatch", "build", "targets", key).get("packages"))
                out += [package.rstrip("/").rpartition("/")[0] for package in named]
        raw = self._project.read("setup.cfg")
        if raw is not None:
            parser = ConfigParser(interpolation=None)
            try:
                parser.read_string(raw.decode("utf-8", "replace"))
                where = parser.get("options.packages.find", "where", fallback="")
                folders = parser.get("options", "package_dir", fallback="")
            except ConfigError as error:
                where = folders = ""
                line = str(error).splitlines()[0]
                self._diagnostics.append(Diagnostic("setup.cfg", 1, f"not a valid settings file: {line}"))
            out += where.split()
            out += [line.partition("=")[2].strip() for line in folders.splitlines() if "=" in line]
        return [folder.replace("\\", "/").removeprefix("./").strip("/") if folder != "." else "" for folder in out]

    def diagnostics(self) -> list[Diagnostic]:
        return list(self._diagnostics)

    def layout(self, folder: str) -> str:
        """The import roots, which of them is the folder's own, and whether its files see their siblings."""
        return f"{self._roots_print} {folder in self._packages} {self._own_root(folder)}"

    # Finding

    def find(self, spec: str, importer: str) -> Found:
        """Where `spec`, as written in file `importer`, leads."""
        folder = importer.rpartition("/")[0]
        key = (spec, folder)
        found = self._found.get(key)
        if found is None:
            found = self._relative(spec, folder) if spec.startswith(".") else self._absolute(spec, folder)
            self._found[key] = found
        return found

    def submodule(self, parent: Found, name: str) -> Found | None:
        """`parent.name` where that is a module of its own."""
        if parent.kind == "folder":
            return self._at(f"{parent.name}/{name}" if parent.name else name)
        if parent.kind == "file":
            stem = parent.name.rpartition(".")[0]
            folder, _, last = stem.rpartition("/")
            return self._at(f"{folder}/{name}" if folder else name) if last == "__init__" else None
        if parent.kind == "external":
            return Found("external", f"{parent.name}.{name}")
        return None

    def _at(self, stem: str) -> Found | None:
        path = self._modules.get(stem)
        if path is not None:
            return Found("file", path)
        return Found("folder", stem) if stem in self._folders else None

    def _relative(self, spec: str, folder: str) -> Found:
        name = spec.lstrip(".")
        up = len(spec) - len(name) - 1
        base = folder
        for _ in range(up):
            if not base:
                return Found("missing", spec)
            base = base.rpartition("/")[0]
        inside = name.replace(".", "/")
        if not name:
            return self._at(base) or Found("folder", base)
        return self._at(f"{base}/{inside}" if base else inside) or Found("missing", spec)

    def _absolute(self, spec: str, folder: str) -> Found:
        inside = spec.replace(".", "/")
        first = spec.partition(".")[0]
        own = self._own_root(folder)
        library = first in sys.stdlib_module_names
        best: Found | None = None
        ours = False
        for root in self._ordered(first, folder, own):
            if library and root not in (own, folder):
                continue
            found = self._at(f"{root}/{inside}" if root else inside)
            if found is not None and found.kind == "file":
                return found
            top = self._at(f"{root}/{first}" if root else first)
            ours = ours or (top is not None and top.kind == "file")
            if best is None and not library:
                # Folders without `__init__` count where no file has the name.
                best = found
        return best or Found("missing" if ours else "external", spec)

    def _ordered(self, first: str, folder: str, own: str) -> list[str]:
        """Roots that have `first`: the importer's own tree, then the nearest, then the order of trust."""
        roots = self._by_name.get(first, [])
        if len(roots) > 1:
            order = {root: at for at, root in enumerate(roots)}
            roots = sorted(roots, key=lambda root: (root != own, -shared(root, folder), order[root]))
        # A script sees its siblings, before anything else; a module of a package does not.
        if folder not in self._packages and first in self._children(folder):
            return [folder, *(root for root in roots if root != folder)]
        return roots

    def _own_root(self, folder: str) -> str:
        """The folder around the top-most package that `folder` belongs to."""
        while folder in self._packages and folder:
            folder = folder.rpartition("/")[0]
        return folder


def rank(path: str) -> tuple[bool, bool, str]:
    name = path.rpartition("/")[2]
    return name.endswith(".pyi"), not name.startswith("__init__."), path


def shared(root: str, folder: str) -> int:
    """How many leading folders two paths have in common."""
    count = 0
    for one, other in zip(root.split("/") if root else [], folder.split("/"), strict=False):
        if one != other:
            break
        count += 1
    return count


def table(data: object, *path: str) -> dict[str, object]:
    """A table inside parsed TOML, empty where there is none."""
    for part in path:
        data = data.get(part) if isinstance(data, dict) else None  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
    return data if isinstance(data, dict) else {}  # pyright: ignore[reportUnknownVariableType]


def items(data: object) -> list[object]:
    return data if isinstance(data, list) else []  # pyright: ignore[reportUnknownVariableType]


def strings(data: object) -> list[str]:
    return [data] if isinstance(data, str) else [one for one in items(data) if isinstance(one, str)]
