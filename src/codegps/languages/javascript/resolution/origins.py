"""The path of a build's output in; the source that it is made from, out.

By `outDir` and `rootDir` of the configurations around it where they tell, else by what folders are usually called.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from codegps.languages.javascript.resolution.configs import Config, Configs
from codegps.languages.javascript.resolution.documents import Documents
from codegps.languages.javascript.resolution.paths import inside, within
from codegps.languages.javascript.resolution.sources import Sources, is_asset, is_declaration, suffix

CODE: Final = (".js", ".mjs", ".cjs", ".jsx", ".ts", ".mts", ".cts", ".tsx", ".d.ts", ".d.mts", ".d.cts")
FIRST: Final = {".mjs": ".mts", ".d.mts": ".mts", ".cjs": ".cts", ".d.cts": ".cts", ".jsx": ".tsx"}
"""What an output is made from before all else."""
_NAMES: Final = "dist|lib|libs|build|built|out|output|esm?|cjs|umd|iife|types?|typings|dts|modules?|commonjs|js|es\\d+"
OUTPUT: Final = re.compile(
    rf"[_.]?(?:{_NAMES}|esm\d+|fesm\d+|target|bundles?|compiled|generated|temp|tmp)(?:[-_.]\w+)*"
)
"""Folders that builds are written to."""
FLAVOURS: Final = re.compile(
    r"d|cjs|mjs|esm(-bundler|-browser)?|es\d*|esnext|umd|iife|amd|system|global|modern|legacy|module|common(js)?|runtime|"
    r"bundled?|bundler|min|prod(uction)?|dev(elopment)?|browser|node"
)
"""What bundlers add to a name, after a dot: `index.esm.js`."""
HOMES: Final = ("src", "source", "sources")
"""Folders of sources."""


class Origins:
    def __init__(self, sources: Sources, documents: Documents, configs: Configs) -> None:
        self._sources = sources
        self._documents = documents
        self._configs = configs
        self._own: dict[str, list[tuple[str, list[str]]]] = {}
        self._all: dict[tuple[str, str], list[tuple[str, list[str]]]] = {}

    def outputs(self, owner: str, config: Config | None) -> list[tuple[str, list[str]]]:
        """What configurations in and around the folder of a package, and those that the importer's refers to, write
        where. The folders below come from those beside them."""
        key = (owner, config.path if config else "")
        if key not in self._all:
            if owner not in self._own:
                self._own[owner] = self._outputs_of(owner)
            more = [out for other in self._configs.referenced(config) for out in other.outputs] if config else []
            mine = config.outputs if config else []
            self._all[key] = [*self._own[owner], *more, *mine]
        return self._all[key]

    def _outputs_of(self, owner: str) -> list[tuple[str, list[str]]]:
        names = [name for name in self._documents.project.listing(owner) if re.fullmatch(r"tsconfig.*\.json", name)]
        near = self._configs.nearest(owner)
        configs = [self._configs.config(inside(owner, name)) for name in names]
        return [out for config in (near, *configs) if config for out in config.outputs]

    def is_output(self, path: str, owner: str, config: Config | None) -> bool:
        """Whether builds write there."""
        rest = within(path, owner)
        if rest and "/" in rest and OUTPUT.fullmatch(rest.partition("/")[0]):
            return True
        return any(
            within(path, out) is not None and not any(within(root, out) and within(path, root) for root in roots)
            for out, roots in self.outputs(owner, config)
        )

    def source(self, path: str, owner: str, subpath: str, config: Config | None, there: bool) -> str | None:
        """What the output is made from. `owner` is the folder of its package, `subpath` what importers call it,
        `there` whether the output itself is in the tree: then only a clear answer counts."""
        if is_asset(path):
            return None
        declared: str | None = None
        for place in self._places(path, owner, subpath, config, there):
            found = None if place == path else self._like(place)
            if found is not None and not is_declaration(found):
                return found
            declared = declared or found
        return None if there else declared

    def _places(self, path: str, owner: str, subpath: str, config: Config | None, there: bool) -> Iterator[str]:
        for out, roots in self.outputs(owner, config):
            rest = within(path, out)
            if rest:
                yield from (inside(root, rest) for root in roots if root != out)
        rest = within(path, owner)
        if rest:
            yield from (inside(owner, place) for place in _usual(rest, subpath, there))

    def _like(self, path: str) -> str | None:
        """A source of that name, whatever its extension; names of bundles are tried without what bundlers add."""
        end = suffix(path)
        stem = path[: -len(end)] if end in CODE else path
        while True:
            first = FIRST.get(end)
            if first is not None and (found := self._sources.file(stem + first)):
                return found
            found = self._sources.file(stem) or self._sources.index(stem)
            if found is not None:
                return found
            name = stem[stem.rfind("/") + 1 :]
            start, dot, flavour = name.rpartition(".")
            if not dot or not start or not FLAVOURS.fullmatch(flavour):
                return None
            stem = stem[: -len(flavour) - 1]


def _usual(rest: str, subpath: str, there: bool) -> Iterator[str]:
    """Where in a package the source of an output usually lies."""
    parts = rest.split("/")
    count = 0
    while count < len(parts) - 1 and OUTPUT.fullmatch(parts[count]):
        count += 1
    if not count:
        return
    wanted = subpath.removeprefix("./").partition("/")[0]
    # `dist/types/index.js` is the index, but not where importers call it `types`.
    order = sorted(range(1, count + 1), key=lambda skipped: (parts[skipped] != wanted, -skipped))
    tails = [parts[skipped:] for skipped in order]
    for tail in tails:
        for home in HOMES:
            if home in tail:
                yield "/".join(tail[tail.index(home) :])
            yield "/".join([home, *tail])
    for tail in () if there else tails:
        if parts[0] != "lib":
            yield "/".join(["lib", *tail])
        yield "/".join(tail)
