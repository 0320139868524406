"""Trees in memory for module finding."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from codegps.languages.javascript.modules import Finder
from codegps.languages.javascript.resolution.sources import EXTENSIONS
from tests.languages.sources import Tree


class Scripts(Tree):
    """Sources are the files that have an extension of these languages."""

    def paths(self) -> Iterable[str]:
        return sorted(path for path in self.files if path.endswith(EXTENSIONS) and not path.startswith(".pnp"))

    def has(self, path: str) -> bool:
        return path in self.paths()


def finder(files: Mapping[str, str] | Iterable[str]) -> Finder:
    texts: dict[str, str] = {}
    for path in files:
        texts[path] = files[path] if isinstance(files, Mapping) else ""
    return Finder(Scripts(texts))


def lead(files: Mapping[str, str] | Iterable[str], importer: str, *specs: str) -> list[str]:
    """Where specs lead: a path, or the kind of answer with its name."""
    found = finder(files)
    return [shown(found, spec, importer) for spec in specs]


def shown(finder: Finder, spec: str, importer: str) -> str:
    answer = finder.find(spec, importer)
    return answer.name if answer.kind == "file" else f"{answer.kind} {answer.name}"


def diagnostics(finder: Finder) -> list[str]:
    return [f"{d.file}:{d.line}: {d.message}" for d in finder.diagnostics()]
