"""Short ways to read facts: source in, the lines of `show` out."""

from __future__ import annotations

from textwrap import dedent

import msgspec

from codegps.languages.javascript import LANGUAGE as JAVASCRIPT
from codegps.languages.typescript import LANGUAGE as TYPESCRIPT
from codegps.model.facts import HEAD, UNIT, FileFacts, Head
from codegps.model.graph import Sites
from codegps.model.show import show_head, show_unit


def facts(source: str | bytes, path: str = "m.js") -> FileFacts:
    language = TYPESCRIPT if path.endswith(TYPESCRIPT.extensions) else JAVASCRIPT
    return language.extract(source if isinstance(source, bytes) else dedent(source).lstrip("\n").encode(), path)


def head(source: str | bytes, path: str = "m.js") -> Head:
    return HEAD.decode(facts(source, path).head)


def unit(source: str, name: str, path: str = "m.js") -> list[str]:
    """The unit of the symbol with this qualified name: its terms, effects and owners."""
    found = facts(source, path)
    known = HEAD.decode(found.head)
    for number, symbol in enumerate(known.unit_symbols):
        if known.symbols[symbol].qualified_name == name:
            return [line.strip() for line in show_unit(known, UNIT.decode(found.units[number])).split("\n")[1:] if line]
    return []


def effects(source: str, name: str, path: str = "m.js") -> list[str]:
    """The lines of a unit that are no terms."""
    return [line for line in unit(source, name, path) if not line.startswith("%")]


def terms(source: str, name: str, path: str = "m.js") -> list[str]:
    """The terms of a unit."""
    return [line for line in unit(source, name, path) if line.startswith("%")]


def section(source: str | bytes, name: str, path: str = "m.js") -> list[str]:
    """The lines of one section of a shown head: `symbols`, `imports`, `members`."""
    lines = show_head(head(source, path)).split("\n")
    if f"{name}:" not in lines:
        return []
    start = lines.index(f"{name}:") + 1
    end = next((at for at in range(start, len(lines)) if lines[at].endswith(":") and " " not in lines[at]), len(lines))
    return lines[start:end]


def members(source: str, scope: str = "<file>", path: str = "m.js") -> list[str]:
    """`name = …` of a scope's members."""
    start = f"{scope} . "
    return [line.removeprefix(start) for line in section(source, "members", path) if line.startswith(start)]


def exports(source: str, path: str = "m.js") -> list[str]:
    lines = show_head(head(source, path)).split("\n")
    return [line.removeprefix("export ") for line in lines if line.startswith("export ")]


def symbols(source: str | bytes, path: str = "m.js") -> list[str]:
    """`Kind qualified.name span …` of all symbols but the file, in source order."""
    found = [line.partition(" ")[2] for line in section(source, "symbols", path)[1:]]
    known = head(source, path).symbols[1:]
    order = sorted(range(len(known)), key=lambda at: (known[at].start_line, known[at].start_column, at))
    return [found[at] for at in order]


def names(source: str | bytes, path: str = "m.js") -> list[str]:
    """Kinds and qualified names in source order."""
    return [" ".join(line.split(" ")[:2]) for line in symbols(source, path)]


def entries(source: str, path: str = "m.js") -> list[tuple[str, str, str]]:
    found = head(source, path)
    return [(entry.kind, entry.key, found.symbols[entry.symbol].qualified_name) for entry in found.entries]


def diagnostics(source: str | bytes, path: str = "m.js") -> list[tuple[int, str]]:
    return [(found.line, found.message) for found in head(source, path).diagnostics]


def sites(source: str, path: str = "m.js") -> Sites:
    return msgspec.msgpack.decode(facts(source, path).sites, type=Sites)
