"""Short ways to read facts: source in, the lines of `show` out."""

from __future__ import annotations

from textwrap import dedent

import msgspec

from codegps.languages.python.extractor import extract
from codegps.model.facts import HEAD, UNIT, FileFacts, Head
from codegps.model.graph import Sites
from codegps.model.show import show_head, show_unit


def facts(source: str | bytes, path: str = "m.py") -> FileFacts:
    return extract(source if isinstance(source, bytes) else dedent(source).lstrip("\n").encode(), path)


def head(source: str | bytes, path: str = "m.py") -> Head:
    return HEAD.decode(facts(source, path).head)


def unit(source: str, name: str) -> str:
    """The unit of the symbol with this qualified name, as text without its first line."""
    found = facts(source)
    known = HEAD.decode(found.head)
    for number, symbol in enumerate(known.unit_symbols):
        if known.symbols[symbol].qualified_name == name:
            return dedent(show_unit(known, UNIT.decode(found.units[number])).partition("\n")[2])
    return ""


def section(source: str | bytes, name: str, path: str = "m.py") -> list[str]:
    """The lines of one section of a shown head: `symbols`, `imports`, `members`."""
    lines = show_head(head(source, path)).split("\n")
    start = lines.index(f"{name}:") + 1
    end = next((at for at in range(start, len(lines)) if lines[at].endswith(":") and " " not in lines[at]), len(lines))
    return lines[start:end]


def members(source: str, scope: str = "<file>") -> list[str]:
    """`name = …` of a scope's members."""
    start = f"{scope} . "
    return [line.removeprefix(start) for line in section(source, "members") if line.startswith(start)]


def symbols(source: str | bytes, path: str = "m.py") -> list[str]:
    """`Kind qualified.name span …` of all symbols but the file."""
    return [line.partition(" ")[2] for line in section(source, "symbols", path)[1:]]


def names(source: str | bytes, path: str = "m.py") -> list[str]:
    return [symbol.qualified_name for symbol in head(source, path).symbols[1:]]


def entries(source: str, path: str = "m.py") -> list[tuple[str, str, str]]:
    found = head(source, path)
    return [(entry.kind, entry.key, found.symbols[entry.symbol].qualified_name) for entry in found.entries]


def diagnostics(source: str | bytes, path: str = "m.py") -> list[tuple[int, str]]:
    return [(found.line, found.message) for found in head(source, path).diagnostics]


def sites(source: str) -> Sites:
    return msgspec.msgpack.decode(facts(source).sites, type=Sites)
