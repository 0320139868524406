"""Yarn's Plug'n'Play data in, from `.pnp.data.json` or cut out of `.pnp.cjs` without running it; the workspaces and
what each of them means by the names of its dependencies, out."""

from __future__ import annotations

import re
from typing import Final

import msgspec

from codegps.languages.javascript.resolution.documents import Documents, Table, table, text
from codegps.languages.javascript.resolution.jsonc import Broken, Json, strict
from codegps.languages.javascript.resolution.paths import inside, joined

DATA: Final = ".pnp.data.json"
SCRIPTS: Final = (".pnp.cjs", ".pnp.js")
_START: Final = re.compile(r"RAW_RUNTIME_STATE\s*=\s*'|hydrateRuntimeState\(\s*(?=\{)")


class PnP(msgspec.Struct):
    """Workspaces are folders of the tree."""

    workspaces: list[str] = []
    dependencies: dict[str, dict[str, str | None]] = {}
    """By workspace: names of its dependencies, and their folders where these are workspaces too."""


def read_pnp(documents: Documents, folder: str) -> PnP | None:
    """What lies in a folder; None where there is nothing, or nothing that can be read."""
    data = documents.json(inside(folder, DATA))
    for name in SCRIPTS:
        if data is None:
            data = _cut(documents.text(inside(folder, name)) or "")
    return None if data is None else _read(folder, data)


def _cut(script: str) -> Table | None:
    found = _START.search(script)
    if found is None:
        return None
    if found[0].endswith("'"):
        end = re.compile(r"(?<!\\)'").search(script, found.end())
        body = script[found.end() : end.start() if end else len(script)]
        body = re.sub(r"\\(\r\n|[\s\S])", lambda each: "" if each[1] in ("\n", "\r\n") else each[1], body)
    else:
        end = re.compile(r"^\s*\}\s*,\s*\{?\s*basePath", re.MULTILINE).search(script, found.end())
        body = script[found.end() : end.start() if end else len(script)] + "}"
    try:
        value = strict(body)
    except Broken:
        return None
    return table(value) or None


def _pairs(value: Json) -> list[tuple[Json, Json]]:
    pairs = value if isinstance(value, list) else []
    return [(pair[0], pair[1]) for pair in pairs if isinstance(pair, list) and len(pair) == 2]


def _read(folder: str, data: Table) -> PnP:
    places: dict[tuple[str, str], str] = {}
    wanted: list[tuple[str, Json]] = []
    for name, versions in _pairs(data.get("packageRegistryData")):
        for reference, facts in _pairs(versions):
            place = joined(folder, text(table(facts).get("packageLocation")))
            own = text(reference).startswith("workspace:")
            if place is None or not (own or (name is None and reference is None)):
                continue
            places[text(name), text(reference)] = place
            wanted.append((place, table(facts).get("packageDependencies")))
    found = PnP(sorted(set(places.values())), {})
    for place, pairs in wanted:
        known = found.dependencies.setdefault(place, {})
        for name, target in _pairs(pairs):
            if isinstance(target, list) and len(target) == 2:
                known[text(name)] = places.get((text(target[0]), text(target[1])))
            elif isinstance(target, str):
                known[text(name)] = places.get((text(name), target))
    return found
