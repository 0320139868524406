"""What lies outside a file, and the imports as the file writes them, in; which import it came by, out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from codegps.model.graph import Imported, Symbol

_OWN_FILES: Final = ("__init__", "index", "mod", "lib")
"""What a package's own file is called, where an import names the folder alone."""


class Imports:
    """A file's imports, asked by what they brought."""

    def __init__(self, imports: Sequence[Imported]) -> None:
        self._imports = imports
        self._modules: dict[tuple[str, str], str] = {}
        self._names: dict[str, tuple[str | None, str]] = {}
        self._whole = [
            (_parts(f"{each.module.removesuffix('.')}.{each.name}") if each.name else [], each) for each in imports
        ]
        self._parts = [_parts(each.module) for each in imports]

    def module(self, symbol: Symbol) -> str:
        """The import that brought a symbol of another file: the one that names it, else the one that names its file.

        What came by no import of this file (a method of a value that was handed over) is in its file's path.
        """
        top = symbol.qualified_name.partition(".")[0].partition("~")[0]
        key = (symbol.file, top)
        if key not in self._modules:
            self._modules[key] = self._module(symbol.file, top)
        return self._modules[key]

    def external(self, dotted: str) -> tuple[str | None, str]:
        """(module as the import writes it, what was called in it) of a library's symbol; (None, "") without an import.

        `os.path.join` is `join` of `os.path` after `import os.path`, and `path.join` of `os` after
        `from os import path`.
        """
        if dotted not in self._names:
            self._names[dotted] = self._external(dotted)
        return self._names[dotted]

    def _module(self, file: str, top: str) -> str:
        path = _without_endings(file)
        named = [n for n, imported in enumerate(self._imports) if imported.name and imported.name == top]
        for n in named:
            # A barrel or an alias may lead anywhere; a module whose last part stands in the path is the better bet.
            if not self._parts[n] or self._parts[n][-1] in path:
                return self._imports[n].module
        for parts, (whole, imported) in zip(self._parts, self._whole, strict=True):
            if _ends(path, parts):
                return imported.module
            # `from shop import cart` brings a module, too.
            if _ends(path, whole):
                return f"{imported.module.removesuffix('.')}.{imported.name}"
        if named:
            return self._imports[named[0]].module
        if path[-1] not in _OWN_FILES:
            return file
        folder = path[:-1]
        return next(
            (i.module for parts, i in zip(self._parts, self._imports, strict=True) if _ends(folder, parts)), file
        )

    def _external(self, dotted: str) -> tuple[str | None, str]:
        best: tuple[int, str, str] | None = None
        for imported in self._imports:
            module = imported.module
            if not module or not _begins(dotted, module):
                continue
            whole = f"{module}.{imported.name}" if imported.name else module
            length = len(whole) if _begins(dotted, whole) else len(module)
            if best is None or length > best[0]:
                best = (length, module, dotted[len(module) + 1 :])
        return (None, "") if best is None else (best[1], best[2])


def _begins(dotted: str, part: str) -> bool:
    return dotted == part or dotted.startswith((f"{part}.", f"{part}:", f"{part}/"))


def _parts(module: str) -> list[str]:
    """`../pkg/cart.js`, `.pkg.cart`, `@/pkg/cart` → pkg, cart."""
    if "/" in module:
        return [part.partition(".")[0] for part in module.split("/") if any(c.isalnum() for c in part)]
    return [part for part in module.split(".") if part]


def _ends(path: Sequence[str], parts: Sequence[str]) -> bool:
    return bool(parts) and path[-len(parts) :] == parts


def _without_endings(path: str) -> list[str]:
    return [part.partition(".")[0] for part in path.split("/")]
