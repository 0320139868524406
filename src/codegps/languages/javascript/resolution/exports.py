"""`exports` or `imports` of a `package.json` and a subpath in; the places that are meant, the likeliest first, out.

All conditions are answered at once, those that name sources first: which of them holds is settled at run time, and they
mostly are builds of one source.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from codegps.languages.javascript.resolution.configs import Config
from codegps.languages.javascript.resolution.documents import Table
from codegps.languages.javascript.resolution.jsonc import Json
from codegps.languages.javascript.resolution.sources import is_typed_source

DEPTH: Final = 20
SOURCE: Final = 0
RANKS: Final = {
    **dict.fromkeys(("types", "typings", "import", "module", "module-sync", "node", "default", "svelte"), 1),
    **dict.fromkeys(("require", "node-addons"), 2),
    "development": 3,
    "production": 4,
    "browser": 5,
}
DEVELOPMENT: Final = RANKS["development"]
ELSEWHERE: Final = 6
"""Conditions of other runtimes."""
SOURCES: Final = frozenset({"source", "src", "ts", "typescript"})


def targets(said: Json, subpath: str, config: Config | None) -> list[str] | None:
    """Empty where the package forbids the subpath; None where it does not speak of it."""
    entries = said if isinstance(said, dict) and any(key.startswith((".", "#")) for key in said) else {".": said}
    chosen = _chosen(entries, subpath)
    if chosen is None:
        return None
    key, star = chosen
    found: list[tuple[int, str]] = []
    ranks = dict(RANKS)
    if config is not None:
        # A bundler is no server.
        ranks |= {"node": RANKS["browser"]} if config.bundles else {}
        ranks |= dict.fromkeys(config.conditions, SOURCE)
    _collect(entries[key], RANKS["default"], 0, ranks, found)
    found.sort(key=lambda leaf: leaf[0])
    if found and found[0][0] != SOURCE and not is_typed_source(found[0][1]):
        # What is served while one develops is the source where the rest are builds.
        found.sort(key=lambda leaf: leaf[0] != DEVELOPMENT or not is_typed_source(leaf[1]))
    leaves = dict.fromkeys(leaf for _, leaf in found)
    if "*" in key:
        return [leaf.replace("*", star) for leaf in leaves]
    return [leaf + star for leaf in leaves]


def _chosen(entries: Table, subpath: str) -> tuple[str, str] | None:
    """The key that fits best, and what its `*` stands for."""
    if subpath in entries and "*" not in subpath and not subpath.endswith("/"):
        return subpath, ""
    best: tuple[str, str] | None = None
    weight = -1
    for key in entries:
        start, star, end = key.partition("*")
        if not star and not key.endswith("/"):
            continue
        if not subpath.startswith(start) or not subpath.endswith(end) or len(subpath) < len(key):
            continue
        if len(start) > weight or (len(start) == weight and best is not None and len(key) > len(best[0])):
            best, weight = (key, subpath[len(start) : len(subpath) - len(end)]), len(start)
    return best


def _collect(said: Json, rank: int, depth: int, ranks: Mapping[str, int], found: list[tuple[int, str]]) -> None:
    if isinstance(said, str):
        found.append((rank, said))
    elif isinstance(said, list) and depth < DEPTH:
        for one in said:
            _collect(one, rank, depth + 1, ranks, found)
    elif isinstance(said, dict) and depth < DEPTH:
        for condition, value in said.items():
            own = _rank(condition, ranks)
            _collect(value, SOURCE if SOURCE in (own, rank) else max(own, rank), depth + 1, ranks, found)


def _rank(condition: str, ranks: Mapping[str, int]) -> int:
    if condition in SOURCES or condition.endswith(("/source", "-source", "/src")):
        return SOURCE
    return ranks.get(condition.partition("@")[0], ELSEWHERE)
