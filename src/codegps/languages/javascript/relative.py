"""Finds modules by relative paths alone."""

from __future__ import annotations

import posixpath

from codegps.language import Found, Project
from codegps.model.graph import Diagnostic

_ENDINGS = (".ts", ".tsx", ".mts", ".cts", ".d.ts", ".js", ".jsx", ".mjs", ".cjs", ".vue", ".svelte")


class RelativeFinder:
    """`./x` next to the importer, with endings added and index files tried; everything else is external."""

    def __init__(self, project: Project) -> None:
        self.project = project

    def find(self, spec: str, importer: str) -> Found:
        if not spec.startswith("."):
            parts = spec.removeprefix("node:").split("/")
            return Found("external", "/".join(parts[: 2 if spec.startswith("@") else 1]))
        path = posixpath.normpath(posixpath.join(posixpath.dirname(importer), spec))
        stems = [path]
        for written, meant in ((".js", ""), (".jsx", ""), (".mjs", ""), (".cjs", "")):
            if path.endswith(written):
                stems.append(path.removesuffix(written) + meant)
        for stem in stems:
            for tried in (stem, *(stem + ending for ending in _ENDINGS), *(f"{stem}/index{e}" for e in _ENDINGS)):
                if self.project.has(tried):
                    return Found("file", tried)
        return Found("missing", spec)

    def submodule(self, parent: Found, name: str) -> Found | None:
        return None

    def diagnostics(self) -> list[Diagnostic]:
        return []
