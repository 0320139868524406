"""What lies outside a file, and the imports as the file writes them, in; which import it came by, out."""

from __future__ import annotations

from collections.abc import Sequence

from codegps.model.graph import Imported, Symbol


def written_module(symbol: Symbol, imports: Sequence[Imported]) -> str:
    """The import that brought a symbol of another file: the one that names it, else the one that names its file.

    What came by no import of this file (a method of a value that was handed over) is in its file's path.
    """
    top = symbol.qualified_name.partition(".")[0].partition("~")[0]
    named = [imported for imported in imports if imported.name and imported.name == top]
    for imported in named:
        if _may_lead(imported.module, symbol.file):
            return imported.module
    for imported in imports:
        if _leads(imported.module, symbol.file):
            return imported.module
        # `from shop import cart` brings a module, too.
        member = f"{imported.module.removesuffix('.')}.{imported.name}"
        if imported.name and _leads(member, symbol.file):
            return member
    if named:
        return named[0].module
    # A package's own file, whatever it is called.
    folder = symbol.file.rpartition("/")[0]
    return next((imported.module for imported in imports if _leads(imported.module, folder)), symbol.file)


def external_name(dotted: str, imports: Sequence[Imported]) -> tuple[str | None, str]:
    """(module as the import writes it, what was called in it) of a library's symbol; (None, "") if nothing imports it.

    `os.path.join` is `join` of `os.path` after `import os.path`, and `path.join` of `os` after `from os import path`.
    """
    best: tuple[int, str, str] | None = None
    for imported in imports:
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


def _leads(module: str, path: str) -> bool:
    """The end of the path is the module's."""
    parts = _parts(module)
    return bool(parts) and _without_endings(path)[-len(parts) :] == parts


def _may_lead(module: str, path: str) -> bool:
    """A barrel or an alias may lead anywhere; a module whose last part stands in the path is the better bet."""
    parts = _parts(module)
    return not parts or parts[-1] in _without_endings(path)


def _without_endings(path: str) -> list[str]:
    return [part.partition(".")[0] for part in path.split("/")]
